#include "tracer/code/cubin.hpp"

#include "tracer/code/instruction.hpp"
#include "tracer/code/kernel_pass.hpp"

#include <elf.h>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

namespace overcast {
namespace {

constexpr std::uint32_t kCapability = 90;  // in e_flags, in its lowest byte before CUDA 13
constexpr std::string_view kCodePrefix = ".text.";

class Module {
public:
    explicit Module(std::span<const std::byte> bytes) : bytes_{bytes} {}

    template <typename Value>
    [[nodiscard]] std::optional<Value> read(std::uint64_t at) const {
        if (at > bytes_.size() || bytes_.size() - at < sizeof(Value)) {
            return std::nullopt;
        }
        Value value;
        std::memcpy(&value, bytes_.data() + at, sizeof value);
        return value;
    }

    /// Absent for anything but code of kCapability.
    [[nodiscard]] std::optional<Elf64_Ehdr> header() const {
        const auto found = read<Elf64_Ehdr>(0);
        const bool readable = found && std::memcmp(found->e_ident, ELFMAG, SELFMAG) == 0 &&
                              found->e_ident[EI_CLASS] == ELFCLASS64 &&
                              found->e_machine == EM_CUDA &&
                              ((found->e_flags & 0xffU) == kCapability ||
                               (found->e_flags >> 8U & 0xffU) == kCapability);
        return readable ? found : std::nullopt;
    }

    [[nodiscard]] std::optional<Elf64_Shdr> section(const Elf64_Ehdr& header,
                                                    std::uint64_t index) const {
        const auto table = header.e_shoff;
        return table > bytes_.size() ? std::nullopt
                                     : read<Elf64_Shdr>(table + index * header.e_shentsize);
    }

    [[nodiscard]] std::span<const std::byte> content(
        const std::optional<Elf64_Shdr>& section) const {
        const bool inside = section && section->sh_offset <= bytes_.size() &&
                            section->sh_size <= bytes_.size() - section->sh_offset;
        return inside ? bytes_.subspan(section->sh_offset, section->sh_size)
                      : std::span<const std::byte>{};
    }

private:
    std::span<const std::byte> bytes_;
};

std::string_view name_at(std::span<const std::byte> names, std::uint32_t at) {
    if (at >= names.size()) {
        return {};
    }
    const auto* const first = reinterpret_cast<const char*>(names.data()) + at;
    return {first, strnlen(first, names.size() - at)};
}

}  // namespace

std::unordered_map<std::string, KernelCode> kernels_of_module(std::span<const std::byte> bytes) {
    std::unordered_map<std::string, KernelCode> kernels;
    const Module module{bytes};
    const auto header = module.header();
    if (!header) {
        return kernels;
    }
    const auto names = module.content(module.section(*header, header->e_shstrndx));
    for (std::uint64_t i = 0; i < header->e_shnum; ++i) {
        const auto section = module.section(*header, i);
        const auto name = section ? name_at(names, section->sh_name) : std::string_view{};
        if (!name.starts_with(kCodePrefix)) {
            continue;
        }
        if (const auto pass = kernel_pass(MachineCode{module.content(section)})) {
            kernels.emplace(name.substr(kCodePrefix.size()), *pass);
        }
    }
    return kernels;
}

}  // namespace overcast
