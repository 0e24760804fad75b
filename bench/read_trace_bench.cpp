// Reading a trace of 1,000,000 operations, each a device activity with its API call: bytes (of the
// uncompressed text) and operations per second, and memory at the peak per operation.

#include "formats/chrome_trace_reader.hpp"
#include "formats/chrome_trace_writer.hpp"

#include <benchmark/benchmark.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

namespace overcast {
namespace {

constexpr ProcessId kProcess{4711};
constexpr ThreadId kThread{4711};

/// Units of H2D, kernel and D2H on one stream, with all that the tracer records.
Trace pipeline(std::uint64_t operations) {
    Trace trace;
    trace.producer = "overcast";
    const auto copy_call = trace.names.intern("cudaMemcpyAsync");
    const auto launch_call = trace.names.intern("cudaLaunchKernel");
    const auto kernel_name =
        trace.names.intern("void scale<float, 4>(float*, float const*, unsigned long, float)");
    for (std::uint64_t i = 0; i < operations; ++i) {
        const TraceTime zero{Duration{1'763'645'123'456'789'013}};
        const auto call = zero + Duration{static_cast<std::int64_t>(i) * 3'457};
        const auto start = zero + Duration{static_cast<std::int64_t>(i) * 210'123 + 8'019};
        const bool is_kernel = i % 3 == 1;
        trace.api_calls.push_back({call, call + Duration{2'345}, CorrelationId{i + 100},
                                   is_kernel ? launch_call : copy_call, kProcess, kThread, 0,
                                   ApiDomain::runtime});
        DeviceActivity activity;
        activity.start = start;
        activity.end = start + Duration{205'011};
        activity.correlation = CorrelationId{i + 100};
        activity.context = ContextId{1};
        activity.stream = StreamId{13};
        activity.channel = Channel{static_cast<ChannelId>(8 + i % 3), ChannelType::copy};
        activity.queued = call + Duration{1'000};
        activity.submitted = call + Duration{1'900};
        if (is_kernel) {
            activity.what = TracedKernel{kernel_name,
                                         {.grid = {528, 1, 1},
                                          .block = {256, 1, 1},
                                          .cluster = {},
                                          .registers_per_thread = 32,
                                          .static_shared_memory = {},
                                          .dynamic_shared_memory = {},
                                          .executed_shared_memory = Bytes{32'768}}};
        } else {
            const bool in = i % 3 == 0;
            activity.what = TracedCopy{in ? CopyKind::host_to_device : CopyKind::device_to_host,
                                       in ? MemoryKind::pinned : MemoryKind::device,
                                       in ? MemoryKind::device : MemoryKind::pinned,
                                       true,
                                       Bytes{12'582'912},
                                       Address{0x7f12'3456'0000},
                                       Address{0x7f65'4321'0000}};
        }
        trace.activities.push_back(activity);
    }
    return trace;
}

/// A line of /proc/self/status, in bytes.
double status_bytes(const std::string& key) {
    std::ifstream status{"/proc/self/status"};
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with(key + ":")) {
            return std::stod(line.substr(key.size() + 1)) * 1024;
        }
    }
    return 0;
}

void reset_peak() { std::ofstream{"/proc/self/clear_refs"} << "5"; }

/// The size of the text that `file` holds, uncompressed.
std::uint64_t text_size(const std::filesystem::path& file) {
    const auto source = open_byte_source(file);
    std::string chunk(1 << 20, '\0');
    std::uint64_t size = 0;
    for (std::size_t count = 0; (count = source->read(chunk)) > 0;) size += count;
    return size;
}

void read_trace_file(benchmark::State& state, const char* ending) {
    const auto operations = static_cast<std::uint64_t>(state.range(0));
    const auto file = std::filesystem::temp_directory_path() /
                      ("overcast_bench_" + std::to_string(::getpid()) + ending);
    write_chrome_trace(pipeline(operations), file);
    const auto bytes = text_size(file);
    double peak = 0;
    for ([[maybe_unused]] const auto iteration : state) {
        const auto before = status_bytes("VmRSS");
        reset_peak();
        const auto trace = read_chrome_trace(file);
        if (trace.activities.size() != operations) state.SkipWithError("operations are missing");
        peak = std::max(peak, status_bytes("VmHWM") - before);
    }
    std::filesystem::remove(file);
    const auto rounds = static_cast<std::int64_t>(state.iterations());
    state.SetBytesProcessed(rounds * static_cast<std::int64_t>(bytes));
    state.SetItemsProcessed(rounds * state.range(0));
    state.counters["text_bytes_per_operation"] =
        static_cast<double>(bytes) / static_cast<double>(operations);
    state.counters["peak_bytes_per_operation"] = peak / static_cast<double>(operations);
}

void read_json(benchmark::State& state) { read_trace_file(state, ".json"); }
void read_json_gz(benchmark::State& state) { read_trace_file(state, ".json.gz"); }

BENCHMARK(read_json)->Arg(1'000'000)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(read_json_gz)->Arg(1'000'000)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace overcast
