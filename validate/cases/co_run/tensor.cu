// Products on the tensor cores through cuBLAS. The library is loaded when the first product is
// made, so that neither building nor starting other cases needs it.
#include "validate/cases/co_run/classes.hpp"
#include "validate/cases/harness/memory.hpp"
#include "validate/cases/harness/mix.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#if __has_include(<cublas_v2.h>)
#include <cublas_v2.h>
#include <cuda_fp16.h>
#include <dlfcn.h>

namespace overcast::cases {
namespace {

// A wave is one tile of 128 × 256 elements on each SM; libraries cut large products so or alike.
constexpr std::uint32_t kTileRows = 128;
constexpr std::uint32_t kTileColumns = 256;
// Too little for partial sums: each product is one kernel, and the same one in each pass.
constexpr std::size_t kWorkspaceBytes = std::size_t{32} << 10;
constexpr double kCyclesPerUs = 1'980;

void check_blas(cublasStatus_t status, const char* call) {
    if (status != CUBLAS_STATUS_SUCCESS) {
        throw std::runtime_error(std::string{call} + " failed: status " +
                                 std::to_string(static_cast<int>(status)));
    }
}

/// The functions of cuBLAS that are needed, found once per process.
class CublasLibrary {
public:
    static const CublasLibrary& loaded() {
        static const CublasLibrary library;
        return library;
    }

    decltype(&::cublasCreate_v2) create = nullptr;
    decltype(&::cublasDestroy_v2) destroy = nullptr;
    decltype(&::cublasSetStream_v2) set_stream = nullptr;
    decltype(&::cublasSetWorkspace_v2) set_workspace = nullptr;
    // Not by decltype: in C++ the name is overloaded.
    cublasStatus_t (*gemm)(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
                           const void*, const void*, cudaDataType, int, const void*, cudaDataType,
                           int, const void*, void*, cudaDataType, int, cublasComputeType_t,
                           cublasGemmAlgo_t) = nullptr;

private:
    CublasLibrary() {
        void* library = nullptr;
        for (const char* name : {"libcublas.so", "libcublas.so.13", "libcublas.so.12"}) {
            library = library == nullptr ? dlopen(name, RTLD_NOW | RTLD_LOCAL) : library;
        }
        if (library == nullptr) {
            throw std::runtime_error(
                "products on tensor cores need libcublas.so of CUDA 12 or 13, which was not found: "
                "add its folder to LD_LIBRARY_PATH");
        }
        find(library, "cublasCreate_v2", create);
        find(library, "cublasDestroy_v2", destroy);
        find(library, "cublasSetStream_v2", set_stream);
        find(library, "cublasSetWorkspace_v2", set_workspace);
        find(library, "cublasGemmEx", gemm);
    }

    template <typename Function>
    static void find(void* library, const char* name, Function& function) {
        function = reinterpret_cast<Function>(dlsym(library, name));
        if (function == nullptr) {
            throw std::runtime_error(std::string{"libcublas has no "} + name);
        }
    }
};

class Handle {
public:
    Handle() { check_blas(CublasLibrary::loaded().create(&handle_), "cublasCreate"); }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    ~Handle() { CublasLibrary::loaded().destroy(handle_); }

    [[nodiscard]] cublasHandle_t get() const { return handle_; }

private:
    cublasHandle_t handle_ = nullptr;
};

/// Whole numbers: every sum is exact, in whatever order a kernel adds.
__host__ __device__ constexpr int factor(std::uint32_t seed, std::uint32_t element) {
    return static_cast<int>(mix(seed + element) % 3) - 1;
}

template <typename T>
__global__ void fill_factors(T* matrix, std::uint32_t elements, std::uint32_t seed) {
    for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < elements;
         i += gridDim.x * blockDim.x) {
        matrix[i] = static_cast<T>(static_cast<float>(factor(seed, i)));
    }
}

struct ProductShape {
    std::uint32_t rows = 0, columns = 0, inner = 0;
};

/// `cycles`: of a tile per step of the inner length.
ProductShape shape_of(const LaunchPlan& plan, double cycles, std::uint32_t longest) {
    const std::uint32_t tiles = std::max(plan.sms * plan.tenths_of_wave / 10, 1U);
    std::uint32_t down = 1;
    for (std::uint32_t divisor = 1; divisor * divisor <= 2 * tiles; ++divisor) {
        down = tiles % divisor == 0 ? divisor : down;
    }
    const std::uint32_t rounds = (tiles + plan.sms - 1) / plan.sms;
    const auto inner = static_cast<std::uint32_t>(plan.target_us * kCyclesPerUs / cycles / rounds);
    return {down * kTileRows, tiles / down * kTileColumns,
            std::clamp(inner / 64 * 64, 64U, longest)};
}

template <typename T>
class Product : public CoRunKernel {
public:
    Product(const ProductShape& shape, std::uint32_t seed)
        : shape_{shape},
          seed_{seed},
          left_{std::size_t{shape.rows} * shape.inner},
          right_{std::size_t{shape.inner} * shape.columns},
          product_{std::size_t{shape.rows} * shape.columns},
          workspace_{kWorkspaceBytes} {
        fill(left_, seed_);
        fill(right_, seed_ + 1);
    }

