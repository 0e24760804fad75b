#include "validate/cases/harness/options.hpp"

#include <algorithm>
#include <iomanip>
#include <sstream>

namespace overcast::cases {
namespace {

constexpr std::string_view kOptions = R"(
the work:
  --preset h200|seed|small
                        sizes: scaled for an H200 (default), as published, as little as shows
                        every path
  --PARAMETER VALUE     one size; overcast-cases NAME --help shows those of a case
  --memory pinned|pageable
                        host memory of the copies

how it is issued:
  --streams N           streams, created once (default 1); where a unit itself uses several,
                        so many times as many; each: as many as there are units (distribute)
  --transform distribute|replicate|split
                        unit u on stream u mod N; all units on each of N streams, with
                        buffers of their own; part p of each unit on stream p mod N
  --parts P             split: parts of each unit (default N)
  --order depth|breadth|recorded
                        unit by unit; the first step of all units (parts, replicas), then the
                        second; as the original program did, which differs from depth where it
                        issues some steps of all units before the others

measuring (one pass warms up; the time runs from before the first call that enqueues work
to the return of the last synchronisation; results are checked against the host):
  --sweep NAME=FIRST..LAST
                        every value of a parameter in turn, each measured by itself: a line per
                        value; with --profile-one-pass an NVTX range "NAME=VALUE" around each
                        pass, so that one recording holds them all
  --repetitions R       timed passes (default 15)
  --json                print the result as one JSON object on one line
  --profile-one-pass    no timing: the warm-up, then one pass between cudaProfilerStart and
                        cudaProfilerStop, for: overcast trace --range profiler-api
  --mark-units          put an NVTX range "unit" around the steps of each unit (one stream,
                        order depth, distribute)
)";

template <typename Text>
std::size_t longest(const Text& texts) {
    std::size_t result = 0;
    for (const auto& text : texts) {
        result = std::max(result, text.name.size());
    }
    return result;
}

}  // namespace

std::string help_text(std::span<const CaseDefinition> cases) {
    std::ostringstream text;
    text << R"(overcast-cases: real CUDA programs whose time on N streams Overcast is judged by

usage: overcast-cases NAME [options]    run one configuration and time it
       overcast-cases NAME --help       the parameters of a case
       overcast-cases list [--json]     the cases and their parameters

cases:
)";
    const auto width = static_cast<int>(longest(cases)) + 2;
    for (const auto& definition : cases) {
        text << "  " << std::left << std::setw(width) << definition.name << definition.effect
             << '\n';
    }
    text << kOptions;
    return text.str();
}

std::string help_text(const CaseDefinition& definition) {
    std::ostringstream text;
    text << definition.name << ": " << definition.effect << "\n\n"
         << "streams of one unit: " << definition.lanes
         << (definition.can_be_split ? "; its units can be split\n"
                                     : "; its units cannot be split\n")
         << '\n';
    const auto width = std::max(static_cast<int>(longest(definition.parameters)) + 4, 11);
    text << std::left << std::setw(width) << "parameter" << std::right << std::setw(12) << "h200"
         << std::setw(12) << "seed" << std::setw(12) << "small"
         << "  meaning\n";
    for (const auto& parameter : definition.parameters) {
        text << "--" << std::left << std::setw(width - 2) << parameter.name << std::right
             << std::setw(12) << parameter.h200 << std::setw(12) << parameter.seed << std::setw(12)
             << parameter.small << "  " << parameter.meaning << '\n';
    }
    text << "\nOptions that every case has: overcast-cases --help\n";
    return text.str();
}

}  // namespace overcast::cases
