#include "tests/gpu/library_programs.hpp"

#include "validate/cases/harness/cuda_check.hpp"

#include <cublas_v2.h>
#include <cufft.h>
#include <curand.h>
#include <cusolverDn.h>
#include <cusparse.h>
#include <cub/cub.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace overcast::library {
namespace {

using cases::check;

constexpr std::size_t kMiB = 1 << 20;

/// Of a library other than the runtime, all of which call success 0.
template <class Status>
void succeed(Status status, const char* call) {
    if (static_cast<int>(status) != 0) {
        throw std::runtime_error(std::string{call} + " failed with status " +
                                 std::to_string(static_cast<int>(status)));
    }
}

/// Memory of the device, until the program ends.
template <class T>
T* on_device(std::size_t count) {
    void* memory = nullptr;
    check(cudaMalloc(&memory, std::max<std::size_t>(count, 1) * sizeof(T)), "cudaMalloc");
    check(cudaMemset(memory, 0, std::max<std::size_t>(count, 1) * sizeof(T)), "cudaMemset");
    return static_cast<T*>(memory);
}

template <class T>
T* on_device(const std::vector<T>& values) {
    auto* const copy = on_device<T>(values.size());
    check(cudaMemcpy(copy, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice),
          "cudaMemcpy");
    return copy;
}

/// Likewise of the host, pinned; each value is one of 1 to 1000. Read as real numbers they are next
/// to 0, which costs products, transforms and the sparse matrix no time.
template <class T>
T* on_host(std::size_t count) {
    void* memory = nullptr;
    check(cudaMallocHost(&memory, count * sizeof(T)), "cudaMallocHost");
    auto* const values = static_cast<T*>(memory);
    std::uint32_t state = 1;
    for (std::size_t i = 0; i < count; ++i) {
        state = state * 1664525 + 1013904223;
        values[i] = static_cast<T>(1 + (state >> 8) % 1000);
    }
    return values;
}

/// With memory of its own for each chunk.
class Chunked : public Program {
public:
    Chunked(std::size_t in, std::size_t out) : in_{in}, out_{out} {
        for (int i = 0; i < kChunks; ++i) {
            chunks_.push_back({on_host<std::uint32_t>(in / 4), on_host<std::uint32_t>(out / 4),
                               on_device<std::byte>(in), on_device<std::byte>(out)});
        }
    }

    void play(int chunk, int index, cudaStream_t stream) final {
        const auto& held = chunks_[chunk];
        if (in_ > 0) {
            check(cudaMemcpyAsync(held.in, held.source, in_, cudaMemcpyHostToDevice, stream),
                  "cudaMemcpyAsync");
        }
        run(chunk, index, stream);
        check(cudaGetLastError(), "launch");
        check(cudaMemcpyAsync(held.target, held.out, out_, cudaMemcpyDeviceToHost, stream),
              "cudaMemcpyAsync");
    }

protected:
    virtual void run(int chunk, int index, cudaStream_t stream) = 0;
    template <class T>
    T* in(int chunk) {
        return reinterpret_cast<T*>(chunks_[chunk].in);
    }
    template <class T>
    T* out(int chunk) {
        return reinterpret_cast<T*>(chunks_[chunk].out);
    }

private:
    struct Chunk {
        std::uint32_t* source;
        std::uint32_t* target;
        std::byte* in;
        std::byte* out;
    };
    std::size_t in_;
    std::size_t out_;
    std::vector<Chunk> chunks_;
};

/// A call of CUB, each chunk with its own temporary memory, whose size the call says where it gets
/// none.
class Cub final : public Chunked {
public:
    using Call = cudaError_t (*)(void* temporary, std::size_t& bytes, std::byte* in, std::byte* out,
                                 cudaStream_t);

    Cub(std::size_t in, std::size_t out, Call call) : Chunked{in, out}, call_{call} {
        check(call_(nullptr, bytes_, this->in<std::byte>(0), this->out<std::byte>(0), nullptr),
              "size of the temporary memory");
        for (int i = 0; i < kChunks; ++i) {
            temporary_.push_back(on_device<std::byte>(bytes_));
        }
    }

private:
    void run(int chunk, int, cudaStream_t stream) override {
        check(call_(temporary_[chunk], bytes_, in<std::byte>(chunk), out<std::byte>(chunk), stream),
              "CUB");
    }

