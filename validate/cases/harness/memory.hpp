// Owned host and device memory, and the steps that copy between them.
#pragma once

#include "validate/cases/harness/case.hpp"
#include "validate/cases/harness/cuda_check.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>

namespace overcast::cases {

/// Device memory for `size` elements, not initialised.
template <typename T>
class DeviceArray {
public:
    explicit DeviceArray(std::size_t size) : size_{size} {
        void* memory = nullptr;
        check(cudaMalloc(&memory, size * sizeof(T)), "cudaMalloc");
        memory_.reset(static_cast<T*>(memory));
    }

    [[nodiscard]] T* data() const { return memory_.get(); }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] std::size_t bytes() const { return size_ * sizeof(T); }

private:
    struct Free {
        void operator()(T* memory) const { cudaFree(memory); }
    };
    std::unique_ptr<T, Free> memory_;
    std::size_t size_;
};

/// Pinned or ordinary host memory for `size` elements. Pageable memory is touched once, so that no
/// page fault falls into a measured pass.
template <typename T>
class HostArray {
public:
    HostArray(HostMemory kind, std::size_t size) : size_{size} {
        if (kind == HostMemory::pageable) {
            pageable_ = std::make_unique<T[]>(size);  // touched: zeros are written
            return;
        }
        void* memory = nullptr;
        check(cudaMallocHost(&memory, size * sizeof(T)), "cudaMallocHost");
        pinned_.reset(static_cast<T*>(memory));
    }

    [[nodiscard]] T* data() const { return pinned_ ? pinned_.get() : pageable_.get(); }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] std::size_t bytes() const { return size_ * sizeof(T); }
    [[nodiscard]] T& operator[](std::size_t element) const { return data()[element]; }

private:
    struct Free {
        void operator()(T* memory) const { cudaFreeHost(memory); }
    };
    std::unique_ptr<T, Free> pinned_;
    std::unique_ptr<T[]> pageable_;
    std::size_t size_;
};

/// A stretch of elements: where it begins and how many.
struct Stretch {
    std::size_t begin = 0;
    std::size_t size = 0;
};

/// Part `part` of `size` elements, equal shares. Throws OptionError unless the parts divide it.
inline Stretch stretch_of(std::size_t size, Part part) {
    if (size % part.of != 0) {
        throw OptionError(std::to_string(size) + " elements cannot be cut into " +
                          std::to_string(part.of) + " equal parts");
    }
    return {size / part.of * part.number, size / part.of};
}

/// cudaMemcpyAsync of one stretch of two arrays; `call` names it where it fails.
template <typename To, typename From>
Step copy_step(const To& to, const From& from, Stretch stretch, cudaMemcpyKind kind,
               const char* call, std::uint32_t phase, std::uint32_t lane) {
    static_assert(std::is_same_v<decltype(to.data()), decltype(from.data())>);
    return {[target = to.data() + stretch.begin, source = from.data() + stretch.begin,
             bytes = stretch.size * sizeof(*to.data()), kind, call, lane](Lanes lanes) {
                check(cudaMemcpyAsync(target, source, bytes, kind, lanes[lane]), call);
            },
            phase};
}

/// cudaMemcpyAsync to the device, on the first lane unless another one is named.
template <typename T>
Step copy_in(const DeviceArray<T>& to, const HostArray<T>& from, Stretch stretch,
             std::uint32_t phase = 0, std::uint32_t lane = 0) {
    return copy_step(to, from, stretch, cudaMemcpyHostToDevice, "cudaMemcpyAsync to the device",
                     phase, lane);
}

/// cudaMemcpyAsync to the host, on the first lane unless another one is named.
template <typename T>
Step copy_out(const HostArray<T>& to, const DeviceArray<T>& from, Stretch stretch,
              std::uint32_t phase = 0, std::uint32_t lane = 0) {
    return copy_step(to, from, stretch, cudaMemcpyDeviceToHost, "cudaMemcpyAsync to the host",
                     phase, lane);
}

/// cudaMemcpyAsync from device memory to device memory, on the first lane unless another one is
/// named.
template <typename T>
Step copy_within(const DeviceArray<T>& to, const DeviceArray<T>& from, Stretch stretch,
                 std::uint32_t phase = 0, std::uint32_t lane = 0) {
    return copy_step(to, from, stretch, cudaMemcpyDeviceToDevice,
                     "cudaMemcpyAsync within the device", phase, lane);
}

/// cudaMemsetAsync to zero, on the first lane unless another one is named.
template <typename T>
Step clear(const DeviceArray<T>& array, Stretch stretch, std::uint32_t phase = 0,
           std::uint32_t lane = 0) {
    return {[target = array.data() + stretch.begin, bytes = stretch.size * sizeof(T),
             lane](Lanes lanes) {
                check(cudaMemsetAsync(target, 0, bytes, lanes[lane]), "cudaMemsetAsync");
            },
            phase};
}

/// `launch(stream)` on the first lane unless another one is named; the launch is checked.
template <typename Launch>
Step kernel(Launch launch, std::uint32_t phase = 0, std::uint32_t lane = 0) {
    return {[launch, lane](Lanes lanes) {
                launch(lanes[lane]);
                check(cudaPeekAtLastError(), "kernel launch");
            },
            phase};
}

}  // namespace overcast::cases
