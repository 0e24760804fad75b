#include "formats/nvprof_csv_reader.hpp"

#include "core/error.hpp"
#include "formats/chrome_names.hpp"
#include "formats/csv_line.hpp"
#include "formats/import_doubts.hpp"
#include "formats/json_token.hpp"
#include "formats/nvprof_columns.hpp"
#include "formats/text_lines.hpp"
#include "formats/trace_order.hpp"
#include "formats/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace overcast {
namespace {

using Column = NvprofColumn;
using Row = std::vector<std::string>;

constexpr std::string_view kMark = "==";
constexpr std::string_view kFirstTitles = "\"Start\",\"Duration\",";
constexpr std::string_view kGreeting = "NVPROF is profiling process";
constexpr std::string_view kCommand = "command: ";
constexpr std::string_view kHowTo = "record with nvprof --print-gpu-trace --csv";

/// "==21542== NVPROF is …": the word behind the mark, or nullopt for any other line.
std::optional<std::string_view> own_words(std::string_view line) {
    const auto end = line.find(kMark, kMark.size());
    if (!line.starts_with(kMark) || end == std::string_view::npos ||
        !parse_whole<std::uint64_t>(line.substr(kMark.size(), end - kMark.size()))) {
        return std::nullopt;
    }
    line.remove_prefix(end + kMark.size());
    return line.starts_with(' ') ? line.substr(1) : line;
}

bool is_greeting(std::string_view line) {
    const auto words = own_words(line);
    return words && words->starts_with(kGreeting);
}

struct Ends {
    char letter = 0;
    MemoryKind memory{};
};

constexpr std::array kEnds{Ends{'H', MemoryKind::unknown}, Ends{'D', MemoryKind::device},
                           Ends{'A', MemoryKind::array}, Ends{'P', MemoryKind::device}};

std::optional<Ends> end_of(char letter) {
    const auto known = std::find_if(kEnds.begin(), kEnds.end(),
                                    [&](const Ends& end) { return end.letter == letter; });
    return known == kEnds.end() ? std::nullopt : std::optional{*known};
}

CopyKind kind_of(char from, char to) {
    if (from == 'P' || to == 'P') return CopyKind::peer_to_peer;
    if (from == 'H') return to == 'H' ? CopyKind::host_to_host : CopyKind::host_to_device;
    return to == 'H' ? CopyKind::device_to_host : CopyKind::device_to_device;
}

/// "[CUDA memcpy HtoD]"; nullopt for anything else.
std::optional<CopyName> copy_of(std::string_view name) {
    constexpr std::string_view kStart = "[CUDA memcpy ";
    constexpr std::size_t kDirection = 4;  // "HtoD"
    if (!name.starts_with(kStart) || name.size() < kStart.size() + kDirection) {
        return std::nullopt;
    }
    const auto direction = name.substr(kStart.size(), kDirection);
    const auto from = end_of(direction.front());
    const auto to = end_of(direction.back());
    if (!from || !to || direction.substr(1, 2) != "to") {
        return std::nullopt;
    }
    return CopyName{kind_of(from->letter, to->letter), from->memory, to->memory};
}

/// "scale(float*) [223]" → "scale(float*)" and 223.
std::pair<std::string_view, std::optional<CorrelationId>> kernel_name(std::string_view text) {
    const auto open = text.rfind(" [");
    if (open == std::string_view::npos || !text.ends_with(']')) {
        return {text, std::nullopt};
    }
    const auto id = parse_whole<std::uint64_t>(text.substr(open + 2, text.size() - open - 3));
    if (!id) {
        return {text, std::nullopt};
    }
    return {text.substr(0, open), CorrelationId{*id}};
}

class NvprofReader {
public:
    NvprofReader(ByteSource& source, std::string_view file, std::size_t chunk)
        : file_{file}, lines_{source, file, chunk} {
        trace_.source = file_;
        trace_.producer = "nvprof";
    }

