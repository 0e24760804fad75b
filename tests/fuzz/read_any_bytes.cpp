#include "tests/fuzz/read_any_bytes.hpp"

#include "core/error.hpp"
#include "formats/chrome_trace_reader.hpp"
#include "formats/chrome_trace_writer.hpp"
#include "formats/nsys_sqlite_reader.hpp"
#include "formats/nvprof_csv_reader.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <sstream>

namespace overcast::test {
namespace {

constexpr std::string_view kName = "fuzz.json";
constexpr std::string_view kGzipMagic = "\x1f\x8b";

template <typename List>
bool is_sound(const List& list) {
    return std::is_sorted(list.begin(), list.end(),
                          [](const auto& a, const auto& b) { return a.start < b.start; }) &&
           std::all_of(list.begin(), list.end(),
                       [](const auto& entry) { return entry.start <= entry.end; });
}

bool is_sound(const Trace& trace) {
    return is_sound(trace.api_calls) && is_sound(trace.activities) &&
           is_sound(trace.synchronisations) && is_sound(trace.overheads) && is_sound(trace.ranges);
}

std::string written(const Trace& trace) {
    std::ostringstream text;
    StreamSink sink{text};
    write_chrome_trace(trace, sink);
    return text.str();
}

bool names_the_file(const TraceFormatError& error) {
    return std::string_view{error.what()}.starts_with(kName);
}

std::string fault_in_trace(const Trace& trace) {
    if (!is_sound(trace)) {
        return "what was read is not sorted or has negative durations";
    }
    const auto once = written(trace);
    MemorySource source{once};
    return written(read_chrome_trace(source, kName)) == once
               ? ""
               : "what was read changes when it is written and read again";
}

template <typename Read>
std::string fault_of(const Read& read, ReadCount& count) {
    std::optional<Trace> trace;
    try {
        trace = read();
    } catch (const TraceFormatError& error) {
        ++count.refused;
        return names_the_file(error) ? "" : "the message names no file";
    }
    ++count.read;
    return fault_in_trace(*trace);
}

}  // namespace

std::string fault_in_reading_nsys(std::string_view bytes) {
    ReadCount ignored;
    return fault_of([&] { return read_nsys_sqlite(SqliteDatabase::of_bytes(bytes, kName)); },
                    ignored);
}

std::string fault_in_reading(std::string_view bytes, std::size_t chunk, ReadCount& count) {
    std::unique_ptr<ByteSource> source = std::make_unique<MemorySource>(bytes);
    if (bytes.starts_with(kGzipMagic)) {
        source = gunzip(std::move(source), kName);
    }
    return fault_of([&] { return read_chrome_trace(*source, kName, chunk); }, count);
}

std::string fault_in_reading(std::string_view bytes, std::size_t chunk) {
    ReadCount ignored;
    return fault_in_reading(bytes, chunk, ignored);
}

std::string fault_in_reading_nvprof(std::string_view bytes, std::size_t chunk, ReadCount& count) {
    MemorySource source{bytes};
    return fault_of([&] { return read_nvprof_csv(source, kName, chunk); }, count);
}

std::string fault_in_reading_nvprof(std::string_view bytes, std::size_t chunk) {
    ReadCount ignored;
    return fault_in_reading_nvprof(bytes, chunk, ignored);
}

}  // namespace overcast::test