    void launch(cudaStream_t stream) override {
        const CublasLibrary& blas = CublasLibrary::loaded();
        if (!ready_ || stream != stream_) {
            check_blas(blas.set_stream(handle_.get(), stream), "cublasSetStream");
            // After the stream, which would set it back.
            check_blas(blas.set_workspace(handle_.get(), workspace_.data(), workspace_.bytes()),
                       "cublasSetWorkspace");
            stream_ = stream;
            ready_ = true;
        }
        constexpr bool kHalf = sizeof(T) == 2;
        constexpr cudaDataType_t kType = kHalf ? CUDA_R_16F : CUDA_R_32F;
        const float one = 1;
        const float zero = 0;
        const auto rows = static_cast<int>(shape_.rows);
        const auto columns = static_cast<int>(shape_.columns);
        const auto inner = static_cast<int>(shape_.inner);
        check_blas(blas.gemm(handle_.get(), CUBLAS_OP_T, CUBLAS_OP_N, rows, columns, inner, &one,
                             left_.data(), kType, inner, right_.data(), kType, inner, &zero,
                             product_.data(), CUDA_R_32F, rows,
                             kHalf ? CUBLAS_COMPUTE_32F : CUBLAS_COMPUTE_32F_FAST_TF32,
                             CUBLAS_GEMM_DEFAULT),
                   "cublasGemmEx");
    }

    void verify(Comparison& comparison) const override {
        constexpr std::size_t kSamples = 3;
        for (std::size_t sample = 0; sample < kSamples; ++sample) {
            const std::size_t element = spread_sample(sample, kSamples, product_.size());
            float found = 0;
            check(
                cudaMemcpy(&found, product_.data() + element, sizeof found, cudaMemcpyDeviceToHost),
                "cudaMemcpy to the host");
            comparison.expect("product", element, expected(element), found);
        }
    }

private:
    static void fill(const DeviceArray<T>& matrix, std::uint32_t seed) {
        fill_factors<<<1024, 256>>>(matrix.data(), static_cast<std::uint32_t>(matrix.size()), seed);
        check(cudaPeekAtLastError(), "kernel launch");
    }

    /// Both factors hold their vectors of the inner length one after the other.
    [[nodiscard]] float expected(std::size_t element) const {
        const auto row = static_cast<std::uint32_t>(element % shape_.rows);
        const auto column = static_cast<std::uint32_t>(element / shape_.rows);
        int sum = 0;
        for (std::uint32_t i = 0; i < shape_.inner; ++i) {
            sum += factor(seed_, row * shape_.inner + i) *
                   factor(seed_ + 1, column * shape_.inner + i);
        }
        return static_cast<float>(sum);
    }

    ProductShape shape_;
    std::uint32_t seed_;
    Handle handle_;
    DeviceArray<T> left_;
    DeviceArray<T> right_;
    DeviceArray<float> product_;
    DeviceArray<unsigned char> workspace_;
    cudaStream_t stream_ = nullptr;
    bool ready_ = false;
};

}  // namespace

std::array<ClassVariant, 2> tensor_variants() {
    ClassVariant half;
    half.make = [](const LaunchPlan& plan) -> std::unique_ptr<CoRunKernel> {
        return std::make_unique<Product<__half>>(shape_of(plan, 24, 16'384), plan.seed);
    };
    ClassVariant tf32;
    tf32.make = [](const LaunchPlan& plan) -> std::unique_ptr<CoRunKernel> {
        return std::make_unique<Product<float>>(shape_of(plan, 48, 8'192), plan.seed);
    };
    return {half, tf32};
}

}  // namespace overcast::cases

#else

namespace overcast::cases {

std::array<ClassVariant, 2> tensor_variants() {
    ClassVariant missing;
    missing.make = [](const LaunchPlan& /*plan*/) -> std::unique_ptr<CoRunKernel> {
        throw std::runtime_error(
            "products on tensor cores need cuBLAS, whose headers were missing at the build");
    };
    return {missing, missing};
}

}  // namespace overcast::cases

#endif
