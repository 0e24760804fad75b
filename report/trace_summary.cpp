#include "report/trace_summary.hpp"

#include "report/function_name.hpp"
#include "report/human_units.hpp"
#include "report/kernel_demands.hpp"
#include "report/summary_section.hpp"
#include "report/terminal_text.hpp"
#include "report/trace_statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace overcast {
namespace {

constexpr std::size_t kCallRows = 12;
constexpr std::size_t kStreamRows = 20;

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
    if (trace.record_mode && trace.record_mode != RecordMode::light) {
        text += fmt::format(", {} records", to_string(*trace.record_mode));
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

std::string kernels_section(const Trace& trace, const TraceStatistics& statistics,
                            const TerminalStyle& style) {
    Rows rows;
    const auto shown = std::min(kSummaryKernels, statistics.kernels.size());
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
    result += counters_section(trace, statistics, style);
    result += code_section(trace, statistics, style);
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