    Trace read() {
        auto columns = read_titles();
        read_units(columns);
        while (const auto line = lines_.next()) {
            if (!line->empty() && !own_words(*line)) {
                read_row(columns, fields(*line, columns.count()));
            }
        }
        add_warnings(columns);
        warn_of_missing_channels(trace_);
        sort_by_start(trace_);
        return std::move(trace_);
    }

private:
    [[nodiscard]] CsvPlace place() const { return {file_, lines_.number()}; }

    /// Skips what nvprof and the program printed before the table.
    NvprofColumns read_titles() {
        while (const auto line = lines_.next()) {
            if (line->starts_with(kFirstTitles)) {
                const auto titles = split_csv_line(*line);
                if (!titles) {
                    fail_at(place(), "a quote is not closed");
                }
                return {*titles, place()};
            }
            if (is_greeting(*line)) {
                const auto command = line->find(kCommand);
                if (command != std::string_view::npos) {
                    trace_.program = as_utf8(line->substr(command + kCommand.size()));
                }
            }
        }
        if (lines_.number() == 0) {
            throw TraceFormatError(fmt::format("{} is empty: there is no trace in it", file_));
        }
        fail_at(place(), fmt::format("the text ends without a row of column names (\"Start\", "
                                     "\"Duration\", …): {}",
                                     kHowTo));
    }

    void read_units(NvprofColumns& columns) {
        while (const auto line = lines_.next()) {
            if (!line->empty() && !own_words(*line)) {
                columns.set_units(fields(*line, columns.count()), place());
                return;
            }
        }
        fail_at(place(), "the text ends before the row of units: was it cut off?");
    }

    [[nodiscard]] Row fields(std::string_view line, std::size_t wanted) const {
        auto row = split_csv_line(line);
        if (!row) {
            fail_at(place(), "a quote is not closed where its field ends: was the text cut off?");
        }
        if (row->size() != wanted) {
            fail_at(place(), fmt::format("expected {} columns, found {}{}", wanted, row->size(),
                                         row->size() < wanted ? ": was the text cut off?" : ""));
        }
        return std::move(*row);
    }

    void read_row(const NvprofColumns& columns, const Row& row) {
        const std::string_view name = columns.text(Column::name, row, place());
        if (name.empty()) {
            fail_at(place(), Column::name, "is empty: was the text cut off?");
        }
        auto activity = device_activity(columns, row);
        if (const auto copy = copy_of(name)) {
            activity.what = traced_copy(*copy, columns, row);
        } else if (name.starts_with("[CUDA memset")) {
            activity.what = TracedMemset{.bytes = columns.bytes(Column::size, row, place()),
                                         .address = std::nullopt};
        } else if (name.starts_with('[')) {
            ++left_out_;
            return;
        } else {
            activity.what = traced_kernel(name, columns, row, activity);
        }
        trace_.activities.push_back(std::move(activity));
    }

    DeviceActivity device_activity(const NvprofColumns& columns, const Row& row) {
        DeviceActivity activity;
        activity.start = TraceTime{columns.time(Column::start, row, place())};
        activity.end = activity.start + columns.time(Column::duration, row, place());
        activity.device = device(columns.text(Column::device, row, place()));
        activity.stream = StreamId{columns.whole(Column::stream, row, place())};
        if (columns.has(Column::context)) {
            activity.context = ContextId{columns.whole(Column::context, row, place())};
            add_context(activity.context, activity.device);
        }
        if (columns.has(Column::correlation)) {
            activity.correlation = CorrelationId{columns.whole(Column::correlation, row, place())};
        }
        return activity;
    }

    /// "GeForce GTX 950 (0)": name and number.
    DeviceId device(std::string_view text) {
        const auto open = text.rfind(" (");
        const auto id =
            open == std::string_view::npos || !text.ends_with(')')
                ? std::nullopt
                : parse_whole<std::uint32_t>(text.substr(open + 2, text.size() - open - 3));
        if (!id) {
            fail_at(place(), Column::device,
                    "expected a name and a number, such as \"GeForce GTX 950 (0)\"");
        }
        const auto known =
            std::any_of(trace_.devices.begin(), trace_.devices.end(),
                        [&](const auto& device) { return device.id == DeviceId{*id}; });
        if (!known) {
            auto& added = trace_.devices.emplace_back();
            added.id = DeviceId{*id};
            added.name = as_utf8(text.substr(0, open));
        }
        return DeviceId{*id};
    }

