#include "tracer/injection/buffers.hpp"

#include <cstdlib>
#include <cstring>

namespace overcast::injection {
namespace {

constexpr std::size_t kAlignment = 8;  // ACTIVITY_RECORD_ALIGNMENT
constexpr std::size_t kMaxFree = 256;
constexpr std::size_t kMaxTaken = 4096;  // more than that are not looked into early

}  // namespace

std::uint8_t* BufferPool::allocate() noexcept {
    void* const memory = std::aligned_alloc(kAlignment, kBytes);
    if (memory != nullptr) {
        std::memset(memory, 0, kBytes);
    }
    return static_cast<std::uint8_t*>(memory);
}

BufferPool::BufferPool(std::size_t stock) {
    free_.reserve(kMaxFree);
    taken_.reserve(kMaxTaken);
    for (std::size_t i = 0; i < stock; ++i) {
        if (auto* buffer = allocate()) {
            free_.push_back(buffer);
        }
    }
}

std::uint8_t* BufferPool::take() noexcept {
    std::uint8_t* buffer = nullptr;
    {
        const std::lock_guard lock{mutex_};
        if (!free_.empty()) {
            buffer = free_.back();
            free_.pop_back();
        }
    }
    if (buffer == nullptr) {
        buffer = allocate();
    }
    const std::lock_guard lock{mutex_};
    if (buffer != nullptr && taken_.size() < taken_.capacity()) {
        taken_.push_back(buffer);
    }
    return buffer;
}

void BufferPool::give_back(std::uint8_t* buffer) noexcept {
    // CUPTI wants zeroed buffers (the attribute is set): here no program thread waits for it.
    std::memset(buffer, 0, kBytes);
    const std::lock_guard lock{mutex_};
    std::erase(taken_, buffer);
    if (free_.size() < kMaxFree) {
        free_.push_back(buffer);
    } else {
        std::free(buffer);
    }
}

std::vector<std::uint8_t*> BufferPool::outstanding() const {
    const std::lock_guard lock{mutex_};
    return taken_;
}

}  // namespace overcast::injection
