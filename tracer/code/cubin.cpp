#include "tracer/code/cubin.hpp"

#include "tracer/code/instruction.hpp"
#include "tracer/code/kernel_pass.hpp"

#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

namespace overcast {
namespace {

// Of an ELF file of 64 bits: https://refspecs.linuxfoundation.org/elf/gabi4+/contents.html
constexpr std::size_t kMachineAt = 0x12;
constexpr std::size_t kFlagsAt = 0x30;
constexpr std::size_t kSectionsAt = 0x28;
constexpr std::size_t kSectionSizeAt = 0x3a;
constexpr std::size_t kSectionCountAt = 0x3c;
constexpr std::size_t kNamesIndexAt = 0x3e;
constexpr std::uint16_t kCuda = 190;       // e_machine
constexpr std::uint32_t kCapability = 90;  // in e_flags, in its lowest byte before CUDA 13
constexpr std::uint64_t kMostSections = 1U << 20U;
constexpr std::string_view kCodePrefix = ".text.";

struct Section {
    std::uint32_t name = 0;
    std::uint32_t type = 0;
    std::uint64_t flags = 0;
    std::uint64_t address = 0;
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    std::uint32_t link = 0;
    std::uint32_t info = 0;
    std::uint64_t alignment = 0;
    std::uint64_t entry_size = 0;
};

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

    [[nodiscard]] bool is_readable() const {
        constexpr std::string_view kMagic =
            "\x7f"
            "ELF\x02";
        const auto machine = read<std::uint16_t>(kMachineAt);
        const auto flags = read<std::uint32_t>(kFlagsAt);
        if (!machine || !flags || std::memcmp(bytes_.data(), kMagic.data(), kMagic.size()) != 0) {
            return false;
        }
        return *machine == kCuda &&
               ((*flags & 0xffU) == kCapability || (*flags >> 8U & 0xffU) == kCapability);
    }

    [[nodiscard]] std::optional<Section> section(std::uint64_t index) const {
        const auto table = read<std::uint64_t>(kSectionsAt);
        const auto size = read<std::uint16_t>(kSectionSizeAt);
        if (!table || !size || *table > bytes_.size() || index > kMostSections) {
            return std::nullopt;
        }
        return read<Section>(*table + index * *size);
    }

    [[nodiscard]] std::span<const std::byte> content(const Section& section) const {
        const bool inside =
            section.offset <= bytes_.size() && section.size <= bytes_.size() - section.offset;
        return inside ? bytes_.subspan(section.offset, section.size) : std::span<const std::byte>{};
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
    if (!module.is_readable()) {
        return kernels;
    }
    const auto count = module.read<std::uint16_t>(kSectionCountAt).value_or(0);
    const auto names_index = module.read<std::uint16_t>(kNamesIndexAt).value_or(0);
    const auto names_section = module.section(names_index);
    const auto names =
        names_section ? module.content(*names_section) : std::span<const std::byte>{};
    for (std::uint64_t i = 0; i < count; ++i) {
        const auto section = module.section(i);
        const auto name = section ? name_at(names, section->name) : std::string_view{};
        if (!name.starts_with(kCodePrefix)) {
            continue;
        }
        if (const auto pass = kernel_pass(MachineCode{module.content(*section)})) {
            kernels.emplace(name.substr(kCodePrefix.size()), *pass);
        }
    }
    return kernels;
}

}  // namespace overcast
