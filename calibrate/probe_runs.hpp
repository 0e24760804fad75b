// The probes of one calibration: which run, how, and what came back.
#pragma once

#include "calibrate/phases.hpp"
#include "calibrate/probe_output.hpp"
#include "core/error.hpp"
#include "model/device_model_notes.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace overcast {

/// `counted` is `full`, and once more to read hardware counters into the recording.
enum class ProbeMode : std::uint8_t { untraced, full, light, minimal, counted };

struct ProbeRun {
    ProbeOutput output;
    /// Null where the run was not traced, or its recording is not needed. Phases point into it.
    std::shared_ptr<const Trace> trace;
    std::vector<Phase> phases;
    std::string printed = {};  ///< by all probes of the process
};

/// One process.
struct ProbeStep {
    std::string probe;  ///< several, one after the other, with spaces between them
    ProbeMode mode{};
    bool read_trace = true;
    /// CUDA_DEVICE_MAX_CONNECTIONS of the process; absent: unset.
    std::optional<std::uint32_t> connections = std::nullopt;
};

/// Each probe of a step in a process of its own.
std::vector<ProbeStep> one_by_one(const ProbeStep& step);

/// The values of CUDA_DEVICE_MAX_CONNECTIONS that are measured beside "unset".
inline constexpr std::uint32_t kMeasuredConnections[] = {1, 2, 8, 32};

/// A measurement lacks its probe: that could not run, which was said then, or is left out by
/// --quick.
class ProbeDidNotRun : public ModelFileError {
public:
    using ModelFileError::ModelFileError;
};

/// Everything that ran. A probe that did not has its reason among the failures.
class ProbeRuns {
public:
    /// Under the name of each probe of the step, with what is its own.
    void add(const ProbeStep& step, const ProbeRun& run);
    void add_failure(const ProbeStep& step, const std::string& reason);

    using Connections = std::optional<std::uint32_t>;

    /// All runs of a probe in one mode and setting, in order.
    [[nodiscard]] const std::vector<ProbeRun>& all(std::string_view probe, ProbeMode mode,
                                                   Connections connections = {}) const;
    /// The first of them. Throws ProbeDidNotRun.
    [[nodiscard]] const ProbeRun& get(std::string_view probe, ProbeMode mode,
                                      Connections connections = {}) const;
    [[nodiscard]] const std::vector<ProbeFailure>& failures() const { return failures_; }

private:
    std::map<std::tuple<std::string, ProbeMode, Connections>, std::vector<ProbeRun>> runs_;
    std::vector<ProbeFailure> failures_;
};

/// Every process of a calibration, in order.
std::vector<ProbeStep> probe_steps(bool quick);

struct ProbePrograms {
    std::filesystem::path overcast;
    std::filesystem::path probes;

    /// This executable, and overcast-probes beside it. Throws Error where that is not there.
    static ProbePrograms beside_this_one();
};

/// Runs one step. Throws Error with the reason where the probe cannot run.
ProbeRun run_probe(const ProbeStep& step, bool quick, const ProbePrograms& programs);

}  // namespace overcast
