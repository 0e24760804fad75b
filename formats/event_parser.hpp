// Parses batches of trace events with simdjson.
#pragma once

#include "formats/chrome_fields.hpp"
#include "formats/json_stream.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace overcast {

class EventParser {
public:
    using Handler = std::function<void(const EventFields&, const TextPosition&)>;

    explicit EventParser(std::string_view file);
    EventParser(const EventParser&) = delete;
    EventParser& operator=(const EventParser&) = delete;
    ~EventParser();

    /// Calls `handle` for each event of the batch whose "cat" is read at all. Throws
    /// TraceFormatError, with the position of the event, where the text is no JSON.
    void parse(const JsonBatch& batch, const Handler& handle);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace overcast