    Call call_;
    std::size_t bytes_ = 0;
    std::vector<std::byte*> temporary_;
};

constexpr int kKeys = 1 << 20;

template <class T>
T* as(std::byte* bytes) {
    return reinterpret_cast<T*>(bytes);
}

constexpr int kSamples = 4 << 20;

struct IsSmall {
    __device__ bool operator()(std::uint32_t value) const { return value < 300; }
};

cudaError_t sort(void* temporary, std::size_t& bytes, std::byte* in, std::byte* out,
                 cudaStream_t stream) {
    return cub::DeviceRadixSort::SortKeys(temporary, bytes, as<std::uint32_t>(in),
                                          as<std::uint32_t>(out), kKeys, 0, 32, stream);
}

cudaError_t scan(void* temporary, std::size_t& bytes, std::byte* in, std::byte* out,
                 cudaStream_t stream) {
    return cub::DeviceScan::InclusiveSum(temporary, bytes, as<std::uint32_t>(in),
                                         as<std::uint32_t>(out), kKeys, stream);
}

cudaError_t histogram(void* temporary, std::size_t& bytes, std::byte* in, std::byte* out,
                      cudaStream_t stream) {
    return cub::DeviceHistogram::HistogramEven(temporary, bytes, as<std::uint32_t>(in),
                                               as<std::int32_t>(out), 257, std::uint32_t{0},
                                               std::uint32_t{1024}, kSamples, stream);
}

cudaError_t select(void* temporary, std::size_t& bytes, std::byte* in, std::byte* out,
                   cudaStream_t stream) {
    static auto* const count = on_device<int>(1);
    return cub::DeviceSelect::If(temporary, bytes, as<std::uint32_t>(in), as<std::uint32_t>(out),
                                 count, kKeys, IsSmall{}, stream);
}

/// Transforms of an image, there and back.
class Spectrum final : public Chunked {
public:
    explicit Spectrum(int streams)
        : Chunked{kSize * kSize * sizeof(cufftComplex), kSize * kSize * sizeof(cufftComplex)},
          plans_(streams) {
        for (auto& plan : plans_) {
            succeed(cufftPlan2d(&plan, kSize, kSize, CUFFT_C2C), "cufftPlan2d");
        }
    }

private:
    static constexpr int kSize = 1024;

    void run(int chunk, int index, cudaStream_t stream) override {
        succeed(cufftSetStream(plans_[index], stream), "cufftSetStream");
        auto* const image = in<cufftComplex>(chunk);
        succeed(cufftExecC2C(plans_[index], image, image, CUFFT_FORWARD), "cufftExecC2C");
        succeed(cufftExecC2C(plans_[index], image, out<cufftComplex>(chunk), CUFFT_INVERSE),
                "cufftExecC2C");
    }

    std::vector<cufftHandle> plans_;
};

/// A vector is multiplied ten times with a sparse matrix of 16 values in each row.
class Sparse final : public Chunked {
public:
    explicit Sparse(int streams) : Chunked{kRows * 4, kRows * 4}, handles_(streams) {
        std::vector<int> starts;
        std::vector<int> columns;
        for (int row = 0; row <= kRows; ++row) {
            starts.push_back(row * kInRow);
            for (int i = 0; i < kInRow && row < kRows; ++i) {
                columns.push_back((row * 7 + i * i * 977) % kRows);
            }
        }
        succeed(cusparseCreateCsr(&matrix_, kRows, kRows, columns.size(), on_device(starts),
                                  on_device(columns), on_device<float>(columns.size()),
                                  CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                                  CUDA_R_32F),
                "cusparseCreateCsr");
        for (auto& handle : handles_) {
            succeed(cusparseCreate(&handle), "cusparseCreate");
        }
        for (int i = 0; i < kChunks; ++i) {
            succeed(cusparseCreateDnVec(&from_[i], kRows, in<float>(i), CUDA_R_32F), "vector");
            succeed(cusparseCreateDnVec(&to_[i], kRows, out<float>(i), CUDA_R_32F), "vector");
            std::size_t bytes = 0;
            succeed(cusparseSpMV_bufferSize(handles_[0], kAsItIs, &one_, matrix_, from_[i], &zero_,
                                            to_[i], CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, &bytes),
                    "cusparseSpMV_bufferSize");
            buffers_.push_back(on_device<std::byte>(bytes));
        }
    }

private:
    static constexpr int kRows = 256 * 1024;
    static constexpr int kInRow = 16;
    static constexpr auto kAsItIs = CUSPARSE_OPERATION_NON_TRANSPOSE;

    void run(int chunk, int index, cudaStream_t stream) override {
        succeed(cusparseSetStream(handles_[index], stream), "cusparseSetStream");
        for (int i = 0; i < 10; ++i) {
            succeed(
                cusparseSpMV(handles_[index], kAsItIs, &one_, matrix_, from_[chunk], &zero_,
                             to_[chunk], CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, buffers_[chunk]),
                "cusparseSpMV");
        }
    }

