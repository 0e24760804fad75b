// Owns the work and the streams of one configuration and plays passes over all units.
#pragma once

#include "validate/cases/harness/options.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

namespace overcast::cases {

class Runner {
public:
    /// Creates the streams and everything that the steps need, and waits until the device is idle.
    /// Throws OptionError where parameters do not fit, std::runtime_error if CUDA fails.
    explicit Runner(const Options& options);

    /// Issues one pass and waits for every used stream in turn.
    /// Returns the time from before the first enqueuing call to the return of the last wait.
    std::chrono::nanoseconds run_pass();

    /// Compares the results of all units with the host's; returns a checksum of them.
    /// Throws std::runtime_error naming the first wrong element.
    [[nodiscard]] std::uint64_t verify() const;

    /// All that run, those of every replica.
    [[nodiscard]] std::uint32_t units() const;
    /// As asked for, or one per unit; where a unit uses several, so many times as many.
    [[nodiscard]] std::uint32_t streams() const { return stream_count_; }

private:
    struct StreamDeleter {
        void operator()(cudaStream_t stream) const { cudaStreamDestroy(stream); }
    };
    using Stream = std::unique_ptr<std::remove_pointer_t<cudaStream_t>, StreamDeleter>;
    struct Call {
        Step step;
        Lanes lanes;
        std::uint32_t strand = 0;
    };

    void create_streams(std::uint32_t count);
    void make_calls(const Options& options, std::uint32_t lanes);
    void issue_with_marks() const;

    std::vector<Stream> streams_;
    std::vector<cudaStream_t> handles_;        // the lanes of a strand are consecutive here
    std::vector<std::unique_ptr<Work>> work_;  // one per replica
    std::vector<Call> calls_;
    std::vector<cudaStream_t> used_;
    std::uint32_t stream_count_ = 0;
    bool mark_units_;
};

}  // namespace overcast::cases
