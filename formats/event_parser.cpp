#include "formats/event_parser.hpp"

#include "formats/chrome_names.hpp"
#include "formats/json_scan.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>

namespace overcast {
namespace {

namespace ondemand = simdjson::ondemand;

/// The key as it stands in the text; keys with escapes are none that Overcast knows.
std::string_view key_text(const simdjson::ondemand::raw_json_string& key) {
    const auto* begin = key.raw();
    const auto* end = begin;
    while (*end != '"') {
        end += *end == '\\' ? 2 : 1;
    }
    return {begin, static_cast<std::size_t>(end - begin)};
}

JsonToken take_token(ondemand::value value) {
    std::string_view text = value.raw_json_token();
    while (!text.empty() && is_json_space(text.back())) {
        text.remove_suffix(1);
    }
    const auto kind = text.empty() ? JsonKind::other : json_kind(text.front());
    if (kind == JsonKind::string) {
        return {value.get_string(), kind};
    }
    if (kind == JsonKind::array) {
        ondemand::array array = value.get_array();
        return {array.raw_json(), kind};
    }
    return {text, kind};
}

/// Puts a bracket in the place of a byte for as long as it lives.
class Bracket {
public:
    Bracket(char& place, char bracket) : place_{place}, before_{place} { place = bracket; }
    Bracket(const Bracket&) = delete;
    Bracket& operator=(const Bracket&) = delete;
    ~Bracket() { place_ = before_; }

private:
    char& place_;
    char before_;
};

}  // namespace

struct EventParser::State {
    std::string file;
    ondemand::parser parser;
    EventFields fields;
    simdjson::error_code problem = simdjson::SUCCESS;

    [[noreturn]] void fail(const TextPosition& position, std::string_view reason) const {
        fail_at(file, position, reason);
    }

    void set(Field field, const JsonToken& token, const TextPosition& position) {
        if (!fields.set(field, token)) {
            fail(position, fmt::format("\"{}\" is given twice", key_of(field)));
        }
    }

    void read_arguments(ondemand::value value, const TextPosition& position) {
        ondemand::json_type type = value.type();
        if (type == ondemand::json_type::null) {
            return;
        }
        if (type != ondemand::json_type::object) {
            fail(position, "\"args\" must be an object");
        }
        for (auto member : value.get_object()) {
            if (const auto field = find_argument_field(key_text(member.key()))) {
                set(*field, take_token(member.value()), position);
            }
        }
    }

    /// Collects the members of one event. False as soon as its category is one that is not read.
    bool read_event(ondemand::object event, const TextPosition& position) {
        bool arguments_seen = false;
        fields.clear();
        for (auto member : event) {
            const auto key = key_text(member.key());
            if (key == "args") {
                if (arguments_seen) {
                    fail(position, "\"args\" is given twice");
                }
                arguments_seen = true;
                read_arguments(member.value(), position);
                continue;
            }
            const auto field = find_event_field(key);
            if (!field) {
                continue;
            }
            const auto token = take_token(member.value());
            set(*field, token, position);
            if (*field == Field::cat && !parse_category(token.text)) {
                return false;
            }
        }
        return true;
    }

    /// Parses "[text]", borrowing the byte before and the byte behind for the brackets. False where
    /// the text as a whole is no JSON; nothing was handled then.
    bool parse_text(char* text, std::size_t length, TextPosition position, const Handler& handle) {
        const Bracket open{text[-1], '['};
        const Bracket close{text[length], ']'};
        const auto first_byte = position.byte;
        ondemand::document document;
        if (const auto error = parser
                                   .iterate(simdjson::padded_string_view{
                                       text - 1, length + 2, length + 1 + JsonStream::kPadding})
                                   .get(document);
            error != simdjson::SUCCESS) {
            problem = error;
            return false;
        }
        try {
            for (auto element : document.get_array()) {
                const std::string_view start = element.raw_json_token();
                position.byte = first_byte + static_cast<std::uint64_t>(start.data() - text);
                if (read_event(element.get_object(), position)) {
                    handle(fields, position);
                }
                ++*position.event;
            }
        } catch (const simdjson::simdjson_error& error) {
            fail(position, simdjson::error_message(error.error()));
        }
        return true;
    }

    /// Finds the event that made its batch unreadable, reading those before it.
    void parse_one_by_one(const JsonBatch& batch, const Handler& handle) {
        auto* at = batch.text;
        auto* const end = batch.text + batch.length;
        for (std::size_t i = 0; i < batch.elements; ++i) {
            at = std::find(at, end, '{');
            const auto found = scan_container(at, end, JsonStream::kDeepestNesting);
            const TextPosition position{
                .byte = batch.byte + static_cast<std::uint64_t>(at - batch.text),
                .event = batch.first_element + i};
            const auto length = static_cast<std::size_t>(found.end - at);
            if (!parse_text(at, length, position, handle)) {
                fail(position, simdjson::error_message(problem));
            }
            at += length;
        }
    }
};

EventParser::EventParser(std::string_view file) : state_{std::make_unique<State>()} {
    state_->file = file;
}

EventParser::~EventParser() = default;

void EventParser::parse(const JsonBatch& batch, const Handler& handle) {
    if (!state_->parse_text(batch.text, batch.length,
                            {.byte = batch.byte, .event = batch.first_element}, handle)) {
        state_->parse_one_by_one(batch, handle);
        // Each event alone is readable, so the fault lies between two of them.
        state_->fail({.byte = batch.byte, .event = batch.first_element},
                     simdjson::error_message(state_->problem));
    }
}

}  // namespace overcast
