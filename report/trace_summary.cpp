#include "report/trace_summary.hpp"

#include "report/function_name.hpp"
#include "report/human_units.hpp"
#include "report/terminal_text.hpp"
#include "report/trace_statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace overcast {
namespace {

constexpr std::size_t kKernelRows = 12;
constexpr std::size_t kCallRows = 12;
constexpr std::size_t kStreamRows = 20;

using Rows = std::vector<std::vector<std::string>>;

std::string device_words(const DeviceProperties& device) {
    auto text = printable(device.name.empty() ? "unnamed" : device.name);
    if (device.multiprocessors) {
        text += fmt::format(", {} SMs", *device.multiprocessors);
    }
    if (device.memory) {
        text += ", " + human_bytes(*device.memory);
    }
    return text;
}

std::string device_line(const Trace& trace) {
    // A machine has several GPUs of a kind more often than several kinds.
    std::vector<std::pair<std::string, int>> kinds;
    for (const auto& device : trace.devices) {
        const auto words = device_words(device);
        const auto known = std::ranges::find(kinds, words, &std::pair<std::string, int>::first);
        if (known == kinds.end()) {
            kinds.emplace_back(words, 1);
        } else {
            ++known->second;
        }
    }
    std::string text;
    for (const auto& [words, count] : kinds) {
        text += (text.empty() ? "" : "; ") + words;
        text += count > 1 ? fmt::format(" ({} of them)", count) : "";
    }
    if (trace.driver_version) {
        text += ", driver " + printable(*trace.driver_version);
    }
    if (trace.cuda_version) {
        text += ", CUDA " + printable(*trace.cuda_version);
    }
    return text.empty() ? "not recorded" : text;
}

std::string recorder_line(const Trace& trace) {
    std::string text = trace.producer.empty() ? "by an unknown program" : "by " + trace.producer;
    if (!trace.date.empty()) {
        text += ", " + trace.date;
    }
    if (trace.range != "all" && !trace.range.empty()) {
        text += ", range " + trace.range;
    }
    if (trace.record_mode == RecordMode::minimal) {
        text += ", minimal records";
    }
    return printable(text);
}

std::string region_line(const RegionSummary& region, const TerminalStyle& style) {
    auto text = fmt::format("{}, {}", counted(region.operations, "operation"),
                            human_duration(region.recorded_wall, style));
    if (region.setup > Duration::zero()) {
        text += "; set-up before it " + human_duration(region.setup, style);
    }
    return text;
}

std::string header(const Trace& trace, const std::optional<RegionSummary>& region,
                   const TerminalStyle& style) {
    std::string result = labelled("trace", printable(trace.source), style);
    if (!trace.program.empty()) {
        result += labelled("program",
                           shortened(printable(trace.program), kReportWidth - kLabelWidth), style);
    }
    result += labelled("recorded", recorder_line(trace), style);
    result += labelled("device", device_line(trace), style);
    for (const auto& [name, value] : trace.environment) {
        result += labelled("variable", printable(name + "=" + value), style);
    }
    if (!region) {
        return result + labelled("region", "none: no device work in it", style);
    }
    result += labelled("region", region_line(*region, style), style);
    return result + labelled("units",
                             region->units >= 2 ? counted(region->units, "repeated unit")
                                                : "no repeated units: the region is one unit",
                             style);
}

std::string section(std::string_view title, const std::vector<Column>& columns, const Rows& rows,
                    std::size_t left_out, const TerminalStyle& style) {
    if (rows.empty()) {
        return "";
    }
    auto result =
        '\n' + emphasised(title, Emphasis::strong, style) + '\n' + text_table(columns, rows, style);
    if (left_out > 0) {
        result += fmt::format("and {} more\n", human_count(left_out));
    }
    return result;
}

std::string kinds_section(const TraceStatistics& statistics, const TerminalStyle& style) {
    Rows rows;
    for (const auto& kind : statistics.kinds) {
        const bool rate = kind.bytes && kind.total > Duration::zero();
        rows.push_back({kind.kind, human_count(kind.count),
                        kind.bytes ? human_bytes(*kind.bytes) : "",
                        human_duration(kind.total, style), human_duration(kind.median, style),
                        rate ? human_bandwidth(*kind.bytes, kind.total) : ""});
    }
    const auto title =
        fmt::format("Device work: {} in {}", counted(statistics.device_operations, "operation"),
                    human_duration(statistics.device_span, style));
    return section(title,
                   {{"kind"},
                    {"count", Align::right},
                    {"bytes", Align::right},
                    {"total time", Align::right},
                    {"median", Align::right},
                    {"rate", Align::right}},
                   rows, 0, style);
}

std::string extent(const Extent& e) {
    auto text = std::to_string(e.x);
    if (e.y > 1 || e.z > 1) {
        text += fmt::format("x{}", e.y);
    }
    if (e.z > 1) {
        text += fmt::format("x{}", e.z);
    }
    return text;
}

std::string kernels_section(const Trace& trace, const TraceStatistics& statistics,
                            const TerminalStyle& style) {
    Rows rows;
    const auto shown = std::min(kKernelRows, statistics.kernels.size());
    for (std::size_t i = 0; i < shown; ++i) {
        const auto& kernel = statistics.kernels[i];
        const auto shared = kernel.shape.static_shared_memory + kernel.shape.dynamic_shared_memory;
        rows.push_back({function_name(printable(trace.names[kernel.name])),
                        human_count(kernel.count), extent(kernel.shape.grid),
                        extent(kernel.shape.block),
                        std::to_string(kernel.shape.registers_per_thread), human_bytes(shared),
                        human_duration(kernel.total, style), human_duration(kernel.median, style)});
    }
    return section("Kernels, by total time",
                   {{"name", Align::left, true},
                    {"count", Align::right},
                    {"grid", Align::right},
                    {"block", Align::right},
                    {"regs", Align::right},
                    {"shared", Align::right},
                    {"total", Align::right},
                    {"median", Align::right}},
                   rows, statistics.kernels.size() - shown, style);
}

struct Pipe {
    KernelCounter counter{};
    std::string_view name;
};

/// The pipe that a kernel keeps busiest: "fma 44 %".
std::string busiest_pipe(const KernelCounters& counters) {
    constexpr std::array kPipes{
        Pipe{KernelCounter::fma_pipe, "fma"},   Pipe{KernelCounter::fma_heavy_pipe, "fma"},
        Pipe{KernelCounter::alu_pipe, "alu"},   Pipe{KernelCounter::xu_pipe, "xu"},
        Pipe{KernelCounter::fp64_pipe, "fp64"}, Pipe{KernelCounter::tensor_pipe, "tensor"},
        Pipe{KernelCounter::lsu_pipe, "lsu"}};
    const auto busiest = std::ranges::max(
        kPipes, {}, [&](const Pipe& pipe) { return counters[pipe.counter].value_or(0); });
    return fmt::format("{} {:.0f} %", busiest.name, counters[busiest.counter].value_or(0) * 100);
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

/// What hardware counters said of each kernel, in the order of the kernels' total times.
std::string demands_section(const Trace& trace, const TraceStatistics& statistics,
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
    const auto more = rows.size() - std::min(kKernelRows, rows.size());
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

std::string_view flag_label(StreamFlag flag) {
    switch (flag) {
        case StreamFlag::unknown: return "unknown";
        case StreamFlag::blocking: return "blocking";
        case StreamFlag::non_blocking: return "non-blocking";
        case StreamFlag::legacy_default: return "legacy default";
    }
    return "?";
}

std::string streams_section(const TraceStatistics& statistics, const TerminalStyle& style) {
    Rows rows;
    const auto shown = std::min(kStreamRows, statistics.streams.size());
    for (std::size_t i = 0; i < shown; ++i) {
        const auto& stream = statistics.streams[i];
        rows.push_back({std::to_string(number(stream.stream)),
                        std::to_string(number(stream.context)),
                        std::string{flag_label(stream.flag)},
                        stream.priority ? std::to_string(*stream.priority) : "",
                        human_count(stream.count), human_duration(stream.busy, style)});
    }
    return section("Streams",
                   {{"stream", Align::right},
                    {"context", Align::right},
                    {"kind"},
                    {"priority", Align::right},
                    {"operations", Align::right},
                    {"busy", Align::right}},
                   rows, statistics.streams.size() - shown, style);
}

std::string calls_section(const Trace& trace, const TraceStatistics& statistics,
                          const TerminalStyle& style) {
    Rows rows;
    const auto shown = std::min(kCallRows, statistics.calls.size());
    for (std::size_t i = 0; i < shown; ++i) {
        const auto& call = statistics.calls[i];
        rows.push_back({printable(trace.names[call.name]), human_count(call.count),
                        human_duration(call.total, style), human_duration(call.median, style)});
    }
    return section("Host calls, by total time (traced)",
                   {{"call", Align::left, true},
                    {"count", Align::right},
                    {"total", Align::right},
                    {"median", Align::right}},
                   rows, statistics.calls.size() - shown, style);
}

std::string overheads_section(const RegionSummary& region, const TerminalStyle& style) {
    // Indexed by GapKind.
    constexpr std::array<const char*, kGapKinds> kMeaning{"H2D -> H2D",       "H2D -> kernel",
                                                          "kernel -> kernel", "kernel -> D2H",
                                                          "D2H -> D2H",       "D2H -> H2D"};
    Rows rows;
    for (std::size_t i = 0; i < kGapKinds; ++i) {
        const auto& gap = region.overheads.gaps[i];
        const auto shown = [&](Duration GapStatistics::*member) {
            return gap ? human_duration((*gap).*member, style) : std::string{"-"};
        };
        rows.push_back({std::string{overhead_name(static_cast<GapKind>(i))}, kMeaning[i],
                        shown(&GapStatistics::median), shown(&GapStatistics::p10),
                        shown(&GapStatistics::p90), human_count(gap ? gap->count : 0)});
    }
    const auto& threshold = region.transfer_overlap_threshold;
    rows.push_back({"trans_ovlp_th", "copy and copy",
                    threshold ? human_duration(*threshold, style) : "none", "", "", ""});
    auto result = section("Overhead parameters: gaps inside a stream, tracing's share taken out",
                          {{"parameter"},
                           {"between"},
                           {"median", Align::right},
                           {"p10", Align::right},
                           {"p90", Align::right},
                           {"pairs", Align::right}},
                          rows, 0, style);
    std::string note =
        "Where the trace has no such pair, and for trans_ovlp_th, the device model " +
        printable(region.device_model) + " decides";
    note += threshold ? "." : "; none: two copies of one direction never run side by side.";
    return result + wrapped(note, "");
}

std::string quality_section(const Trace& trace, const TerminalStyle& style) {
    const auto& quality = trace.quality;
    auto text = fmt::format(
        "{} dropped, {} without a time, {} unfinished", counted(quality.dropped_records, "record"),
        human_count(quality.zero_timestamps), human_count(quality.unfinished_records));
    if (quality.time_in_cupti) {
        text += "; " + human_duration(*quality.time_in_cupti, style) + " spent recording";
    }
    if (quality.truncated) {
        text += "; the program did not end by itself";
    }
    return '\n' + labelled("quality", text, style);
}

}  // namespace

std::string trace_summary(const Trace& trace, const std::optional<RegionSummary>& region,
                          const Warnings& warnings, const TerminalStyle& style) {
    const auto statistics = statistics_of(trace);
    auto result = header(trace, region, style);
    result += kinds_section(statistics, style);
    result += kernels_section(trace, statistics, style);
    result += demands_section(trace, statistics, style);
    result += streams_section(statistics, style);
    result += calls_section(trace, statistics, style);
    if (region) {
        result += overheads_section(*region, style);
    }
    result += quality_section(trace, style);
    const auto paragraphs = warning_paragraphs(warnings, style);
    return paragraphs.empty() ? result : result + '\n' + paragraphs;
}

}  // namespace overcast
