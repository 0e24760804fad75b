#include "core/large_pages.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <memory>

namespace overcast {

void prefer_large_pages(void* memory, std::size_t bytes) {
#ifdef MADV_HUGEPAGE
    constexpr std::size_t kLargePage = 2 << 20;  // less memory has none of them
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    auto left = bytes;
    if (bytes >= kLargePage && std::align(page, page, memory, left) != nullptr) {
        madvise(memory, left / page * page, MADV_HUGEPAGE);  // advice: a refusal changes nothing
    }
#endif
}

}  // namespace overcast
