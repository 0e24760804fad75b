#include "formats/chrome_fields.hpp"

#include <algorithm>

namespace overcast {
namespace {

constexpr std::size_t kSlots = 512;
constexpr std::uint8_t kEmpty = 0xff;

constexpr std::size_t slot_of(std::string_view key) {
    const auto at = [&](std::size_t i) {
        return static_cast<std::size_t>(static_cast<unsigned char>(key[i]));
    };
    return (key.size() * 37 + at(0) * 5 + at(key.size() - 1) * 11 + at(key.size() / 2) * 3) %
           kSlots;
}

/// Open addressing: a key lies in its slot or in the next free one behind it.
constexpr auto kArgumentSlots = [] {
    std::array<std::uint8_t, kSlots> slots{};
    slots.fill(kEmpty);
    for (auto i = kFirstArgument; i < kFields; ++i) {
        auto slot = slot_of(kFieldKeys[i]);
        while (slots[slot] != kEmpty) {
            slot = (slot + 1) % kSlots;
        }
        slots[slot] = static_cast<std::uint8_t>(i);
    }
    return slots;
}();

}  // namespace

std::optional<Field> find_event_field(std::string_view key) {
    for (std::size_t i = 0; i < kFirstArgument; ++i) {
        if (kFieldKeys[i] == key) {
            return static_cast<Field>(i);
        }
    }
    return std::nullopt;
}

std::optional<Field> find_argument_field(std::string_view key) {
    if (key.empty()) {
        return std::nullopt;
    }
    for (auto slot = slot_of(key); kArgumentSlots[slot] != kEmpty; slot = (slot + 1) % kSlots) {
        if (kFieldKeys[kArgumentSlots[slot]] == key) {
            return static_cast<Field>(kArgumentSlots[slot]);
        }
    }
    return std::nullopt;
}

}  // namespace overcast
