#include "validate/cases/unit_runner.hpp"

#include "validate/cases/cuda_check.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <sstream>

namespace overcast::cases {
namespace {

constexpr std::size_t kPatternElements = std::size_t{1} << 18;

DeviceMemory allocate_on_device(std::size_t elements) {
    void* memory = nullptr;
    check(cudaMalloc(&memory, elements * sizeof(float)), "cudaMalloc");
    return DeviceMemory{static_cast<float*>(memory)};
}

StreamHandle make_stream() {
    cudaStream_t stream = nullptr;
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    return StreamHandle{stream};
}

/// Values in [-1, 1) that repeat after a length that no buffer size divides.
std::vector<float> make_pattern() {
    std::vector<float> pattern(kPatternElements - 1);
    std::uint32_t state = 12345;
    for (auto& value : pattern) {
        state = state * 1664525U + 1013904223U;
        value = static_cast<float>(state >> 8) / static_cast<float>(1U << 23) - 1.0F;
    }
    return pattern;
}

void fill(float* target, std::size_t elements, const std::vector<float>& pattern,
          std::size_t offset) {
    offset %= pattern.size();
    while (elements > 0) {
        const std::size_t length = std::min(elements, pattern.size() - offset);
        std::memcpy(target, pattern.data() + offset, length * sizeof(float));
        target += length;
        elements -= length;
        offset = 0;
    }
}

}  // namespace

HostBuffer::HostBuffer(HostMemory kind, std::size_t elements) {
    if (kind == HostMemory::pageable) {
        pageable_ = std::make_unique<float[]>(elements);
        return;
    }
    void* memory = nullptr;
    check(cudaMallocHost(&memory, elements * sizeof(float)), "cudaMallocHost");
    pinned_.reset(static_cast<float*>(memory));
}

UnitRunner::UnitRunner(const CaseDefinition& definition, const Options& options)
    : definition_{definition},
      sizes_{options.sizes},
      elements_{static_cast<std::uint32_t>(options.sizes.bytes / sizeof(float))},
      pattern_{make_pattern()} {
    const std::uint32_t streams = options.streams.front();
    for (std::uint32_t i = 0; i < streams; ++i) {
        streams_.push_back(make_stream());
    }
    const bool replicate = options.transform == Transform::replicate;
    const std::uint32_t units = replicate ? sizes_.units * streams : sizes_.units;
    units_.reserve(units);
    for (std::uint32_t i = 0; i < units; ++i) {
        units_.push_back(make_unit(i, options.memory));
        units_.back().stream = streams_[replicate ? i / sizes_.units : i % streams].get();
    }
    for (std::uint32_t i = 0; i < std::min(streams, units); ++i) {
        used_streams_.push_back(streams_[i].get());
    }
    make_schedule(options.orders.front(), replicate);
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
}

UnitRunner::Unit UnitRunner::make_unit(std::uint32_t number, HostMemory memory) {
    Unit unit{{}, {}, HostBuffer{memory, elements_}, allocate_on_device(elements_), nullptr};
    for (std::uint32_t input = 0; input < definition_.inputs; ++input) {
        unit.host_inputs.emplace_back(memory, elements_);
        unit.device_inputs.push_back(allocate_on_device(elements_));
        const std::size_t offset = std::size_t{977} * (number * definition_.inputs + input);
        fill(unit.host_inputs.back().data(), elements_, pattern_, offset);
    }
    std::fill_n(unit.host_output.data(), elements_, std::numeric_limits<float>::quiet_NaN());
    return unit;
}

std::vector<UnitRunner::Step> UnitRunner::steps_of(std::uint32_t unit) const {
    std::vector<Step> steps;
    for (std::uint32_t input = 0; input < definition_.inputs; ++input) {
        steps.push_back({Step::Kind::copy_in, unit, input});
    }
    steps.push_back({Step::Kind::kernel, unit, 0});
    steps.push_back({Step::Kind::copy_out, unit, 0});
    return steps;
}

void UnitRunner::make_schedule(Order order, bool replicate) {
    // What is issued one operation after the other: a unit, or all units of one replica.
    const std::uint32_t units_per_strand = replicate ? sizes_.units : 1;
    std::vector<std::vector<Step>> strands(units() / units_per_strand);
    for (std::uint32_t unit = 0; unit < units(); ++unit) {
        auto& strand = strands[unit / units_per_strand];
        const auto steps = steps_of(unit);
        strand.insert(strand.end(), steps.begin(), steps.end());
    }
    if (order == Order::depth) {
        for (const auto& strand : strands) {
            schedule_.insert(schedule_.end(), strand.begin(), strand.end());
        }
        return;
    }
    for (std::size_t step = 0; step < strands.front().size(); ++step) {
        for (const auto& strand : strands) {
            schedule_.push_back(strand[step]);
        }
    }
}

KernelArguments UnitRunner::device_arguments(const Unit& unit) const {
    KernelArguments arguments;
    for (std::uint32_t input = 0; input < definition_.inputs; ++input) {
        arguments.inputs[input] = unit.device_inputs[input].get();
    }
    arguments.output = unit.device_output.get();
    arguments.elements = elements_;
    arguments.iterations = sizes_.iterations;
    return arguments;
}

KernelArguments UnitRunner::host_arguments(const Unit& unit) const {
    KernelArguments arguments = device_arguments(unit);
    for (std::uint32_t input = 0; input < definition_.inputs; ++input) {
        arguments.inputs[input] = unit.host_inputs[input].data();
    }
    arguments.output = unit.host_output.data();
    return arguments;
}

void UnitRunner::issue(const Step& step) const {
    const Unit& unit = units_[step.unit];
    switch (step.kind) {
        case Step::Kind::copy_in:
            check(cudaMemcpyAsync(unit.device_inputs[step.input].get(),
                                  unit.host_inputs[step.input].data(), sizes_.bytes,
                                  cudaMemcpyHostToDevice, unit.stream),
                  "cudaMemcpyAsync to the device");
            break;
        case Step::Kind::kernel:
            definition_.launch(device_arguments(unit), unit.stream);
            check(cudaPeekAtLastError(), "kernel launch");
            break;
        case Step::Kind::copy_out:
            check(cudaMemcpyAsync(unit.host_output.data(), unit.device_output.get(), sizes_.bytes,
                                  cudaMemcpyDeviceToHost, unit.stream),
                  "cudaMemcpyAsync to the host");
            break;
    }
}

std::chrono::nanoseconds UnitRunner::run_pass() {
    const auto start = std::chrono::steady_clock::now();
    for (const auto& step : schedule_) {
        issue(step);
    }
    for (const auto stream : used_streams_) {
        check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    }
    return std::chrono::steady_clock::now() - start;
}

std::uint64_t UnitRunner::verify() const {
    std::uint64_t checksum = 0;
    const std::uint32_t checked = std::min(definition_.checked_elements, elements_);
    for (std::uint32_t number = 0; number < units(); ++number) {
        const KernelArguments arguments = host_arguments(units_[number]);
        for (std::uint32_t sample = 0; sample < checked; ++sample) {
            // The last element is among them; the others are spread over the buffer.
            const auto element =
                static_cast<std::uint32_t>(std::uint64_t{sample + 1} * elements_ / checked - 1);
            const float expected = definition_.reference(arguments, element);
            const float found = arguments.output[element];
            if (std::bit_cast<std::uint32_t>(expected) != std::bit_cast<std::uint32_t>(found)) {
                std::ostringstream text;
                text << "wrong result: unit " << number << ", element " << element << ": expected "
                     << expected << ", found " << found;
                throw std::runtime_error(text.str());
            }
            checksum = checksum * 31 + std::bit_cast<std::uint32_t>(found);
        }
    }
    return checksum;
}

double UnitRunner::kernel_us(std::uint32_t iterations) {
    constexpr int kMeasurements = 7;
    cudaEvent_t before = nullptr;
    cudaEvent_t after = nullptr;
    check(cudaEventCreate(&before), "cudaEventCreate");
    check(cudaEventCreate(&after), "cudaEventCreate");
    KernelArguments arguments = device_arguments(units_.front());
    arguments.iterations = iterations;
    std::vector<float> milliseconds(kMeasurements);
    for (auto& duration : milliseconds) {
        const cudaStream_t stream = units_.front().stream;
        // Behind another kernel, the time from event to event holds no launch latency.
        definition_.launch(arguments, stream);
        check(cudaEventRecord(before, stream), "cudaEventRecord");
        definition_.launch(arguments, stream);
        check(cudaPeekAtLastError(), "kernel launch");
        check(cudaEventRecord(after, stream), "cudaEventRecord");
        check(cudaEventSynchronize(after), "cudaEventSynchronize");
        check(cudaEventElapsedTime(&duration, before, after), "cudaEventElapsedTime");
    }
    check(cudaEventDestroy(before), "cudaEventDestroy");
    check(cudaEventDestroy(after), "cudaEventDestroy");
    std::sort(milliseconds.begin(), milliseconds.end());
    return static_cast<double>(milliseconds[kMeasurements / 2]) * 1e3;
}

}  // namespace overcast::cases
