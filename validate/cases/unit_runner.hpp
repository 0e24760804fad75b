// Owns the buffers and streams of one configuration and plays passes over all its units.
#pragma once

#include "validate/cases/options.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

namespace overcast::cases {

struct DeviceDeleter {
    void operator()(float* memory) const { cudaFree(memory); }
};
struct PinnedDeleter {
    void operator()(float* memory) const { cudaFreeHost(memory); }
};
struct StreamDeleter {
    void operator()(cudaStream_t stream) const { cudaStreamDestroy(stream); }
};

using DeviceMemory = std::unique_ptr<float, DeviceDeleter>;
using StreamHandle = std::unique_ptr<std::remove_pointer_t<cudaStream_t>, StreamDeleter>;

/// Pinned or ordinary memory, as asked for.
class HostBuffer {
public:
    HostBuffer(HostMemory kind, std::size_t elements);

    [[nodiscard]] float* data() const { return pinned_ ? pinned_.get() : pageable_.get(); }

private:
    std::unique_ptr<float, PinnedDeleter> pinned_;
    std::unique_ptr<float[]> pageable_;
};

/// Every unit has its own host and device buffers, so that units depend on nothing but stream
/// order.
class UnitRunner {
public:
    /// Allocates everything and fills the inputs. Throws std::runtime_error if CUDA fails.
    UnitRunner(const CaseDefinition& definition, const Options& options);

    /// Issues one pass and waits for every stream in turn.
    /// Returns the time from before the first enqueuing call to the return of the last wait.
    std::chrono::nanoseconds run_pass();

    /// Compares a sample of every unit's result with the host's; returns a checksum of the sample.
    /// Throws std::runtime_error naming the first wrong element.
    std::uint64_t verify() const;

    /// Duration of one kernel alone, by events, median of several.
    double kernel_us(std::uint32_t iterations);

    [[nodiscard]] std::uint32_t units() const { return static_cast<std::uint32_t>(units_.size()); }

private:
    struct Unit {
        std::vector<HostBuffer> host_inputs;
        std::vector<DeviceMemory> device_inputs;
        HostBuffer host_output;
        DeviceMemory device_output;
        cudaStream_t stream;
    };
    struct Step {
        enum class Kind : std::uint8_t { copy_in, kernel, copy_out } kind;
        std::uint32_t unit;
        std::uint32_t input;  // of copy_in
    };

    Unit make_unit(std::uint32_t number, HostMemory memory);
    [[nodiscard]] std::vector<Step> steps_of(std::uint32_t unit) const;
    void make_schedule(Order order, bool replicate);
    void issue(const Step& step) const;
    [[nodiscard]] KernelArguments device_arguments(const Unit& unit) const;
    [[nodiscard]] KernelArguments host_arguments(const Unit& unit) const;

    const CaseDefinition& definition_;
    Sizes sizes_;
    std::uint32_t elements_;
    std::vector<float> pattern_;
    std::vector<StreamHandle> streams_;
    std::vector<cudaStream_t> used_streams_;
    std::vector<Unit> units_;
    std::vector<Step> schedule_;
};

}  // namespace overcast::cases
