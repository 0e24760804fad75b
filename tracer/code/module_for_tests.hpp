// A module of machine code as small as can be: one kernel, in the ELF file that the driver loads.
#pragma once

#include <elf.h>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace overcast {

class ModuleForTests {
public:
    explicit ModuleForTests(const std::string& kernel) {
        // A chain of loads: place = words[place].
        constexpr std::uint64_t kCode[][2] = {
            {0x0000000400027825, 0x021fc600078e0006},  // IMAD.WIDE, waits for the load
            {0x0000000402007981, 0x000376000c1ef900},  // LDG
            {0xfffffffc00f48947, 0x000fea000383ffff},  // BRA, back to the first
            {0x000000000000794d, 0x000fea0003800000},  // EXIT
        };
        const std::string names = std::string{"\0.shstrtab\0.text.", 17} + kernel + '\0';
        const auto names_at = sizeof(Elf64_Ehdr);
        const auto code_at = (names_at + names.size() + 15) / 16 * 16;
        const auto table_at = code_at + sizeof kCode;
        bytes_.resize(table_at + 3 * sizeof(Elf64_Shdr));
        Elf64_Ehdr header{};
        std::memcpy(header.e_ident, ELFMAG, SELFMAG);
        header.e_ident[EI_CLASS] = ELFCLASS64;
        header.e_machine = EM_CUDA;
        header.e_flags = 0x6005a04;  // compute capability 9.0, as nvcc of CUDA 13.0 writes it
        header.e_shoff = table_at;
        header.e_shentsize = sizeof(Elf64_Shdr);
        header.e_shnum = 3;
        header.e_shstrndx = 1;
        put_value(0, header);
        put(names_at, names.data(), names.size());
        put(code_at, kCode, sizeof kCode);
        put_value(table_at + sizeof(Elf64_Shdr), section(1, names_at, names.size()));
        put_value(table_at + 2 * sizeof(Elf64_Shdr), section(11, code_at, sizeof kCode));
    }

    /// Of another architecture, or damaged.
    template <typename Value>
    void put_value(std::size_t at, Value value) {
        put(at, &value, sizeof value);
    }

    [[nodiscard]] const std::vector<std::byte>& bytes() const { return bytes_; }

private:
    void put(std::size_t at, const void* from, std::size_t count) {
        std::memcpy(bytes_.data() + at, from, count);
    }
    static Elf64_Shdr section(std::uint32_t name, std::uint64_t offset, std::uint64_t size) {
        Elf64_Shdr result{};
        result.sh_name = name;
        result.sh_offset = offset;
        result.sh_size = size;
        return result;
    }

    std::vector<std::byte> bytes_;
};

}  // namespace overcast
