// Exercises: kernels of two blocks, far fewer than the device has SMs, and nothing else.
//
// A unit is one product of a wide matrix (rows × inner) and a tall one (inner × columns): a grid of
// two blocks of 256 threads at the published size, one thread per element of the product, no
// copies. How many kernels run side by side decides, and whether they slow each other: the seed's
// first kernel ran alone at 47.85 ms, the ones beside it at 54.7 (counting plateaus misses that).
// `matmul_global` adds every step to the product in global memory, as the seed does: each step
// waits for the loads of that step. `matmul_register` adds in a register: the compiler loads
// several steps ahead.
//
// Cache state: the inputs of all units together decide whether they stay in the L2 from pass to
// pass. At h200 sizes matmul_global's 24 MiB do, matmul_register's 96 MiB do not.
#include "validate/cases/matmul.hpp"

#include "validate/cases/all_cases.hpp"
#include "validate/cases/harness/comparison.hpp"
#include "validate/cases/harness/memory.hpp"
#include "validate/cases/harness/mix.hpp"

#include <algorithm>
#include <string>

namespace overcast::cases {
namespace {

constexpr std::uint32_t kTile = 16;  // a block is 16 × 16 threads
constexpr std::uint32_t kLargestFactor = 3;
// Up to here every partial sum is a whole number below 2^24, which a float holds exactly.
constexpr std::uint64_t kLongestInner = (1U << 24) / (kLargestFactor * kLargestFactor);
constexpr std::uint32_t kSamples = 16;

__host__ __device__ constexpr float factor(std::uint32_t seed, std::uint32_t element) {
    return static_cast<float>(mix(seed + element) & kLargestFactor);
}

__global__ void fill_with_factors(float* matrix, std::uint32_t elements, std::uint32_t seed) {
    for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < elements;
         i += gridDim.x * blockDim.x) {
        matrix[i] = factor(seed, i);
    }
}

__global__ void multiply_in_global_memory(const float* wide, const float* tall, float* product,
                                          MatrixShape shape) {
    const std::uint32_t column = blockIdx.x * kTile + threadIdx.x;
    const std::uint32_t row = blockIdx.y * kTile + threadIdx.y;
    if (column >= shape.columns || row >= shape.rows) {
        return;
    }
    // Volatile, or the compiler adds in a register and only stores to memory.
    volatile float* const sum = product + row * shape.columns + column;
    wide += row * shape.inner;
    tall += column;
    *sum = 0.0F;
    for (std::uint32_t k = 0; k < shape.inner; ++k) {
        *sum = *sum + wide[k] * tall[k * shape.columns];
    }
}

__global__ void multiply_in_register(const float* __restrict__ wide, const float* __restrict__ tall,
                                     float* __restrict__ product, MatrixShape shape) {
    const std::uint32_t column = blockIdx.x * kTile + threadIdx.x;
    const std::uint32_t row = blockIdx.y * kTile + threadIdx.y;
    if (column >= shape.columns || row >= shape.rows) {
        return;
    }
    wide += row * shape.inner;
    tall += column;
    float sum = 0.0F;
#pragma unroll 4
    for (std::uint32_t k = 0; k < shape.inner; ++k) {
        sum += wide[k] * tall[k * shape.columns];
    }
    product[row * shape.columns + column] = sum;
}

enum class Accumulator : std::uint8_t { global_memory, in_register };

struct Unit {
    DeviceArray<float> wide;
    DeviceArray<float> tall;
    DeviceArray<float> product;
};

std::size_t elements(std::uint32_t rows, std::uint32_t columns) {
    return std::size_t{rows} * columns;
}

MatrixShape shape_from(const Values& values) {
    const std::uint64_t rows = values["rows"];
    const std::uint64_t columns = values["columns"];
    const std::uint64_t inner = values["inner"];
    constexpr std::uint64_t kMost = 1U << 31;  // elements of a factor: indices stay within 32 bits
    if (inner == 0 || inner > kLongestInner || rows == 0 || columns == 0 || rows > kMost / inner ||
        columns > kMost / inner) {
        throw OptionError("a matrix must have 1 to 2^31 elements and an inner length of at most " +
                          std::to_string(kLongestInner) + " (a float holds no longer sum exactly)");
    }
    return {static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(columns),
            static_cast<std::uint32_t>(inner)};
}

void fill(const DeviceArray<float>& matrix, std::uint32_t seed) {
    fill_with_factors<<<1024, 256>>>(matrix.data(), static_cast<std::uint32_t>(matrix.size()),
                                     seed);
    check(cudaPeekAtLastError(), "kernel launch");
}

template <Accumulator accumulator>
class Products : public Work {
public:
    Products(const Values& values, HostMemory /*no copies*/) : shape_{shape_from(values)} {
        const std::uint32_t count = values.count("units");
        units_.reserve(count);
        for (std::uint32_t number = 0; number < count; ++number) {
            units_.push_back({DeviceArray<float>{elements(shape_.rows, shape_.inner)},
                              DeviceArray<float>{elements(shape_.inner, shape_.columns)},
                              DeviceArray<float>{elements(shape_.rows, shape_.columns)}});
            fill(units_.back().wide, seed_of(number, 0));
            fill(units_.back().tall, seed_of(number, 1));
        }
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    }