    float one_ = 1;
    float zero_ = 0;
    cusparseSpMatDescr_t matrix_ = nullptr;
    std::vector<cusparseHandle_t> handles_;
    cusparseDnVecDescr_t from_[kChunks] = {};
    cusparseDnVecDescr_t to_[kChunks] = {};
    std::vector<std::byte*> buffers_;
};

/// 256 matrices of 64 x 64 are decomposed by Cholesky's method. They are not positive definite:
/// cuSOLVER runs the same kernels, some 6 % longer, and says so of each.
class Solve final : public Chunked {
public:
    explicit Solve(int streams)
        : Chunked{kMatrices * kSize * kSize * 4, kMatrices * 4}, handles_(streams) {
        for (auto& handle : handles_) {
            succeed(cusolverDnCreate(&handle), "cusolverDnCreate");
        }
        for (int chunk = 0; chunk < kChunks; ++chunk) {
            std::vector<float*> each;
            for (int i = 0; i < kMatrices; ++i) {
                each.push_back(in<float>(chunk) + i * kSize * kSize);
            }
            pointers_.push_back(on_device(each));
        }
    }

private:
    static constexpr int kMatrices = 256;
    static constexpr int kSize = 64;

    void run(int chunk, int index, cudaStream_t stream) override {
        succeed(cusolverDnSetStream(handles_[index], stream), "cusolverDnSetStream");
        succeed(cusolverDnSpotrfBatched(handles_[index], CUBLAS_FILL_MODE_LOWER, kSize,
                                        pointers_[chunk], kSize, out<int>(chunk), kMatrices),
                "cusolverDnSpotrfBatched");
    }

    std::vector<cusolverDnHandle_t> handles_;
    std::vector<float**> pointers_;
};

/// Four million random numbers are made and added up; nothing is copied to the device.
class Random final : public Chunked {
public:
    explicit Random(int streams) : Chunked{0, 4}, makers_(streams) {
        for (auto& maker : makers_) {
            succeed(curandCreateGenerator(&maker, CURAND_RNG_PSEUDO_PHILOX4_32_10), "cuRAND");
        }
        check(cub::DeviceReduce::Sum(nullptr, bytes_, static_cast<float*>(nullptr),
                                     static_cast<float*>(nullptr), kNumbers),
              "size of the temporary memory");
        for (int i = 0; i < kChunks; ++i) {
            numbers_.push_back(on_device<float>(kNumbers));
            temporary_.push_back(on_device<std::byte>(bytes_));
        }
    }

private:
    static constexpr int kNumbers = 4 << 20;

    void run(int chunk, int index, cudaStream_t stream) override {
        succeed(curandSetStream(makers_[index], stream), "curandSetStream");
        succeed(curandGenerateNormal(makers_[index], numbers_[chunk], kNumbers, 0, 1), "cuRAND");
        check(cub::DeviceReduce::Sum(temporary_[chunk], bytes_, numbers_[chunk], out<float>(chunk),
                                     kNumbers, stream),
              "CUB");
    }

    std::vector<curandGenerator_t> makers_;
    std::size_t bytes_ = 0;
    std::vector<float*> numbers_;
    std::vector<std::byte*> temporary_;
};

/// A matrix is multiplied with its transpose, twice, in full precision.
class Product final : public Chunked {
public:
    explicit Product(int streams)
        : Chunked{kSize * kSize * 4, kSize * kSize * 4}, handles_(streams) {
        for (auto& handle : handles_) {
            succeed(cublasCreate(&handle), "cublasCreate");
            succeed(cublasSetMathMode(handle, CUBLAS_PEDANTIC_MATH), "cublasSetMathMode");
        }
    }

private:
    static constexpr int kSize = 768;

    void run(int chunk, int index, cudaStream_t stream) override {
        const float one = 1;
        const float zero = 0;
        succeed(cublasSetStream(handles_[index], stream), "cublasSetStream");
        for (int i = 0; i < 2; ++i) {
            succeed(cublasSgemm(handles_[index], CUBLAS_OP_N, CUBLAS_OP_T, kSize, kSize, kSize,
                                &one, in<float>(chunk), kSize, in<float>(chunk), kSize, &zero,
                                out<float>(chunk), kSize),
                    "cublasSgemm");
        }
    }

    std::vector<cublasHandle_t> handles_;
};

}  // namespace

const std::map<std::string, std::function<std::unique_ptr<Program>(int)>>& programs() {
    static const std::map<std::string, std::function<std::unique_ptr<Program>(int)>> all{
        {"histogram", [](int) { return std::make_unique<Cub>(16 * kMiB, 1024, histogram); }},
        {"product", [](int streams) { return std::make_unique<Product>(streams); }},
        {"random", [](int streams) { return std::make_unique<Random>(streams); }},
        {"scan", [](int) { return std::make_unique<Cub>(4 * kMiB, 4 * kMiB, scan); }},
        {"select", [](int) { return std::make_unique<Cub>(4 * kMiB, 4 * kMiB, select); }},
        {"solve", [](int streams) { return std::make_unique<Solve>(streams); }},
        {"sort", [](int) { return std::make_unique<Cub>(4 * kMiB, 4 * kMiB, sort); }},
        {"sparse", [](int streams) { return std::make_unique<Sparse>(streams); }},
        {"spectrum", [](int streams) { return std::make_unique<Spectrum>(streams); }},
    };
    return all;
}

}  // namespace overcast::library
