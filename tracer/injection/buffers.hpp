// The buffers that CUPTI fills with activity records.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace overcast::injection {

/// CUPTI asks for buffers on application threads: those handed out come from a stock whose pages
/// have been touched already.
class BufferPool {
public:
    /// Small enough that a kill loses little, large enough that a request is rare.
    static constexpr std::size_t kBytes = 512U << 10U;

    explicit BufferPool(std::size_t stock);
    BufferPool(const BufferPool&) = delete;
    BufferPool& operator=(const BufferPool&) = delete;
    ~BufferPool() = default;  // never run in the traced program: CUPTI may still hold buffers

    /// A buffer that belongs to no pool, zeroed; to be freed with std::free.
    static std::uint8_t* allocate() noexcept;

    /// Null only where there is no memory left: CUPTI drops records then, and counts them.
    std::uint8_t* take() noexcept;
    void give_back(std::uint8_t* buffer) noexcept;

    /// Those taken and not given back.
    [[nodiscard]] std::vector<std::uint8_t*> outstanding() const;

private:
    mutable std::mutex mutex_;
    std::vector<std::uint8_t*> free_;
    std::vector<std::uint8_t*> taken_;
};

}  // namespace overcast::injection
