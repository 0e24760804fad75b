#include "formats/event_builder.hpp"

#include <fmt/format.h>

#include <limits>
#include <utility>

namespace overcast {
void EventBuilder::fail(std::string_view reason) const { fail_at(file_, position_, reason); }

void EventBuilder::fail_field(Field field, std::string_view wanted) const {
    constexpr std::size_t kShown = 40;
    const auto given = event_->find(field)->text;
    fail(fmt::format("\"{}\" is not {}: {}{}", key_of(field), wanted, given.substr(0, kShown),
                     given.size() > kShown ? "…" : ""));
}

void EventBuilder::require(Field field) const {
    if (!event_->has(field)) {
        fail(
            fmt::format("a {} event has no \"{}\"", event_->find(Field::cat)->text, key_of(field)));
    }
}

template <typename Number>
std::optional<Number> EventBuilder::whole(Field field) const {
    const auto* token = event_->find(field);
    if (token == nullptr || token->kind == JsonKind::null) {
        return std::nullopt;
    }
    const auto value = parse_whole<Number>(token->text);
    if (!value) {
        fail_field(field,
                   fmt::format("a whole number from {} to {}", std::numeric_limits<Number>::min(),
                               std::numeric_limits<Number>::max()));
    }
    return value;
}

template <typename Id>
std::optional<Id> EventBuilder::id(Field field) const {
    const auto value = whole<std::underlying_type_t<Id>>(field);
    return value ? std::optional{static_cast<Id>(*value)} : std::nullopt;
}

/// PyTorch writes -1, or CUPTI's own invalid value, for "none".
template <typename Id>
std::optional<Id> EventBuilder::id_or_none(Field field) const {
    const auto* token = event_->find(field);
    if (token == nullptr || token->text == "-1" || token->text == "4294967295") {
        return std::nullopt;
    }
    return id<Id>(field);
}

template <typename Id>
Id EventBuilder::required_id(Field field) const {
    require(field);
    const auto value = id<Id>(field);
    if (!value) {
        fail_field(field, "a number");
    }
    return *value;
}

Bytes EventBuilder::bytes(Field field) const {
    return Bytes{whole<std::uint64_t>(field).value_or(0)};
}

std::optional<Address> EventBuilder::address(Field field) const {
    const auto* token = event_->find(field);
    if (token == nullptr) {
        return std::nullopt;
    }
    const auto value = parse_address(token->text);
    if (!value) {
        fail_field(field, "an address");
    }
    return Address{*value};
}

std::optional<TraceTime> EventBuilder::time(Field field) const {
    const auto* token = event_->find(field);
    if (token == nullptr) {
        return std::nullopt;
    }
    const auto value = parse_microseconds(token->text);
    if (!value || *value > kLatestOffset || *value < kEarliestOffset) {
        fail_field(field, "a time in microseconds, or is out of range");
    }
    return TraceTime{*value};
}

std::optional<Extent> EventBuilder::extent(Field field) const {
    const auto* token = event_->find(field);
    if (token == nullptr) {
        return std::nullopt;
    }
    const auto triple = parse_triple(token->text);
    if (!triple || triple->x == 0 || triple->y == 0 || triple->z == 0) {
        fail_field(field, "a list of three numbers above 0");
    }
    return Extent{triple->x, triple->y, triple->z};
}

std::optional<bool> EventBuilder::truth(Field field) const {
    const auto* token = event_->find(field);
    if (token == nullptr) {
        return std::nullopt;
    }
    if (token->text != "true" && token->text != "false") {
        fail_field(field, "true or false");
    }
    return token->text == "true";
}

std::string_view EventBuilder::text(Field field) const {
    require(field);
    const auto& token = *event_->find(field);
    if (token.kind != JsonKind::string) {
        fail_field(field, "a string");
    }
    return token.text;
}

EventBuilder::Span EventBuilder::span() const {
    require(Field::ts);
    require(Field::dur);
    const auto start = *time(Field::ts);
    const auto duration = time(Field::dur)->time_since_epoch();
    if (duration < Duration::zero()) {
        fail(fmt::format("a {} event has a negative duration: {}", event_->find(Field::cat)->text,
                         event_->find(Field::dur)->text));
    }
    if (duration > kLatestOffset - start.time_since_epoch()) {
        fail("the event ends beyond any possible time");
    }
    return {start, start + duration};
}

CorrelationId EventBuilder::correlation() const {
    return id_or_none<CorrelationId>(Field::correlation).value_or(CorrelationId{0});
}

ProcessId EventBuilder::process() const { return required_id<ProcessId>(Field::pid); }

ThreadId EventBuilder::thread() const {
    if (const auto own = id<ThreadId>(Field::thread)) {
        return *own;
    }
    // PyTorch cuts thread ids to 32 bits with a sign: they need only be different.
    const auto* tid = event_->find(Field::tid);
    if (tid != nullptr && tid->text.starts_with('-')) {
        return static_cast<ThreadId>(*whole<std::int64_t>(Field::tid));
    }
    return required_id<ThreadId>(Field::tid);
}

NameId EventBuilder::intern_name(bool is_call) {
    const auto name = text(Field::name);
    return trace_.names.intern(is_call ? without_abi_suffix(name) : name);
}

void EventBuilder::add(const EventFields& event, const TextPosition& position) {
    event_ = &event;
    position_ = position;
    const auto* cat = event.find(Field::cat);
    if (cat == nullptr) {
        return;  // metadata: names of processes and threads
    }
    const auto category = parse_category(cat->text);
    if (!category) {
        return;
    }
    require(Field::ph);
    const auto phase = event.find(Field::ph)->text;
    const bool complete = phase == "X";
    const bool instant = phase == "i" || phase == "I";
    const bool is_point = *category == Category::cuda_event || *category == Category::memory;
    if (complete || (instant && is_point)) {
        add_record(*category);
    } else if (phase == "B" || phase == "E") {
        ++split_events_;
    }
}

void EventBuilder::add_record(Category category) {
    switch (category) {
        case Category::kernel: add_kernel(); break;
        case Category::gpu_memcpy: add_copy(); break;
        case Category::gpu_memset: add_memset(); break;
        case Category::cuda_runtime: add_api_call(ApiDomain::runtime); break;
        case Category::cuda_driver: add_api_call(ApiDomain::driver); break;
        case Category::cuda_sync: add_synchronisation(); break;
        case Category::cuda_event: add_event_recording(); break;
        case Category::overhead: add_overhead(); break;
        case Category::user_annotation: add_range(); break;
        case Category::memory: add_memory(); break;
    }
}

void EventBuilder::add_api_call(ApiDomain domain) {
    const auto [start, end] = span();
    trace_.api_calls.push_back(
        {.start = start,
         .end = end,
         .correlation = correlation(),
         .name = intern_name(true),
         .process = process(),
         .thread = thread(),
         .return_value = whole<std::int32_t>(Field::return_value).value_or(0),
         .domain = domain});
}

DeviceActivity EventBuilder::device_activity() {
    const auto [start, end] = span();
    DeviceActivity activity;
    activity.start = start;
    activity.end = end;
    activity.correlation = correlation();
    const auto device = id<DeviceId>(Field::device);
    const auto in_device = id<DeviceId>(Field::in_device);
    activity.device = device ? *device : in_device ? *in_device : required_id<DeviceId>(Field::pid);
    activity.context = id<ContextId>(Field::context)
                           .value_or(id<ContextId>(Field::in_context).value_or(ContextId{0}));
    const auto stream = id_or_none<StreamId>(Field::stream);
    activity.stream = stream ? *stream : required_id<StreamId>(Field::tid);
    if (const auto channel = id<ChannelId>(Field::channel)) {
        activity.channel = {*channel,
                            channel_type_of(whole<std::uint32_t>(Field::channel_type).value_or(0))};
    }
    activity.queued = time(Field::queued);
    activity.submitted = time(Field::submitted);
    // Zero is PyTorch's, and CUPTI's, way to say "not from a graph".
    if (const auto graph = id<GraphId>(Field::graph_id); graph && number(*graph) != 0) {
        activity.graph = graph;
    }
    if (const auto node = id<GraphNodeId>(Field::graph_node_id); node && number(*node) != 0) {
        activity.graph_node = node;
    }
    return activity;
}

void EventBuilder::add_kernel() {
    auto activity = device_activity();
    TracedKernel kernel;
    kernel.name = intern_name(false);
    auto& shape = kernel.shape;
    shape.grid = extent(Field::grid).value_or(Extent{});
    shape.block = extent(Field::block).value_or(Extent{});
    shape.cluster = extent(Field::cluster).value_or(Extent{});
    shape.registers_per_thread = whole<std::uint32_t>(Field::registers_per_thread).value_or(0);
    // PyTorch gives the sum alone; only the sum decides how many blocks fit.
    shape.static_shared_memory = event_->has(Field::static_shared_memory)
                                     ? bytes(Field::static_shared_memory)
                                     : bytes(Field::shared_memory);
    shape.dynamic_shared_memory = bytes(Field::dynamic_shared_memory);
    shape.executed_shared_memory = bytes(Field::executed_shared_memory);
    activity.what = kernel;
    trace_.activities.push_back(activity);
}

void EventBuilder::note_asynchronous(bool& asynchronous) {
    if (const auto given = truth(Field::asynchronous)) {
        asynchronous = *given;
    } else {
        undetermined_.push_back(trace_.activities.size());
    }
}

void EventBuilder::add_copy() {
    auto activity = device_activity();
    const auto name = parse_copy_name(text(Field::name));
    if (!name) {
        fail_field(Field::name, "the name of a copy, such as \"Memcpy HtoD (Pinned -> Device)\"");
    }
    TracedCopy copy{.kind = name->kind,
                    .source = name->source,
                    .destination = name->destination,
                    .bytes = bytes(Field::bytes),
                    .source_address = address(Field::source_address),
                    .destination_address = address(Field::destination_address)};
    note_asynchronous(copy.asynchronous);
    activity.what = copy;
    trace_.activities.push_back(activity);
}

void EventBuilder::add_memset() {
    auto activity = device_activity();
    TracedMemset memset{.bytes = bytes(Field::bytes),
                        .value = whole<std::uint32_t>(Field::memset_value).value_or(0),
                        .address = address(Field::address)};
    note_asynchronous(memset.asynchronous);
    activity.what = memset;
    trace_.activities.push_back(activity);
}

void EventBuilder::add_synchronisation() {
    const auto [start, end] = span();
    const auto field = event_->has(Field::cuda_sync_kind) ? Field::cuda_sync_kind : Field::name;
    const auto kind = parse_synchronisation_kind(text(field));
    if (!kind) {
        fail_field(field, "a kind of synchronisation, such as \"Stream Sync\"");
    }
    trace_.synchronisations.push_back(
        {.start = start,
         .end = end,
         .correlation = correlation(),
         .context = id_or_none<ContextId>(Field::context).value_or(ContextId{0}),
         .kind = *kind,
         .stream = id_or_none<StreamId>(Field::stream),
         .event = id_or_none<CudaEventId>(Field::wait_on_cuda_event_id),
         .event_sync = id<EventSyncId>(Field::event_sync),
         .record_correlation = id_or_none<CorrelationId>(Field::wait_on_cuda_event_record_corr_id),
         .record_stream = id_or_none<StreamId>(Field::wait_on_stream)});
}

void EventBuilder::add_event_recording() {
    trace_.event_recordings.push_back(
        {.correlation = correlation(),
         .context = id_or_none<ContextId>(Field::context).value_or(ContextId{0}),
         .stream = id_or_none<StreamId>(Field::stream).value_or(StreamId{0}),
         .event = id_or_none<CudaEventId>(Field::event_id).value_or(CudaEventId{0}),
         .event_sync = id<EventSyncId>(Field::event_sync),
         .device_time = time(Field::device_time)});
}

void EventBuilder::add_overhead() {
    const auto [start, end] = span();
    trace_.overheads.push_back({.start = start,
                                .end = end,
                                .kind = parse_overhead_kind(text(Field::name)),
                                .thread = id<ThreadId>(Field::thread)});
}

void EventBuilder::add_range() {
    const auto [start, end] = span();
    trace_.ranges.push_back({.start = start,
                             .end = end,
                             .name = intern_name(false),
                             .process = process(),
                             .thread = thread()});
}

void EventBuilder::add_memory() {
    require(Field::ts);
    const auto action = text(Field::name);
    if (action != "Allocate" && action != "Release") {
        fail_field(Field::name, "\"Allocate\" or \"Release\"");
    }
    const auto kind = parse_memory_kind(text(Field::memory_kind));
    if (!kind) {
        fail_field(Field::memory_kind, "a kind of memory, such as \"Pinned\"");
    }
    trace_.memory_operations.push_back({.time = *time(Field::ts),
                                        .correlation = correlation(),
                                        .process = process(),
                                        .kind = *kind,
                                        .release = action == "Release",
                                        .asynchronous = truth(Field::asynchronous).value_or(false),
                                        .address = address(Field::address).value_or(Address{}),
                                        .bytes = bytes(Field::bytes)});
}

}  // namespace overcast
