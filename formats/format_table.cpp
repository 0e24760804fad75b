#include "formats/format_table.hpp"

#include "core/error.hpp"
#include "formats/byte_source.hpp"
#include "formats/chrome_trace_reader.hpp"
#include "formats/json_scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

namespace overcast {
namespace {

bool is_json(std::string_view start, const std::filesystem::path&) {
    const auto first = std::find_if_not(start.begin(), start.end(), is_json_space);
    return first != start.end() && (*first == '{' || *first == '[');
}

constexpr std::array kFormats{
    TraceFormat{.name = "Chrome/Kineto JSON (.json, .json.gz)",
                .recognise = is_json,
                .read = [](const std::filesystem::path& file) { return read_chrome_trace(file); }},
};

std::string read_start(const std::filesystem::path& file) {
    constexpr std::size_t kEnough = 4096;
    std::string start(kEnough, '\0');
    start.resize(open_byte_source(file)->read(start));
    return start;
}

}  // namespace

std::span<const TraceFormat> trace_formats() {
    return kFormats;
}

Trace read_trace(const std::filesystem::path& file) {
    const auto start = read_start(file);
    if (start.empty()) {
        throw TraceFormatError(
            fmt::format("{} is empty: was the recording interrupted?", file.string()));
    }
    std::string known;
    for (const auto& format : trace_formats()) {
        if (format.recognise(start, file)) {
            return format.read(file);
        }
        known += fmt::format("{}{}", known.empty() ? "" : ", ", format.name);
    }
    throw TraceFormatError(fmt::format(
        "{} is not a trace: expected {}, as `overcast trace` or PyTorch's profiler writes it",
        file.string(), known));
}

}  // namespace overcast
