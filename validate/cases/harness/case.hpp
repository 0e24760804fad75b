// What one case is: parameters with presets, and the work that they describe. A case knows its
// buffers, its steps and its results; who issues the steps on which stream is the harness's matter.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace overcast::cases {

/// Wrong usage, or parameters that do not fit together: exit code 2.
class OptionError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

enum class HostMemory : std::uint8_t { pinned, pageable };

/// A number that decides how much a case does.
struct Parameter {
    std::string_view name;     ///< an option of the command line: --elements
    std::string_view meaning;  ///< one line for --help, with its unit
    std::uint64_t seed = 0;    ///< as published
    std::uint64_t h200 = 0;    ///< scaled so that one unit takes 0.1 to 10 ms on an H200
    std::uint64_t small = 0;   ///< as little as shows every path: for compute-sanitizer
    /// What the command line may ask for at least: 0 for a switch, or where none of it makes sense.
    std::uint64_t minimum = 1;
};

/// The values of a case's parameters.
class Values {
public:
    Values() = default;
    explicit Values(std::map<std::string, std::uint64_t, std::less<>> values)
        : values_{std::move(values)} {}

    /// Throws std::logic_error if the case has no such parameter.
    [[nodiscard]] std::uint64_t operator[](std::string_view name) const;
    /// Throws OptionError, too, if the value does not fit into 32 bits.
    [[nodiscard]] std::uint32_t count(std::string_view name) const;
    /// The same but for one value.
    [[nodiscard]] Values with(std::string_view name, std::uint64_t value) const;

private:
    std::map<std::string, std::uint64_t, std::less<>> values_;
};

/// Which share of a unit is meant: `split` cuts every copy and every grid into parts.
struct Part {
    std::uint32_t number = 0;
    std::uint32_t of = 1;
};

/// The streams of one strand of work, as many as the case has lanes.
using Lanes = std::span<const cudaStream_t>;

/// One call that puts work on the device, followed by the event calls that belong to it.
struct Step {
    std::function<void(Lanes)> issue;
    /// Order `recorded` issues all steps of phase 0, unit by unit, then those of phase 1, …
    /// Within a unit phases never decrease.
    std::uint32_t phase = 0;
};

/// The buffers and results of one run. Units share no buffer, so that nothing but stream order
/// holds them together; all memory is allocated by the constructor.
class Work {
public:
    Work() = default;
    Work(const Work&) = delete;
    Work& operator=(const Work&) = delete;
    virtual ~Work() = default;

    [[nodiscard]] virtual std::uint32_t units() const = 0;

    /// The steps of one part of one unit, in stream order. Called before the first pass; the steps
    /// are issued again in every pass and must give the same result each time.
    /// All parts of a unit have the same steps, each with its share of the work.
    /// Throws OptionError where the unit cannot be cut into so many parts.
    virtual std::vector<Step> steps(std::uint32_t unit, Part part) = 0;

    /// Compares the results of a unit (a sample where all of it would take the host long) with a
    /// computation on the host; returns a checksum of what was compared.
    /// Throws std::runtime_error naming unit, element, expected and found.
    [[nodiscard]] virtual std::uint64_t verify(std::uint32_t unit) const = 0;
};

struct CaseDefinition {
    std::string_view name;
    std::string_view effect;  ///< what it exercises, one line
    std::vector<Parameter> parameters;
    std::unique_ptr<Work> (*make)(const Values& values, HostMemory memory) = nullptr;
    std::uint32_t lanes = 1;    ///< streams that one strand of work uses
    bool can_be_split = false;  ///< steps() knows parts
};

/// All of them, in the order in which they are listed (validate/cases/all_cases.cu).
std::span<const CaseDefinition> all_cases();

/// Null if there is none of this name.
const CaseDefinition* find_case(std::string_view name);

}  // namespace overcast::cases
