#include "workload/host_calls.hpp"

#include <algorithm>
#include <array>

namespace overcast {
namespace {

enum class Match : std::uint8_t { exact, prefix };

struct Row {
    std::string_view name;
    Match match;
    CallMeaning meaning;
};

// Names without suffix. The first row that matches counts, so exceptions stand before families.
constexpr std::array kRows{
    Row{"cudaMemcpy", Match::prefix, CallMeaning::copy},
    Row{"cuMemcpy", Match::prefix, CallMeaning::copy},
    Row{"cudaMemset", Match::prefix, CallMeaning::memset},
    Row{"cuMemset", Match::prefix, CallMeaning::memset},

    Row{"cudaLaunchHostFunc", Match::prefix, CallMeaning::host_function},
    Row{"cuLaunchHostFunc", Match::prefix, CallMeaning::host_function},
    Row{"cudaStreamAddCallback", Match::exact, CallMeaning::host_function},
    Row{"cuStreamAddCallback", Match::exact, CallMeaning::host_function},
    Row{"cudaLaunchAttribute", Match::prefix, CallMeaning::noise},
    Row{"cudaLaunch", Match::prefix, CallMeaning::kernel_launch},
    Row{"cuLaunch", Match::prefix, CallMeaning::kernel_launch},
    Row{"cudaGraphLaunch", Match::exact, CallMeaning::graph_launch},
    Row{"cuGraphLaunch", Match::exact, CallMeaning::graph_launch},

    Row{"cudaEventRecord", Match::prefix, CallMeaning::event_record},
    Row{"cuEventRecord", Match::prefix, CallMeaning::event_record},
    Row{"cudaStreamWaitEvent", Match::exact, CallMeaning::event_wait},
    Row{"cuStreamWaitEvent", Match::exact, CallMeaning::event_wait},

    Row{"cudaStreamSynchronize", Match::exact, CallMeaning::synchronise_stream},
    Row{"cuStreamSynchronize", Match::exact, CallMeaning::synchronise_stream},
    Row{"cudaDeviceSynchronize", Match::exact, CallMeaning::synchronise_device},
    Row{"cudaThreadSynchronize", Match::exact, CallMeaning::synchronise_device},
    Row{"cuCtxSynchronize", Match::prefix, CallMeaning::synchronise_device},
    Row{"cudaEventSynchronize", Match::exact, CallMeaning::synchronise_event},
    Row{"cuEventSynchronize", Match::exact, CallMeaning::synchronise_event},
    Row{"cudaStreamQuery", Match::exact, CallMeaning::query_stream},
    Row{"cuStreamQuery", Match::exact, CallMeaning::query_stream},
    Row{"cudaEventQuery", Match::exact, CallMeaning::query_event},
    Row{"cuEventQuery", Match::exact, CallMeaning::query_event},

    // cudaFreeAsync does not wait; cudaFree, cudaFreeHost and cudaFreeArray do.
    Row{"cudaFreeAsync", Match::exact, CallMeaning::other},
    Row{"cuMemFreeAsync", Match::exact, CallMeaning::other},
    Row{"cudaFree", Match::prefix, CallMeaning::release},
    Row{"cuMemFree", Match::prefix, CallMeaning::release},
    Row{"cudaHostUnregister", Match::exact, CallMeaning::other},

    // From a pool, of host memory or managed: not seen to wait.
    Row{"cudaMallocAsync", Match::exact, CallMeaning::other},
    Row{"cudaMallocFromPoolAsync", Match::exact, CallMeaning::other},
    Row{"cudaMallocHost", Match::exact, CallMeaning::other},
    Row{"cudaMallocManaged", Match::exact, CallMeaning::other},
    Row{"cudaMalloc", Match::prefix, CallMeaning::allocation},
    Row{"cuMemAllocAsync", Match::exact, CallMeaning::other},
    Row{"cuMemAllocFromPoolAsync", Match::exact, CallMeaning::other},
    Row{"cuMemAllocHost", Match::exact, CallMeaning::other},
    Row{"cuMemAllocManaged", Match::exact, CallMeaning::other},
    Row{"cuMemAlloc", Match::prefix, CallMeaning::allocation},

    // CUPTI itself asks for the name of a kernel at its launch.
    Row{"cuKernelGetName", Match::exact, CallMeaning::recorder},
    Row{"cudaProfiler", Match::prefix, CallMeaning::recorder},
    Row{"cuProfiler", Match::prefix, CallMeaning::recorder},

    Row{"__cuda", Match::prefix, CallMeaning::noise},
    Row{"cudaGet", Match::prefix, CallMeaning::noise},
    Row{"cudaPeekAtLastError", Match::exact, CallMeaning::noise},
    Row{"cudaSetDevice", Match::exact, CallMeaning::noise},
    Row{"cudaDeviceGet", Match::prefix, CallMeaning::noise},
    Row{"cudaFuncGet", Match::prefix, CallMeaning::noise},
    Row{"cudaFuncSet", Match::prefix, CallMeaning::noise},
    Row{"cudaOccupancy", Match::prefix, CallMeaning::noise},
    Row{"cudaPointerGet", Match::prefix, CallMeaning::noise},
    Row{"cudaStreamIsCapturing", Match::exact, CallMeaning::noise},
    Row{"cudaStreamGet", Match::prefix, CallMeaning::noise},
    Row{"cudaEventElapsedTime", Match::exact, CallMeaning::noise},
    Row{"cuGet", Match::prefix, CallMeaning::noise},
    Row{"cuCtxGet", Match::prefix, CallMeaning::noise},
    Row{"cuCtxSetCurrent", Match::exact, CallMeaning::noise},
    Row{"cuCtxPushCurrent", Match::exact, CallMeaning::noise},
    Row{"cuCtxPopCurrent", Match::exact, CallMeaning::noise},
    Row{"cuDeviceGet", Match::prefix, CallMeaning::noise},
    Row{"cuDevicePrimaryCtxGet", Match::prefix, CallMeaning::noise},
    Row{"cuFuncGet", Match::prefix, CallMeaning::noise},
    Row{"cuFuncSet", Match::prefix, CallMeaning::noise},
    Row{"cuKernelGet", Match::prefix, CallMeaning::noise},
    Row{"cuKernelSet", Match::prefix, CallMeaning::noise},
    Row{"cuOccupancy", Match::prefix, CallMeaning::noise},
    Row{"cuPointerGet", Match::prefix, CallMeaning::noise},
    Row{"cuStreamIsCapturing", Match::exact, CallMeaning::noise},
    Row{"cuStreamGet", Match::prefix, CallMeaning::noise},
    Row{"cuEventElapsedTime", Match::exact, CallMeaning::noise},
};

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

/// "cuMemcpyHtoDAsync_v2_ptsz" → "cuMemcpyHtoDAsync": per-thread default stream and version marks.
std::string_view without_suffix(std::string_view name) {
    for (;;) {
        if (name.ends_with("_ptsz") || name.ends_with("_ptds")) {
            name.remove_suffix(5);
            continue;
        }
        const auto mark = name.rfind("_v");
        if (mark == std::string_view::npos || mark + 2 == name.size() ||
            !std::all_of(name.begin() + static_cast<std::ptrdiff_t>(mark) + 2, name.end(),
                         is_digit)) {
            return name;
        }
        name.remove_suffix(name.size() - mark);
    }
}

}  // namespace

CallMeaning meaning_of(std::string_view name) {
    const auto plain = without_suffix(name);
    for (const auto& row : kRows) {
        if (row.match == Match::exact ? plain == row.name : plain.starts_with(row.name)) {
            return row.meaning;
        }
    }
    return CallMeaning::other;
}

}  // namespace overcast
