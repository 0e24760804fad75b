#include "tracer/injection/exit_hook.hpp"

#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace overcast::injection {
namespace {

std::atomic<void (*)() noexcept> g_leave{nullptr};  // _exit carries no user data

[[noreturn]] void leave_and_exit(int status) noexcept {
    if (auto* const leave = g_leave.load()) {
        leave();
    }
    for (;;) {
        ::syscall(SYS_exit_group, status);  // what _exit does
    }
}

#if defined(__aarch64__)
constexpr std::uint32_t kJumpSlot = R_AARCH64_JUMP_SLOT;
constexpr std::uint32_t kGlobalData = R_AARCH64_GLOB_DAT;
#else
constexpr std::uint32_t kJumpSlot = R_X86_64_JUMP_SLOT;
constexpr std::uint32_t kGlobalData = R_X86_64_GLOB_DAT;
#endif

template <typename Pointer>
Pointer* at(std::uintptr_t address) {
    return reinterpret_cast<Pointer*>(address);
}

/// The parts of a loaded object that say through which slots it calls other objects.
struct Linkage {
    std::uintptr_t base = 0;
    const ElfW(Sym) * symbols = nullptr;
    const char* strings = nullptr;
    std::span<const ElfW(Rela)> calls;
    std::span<const ElfW(Rela)> data;
    std::uintptr_t read_only_begin = 0;  ///< made read-only after relocation
    std::uintptr_t read_only_end = 0;
};

void read_dynamic(const ElfW(Dyn) * entry, Linkage& linkage) {
    const ElfW(Rela)* calls = nullptr;
    const ElfW(Rela)* data = nullptr;
    std::size_t calls_bytes = 0;
    std::size_t data_bytes = 0;
    for (; entry->d_tag != DT_NULL; ++entry) {
        switch (entry->d_tag) {
            case DT_SYMTAB: linkage.symbols = at<const ElfW(Sym)>(entry->d_un.d_ptr); break;
            case DT_STRTAB: linkage.strings = at<const char>(entry->d_un.d_ptr); break;
            case DT_JMPREL: calls = at<const ElfW(Rela)>(entry->d_un.d_ptr); break;
            case DT_PLTRELSZ: calls_bytes = entry->d_un.d_val; break;
            case DT_RELA: data = at<const ElfW(Rela)>(entry->d_un.d_ptr); break;
            case DT_RELASZ: data_bytes = entry->d_un.d_val; break;
            default: break;
        }
    }
    linkage.calls = {calls, calls == nullptr ? 0 : calls_bytes / sizeof(ElfW(Rela))};
    linkage.data = {data, data == nullptr ? 0 : data_bytes / sizeof(ElfW(Rela))};
}

void write_slot(const Linkage& linkage, std::uintptr_t slot) noexcept {
    const auto target = reinterpret_cast<std::uintptr_t>(&leave_and_exit);
    const std::atomic_ref<std::uintptr_t> pointer{*at<std::uintptr_t>(slot)};
    if (pointer.load() == target) {
        return;
    }
    const auto page_size = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    void* const page = at<void>(slot / page_size * page_size);
    const bool read_only = linkage.read_only_begin <= slot && slot < linkage.read_only_end;
    if (read_only && mprotect(page, page_size, PROT_READ | PROT_WRITE) != 0) {
        return;
    }
    pointer.store(target);
    if (read_only) {
        mprotect(page, page_size, PROT_READ);
    }
}

void redirect(const Linkage& linkage, std::span<const ElfW(Rela)> relocations) noexcept {
    for (const auto& relocation : relocations) {
        const auto type = static_cast<std::uint32_t>(ELF64_R_TYPE(relocation.r_info));
        if (type != kJumpSlot && type != kGlobalData) {
            continue;
        }
        const auto& symbol = linkage.symbols[ELF64_R_SYM(relocation.r_info)];
        const std::string_view name{linkage.strings + symbol.st_name};
        if (name == "_exit" || name == "_Exit") {
            write_slot(linkage, linkage.base + relocation.r_offset);
        }
    }
}

int visit_object(dl_phdr_info* info, std::size_t /*size*/, void* /*unused*/) {
    Linkage linkage;
    linkage.base = info->dlpi_addr;
    const ElfW(Dyn)* dynamic = nullptr;
    for (const auto& header : std::span{info->dlpi_phdr, info->dlpi_phnum}) {
        if (header.p_type == PT_DYNAMIC) {
            dynamic = at<const ElfW(Dyn)>(linkage.base + header.p_vaddr);
        } else if (header.p_type == PT_GNU_RELRO) {
            linkage.read_only_begin = linkage.base + header.p_vaddr;
            linkage.read_only_end = linkage.read_only_begin + header.p_memsz;
        }
    }
    // The kernel's own object is in no file; nothing there calls _exit.
    const std::string_view name{info->dlpi_name == nullptr ? "" : info->dlpi_name};
    if (dynamic == nullptr || name.find("vdso") != std::string_view::npos) {
        return 0;
    }
    read_dynamic(dynamic, linkage);
    if (linkage.symbols != nullptr && linkage.strings != nullptr) {
        redirect(linkage, linkage.calls);
        redirect(linkage, linkage.data);
    }
    return 0;
}

}  // namespace

void call_before_exit(void (*leave)() noexcept) noexcept {
    g_leave = leave;
    dl_iterate_phdr(&visit_object, nullptr);
}

}  // namespace overcast::injection
