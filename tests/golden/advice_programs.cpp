#include "tests/golden/advice_programs.hpp"

#include "tests/support/trace_builder.hpp"

#include <array>
#include <chrono>
#include <functional>

namespace overcast::test {
namespace {

using namespace std::chrono_literals;
using namespace overcast::testing;

constexpr std::uint32_t kUnits = 8;
constexpr std::uint64_t kHost = 0x7f0000000000;
constexpr std::uint64_t kDevice = 0x500000000;

/// What differs from a clean program.
struct Fault {
    std::function<void(TraceBuilder&, std::uint32_t unit)> after_unit = {};
    std::function<void(TraceBuilder&, std::uint32_t unit)> before_kernel = {};
    std::uint32_t streams = 1;
    bool blocking_copies = false;
    bool shared_memory = false;
};

std::uint32_t stream_of(std::uint32_t unit, const Fault& fault) {
    return 13 + unit % fault.streams;
}

/// Each unit: 8 MiB to the device, a kernel that leaves half of the GPU free, 8 MiB back.
void run_unit(TraceBuilder& program, std::uint32_t unit, const Fault& fault) {
    const auto place = fault.shared_memory ? 0 : unit;
    const auto offset = place * mib(16).count();
    const auto stream = stream_of(unit, fault);
    auto in = h2d(mib(8)).from(kHost + offset).to(kDevice + offset).on(stream).taking(152us);
    auto out = d2h(mib(8)).from(kDevice + offset).to(kHost + offset).on(stream).taking(152us);
    program.issue(fault.blocking_copies ? in.blocking() : in);
    if (fault.before_kernel) {
        fault.before_kernel(program, unit);
    }
    program.issue(kernel("scale").grid(132).block(512).on(stream).taking(120us));
    program.issue(fault.blocking_copies ? out.blocking() : out);
    if (fault.after_unit) {
        fault.after_unit(program, unit);
    }
}

DeviceProperties h200() {
    DeviceProperties device;
    device.name = "NVIDIA H200";
    device.multiprocessors = 132;
    device.memory = Bytes{150'000'000'000};
    return device;
}

TraceBuilder program_with(const Fault& fault) {
    TraceBuilder program;
    program.trace().source = "made by hand";
    program.trace().devices = {h200()};
    for (std::uint32_t i = 0; i < fault.streams; ++i) {
        program.stream(13 + i, StreamFlag::non_blocking);
    }
    for (std::uint32_t unit = 0; unit < kUnits; ++unit) {
        run_unit(program, unit, fault);
    }
    for (std::uint32_t i = 0; i < fault.streams; ++i) {
        program.synchronise_stream(13 + i);
    }
    return program;
}

Trace clean() { return program_with({}).build(); }

Trace on_two_streams() { return program_with({.streams = 2}).build(); }

Trace synchronous_copies() { return program_with({.blocking_copies = true}).build(); }

Trace wait_in_every_unit() {
    return program_with({.after_unit = [](auto& program, auto) { program.synchronise_stream(13); }})
        .build();
}

Trace wait_in_the_middle() {
    return program_with({.after_unit =
                             [](auto& program, auto unit) {
                                 if (unit == kUnits / 2) {
                                     program.synchronise_stream(13).host_time(200us);
                                 }
                             }})
        .build();
}

Trace waits_for_the_device() {
    return program_with({.after_unit =
                             [](auto& program, auto unit) {
                                 if (unit % 4 == 1) {
                                     program.synchronise_device();
                                 }
                             },
                         .streams = 4})
        .build();
}

Trace memory_freed() {
    return program_with({.after_unit =
                             [](auto& program, auto unit) {
                                 // cudaFree waits for the device.
                                 const auto issued = program.now();
                                 program.call("cudaFree", 424us * (unit + 1) + 40us - issued);
                             }})
        .build();
}

Trace memory_allocated() {
    return program_with({.before_kernel = [](auto& program,
                                             auto) { program.call("cudaMallocHost", 5100us); }})
        .build();
}

Trace loaded_at_first_launch() {
    return program_with({.before_kernel =
                             [](auto& program, auto unit) {
                                 if (unit == 0) {
                                     program.overhead(OverheadKind::lazy_loading,
                                                      program.now() + 100ns, 1500us);
                                 }
                             }})
        .build();
}

Trace launch_blocking() {
    auto program = program_with({});
    program.trace().environment.emplace("CUDA_LAUNCH_BLOCKING", "1");
    return program.build();
}

Trace legacy_default_stream() {
    TraceBuilder program;
    program.trace().devices = {h200()};
    program.stream(7, StreamFlag::legacy_default);
    program.stream(13, StreamFlag::blocking).stream(14, StreamFlag::blocking);
    for (std::uint32_t unit = 0; unit < kUnits; ++unit) {
        const auto stream = 13 + unit % 2;
        program.issue(h2d(mib(8)).on(stream).taking(152us))
            .issue(kernel("scale").grid(66).block(256).on(stream).taking(120us))
            .issue(memset(kib(4)).on(7).taking(2us))
            .issue(d2h(mib(8)).on(stream).taking(152us));
    }
    return program.synchronise_device().build();
}

/// Each unit waits for the one before it, which is on the other stream.
Trace wait_for_another_stream() {
    return program_with({.after_unit =
                             [](auto& program, auto unit) {
                                 const std::uint32_t own = 13 + unit % 2;
                                 program.record_event(unit, own).wait_event(27 - own, unit);
                             },
                         .streams = 2})
        .build();
}

Trace shared_buffers() { return program_with({.shared_memory = true}).build(); }

Trace host_functions() {
    return program_with(
               {.after_unit = [](auto& program, auto) { program.call("cudaLaunchHostFunc", 2us); }})
        .build();
}

Trace full_launch_queue() {
    TraceBuilder program;
    program.trace().devices = {h200()};
    program.stream(13, StreamFlag::non_blocking);
    for (int i = 0; i < 1'500; ++i) {
        program.issue(kernel("scale").grid(528).block(256).on(13).taking(20us));
    }
    return program.synchronise_stream(13).build();
}

Trace little_device_memory() {
    auto program = program_with({.shared_memory = true});
    program.trace().devices.front().memory = mib(40);
    program.allocate(kDevice, mib(16));
    auto trace = program.build();
    trace.memory_operations.front().time = TraceTime{};
    return trace;
}

Trace managed_memory() {
    auto program = program_with({});
    program.allocate(0x600000000, mib(64), MemoryKind::managed);
    return program.build();
}

/// Small kernels of two streams, one after the other although both would fit.
Trace serialised_kernels() {
    TraceBuilder program;
    program.trace().devices = {h200()};
    program.stream(13, StreamFlag::non_blocking).stream(14, StreamFlag::non_blocking);
    for (std::uint32_t unit = 0; unit < kUnits; ++unit) {
        program.issue(kernel("scale")
                          .grid(16)
                          .block(256)
                          .on(13 + unit % 2)
                          .taking(100us)
                          .starting_at(20us + 102us * unit));
    }
    return program.synchronise_device().build();
}

struct Program {
    std::string_view name;
    Trace (*make)();
};

constexpr std::array kPrograms{
    Program{"units on one stream", clean},
    Program{"units on two streams", on_two_streams},
    Program{"synchronous copies", synchronous_copies},
    Program{"a wait in every unit", wait_in_every_unit},
    Program{"a wait in the middle", wait_in_the_middle},
    Program{"waits for the device", waits_for_the_device},
    Program{"memory freed in the loop", memory_freed},
    Program{"memory allocated in the loop", memory_allocated},
    Program{"kernels loaded at first launch", loaded_at_first_launch},
    Program{"launch blocking", launch_blocking},
    Program{"legacy default stream", legacy_default_stream},
    Program{"a wait for another stream", wait_for_another_stream},
    Program{"shared buffers", shared_buffers},
    Program{"host functions", host_functions},
    Program{"a full launch queue", full_launch_queue},
    Program{"little device memory", little_device_memory},
    Program{"managed memory", managed_memory},
    Program{"serialised kernels", serialised_kernels},
};

}  // namespace

std::optional<Trace> made_program(std::string_view name) {
    for (const auto& program : kPrograms) {
        if (program.name == name) {
            return program.make();
        }
    }
    return std::nullopt;
}

}  // namespace overcast::test
