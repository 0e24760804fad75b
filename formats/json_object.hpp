// Checked access to one small JSON object.
#pragma once

#include "formats/trace_text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace overcast {

/// Reads members by name; every mistake is a TraceFormatError that names the member.
class JsonObject {
public:
    /// `path` names the object in messages. All three must outlive this.
    JsonObject(const nlohmann::json& value, std::string_view file, std::uint64_t byte,
               std::string path)
        : value_{value}, file_{file}, byte_{byte}, path_{std::move(path)} {
        if (!value.is_object()) {
            fail("must be an object");
        }
    }

    [[noreturn]] void fail(std::string_view reason) const {
        fail_at(file_, {.byte = byte_, .event = std::nullopt},
                fmt::format("\"{}\" {}", path_, reason));
    }
    [[noreturn]] void fail(std::string_view key, std::string_view reason) const {
        fail_at(file_, {.byte = byte_, .event = std::nullopt},
                fmt::format("\"{}.{}\" {}", path_, key, reason));
    }

    [[nodiscard]] const nlohmann::json* find(std::string_view key) const {
        const auto found = value_.find(key);
        return found == value_.end() || found->is_null() ? nullptr : &*found;
    }

    [[nodiscard]] std::optional<std::string> text(std::string_view key) const {
        const auto* member = find(key);
        if (member == nullptr) {
            return std::nullopt;
        }
        if (!member->is_string()) {
            fail(key, "must be a string");
        }
        return member->get<std::string>();
    }

    /// A whole number that `Number` can hold.
    template <typename Number>
    [[nodiscard]] std::optional<Number> whole(std::string_view key) const {
        const auto* member = find(key);
        if (member == nullptr) {
            return std::nullopt;
        }
        if (member->is_number_unsigned()) {
            const auto value = member->get<std::uint64_t>();
            if (std::in_range<Number>(value)) {
                return static_cast<Number>(value);
            }
        } else if (member->is_number_integer()) {
            const auto value = member->get<std::int64_t>();
            if (std::in_range<Number>(value)) {
                return static_cast<Number>(value);
            }
        }
        fail(key,
             fmt::format("must be a whole number from {} to {}", std::numeric_limits<Number>::min(),
                         std::numeric_limits<Number>::max()));
    }

    template <typename Id>
    [[nodiscard]] std::optional<Id> id(std::string_view key) const {
        const auto value = whole<std::underlying_type_t<Id>>(key);
        return value ? std::optional{static_cast<Id>(*value)} : std::nullopt;
    }

    [[nodiscard]] std::optional<double> number(std::string_view key) const {
        const auto* member = find(key);
        if (member == nullptr) {
            return std::nullopt;
        }
        if (!member->is_number()) {
            fail(key, "must be a number");
        }
        return member->get<double>();
    }

    [[nodiscard]] bool truth(std::string_view key) const {
        const auto* member = find(key);
        if (member != nullptr && !member->is_boolean()) {
            fail(key, "must be true or false");
        }
        return member != nullptr && member->get<bool>();
    }

    /// Calls `read` with each object of the list `key`, if there is one.
    template <typename Read>
    void each(std::string_view key, Read read) const {
        const auto* list = find(key);
        if (list == nullptr) {
            return;
        }
        if (!list->is_array()) {
            fail(key, "must be a list");
        }
        std::size_t count = 0;
        for (const auto& element : *list) {
            read(JsonObject{element, file_, byte_, fmt::format("{}.{}[{}]", path_, key, count++)});
        }
    }

    /// The object `key`, if there is one.
    [[nodiscard]] std::optional<JsonObject> object(std::string_view key) const {
        const auto* member = find(key);
        if (member == nullptr) {
            return std::nullopt;
        }
        return JsonObject{*member, file_, byte_, fmt::format("{}.{}", path_, key)};
    }

    [[nodiscard]] const nlohmann::json& json() const { return value_; }

private:
    const nlohmann::json& value_;
    std::string_view file_;
    std::uint64_t byte_;
    std::string path_;
};

}  // namespace overcast
