// Turns the members of one event into a record of a Trace.
#pragma once

#include "core/trace.hpp"
#include "formats/chrome_fields.hpp"
#include "formats/chrome_names.hpp"
#include "formats/trace_text.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace overcast {

/// Appends records to a trace. Times count from zero: the base is added by whoever knows it.
class EventBuilder {
public:
    EventBuilder(Trace& trace, std::string_view file) : trace_{trace}, file_{file} {}

    /// Events of categories that are not read, and phases that say nothing of their own, are passed
    /// over. Throws TraceFormatError where a member that is read is missing or makes no sense.
    void add(const EventFields& event, const TextPosition& position);

    /// Copies and memsets (indices into activities) whose trace does not say whether they were
    /// issued by an …Async call.
    [[nodiscard]] const std::vector<std::size_t>& undetermined() const { return undetermined_; }

    /// Events of a category that is read, but in a form that is not: begin and end as two events.
    [[nodiscard]] std::uint64_t split_events() const { return split_events_; }

private:
    struct Span {
        TraceTime start;
        TraceTime end;
    };

    [[noreturn]] void fail(std::string_view reason) const;
    [[noreturn]] void fail_field(Field field, std::string_view wanted) const;
    void require(Field field) const;

    template <typename Number>
    [[nodiscard]] std::optional<Number> whole(Field field) const;
    template <typename Id>
    [[nodiscard]] std::optional<Id> id(Field field) const;
    template <typename Id>
    [[nodiscard]] std::optional<Id> id_or_none(Field field) const;
    template <typename Id>
    [[nodiscard]] Id required_id(Field field) const;
    [[nodiscard]] Bytes bytes(Field field) const;
    [[nodiscard]] std::optional<Address> address(Field field) const;
    [[nodiscard]] std::optional<TraceTime> time(Field field) const;
    [[nodiscard]] std::optional<Extent> extent(Field field) const;
    [[nodiscard]] std::optional<bool> truth(Field field) const;
    [[nodiscard]] std::string_view text(Field field) const;
    [[nodiscard]] Span span() const;
    [[nodiscard]] CorrelationId correlation() const;
    [[nodiscard]] ProcessId process() const;
    [[nodiscard]] ThreadId thread() const;

    void add_record(Category category);
    void add_api_call(ApiDomain domain);
    void add_kernel();
    void add_copy();
    void add_memset();
    void add_synchronisation();
    void add_event_recording();
    void add_overhead();
    void add_range();
    void add_memory();
    DeviceActivity device_activity();
    void note_asynchronous(bool& asynchronous);
    NameId intern_name(bool is_call);

    Trace& trace_;
    std::string file_;
    const EventFields* event_ = nullptr;
    TextPosition position_;
    std::vector<std::size_t> undetermined_;
    std::uint64_t split_events_ = 0;
};

}  // namespace overcast
