// The members of a trace event that Overcast reads or writes, and one event as their texts.
#pragma once

#include "formats/json_token.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace overcast {

enum class Field : std::uint8_t {
    // of the event itself
    ph,
    cat,
    name,
    pid,
    tid,
    ts,
    dur,
    // of its "args", as PyTorch names them
    device,
    context,
    stream,
    correlation,
    bytes,
    grid,
    block,
    registers_per_thread,
    shared_memory,
    graph_id,
    graph_node_id,
    channel,
    channel_type,
    in_device,
    in_context,
    cuda_sync_kind,
    wait_on_cuda_event_id,
    wait_on_cuda_event_record_corr_id,
    wait_on_stream,
    event_id,
    // Overcast's own
    cluster,
    static_shared_memory,
    dynamic_shared_memory,
    executed_shared_memory,
    queued,
    submitted,
    source_address,
    destination_address,
    address,
    asynchronous,
    memset_value,
    return_value,
    event_sync,
    device_time,
    memory_kind,
    thread,
    count_,
};

constexpr std::size_t kFields = static_cast<std::size_t>(Field::count_);
constexpr std::size_t kFirstArgument = static_cast<std::size_t>(Field::device);

/// The JSON key of each field, indexed by Field.
constexpr std::array<std::string_view, kFields> kFieldKeys{"ph",
                                                           "cat",
                                                           "name",
                                                           "pid",
                                                           "tid",
                                                           "ts",
                                                           "dur",
                                                           "device",
                                                           "context",
                                                           "stream",
                                                           "correlation",
                                                           "bytes",
                                                           "grid",
                                                           "block",
                                                           "registers per thread",
                                                           "shared memory",
                                                           "graph id",
                                                           "graph node id",
                                                           "channel",
                                                           "channel_type",
                                                           "inDevice",
                                                           "inContext",
                                                           "cuda_sync_kind",
                                                           "wait_on_cuda_event_id",
                                                           "wait_on_cuda_event_record_corr_id",
                                                           "wait_on_stream",
                                                           "event_id",
                                                           "overcast_cluster",
                                                           "overcast_static_shared_memory_bytes",
                                                           "overcast_dynamic_shared_memory_bytes",
                                                           "overcast_executed_shared_memory_bytes",
                                                           "overcast_queued_us",
                                                           "overcast_submitted_us",
                                                           "overcast_source_address",
                                                           "overcast_destination_address",
                                                           "overcast_address",
                                                           "overcast_asynchronous",
                                                           "overcast_value",
                                                           "overcast_return_value",
                                                           "overcast_event_sync_id",
                                                           "overcast_device_time_us",
                                                           "overcast_memory_kind",
                                                           "overcast_thread"};

constexpr std::string_view key_of(Field field) {
    return kFieldKeys[static_cast<std::size_t>(field)];
}

/// The field with that key: of the event itself, or of its args.
std::optional<Field> find_event_field(std::string_view key);
std::optional<Field> find_argument_field(std::string_view key);

/// The known members of one event. Texts are valid while its batch is.
class EventFields {
public:
    void clear() { present_ = 0; }
    /// False where the event has that member already.
    bool set(Field field, JsonToken token) {
        const auto bit = std::uint64_t{1} << static_cast<unsigned>(field);
        const bool first = (present_ & bit) == 0;
        present_ |= bit;
        tokens_[static_cast<std::size_t>(field)] = token;
        return first;
    }
    [[nodiscard]] bool has(Field field) const {
        return (present_ >> static_cast<unsigned>(field) & 1) != 0;
    }
    [[nodiscard]] const JsonToken* find(Field field) const {
        return has(field) ? &tokens_[static_cast<std::size_t>(field)] : nullptr;
    }

private:
    static_assert(kFields <= 64);
    std::uint64_t present_ = 0;
    std::array<JsonToken, kFields> tokens_;
};

}  // namespace overcast
