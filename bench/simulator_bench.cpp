// From a ready Workload to a finished Timeline: H2D, kernel of 528 blocks of 256 threads, D2H,
// dealt over streams, all rules on. Items are operations.

#include "model/device_model.hpp"
#include "simulator/simulator.hpp"

#include <benchmark/benchmark.h>

#include <chrono>
#include <string>

namespace overcast {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t kMiB = 1 << 20;

Operation operation(std::uint32_t stream, std::uint32_t unit, Duration cost, Action action) {
    Operation made;
    made.call_cost = cost;
    made.stream = static_cast<StreamIndex>(stream);
    made.unit = static_cast<UnitIndex>(unit);
    made.action = std::move(action);
    return made;
}

Copy copy(CopyKind kind) {
    Copy made;
    made.kind = kind;
    made.source = kind == CopyKind::host_to_device ? MemoryKind::pinned : MemoryKind::device;
    made.destination = kind == CopyKind::host_to_device ? MemoryKind::device : MemoryKind::pinned;
    made.bytes = Bytes{4 * kMiB};
    return made;
}

/// `operations` (a multiple of three) over `streams`, each unit H2D, kernel, D2H, depth first. A
/// copy takes some 80 us: with kernels of 70 each has the SMs to itself.
Workload pipeline(std::uint32_t operations, std::uint32_t streams, std::uint32_t blocks,
                  Duration kernel_time = 70us) {
    Workload workload;
    workload.names.intern("call");
    Kernel kernel;
    kernel.shape.grid.x = blocks;
    kernel.shape.block.x = 256;
    kernel.shape.registers_per_thread = 32;
    workload.kernels.push_back(kernel);
    workload.streams.resize(streams, Stream{StreamKind::non_blocking, 0, std::nullopt});
    workload.operations.reserve(operations + streams);
    const auto h2d = copy(CopyKind::host_to_device);
    const auto d2h = copy(CopyKind::device_to_host);
    const KernelLaunch launch{KernelIndex{0}, Measured{kernel_time, blocks}};
    for (std::uint32_t unit = 0; unit < operations / 3; ++unit) {
        const auto stream = unit % streams;
        workload.operations.push_back(operation(stream, unit, 1us, h2d));
        workload.operations.push_back(operation(stream, unit, 3us, launch));
        workload.operations.push_back(operation(stream, unit, 1us, d2h));
    }
    for (std::uint32_t stream = 0; stream < streams; ++stream) {
        workload.operations.push_back(operation(stream, 0, 300ns, SynchroniseStream{}));
    }
    return workload;
}

void run(benchmark::State& state, const Workload& workload) {
    const auto model = load_device_model("nvidia-h200");
    for (auto _ : state) {
        benchmark::DoNotOptimize(simulate(workload, model).wall);
    }
    state.SetItemsProcessed(state.iterations() *
                            static_cast<std::int64_t>(workload.operations.size()));
}

void simulate_by_operations(benchmark::State& state) {
    run(state, pipeline(static_cast<std::uint32_t>(state.range(0)), 16, 528));
}
BENCHMARK(simulate_by_operations)
    ->Arg(10'000)
    ->Arg(100'000)
    ->Arg(1'000'000)
    ->Arg(10'000'000)
    ->Unit(benchmark::kMillisecond);

void simulate_by_streams(benchmark::State& state) {
    run(state, pipeline(1'000'000, static_cast<std::uint32_t>(state.range(0)), 528));
}
BENCHMARK(simulate_by_streams)
    ->Arg(1)
    ->Arg(2)
    ->Arg(4)
    ->Arg(8)
    ->Arg(16)
    ->Arg(32)
    ->Arg(64)
    ->Arg(128)
    ->Unit(benchmark::kMillisecond);

void simulate_by_blocks(benchmark::State& state) {
    run(state, pipeline(300'000, 16, static_cast<std::uint32_t>(state.range(0))));
}
BENCHMARK(simulate_by_blocks)
    ->Arg(1'000)
    ->Arg(10'000)
    ->Arg(100'000)
    ->Arg(1'000'000)
    ->Unit(benchmark::kMillisecond);

/// Two kernels share the SMs nearly all the time.
void simulate_kernels_that_meet(benchmark::State& state) {
    run(state, pipeline(1'000'000, static_cast<std::uint32_t>(state.range(0)), 528, 150us));
}
BENCHMARK(simulate_kernels_that_meet)->Arg(16)->Unit(benchmark::kMillisecond);

KernelCounters counters(KernelCounter unit, double share) {
    KernelCounters made;
    made.values[static_cast<std::size_t>(KernelCounter::sm_active)] = 0.9;
    made.values[static_cast<std::size_t>(KernelCounter::warps_per_sm)] = 32;
    made.values[static_cast<std::size_t>(KernelCounter::dram)] = 0.3;
    made.values[static_cast<std::size_t>(KernelCounter::stalled_by_dependency)] = 2;
    made.values[static_cast<std::size_t>(unit)] = share;
    return made;
}

/// Two kernels in turn that leave room for each other and share units of the SM and the device.
void simulate_with_counters(benchmark::State& state) {
    auto workload = pipeline(1'000'000, static_cast<std::uint32_t>(state.range(0)), 528);
    workload.kernels[0].counters = counters(KernelCounter::alu_pipe, 0.7);
    workload.kernels.push_back(workload.kernels[0]);
    workload.kernels[1].counters = counters(KernelCounter::issue_slots, 0.6);
    for (auto& operation : workload.operations) {
        auto* const launch = std::get_if<KernelLaunch>(&operation.action);
        if (launch != nullptr && number(*operation.unit) % 2 == 1) {
            launch->kernel = KernelIndex{1};
        }
    }
    run(state, workload);
}
BENCHMARK(simulate_with_counters)->Arg(1)->Arg(16)->Arg(128)->Unit(benchmark::kMillisecond);

/// Small kernels of eight kinds on 64 streams, as many side by side as the device holds. `counted`:
/// each asks for a unit of the SM and one of the device, as counters tell.
void simulate_small_kernels(benchmark::State& state, bool counted) {
    constexpr std::uint32_t kStreams = 64;
    constexpr std::uint32_t kKinds = 8;
    Workload workload;
    workload.names.intern("call");
    workload.streams.resize(kStreams, Stream{StreamKind::non_blocking, 0, std::nullopt});
    for (std::uint32_t kind = 0; kind < kKinds; ++kind) {
        Kernel kernel;
        kernel.shape.grid.x = 4 + 3 * kind;
        kernel.shape.block.x = 128;
        kernel.shape.registers_per_thread = 32;
        if (counted) {
            const auto unit = kind % 2 == 0 ? KernelCounter::alu_pipe : KernelCounter::issue_slots;
            kernel.counters = counters(unit, 0.2 + 0.1 * kind);
        }
        kernel.name = workload.names.intern("kernel " + std::to_string(kind));
        workload.kernels.push_back(kernel);
    }
    for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(state.range(0)); ++i) {
        const auto kind = i % kKinds;
        const auto blocks = workload.kernels[kind].shape.grid.count();
        const KernelLaunch launch{static_cast<KernelIndex>(kind),
                                  Measured{30us + kind * 7us, blocks}};
        workload.operations.push_back(operation(i % kStreams, i, 500ns, launch));
    }
    run(state, workload);
}
BENCHMARK_CAPTURE(simulate_small_kernels, from_trace_alone, false)
    ->Arg(10'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(simulate_small_kernels, with_counters, true)
    ->Arg(1'000)
    ->Arg(10'000)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace overcast
