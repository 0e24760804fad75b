#include "tracer/injection/api_names.hpp"

#include <algorithm>
#include <array>

namespace overcast::injection {
namespace {

constexpr auto kNoise = std::to_array<std::string_view>({
    // CUDA 13 reports the halves of `<<<…>>>` that only pass arguments along.
    "__cudaPushCallConfiguration",
    "__cudaPopCallConfiguration",
    "__cudaGetKernel",
    "__cudaRegisterFatBinary",
    "__cudaRegisterFatBinaryEnd",
    // Questions of the runtime.
    "cudaGetDevice",
    "cudaGetDeviceCount",
    "cudaDeviceGetAttribute",
    "cudaGetLastError",
    "cudaPeekAtLastError",
    "cudaGetErrorString",
    "cudaGetErrorName",
    "cudaFuncGetAttributes",
    "cudaFuncSetAttribute",
    "cudaFuncGetName",
    "cudaGetFuncBySymbol",
    "cudaGetKernel",
    "cudaPointerGetAttributes",
    "cudaStreamIsCapturing",
    "cudaThreadExchangeStreamCaptureMode",
    "cudaDriverGetVersion",
    "cudaRuntimeGetVersion",
    "cudaGetDriverEntryPoint",
    "cudaGetDriverEntryPointByVersion",
    "cudaGetExportTable",
    // Questions of the driver, and its stack of current contexts.
    "cuCtxGetCurrent",
    "cuCtxSetCurrent",
    "cuCtxPushCurrent",
    "cuCtxPopCurrent",
    "cuCtxGetDevice",
    "cuCtxGetApiVersion",
    "cuCtxGetStreamPriorityRange",
    "cuDevicePrimaryCtxGetState",
    "cuDeviceGet",
    "cuDeviceGetCount",
    "cuDeviceGetAttribute",
    "cuDriverGetVersion",
    "cuKernelGetAttribute",
    "cuKernelGetName",
    "cuFuncGetName",
    "cuKernelGetFunction",
    "cuKernelGetName",  // made by CUPTI itself at each launch
    "cuFuncGetAttribute",
    "cuFuncGetModule",
    "cuGetProcAddress",
    "cuPointerGetAttribute",
    "cuPointerGetAttributes",
    "cuStreamIsCapturing",
    "cuThreadExchangeStreamCaptureMode",
});

/// Whole families of questions.
constexpr auto kNoisePrefixes = std::to_array<std::string_view>(
    {"cudaOccupancy", "cudaStreamGet", "cuOccupancy", "cuStreamGet"});

struct Layout {
    std::string_view name;
    AddressWords words;
};

constexpr auto kLayouts = std::to_array<Layout>({
    {"cudaMemcpy", {0, 1}},         {"cudaMemcpyAsync", {0, 1}},   {"cudaMemcpy2D", {0, 2}},
    {"cudaMemcpy2DAsync", {0, 2}},  {"cudaMemcpyPeer", {0, 2}},    {"cudaMemcpyPeerAsync", {0, 2}},
    {"cudaMemset", {0, {}}},        {"cudaMemsetAsync", {0, {}}},  {"cudaMemset2D", {0, {}}},
    {"cudaMemset2DAsync", {0, {}}}, {"cuMemcpy", {0, 1}},          {"cuMemcpyAsync", {0, 1}},
    {"cuMemcpyHtoD", {0, 1}},       {"cuMemcpyHtoDAsync", {0, 1}}, {"cuMemcpyDtoH", {0, 1}},
    {"cuMemcpyDtoHAsync", {0, 1}},  {"cuMemcpyDtoD", {0, 1}},      {"cuMemcpyDtoDAsync", {0, 1}},
    {"cuMemcpyPeer", {0, 2}},       {"cuMemcpyPeerAsync", {0, 2}}, {"cuMemsetD8", {0, {}}},
    {"cuMemsetD16", {0, {}}},       {"cuMemsetD32", {0, {}}},      {"cuMemsetD8Async", {0, {}}},
    {"cuMemsetD16Async", {0, {}}},  {"cuMemsetD32Async", {0, {}}}, {"cuMemsetD2D8Async", {0, {}}},
});

constexpr auto kContextEnds = std::to_array<std::string_view>(
    {"cudaDeviceReset", "cudaThreadExit", "cuCtxDestroy", "cuDevicePrimaryCtxReset",
     "cuDevicePrimaryCtxRelease", "cuCtxDetach", "cuGreenCtxDestroy"});

struct OrderingName {
    std::string_view name;  ///< without "cuda" or "cu"
    OrderingCall call;
};

constexpr auto kOrderings = std::to_array<OrderingName>({
    {"StreamSynchronize", {.ordering = Ordering::waits_for_stream}},
    {"DeviceSynchronize", {.ordering = Ordering::waits_for_context}},
    {"ThreadSynchronize", {.ordering = Ordering::waits_for_context}},
    {"CtxSynchronize", {.ordering = Ordering::waits_for_context}},
    {"EventSynchronize", {.ordering = Ordering::waits_for_event}},
    {"StreamWaitEvent", {.ordering = Ordering::stream_waits, .event = 1}},
    {"EventRecord", {.ordering = Ordering::records, .stream = 1}},
    {"EventRecordWithFlags", {.ordering = Ordering::records, .stream = 1}},
    {"EventDestroy", {.ordering = Ordering::destroys}},
    {"StreamBeginCapture", {.ordering = Ordering::begins_capture}},
    {"StreamBeginCaptureToGraph", {.ordering = Ordering::begins_capture}},
    {"StreamEndCapture", {.ordering = Ordering::ends_capture}},
});

bool strip_version(std::string_view& name) {
    const auto mark = name.rfind("_v");
    if (mark == std::string_view::npos || mark + 2 == name.size() ||
        name.find_first_not_of("0123456789", mark + 2) != std::string_view::npos) {
        return false;
    }
    name.remove_suffix(name.size() - mark);
    return true;
}

bool strip(std::string_view& name, std::string_view suffix) {
    if (!name.ends_with(suffix)) {
        return false;
    }
    name.remove_suffix(suffix.size());
    return true;
}

}  // namespace

std::string_view without_abi_suffix(std::string_view name) {
    while (strip_version(name) || strip(name, "_ptsz") || strip(name, "_ptds")) {
    }
    return name;
}

bool is_noise(std::string_view name) {
    const auto plain = without_abi_suffix(name);
    return std::ranges::find(kNoise, plain) != kNoise.end() ||
           std::ranges::any_of(kNoisePrefixes,
                               [&](std::string_view prefix) { return plain.starts_with(prefix); });
}

std::optional<AddressWords> address_words(std::string_view name) {
    const auto* const found = std::ranges::find(kLayouts, without_abi_suffix(name), &Layout::name);
    return found == kLayouts.end() ? std::nullopt : std::optional{found->words};
}

bool ends_a_context(std::string_view name) {
    return std::ranges::find(kContextEnds, without_abi_suffix(name)) != kContextEnds.end();
}

bool controls_the_profiler(std::string_view name) {
    const auto plain = without_abi_suffix(name);
    return plain == "cudaProfilerStart" || plain == "cudaProfilerStop" ||
           plain == "cuProfilerStart" || plain == "cuProfilerStop";
}

OrderingCall ordering_of(std::string_view name) {
    const auto plain = without_abi_suffix(name);
    const auto of_both =
        plain.substr(plain.starts_with("cuda") ? 4 : std::min<std::size_t>(2, plain.size()));
    const auto* const found = std::ranges::find(kOrderings, of_both, &OrderingName::name);
    auto call = found == kOrderings.end() ? OrderingCall{} : found->call;
    call.per_thread_stream = name.find("_ptsz") != std::string_view::npos;
    return call;
}

CallInterest interest_in(std::string_view name, bool orders) {
    return {
        .addresses = address_words(name),
        .ends_context = ends_a_context(name),
        .stops_profiler = controls_the_profiler(name) && without_abi_suffix(name).ends_with("Stop"),
        .order = orders ? ordering_of(name) : OrderingCall{}};
}

}  // namespace overcast::injection
