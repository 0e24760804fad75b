#include "tracer/injection/api_watch.hpp"

#include "tracer/injection/flusher.hpp"
#include "tracer/injection/process_facts.hpp"

#include <algorithm>
#include <ctime>

namespace overcast::injection {
namespace {

constexpr auto kRuntimeApi = CUPTI_CB_DOMAIN_RUNTIME_API;
constexpr auto kDriverApi = CUPTI_CB_DOMAIN_DRIVER_API;

template <typename Visit>
void for_each_call(const CuptiLibrary& cupti, CUpti_CallbackDomain domain, const Visit& visit) {
    const std::uint32_t count = domain == kRuntimeApi ? std::uint32_t{CUPTI_RUNTIME_TRACE_CBID_SIZE}
                                                      : std::uint32_t{CUPTI_DRIVER_TRACE_CBID_SIZE};
    for (std::uint32_t cbid = 1; cbid < count; ++cbid) {
        const char* name = nullptr;
        if (cupti.get_callback_name(domain, cbid, &name) == CUPTI_SUCCESS && name != nullptr) {
            visit(cbid, std::string_view{name});
        }
    }
}

/// A structure in the order of the declaration, a word for each.
std::uint64_t argument(const CUpti_CallbackData& data, std::uint32_t number) {
    return static_cast<const std::uint64_t*>(data.functionParams)[number];
}

/// cudaSuccess and CUDA_SUCCESS are 0.
bool succeeded(const CUpti_CallbackData& data) {
    return data.functionReturnValue != nullptr &&
           *static_cast<const std::int32_t*>(data.functionReturnValue) == 0;
}

SynchronisationKind kind_of(Ordering ordering) {
    switch (ordering) {
        case Ordering::waits_for_stream: return SynchronisationKind::stream;
        case Ordering::waits_for_event: return SynchronisationKind::event;
        case Ordering::stream_waits: return SynchronisationKind::stream_wait_event;
        default: return SynchronisationKind::context;
    }
}

}  // namespace

void ApiWatch::record_calls(RecordMode mode, bool profiler_range) {
    const bool all = mode == RecordMode::full;
    for_each_call(cupti_, kRuntimeApi, [&](std::uint32_t cbid, std::string_view name) {
        if (is_noise(name) == all) {
            cupti_.enable_runtime_api(cbid, all ? 0 : 1);
        }
    });
    for_each_call(cupti_, kDriverApi, [&](std::uint32_t cbid, std::string_view name) {
        const bool wanted = mode == RecordMode::minimal
                                ? profiler_range && controls_the_profiler(name)
                                : is_noise(name) == all;
        if (wanted) {
            cupti_.enable_driver_api(cbid, all ? 0 : 1);
        }
    });
}

void ApiWatch::watch_calls(CUpti_SubscriberHandle subscriber, RecordMode mode) {
    const auto watch = [&](CUpti_CallbackDomain domain, std::vector<CallInterest>& interests) {
        for_each_call(cupti_, domain, [&](std::uint32_t cbid, std::string_view name) {
            const auto interest = interest_in(name, mode == RecordMode::light);
            if (interest.any()) {
                interests.resize(std::max<std::size_t>(interests.size(), cbid + 1));
                interests[cbid] = interest;
                cupti_.enable_callback(1, subscriber, domain, cbid);
            }
        });
    };
    watch(kRuntimeApi, of_runtime_);
    watch(kDriverApi, of_driver_);
}

void ApiWatch::on_call(CUpti_CallbackDomain domain, CUpti_CallbackId id,
                       const CUpti_CallbackData& data) {
    // A runtime call makes the driver's: one of the two is enough.
    thread_local bool in_runtime_call = false;
    const bool enters = data.callbackSite == CUPTI_API_ENTER;
    if (domain == kRuntimeApi) {
        in_runtime_call = enters;
    } else if (in_runtime_call) {
        return;
    }
    const auto& interests = domain == kRuntimeApi ? of_runtime_ : of_driver_;
    if (id >= interests.size()) {
        return;
    }
    const auto& interest = interests[id];
    if (interest.order.ordering != Ordering::none) {
        note_order(interest.order, data, enters);
    } else if (enters && interest.addresses) {
        append_addresses(*interest.addresses, data);
    } else if (enters && interest.ends_context) {
        cupti_.flush_all(0);
    } else if (!enters && interest.stops_profiler) {
        request_flush();  // not at the start: the flush would disturb what is to be measured
    }
}

void ApiWatch::note_order(const OrderingCall& call, const CUpti_CallbackData& data, bool enters) {
    thread_local spool::Synchronisation wait;  // that has begun
    // What is captured for a graph is neither recorded nor waited for now. Assumes: by the thread
    // that began to capture.
    thread_local bool captures = false;
    switch (call.ordering) {
        case Ordering::none: return;
        case Ordering::begins_capture: captures = captures || (!enters && succeeded(data)); return;
        case Ordering::ends_capture: captures = false; return;
        case Ordering::destroys:
            if (enters) {
                events_.forget(argument(data, call.event));
            }
            return;
        case Ordering::records:
            if (enters && !captures) {
                append_record(call, data);
            }
            return;
        default:
            if (enters) {
                wait = captures ? spool::Synchronisation{} : wait_of(call, data);
            } else if (wait.start != 0) {
                wait.end = clock_ns(CLOCK_MONOTONIC);
                spool_.append(wait);
            }
    }
}

void ApiWatch::append_addresses(const AddressWords& words, const CUpti_CallbackData& data) {
    spool::CopyAddresses addresses;
    addresses.destination = argument(data, words.destination);
    addresses.source = words.source ? argument(data, *words.source) : 0;
    addresses.correlation = data.correlationId;
    spool_.append(addresses);
}

void ApiWatch::append_record(const OrderingCall& call, const CUpti_CallbackData& data) {
    const auto entry = events_.record(argument(data, call.event));
    spool::EventRecording record;
    record.event = entry.event;
    record.event_sync = entry.record;
    record.correlation = data.correlationId;
    record.context = data.contextUid;
    if (find_stream(call, data, record.stream)) {
        spool_.append(record);
    }
}

/// As CUPTI would record it, without its end. Its start is 0 where it cannot be told what it is
/// for.
spool::Synchronisation ApiWatch::wait_of(const OrderingCall& call, const CUpti_CallbackData& data) {
    spool::Synchronisation wait;
    wait.correlation = data.correlationId;
    wait.context = data.contextUid;
    wait.kind = static_cast<std::uint32_t>(kind_of(call.ordering));
    if (call.ordering == Ordering::waits_for_stream || call.ordering == Ordering::stream_waits) {
        if (!find_stream(call, data, wait.stream)) {
            return {};
        }
        wait.has_stream = 1;
    }
    if (call.ordering == Ordering::waits_for_event || call.ordering == Ordering::stream_waits) {
        const auto entry = events_.find(argument(data, call.event));
        wait.event = entry.event;
        wait.event_sync = entry.record;
        wait.has_event = 1;
    }
    wait.start = clock_ns(CLOCK_MONOTONIC);
    return wait;
}

bool ApiWatch::find_stream(const OrderingCall& call, const CUpti_CallbackData& data,
                           std::uint32_t& stream) const {
    auto* const handle = reinterpret_cast<CUstream>(argument(data, call.stream));
    return cupti_.get_stream_id(data.context, handle, call.per_thread_stream ? 1 : 0, &stream) ==
           CUPTI_SUCCESS;
}

}  // namespace overcast::injection
