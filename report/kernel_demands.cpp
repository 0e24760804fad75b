#include "report/kernel_demands.hpp"

#include "report/function_name.hpp"
#include "report/human_units.hpp"
#include "report/summary_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string_view>

namespace overcast {
namespace {

/// "fma_heavy_pipe" -> "fma".
std::string_view short_name(std::string_view unit) { return unit.substr(0, unit.find('_')); }

/// The pipe that a kernel keeps busiest: "fma 44 %".
std::string busiest_pipe(const KernelCounters& counters) {
    constexpr std::array kPipes{KernelCounter::fma_pipe,  KernelCounter::fma_heavy_pipe,
                                KernelCounter::alu_pipe,  KernelCounter::xu_pipe,
                                KernelCounter::fp64_pipe, KernelCounter::tensor_pipe,
                                KernelCounter::lsu_pipe};
    const auto busiest = std::ranges::max(
        kPipes, {}, [&](KernelCounter pipe) { return counters[pipe].value_or(0); });
    return fmt::format("{} {:.0f} %", short_name(to_string(busiest)),
                       counters[busiest].value_or(0) * 100);
}

std::string percent(std::optional<double> share) {
    return share ? fmt::format("{:.0f} %", *share * 100) : "-";
}

/// Warps that stand ready but wait for a unit or for another warp, of those that are resident.
std::string held_up(const KernelCounters& counters) {
    const auto warps = counters[KernelCounter::warps_per_sm].value_or(0);
    const auto issue = counters[KernelCounter::issue_slots].value_or(0);
    constexpr double kSchedulers = 4;
    if (warps <= 0) {
        return "-";
    }
    double waiting = 0;
    for (const auto counter :
         {KernelCounter::stalled_by_math_pipe, KernelCounter::stalled_by_memory_queue,
          KernelCounter::stalled_by_global_queue, KernelCounter::stalled_by_other_warp}) {
        waiting += counters[counter].value_or(0);
    }
    return percent(std::min(waiting * issue * kSchedulers / warps, 1.0));
}

/// The unit that a pass holds longest, of the cycles of the pass: "alu 75 %".
std::string busiest_unit(const KernelCode& code) {
    if (code[CodeUnit::tensor_pipe] > 0) {
        return "tensor";  // nobody tells its cycles
    }
    const auto busiest = std::ranges::max_element(code.cycles_of);
    const auto unit = static_cast<CodeUnit>(busiest - code.cycles_of.begin());
    const auto pass = std::max(code.cycles, *busiest);
    return *busiest > 0
               ? fmt::format("{} {:.0f} %", short_name(to_string(unit)), *busiest / pass * 100)
               : "-";
}

}  // namespace

std::string counters_section(const Trace& trace, const TraceStatistics& statistics,
                             const TerminalStyle& style) {
    Rows rows;
    for (const auto& kernel : statistics.kernels) {
        const auto found = std::ranges::find_if(trace.counters, [&](const KernelCounters& each) {
            return each.is_of(kernel.name, kernel.shape);
        });
        if (found == trace.counters.end()) {
            continue;
        }
        const auto& counters = *found;
        const auto l2 = std::max(counters[KernelCounter::l2_requests].value_or(0),
                                 counters[KernelCounter::l2_replies].value_or(0));
        rows.push_back({function_name(printable(trace.names[kernel.name])),
                        extent(kernel.shape.grid),
                        fmt::format("{:.1f}", counters[KernelCounter::warps_per_sm].value_or(0)),
                        held_up(counters), percent(counters[KernelCounter::issue_slots]),
                        busiest_pipe(counters), percent(counters[KernelCounter::l1]), percent(l2),
                        percent(counters[KernelCounter::dram])});
    }
    if (rows.empty()) {
        return {};
    }
    const auto more = rows.size() - std::min(kSummaryKernels, rows.size());
    rows.resize(rows.size() - more);
    return section("What kernels ask of the GPU's units (hardware counters, alone)",
                   {{"name", Align::left, true},
                    {"grid", Align::right},
                    {"warps/SM", Align::right},
                    {"held up", Align::right},
                    {"issue", Align::right},
                    {"pipe", Align::right},
                    {"L1", Align::right},
                    {"L2", Align::right},
                    {"DRAM", Align::right}},
                   rows, more, style);
}

std::string code_section(const Trace& trace, const TraceStatistics& statistics,
                         const TerminalStyle& style) {
    Rows rows;
    std::set<NameId> shown;
    for (const auto& kernel : statistics.kernels) {
        const auto found = std::ranges::find(trace.code, kernel.name, &KernelCode::name);
        if (found == trace.code.end() || !shown.insert(kernel.name).second) {
            continue;
        }
        rows.push_back({function_name(printable(trace.names[kernel.name])),
                        fmt::format("{:.0f}", found->instructions),
                        fmt::format("{:.0f}", found->cycles), busiest_unit(*found),
                        fmt::format("{:.1f}", found->memory_waits),
                        human_bytes(Bytes{static_cast<std::uint64_t>(found->global_bytes)})});
    }
    const auto more = rows.size() - std::min(kSummaryKernels, rows.size());
    rows.resize(rows.size() - more);
    return section("What a warp does in a pass through a kernel's loop (machine code)",
                   {{"name", Align::left, true},
                    {"instructions", Align::right},
                    {"cycles", Align::right},
                    {"busiest", Align::right},
                    {"load waits", Align::right},
                    {"moves", Align::right}},
                   rows, more, style);
}

}  // namespace overcast
