// Writes the events of a Chrome trace, one to a line, without holding them.
#pragma once

#include "core/units.hpp"
#include "formats/byte_sink.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace overcast {

/// `text` as a JSON string with its quotes; bytes that are no UTF-8 become U+FFFD.
std::string json_string(std::string_view text);

/// A Chrome track: the "pid" and "tid" of its slices.
struct TrackId {
    std::uint64_t pid = 0;
    std::uint64_t tid = 0;

    auto operator<=>(const TrackId&) const = default;
};

/// Nanoseconds as microseconds with three decimals, so that none is lost.
class Microseconds {
public:
    explicit Microseconds(Duration duration) : nanoseconds_{duration.count()} {}
    void append_to(fmt::memory_buffer& to) const;

private:
    std::int64_t nanoseconds_;
};

class ChromeEventWriter {
public:
    explicit ChromeEventWriter(ByteSink& sink) : sink_{sink} {}

    /// The members of the top-level object before the events; each is JSON already.
    void begin_document();
    void member(std::string_view key, std::string_view json);
    void begin_events();
    void end_document();

    /// A slice, with `name` quoted already. Arguments follow, then end_event().
    void begin_slice(std::string_view category, std::string_view name, TrackId track,
                     Duration start, Duration duration);
    void begin_instant(std::string_view category, std::string_view name, TrackId track,
                       Duration time);
    /// An arrow, named `name` (quoted already), from the slice that holds `from` to the one that
    /// holds `to`. `id` is of this arrow alone. `to` must not be before `from`.
    struct FlowEnd {
        TrackId track;
        Duration time{};
    };
    void flow(std::string_view category, std::string_view name, std::uint64_t id,
              const FlowEnd& from, const FlowEnd& to);
    void argument(std::string_view key, std::uint64_t value);
    void argument(std::string_view key, std::int64_t value);
    void argument(std::string_view key, std::uint32_t value) {
        argument(key, std::uint64_t{value});
    }
    void argument(std::string_view key, std::int32_t value) { argument(key, std::int64_t{value}); }
    void argument(std::string_view key, Duration value);
    void argument(std::string_view key, bool value) = delete;
    void truth(std::string_view key, bool value);
    /// `json` is JSON already.
    void raw(std::string_view key, std::string_view json);
    void address(std::string_view key, std::uint64_t value);
    void end_event();

    void name_process(std::uint64_t pid, std::string_view name, std::int64_t sort_index);
    void name_thread(TrackId track, std::string_view name, std::int64_t sort_index);

private:
    void begin_line();
    void flow_end(std::string_view phase, std::string_view category, std::string_view name,
                  std::uint64_t id, const FlowEnd& end);
    void begin_argument(std::string_view key);
    void append(std::string_view text) { text_.append(text.data(), text.data() + text.size()); }
    void metadata(std::string_view what, TrackId track, std::string_view key,
                  std::string_view json);

    ByteSink& sink_;
    fmt::memory_buffer text_;
    bool first_member_ = true;
    bool first_event_ = true;
    bool first_argument_ = true;
};

}  // namespace overcast
