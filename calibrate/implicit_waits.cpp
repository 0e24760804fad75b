// What waits for what without being told to, as rules; and the time of a host function.
#include "calibrate/measurements.hpp"
#include "core/error.hpp"
#include "model/calibration/median_fit.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace overcast {
namespace {

struct WaitCount {
    std::size_t waited = 0;
    std::size_t of = 0;

    WaitCount& operator+=(const WaitCount& other) {
        waited += other.waited;
        of += other.of;
        return *this;
    }
};

/// Samples of a quantity at least `share` of the x that they were measured at: a run time.
WaitCount at_least(const ProbeOutput& output, const std::string& quantity, double share) {
    WaitCount count;
    for (const double run : output.xs(quantity)) {
        for (const double took : output.at(quantity, run)) {
            ++count.of;
            count.waited += took >= share * run ? 1U : 0U;
        }
    }
    if (count.of == 0) {
        throw ModelFileError(fmt::format("the probe implicit_waits measured no {}", quantity));
    }
    return count;
}

/// A call that waits for a kernel takes about its time, what it does itself on top.
constexpr double kMostOfIt = 0.9;

void releases(const ProbeOutput& output, Draft& draft) {
    const auto waits = [&](const std::string& call) {
        return at_least(output, "beside_" + call, kMostOfIt);
    };
    auto kept = waits("cudaFree");
    kept += waits("cudaFreeHost");
    std::string others;
    for (const std::string call :
         {"cudaMalloc", "cudaMallocHost", "cudaMallocAsync", "cudaFreeAsync", "cudaStreamCreate",
          "cudaMemcpy", "cudaMemset"}) {
        const auto count = waits(call);
        others +=
            fmt::format("{}{} {} of {}", others.empty() ? "" : ", ", call, count.waited, count.of);
    }
    draft.notes.rules.push_back({"implicit-sync", "cudaFree and cudaFreeHost wait for running work",
                                 kept.waited, kept.of, "other calls wait: " + others});
}

/// Three kernels in a row take three times as long as one, three at once do not.
void default_stream(const ProbeOutput& output, Draft& draft) {
    constexpr double kInARow = 2.5;
    const auto blocking = at_least(output, "default_blocking", kInARow);
    const auto others = at_least(output, "default_non_blocking", kInARow);
    draft.notes.rules.push_back(
        {"default-stream",
         "work in the legacy default stream waits for that in blocking streams, and the reverse",
         blocking.waited, blocking.of,
         fmt::format("non-blocking streams wait too: {} of {}", others.waited, others.of)});
}

void host_functions(const ProbeOutput& output, Draft& draft) {
    const auto beside = at_least(output, "kernel_beside_host_function", kMostOfIt);
    const auto behind = at_least(output, "kernel_behind_host_function", kMostOfIt);
    draft.notes.rules.push_back(
        {"host-function", "a host function holds up what is behind it in its stream", behind.waited,
         behind.of, fmt::format("it holds up another stream: {} of {}", beside.waited, beside.of)});
    constexpr double kFew = 1;
    constexpr double kMany = 11;
    const double shorter = output.median("host_function_chain", kFew);
    std::vector<double> each;
    for (const double longer : output.at("host_function_chain", kMany)) {
        each.push_back((longer - shorter) / (kMany - kFew));
    }
    draft.set("host.host_function_ns", draft.model.host.host_function, fit_median(each),
              "probe implicit_waits, untraced: wall time per further pair of an idle host function "
              "and an empty kernel in one stream");
}

}  // namespace

void measure_implicit_waits(const ProbeRuns& runs, Draft& draft) {
    const auto& output = runs.get("implicit_waits", ProbeMode::untraced).output;
    releases(output, draft);
    default_stream(output, draft);
    host_functions(output, draft);
}

}  // namespace overcast
