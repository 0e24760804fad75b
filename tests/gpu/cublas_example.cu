// A program whose kernels come from a library: a few matrix products by cuBLAS, linked dynamically.
#include "validate/cases/harness/cuda_check.hpp"

#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using overcast::cases::check;

constexpr int kSize = 512;
constexpr std::size_t kElements = std::size_t{kSize} * kSize;
constexpr std::size_t kBytes = kElements * sizeof(float);
constexpr int kProducts = 10;

void check_cublas(cublasStatus_t status, const char* call) {
    if (status != CUBLAS_STATUS_SUCCESS) {
        throw std::runtime_error(std::string{call} + " failed: " + cublasGetStatusString(status));
    }
}

float* allocate() {
    void* memory = nullptr;
    check(cudaMalloc(&memory, kBytes), "cudaMalloc");
    return static_cast<float*>(memory);
}

void run() {
    std::vector<float> host(kElements, 0.5F);
    float* left = allocate();
    float* right = allocate();
    float* product = allocate();
    cublasHandle_t handle = nullptr;
    check_cublas(cublasCreate(&handle), "cublasCreate");
    check(cudaMemset(product, 0, kBytes), "cudaMemset");
    check(cudaMemcpy(left, host.data(), kBytes, cudaMemcpyHostToDevice), "cudaMemcpy");
    check(cudaMemcpy(right, host.data(), kBytes, cudaMemcpyHostToDevice), "cudaMemcpy");
    const float one = 1.0F;
    const float zero = 0.0F;
    for (int i = 0; i < kProducts; ++i) {
        check_cublas(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, kSize, kSize, kSize, &one, left,
                                 kSize, right, kSize, &zero, product, kSize),
                     "cublasSgemm");
    }
    check(cudaMemcpy(host.data(), product, kBytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
    std::printf("cublas: %.1f\n", static_cast<double>(host[kElements / 2]));  // 512 * 0.25
    check_cublas(cublasDestroy(handle), "cublasDestroy");
    check(cudaFree(left), "cudaFree");
    check(cudaFree(right), "cudaFree");
    check(cudaFree(product), "cudaFree");
}

}  // namespace

int main() {
    try {
        run();
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "error: %s\n", error.what());
        return 1;
    }
}
