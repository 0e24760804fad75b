// A module of machine code as small as can be: one kernel, in the ELF file that the driver loads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace overcast {

class ModuleForTests {
public:
    explicit ModuleForTests(const std::string& kernel) {
        // A pass of four loads that need each other: place = words[place].
        constexpr std::uint64_t kCode[][2] = {
            {0x0000000400027825, 0x021fc600078e0006},  // IMAD.WIDE, waits for the load
            {0x0000000402007981, 0x000376000c1ef900},  // LDG
            {0xfffffffc00f48947, 0x000fea000383ffff},  // BRA, back to the first
            {0x000000000000794d, 0x000fea0003800000},  // EXIT
        };
        const std::string names = std::string{"\0.shstrtab\0.text.", 17} + kernel + '\0';
        const auto names_at = kHeader;
        const auto code_at = (names_at + names.size() + 15) / 16 * 16;
        const auto table_at = code_at + sizeof kCode;
        bytes_.resize(table_at + 3 * kSection);
        put(0,
            "\x7f"
            "ELF\x02\x01",
            6);
        put_value<std::uint16_t>(0x12, 190);
        put_value<std::uint64_t>(0x28, table_at);
        put_value<std::uint32_t>(0x30, 0x6005a04);
        put_value<std::uint16_t>(0x3a, kSection);
        put_value<std::uint16_t>(0x3c, 3);
        put_value<std::uint16_t>(0x3e, 1);
        put(names_at, names.data(), names.size());
        put(code_at, kCode, sizeof kCode);
        put_section(table_at + kSection, 1, names_at, names.size());
        put_section(table_at + 2 * kSection, 11, code_at, sizeof kCode);
    }

    /// Of another architecture, or damaged.
    template <typename Value>
    void put_value(std::size_t at, Value value) {
        put(at, &value, sizeof value);
    }

    [[nodiscard]] const std::vector<std::byte>& bytes() const { return bytes_; }

private:
    static constexpr std::size_t kHeader = 64;
    static constexpr std::uint16_t kSection = 64;

    void put(std::size_t at, const void* from, std::size_t count) {
        std::memcpy(bytes_.data() + at, from, count);
    }
    void put_section(std::size_t at, std::uint32_t name, std::uint64_t offset, std::uint64_t size) {
        put_value(at, name);
        put_value(at + 24, offset);
        put_value(at + 32, size);
    }

    std::vector<std::byte> bytes_;
};

}  // namespace overcast