    std::uint32_t units() const override { return static_cast<std::uint32_t>(units_.size()); }

    std::vector<Step> steps(std::uint32_t unit, Part part) override {
        if (part.of != 1) {
            throw OptionError("a product of two blocks cannot be cut into parts");
        }
        const dim3 grid{(shape_.columns + kTile - 1) / kTile, (shape_.rows + kTile - 1) / kTile};
        const dim3 block{kTile, kTile};
        const Unit& buffers = units_.at(unit);
        return {kernel([=, shape = shape_, wide = buffers.wide.data(), tall = buffers.tall.data(),
                        product = buffers.product.data()](cudaStream_t stream) {
            if constexpr (accumulator == Accumulator::global_memory) {
                multiply_in_global_memory<<<grid, block, 0, stream>>>(wide, tall, product, shape);
            } else {
                multiply_in_register<<<grid, block, 0, stream>>>(wide, tall, product, shape);
            }
        })};
    }

    std::uint64_t verify(std::uint32_t unit) const override {
        const DeviceArray<float>& product = units_.at(unit).product;
        std::vector<float> found(product.size());
        check(cudaMemcpy(found.data(), product.data(), product.bytes(), cudaMemcpyDeviceToHost),
              "cudaMemcpy to the host");
        Comparison comparison{unit};
        const std::size_t samples = std::min<std::size_t>(kSamples, found.size());
        for (std::size_t sample = 0; sample < samples; ++sample) {
            const std::size_t element = spread_sample(sample, samples, found.size());
            const auto row = static_cast<std::uint32_t>(element / shape_.columns);
            const auto column = static_cast<std::uint32_t>(element % shape_.columns);
            comparison.expect("product", element, product_element(shape_, unit, row, column),
                              found[element]);
        }
        return comparison.checksum();
    }

private:
    MatrixShape shape_;
    std::vector<Unit> units_;
};

template <Accumulator accumulator>
CaseDefinition definition(std::string_view name, std::string_view effect, std::uint64_t h200) {
    CaseDefinition result;
    result.name = name;
    result.effect = effect;
    result.parameters = {
        {"units", "products", 16, 16, 3},
        {"inner", "columns of the first factor, rows of the second", 131'072, h200, 64},
        {"rows", "rows of the first factor and of the product", 32, 32, 32},
        {"columns", "columns of the second factor and of the product", 16, 16, 16},
    };
    result.make = [](const Values& values, HostMemory memory) -> std::unique_ptr<Work> {
        return std::make_unique<Products<accumulator>>(values, memory);
    };
    return result;
}

}  // namespace

float product_element(const MatrixShape& shape, std::uint32_t unit, std::uint32_t row,
                      std::uint32_t column) {
    const std::uint32_t wide = seed_of(unit, 0);
    const std::uint32_t tall = seed_of(unit, 1);
    float sum = 0.0F;
    for (std::uint32_t k = 0; k < shape.inner; ++k) {
        sum += factor(wide, row * shape.inner + k) * factor(tall, k * shape.columns + column);
    }
    return sum;
}

CaseDefinition matmul_global_case() {
    return definition<Accumulator::global_memory>(
        "matmul_global", "kernels of two blocks that wait for memory at every step", 8'192);
}

CaseDefinition matmul_register_case() {
    return definition<Accumulator::in_register>(
        "matmul_register", "kernels of two blocks that load several steps ahead", 32'768);
}

}  // namespace overcast::cases