    void add_context(ContextId context, DeviceId device) {
        const auto known = std::any_of(trace_.contexts.begin(), trace_.contexts.end(),
                                       [&](const auto& other) { return other.context == context; });
        if (!known) {
            trace_.contexts.push_back({context, device, std::nullopt});
        }
    }

    [[nodiscard]] TracedCopy traced_copy(const CopyName& name, const NvprofColumns& columns,
                                         const Row& row) const {
        const auto memory = [&](Column column, MemoryKind otherwise) {
            return columns.has(column)
                       ? parse_memory_kind(columns.text(column, row, place())).value_or(otherwise)
                       : otherwise;
        };
        return {.kind = name.kind,
                .source = memory(Column::source_memory, name.source),
                .destination = memory(Column::destination_memory, name.destination),
                .bytes = columns.bytes(Column::size, row, place()),
                .source_address = std::nullopt,
                .destination_address = std::nullopt};
    }

    TracedKernel traced_kernel(std::string_view text, const NvprofColumns& columns, const Row& row,
                               DeviceActivity& activity) {
        const auto extent = [&](Column x, Column y, Column z) {
            Extent result;
            for (const auto& [column, value] :
                 {std::pair{x, &result.x}, std::pair{y, &result.y}, std::pair{z, &result.z}}) {
                *value = columns.whole(column, row, place());
                if (*value == 0) {
                    fail_at(place(), column, "must be above 0");
                }
            }
            return result;
        };
        const auto [name, correlation] = kernel_name(text);
        if (correlation && !columns.has(Column::correlation)) {
            activity.correlation = *correlation;
        }
        TracedKernel kernel;
        kernel.name = trace_.names.intern(as_utf8(name));
        auto& shape = kernel.shape;
        shape.grid = extent(Column::grid_x, Column::grid_y, Column::grid_z);
        shape.block = extent(Column::block_x, Column::block_y, Column::block_z);
        shape.registers_per_thread = columns.whole(Column::registers_per_thread, row, place());
        shape.static_shared_memory = columns.bytes(Column::static_shared_memory, row, place());
        shape.dynamic_shared_memory = columns.bytes(Column::dynamic_shared_memory, row, place());
        return kernel;
    }

    void add_warnings(const NvprofColumns& columns) {
        add_warning(trace_.warnings,
                    {"missing-call",
                     "a GPU trace of nvprof holds no host calls and no waits: calls are given "
                     "their nominal cost, the host's own time is taken as none, and the wall time "
                     "ends with the device's work."});
        constexpr std::int64_t kSecond = 1'000'000'000;
        if (columns.start_unit() == kSecond) {
            add_warning(trace_.warnings,
                        {"coarse-times",
                         "nvprof gave the starts in seconds, to the microsecond: shorter gaps are "
                         "not known. Record with --normalized-time-unit us."});
        }
        if (left_out_ > 0) {
            add_warning(trace_.warnings,
                        {"rows-left-out",
                         fmt::format("{} rows are no copy, memset or kernel (unified memory): they "
                                     "are missing here.",
                                     left_out_)});
        }
    }

    std::string file_;
    TextLines lines_;
    Trace trace_;
    std::uint64_t left_out_ = 0;
};

}  // namespace

bool is_nvprof_csv(std::string_view start) {
    while (!start.empty()) {
        const auto end = std::min(start.find('\n'), start.size());
        const auto line = start.substr(0, end);
        if (is_greeting(line) ||
            (line.starts_with(kFirstTitles) && line.find("\"Grid X\"") != std::string_view::npos)) {
            return true;
        }
        start.remove_prefix(std::min(end + 1, start.size()));
    }
    return false;
}

Trace read_nvprof_csv(ByteSource& source, std::string_view file, std::size_t chunk) {
    return NvprofReader{source, file, chunk}.read();
}

}  // namespace overcast
