#include "formats/chrome_event_writer.hpp"

#include "formats/utf8.hpp"

#include <fmt/compile.h>

#include <iterator>

namespace overcast {
namespace {

constexpr std::size_t kFlushAt = std::size_t{64} << 10;

}  // namespace

std::string json_string(std::string_view text) {
    constexpr std::string_view kReplacement = "\xef\xbf\xbd";
    std::string result = "\"";
    while (!text.empty()) {
        const auto c = static_cast<unsigned char>(text.front());
        const auto length = utf8_length(text);
        if (c == '"' || c == '\\') {
            result += '\\';
            result += text.front();
        } else if (c < 0x20) {
            fmt::format_to(std::back_inserter(result), "\\u{:04x}", c);
        } else if (length == 0) {
            result += kReplacement;
        } else {
            result += text.substr(0, length);
        }
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return result += '"';
}

void Microseconds::append_to(fmt::memory_buffer& to) const {
    const bool negative = nanoseconds_ < 0;
    const auto bits = static_cast<std::uint64_t>(nanoseconds_);
    const auto size = negative ? 0 - bits : bits;
    fmt::format_to(std::back_inserter(to), FMT_COMPILE("{}{}.{:03}"), negative ? "-" : "",
                   size / 1000, size % 1000);
}

void ChromeEventWriter::begin_document() { append("{"); }

void ChromeEventWriter::member(std::string_view key, std::string_view json) {
    append(first_member_ ? "\n" : ",\n");
    first_member_ = false;
    append(json_string(key));
    append(":");
    append(json);
}

void ChromeEventWriter::begin_events() { member("traceEvents", "["); }

void ChromeEventWriter::end_document() {
    append("\n]}\n");
    sink_.write({text_.data(), text_.size()});
    text_.clear();
}

void ChromeEventWriter::begin_line() {
    append(first_event_ ? "\n" : ",\n");
    first_event_ = false;
    first_argument_ = true;
}

void ChromeEventWriter::begin_slice(std::string_view category, std::string_view name, TrackId track,
                                    Duration start, Duration duration) {
    begin_line();
    fmt::format_to(std::back_inserter(text_),
                   FMT_COMPILE(R"({{"ph":"X","cat":"{}","name":{},"pid":{},"tid":{},"ts":)"),
                   category, name, track.pid, track.tid);
    Microseconds{start}.append_to(text_);
    append(R"(,"dur":)");
    Microseconds{duration}.append_to(text_);
    append(R"(,"args":{)");
}

void ChromeEventWriter::begin_instant(std::string_view category, std::string_view name,
                                      TrackId track, Duration time) {
    begin_line();
    fmt::format_to(
        std::back_inserter(text_),
        FMT_COMPILE(R"({{"ph":"i","s":"t","cat":"{}","name":{},"pid":{},"tid":{},"ts":)"), category,
        name, track.pid, track.tid);
    Microseconds{time}.append_to(text_);
    append(R"(,"args":{)");
}

void ChromeEventWriter::flow_end(std::string_view phase, std::string_view category,
                                 std::string_view name, std::uint64_t id, const FlowEnd& end) {
    begin_line();
    fmt::format_to(std::back_inserter(text_),
                   FMT_COMPILE(R"({{{},"cat":"{}","name":{},"id":{},"pid":{},"tid":{},"ts":)"),
                   phase, category, name, id, end.track.pid, end.track.tid);
    Microseconds{end.time}.append_to(text_);
    append(R"(,"args":{)");
    end_event();
}

void ChromeEventWriter::flow(std::string_view category, std::string_view name, std::uint64_t id,
                             const FlowEnd& from, const FlowEnd& to) {
    flow_end(R"("ph":"s")", category, name, id, from);
    // Bound to the slice around it, not to the next one.
    flow_end(R"("ph":"f","bp":"e")", category, name, id, to);
}

void ChromeEventWriter::begin_argument(std::string_view key) {
    append(first_argument_ ? "\"" : ",\"");
    first_argument_ = false;
    append(key);
    append("\":");
}

void ChromeEventWriter::argument(std::string_view key, std::uint64_t value) {
    begin_argument(key);
    fmt::format_to(std::back_inserter(text_), FMT_COMPILE("{}"), value);
}

void ChromeEventWriter::argument(std::string_view key, std::int64_t value) {
    begin_argument(key);
    fmt::format_to(std::back_inserter(text_), FMT_COMPILE("{}"), value);
}

void ChromeEventWriter::argument(std::string_view key, Duration value) {
    begin_argument(key);
    Microseconds{value}.append_to(text_);
}

void ChromeEventWriter::truth(std::string_view key, bool value) {
    raw(key, value ? "true" : "false");
}

void ChromeEventWriter::raw(std::string_view key, std::string_view json) {
    begin_argument(key);
    append(json);
}

void ChromeEventWriter::address(std::string_view key, std::uint64_t value) {
    begin_argument(key);
    fmt::format_to(std::back_inserter(text_), FMT_COMPILE("\"0x{:x}\""), value);
}

void ChromeEventWriter::end_event() {
    append("}}");
    if (text_.size() >= kFlushAt) {
        sink_.write({text_.data(), text_.size()});
        text_.clear();
    }
}

void ChromeEventWriter::metadata(std::string_view what, TrackId track, std::string_view key,
                                 std::string_view json) {
    begin_line();
    fmt::format_to(std::back_inserter(text_),
                   R"({{"ph":"M","name":"{}","pid":{},"tid":{},"ts":0,"args":{{"{}":{})", what,
                   track.pid, track.tid, key, json);
    end_event();
}

void ChromeEventWriter::name_process(std::uint64_t pid, std::string_view name,
                                     std::int64_t sort_index) {
    metadata("process_name", {pid, 0}, "name", json_string(name));
    metadata("process_sort_index", {pid, 0}, "sort_index", fmt::format("{}", sort_index));
}

void ChromeEventWriter::name_thread(TrackId track, std::string_view name, std::int64_t sort_index) {
    metadata("thread_name", track, "name", json_string(name));
    metadata("thread_sort_index", track, "sort_index", fmt::format("{}", sort_index));
}

}  // namespace overcast
