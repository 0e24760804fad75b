#include "formats/chrome_trace_reader.hpp"

#include "formats/chrome_header.hpp"
#include "formats/event_builder.hpp"
#include "formats/event_parser.hpp"
#include "formats/import_doubts.hpp"
#include "formats/json_stream.hpp"
#include "formats/trace_order.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>

namespace overcast {
namespace {

/// Walks the top-level object and hands its parts to those who know them.
class ChromeTraceReader {
public:
    ChromeTraceReader(ByteSource& source, std::string_view file, std::size_t chunk)
        : file_{file}, stream_{source, file_, chunk}, parser_{file_}, builder_{trace_, file_} {
        trace_.source = file_;
    }

    Trace read() {
        const auto first = stream_.peek();
        if (!first) {
            throw TraceFormatError(fmt::format("{} is empty: there is no trace in it", file_));
        }
        if (*first == '[') {
            stream_.expect('[', "");
            read_events();
        } else {
            read_members();
        }
        if (stream_.peek()) {
            stream_.fail("there is more text behind the trace");
        }
        finish();
        return std::move(trace_);
    }

private:
    void read_members() {
        stream_.expect('{', "at the start of a trace");
        bool first = true;
        while (!stream_.accept('}')) {
            if (!first) {
                stream_.expect(',', "between two members");
            }
            first = false;
            if (stream_.peek() != '"') {
                stream_.fail("expected the name of a member");
            }
            const std::string quoted{stream_.value()};
            stream_.expect(':', "behind the name of a member");
            read_member(quoted.substr(1, quoted.size() - 2));
        }
        if (!events_seen_) {
            stream_.fail("there is no \"traceEvents\" in it: this is JSON, but no trace");
        }
    }

    void read_member(const std::string& key) {
        stream_.peek();
        const HeaderPlace place{.file = file_, .byte = stream_.position()};
        if (key == "traceEvents") {
            once(events_seen_, key);
            stream_.expect('[', "at the start of \"traceEvents\"");
            read_events();
        } else if (key == "overcast") {
            once(header_seen_, key);
            read_header(stream_.value(), place, trace_);
        } else if (key == "deviceProperties") {
            once(devices_seen_, key);
            read_device_properties(stream_.value(), place, trace_);
        } else if (key == "baseTimeNanoseconds") {
            once(base_seen_, key);
            read_base(stream_.value(), place.byte);
        } else {
            stream_.skip_value();
        }
    }

    void once(bool& seen, const std::string& key) const {
        if (seen) {
            stream_.fail(fmt::format("\"{}\" is given twice", key));
        }
        seen = true;
    }

    void read_base(std::string_view text, std::uint64_t byte) {
        const auto base = parse_whole<std::int64_t>(text);
        if (!base || Duration{*base} < kEarliestOffset || Duration{*base} > kLatestOffset) {
            stream_.fail(byte,
                         "\"baseTimeNanoseconds\" is not a whole number of nanoseconds, or "
                         "is out of range");
        }
        base_ = Duration{*base};
    }

    void read_events() {
        const EventParser::Handler handle = [this](const EventFields& event,
                                                   const TextPosition& position) {
            builder_.add(event, position);
        };
        stream_.start_array();
        while (const auto batch = stream_.next_batch()) {
            parser_.parse(*batch, handle);
        }
    }

    void finish() {
        if (!header_seen_) {
            trace_.producer = "kineto";
            warn_of_missing_channels(trace_);
            warn_of_whole_microseconds(trace_);
        }
        if (base_ != Duration::zero()) {
            shift_times(trace_, base_);
        }
        if (builder_.split_events() > 0) {
            add_warning(trace_.warnings,
                        {.code = "split-events",
                         .text = fmt::format("{} events are given as separate begin and end, "
                                             "which is not read: they are missing here.",
                                             builder_.split_events())});
        }
        determine_asynchronous(trace_, builder_.undetermined());
        sort_by_start(trace_);
    }

    std::string file_;
    Trace trace_;
    JsonStream stream_;
    EventParser parser_;
    EventBuilder builder_;
    Duration base_{};
    bool events_seen_ = false;
    bool header_seen_ = false;
    bool devices_seen_ = false;
    bool base_seen_ = false;
};

}  // namespace

Trace read_chrome_trace(const std::filesystem::path& file) {
    const auto source = open_byte_source(file);
    return read_chrome_trace(*source, file.string());
}

Trace read_chrome_trace(ByteSource& source, std::string_view file, std::size_t chunk) {
    return ChromeTraceReader{source, file, chunk}.read();
}

}  // namespace overcast
