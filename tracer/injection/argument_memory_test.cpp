#include "tracer/injection/argument_memory.hpp"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace overcast::injection {
namespace {

/// What the driver below answers.
struct Answers {
    std::vector<std::pair<std::size_t, std::size_t>> parameters;  ///< offsets and sizes
    std::map<CUdeviceptr, std::pair<std::size_t, CUmemorytype>> allocations;
    bool only_kernels = false;
    CUresult of_pointers = CUDA_SUCCESS;
};

Answers& answers() {
    static Answers all;
    return all;
}

CUresult parameter(std::size_t index, std::size_t* offset, std::size_t* bytes) {
    if (index >= answers().parameters.size()) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    std::tie(*offset, *bytes) = answers().parameters[index];
    return CUDA_SUCCESS;
}

CUresult function_parameter(CUfunction, std::size_t index, std::size_t* offset,
                            std::size_t* bytes) {
    return answers().only_kernels ? CUDA_ERROR_INVALID_HANDLE : parameter(index, offset, bytes);
}

CUresult kernel_parameter(CUkernel, std::size_t index, std::size_t* offset, std::size_t* bytes) {
    return answers().only_kernels ? parameter(index, offset, bytes) : CUDA_ERROR_INVALID_HANDLE;
}

/// As the driver: zeros for what is no address of its own.
CUresult pointer_attributes(unsigned int, CUpointer_attribute*, void** data, CUdeviceptr pointer) {
    for (const auto& [start, allocation] : answers().allocations) {
        if (pointer >= start && pointer < start + allocation.first) {
            *static_cast<CUmemorytype*>(data[0]) = allocation.second;
            *static_cast<CUdeviceptr*>(data[1]) = start;
            *static_cast<std::size_t*>(data[2]) = allocation.first;
        }
    }
    return answers().of_pointers;
}

constexpr ArgumentFunctions kDriver{function_parameter, kernel_parameter, pointer_attributes};

/// Two allocations of device memory, of 1000 and 200 bytes, and one of pinned host memory.
class ArgumentMemory : public ::testing::Test {
protected:
    ArgumentMemory() {
        answers() = {};
        answers().allocations = {{0x10000, {1000, CU_MEMORYTYPE_DEVICE}},
                                 {0x20000, {200, CU_MEMORYTYPE_DEVICE}},
                                 {0x30000, {50, CU_MEMORYTYPE_HOST}}};
    }

    template <typename Argument>
    void pass(Argument& argument, std::size_t offset) {
        answers().parameters.emplace_back(offset, sizeof argument);
        each_.push_back(&argument);
    }
    std::optional<std::uint64_t> memory(const ArgumentFunctions& driver = kDriver) {
        return argument_memory({nullptr, each_.data(), nullptr}, driver);
    }

    std::vector<void*> each_;
};

TEST_F(ArgumentMemory, is_the_sum_of_the_allocations_that_they_point_into) {
    CUdeviceptr start = 0x10000;
    std::uint32_t elements = 7;
    CUdeviceptr inside = 0x20000 + 199;
    CUdeviceptr behind = 0x20000 + 200;
    pass(start, 0);
    pass(elements, 8);
    pass(inside, 16);
    pass(behind, 24);
    EXPECT_EQ(memory(), 1200U);
}

TEST_F(ArgumentMemory, counts_an_allocation_once_and_host_memory_never) {
    CUdeviceptr start = 0x10000;
    CUdeviceptr inside = 0x10000 + 500;
    CUdeviceptr pinned = 0x30000;
    pass(start, 0);
    pass(inside, 8);
    pass(pinned, 16);
    EXPECT_EQ(memory(), 1000U);
}

TEST_F(ArgumentMemory, finds_pointers_in_structures_but_not_across_words) {
    struct {
        std::uint64_t elements = 3;
        CUdeviceptr values = 0x20000;
    } view;
    // Lies from 20 on: its one aligned word, from 24 on, is its second and third number.
    std::array<std::uint32_t, 3> numbers{0x10000, 0, 5};
    answers().parameters = {{20, sizeof numbers}};
    each_ = {numbers.data()};
    EXPECT_EQ(memory(), 0U);
    answers().parameters = {{24, sizeof view}};
    each_ = {&view};
    EXPECT_EQ(memory(), 200U);
}

TEST_F(ArgumentMemory, is_known_of_kernels_of_libraries_too) {
    CUdeviceptr start = 0x10000;
    pass(start, 0);
    answers().only_kernels = true;
    EXPECT_EQ(memory(), 1000U);
}

TEST_F(ArgumentMemory, is_found_in_a_packed_buffer) {
    std::array<std::uint64_t, 3> buffer{1, 0x10000, 0x20000};
    std::size_t bytes = 2 * sizeof buffer[0];  // the third word is beyond the arguments
    std::array<void*, 5> options{CU_LAUNCH_PARAM_BUFFER_POINTER, buffer.data(),
                                 CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
    EXPECT_EQ(argument_memory({nullptr, nullptr, options.data()}, kDriver), 1000U);
    options[0] = &bytes;  // no option that is known
    EXPECT_FALSE(argument_memory({nullptr, nullptr, options.data()}, kDriver));
}

TEST_F(ArgumentMemory, is_absent_where_the_driver_does_not_tell) {
    EXPECT_FALSE(memory()) << "no parameters";
    CUdeviceptr start = 0x10000;
    pass(start, 0);
    EXPECT_FALSE(memory({})) << "an old driver";
    EXPECT_FALSE(memory({nullptr, nullptr, pointer_attributes}));
    EXPECT_FALSE(argument_memory({}, kDriver)) << "no arguments";
    answers().of_pointers = CUDA_ERROR_ILLEGAL_ADDRESS;
    EXPECT_FALSE(memory());
    answers().of_pointers = CUDA_SUCCESS;
    each_ = {nullptr};
    EXPECT_FALSE(memory());
}

}  // namespace
}  // namespace overcast::injection
