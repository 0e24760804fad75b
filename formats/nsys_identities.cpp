#include "formats/nsys_identities.hpp"

namespace overcast {
namespace {

constexpr std::uint64_t kLowBits = 0xffffff;
constexpr unsigned kProcessShift = 24;
constexpr unsigned kCorrelationShift = 32;

}  // namespace

NsysIdentities::NsysIdentities(const SqliteDatabase& database) {
    SqliteTable calls{database, "CUPTI_ACTIVITY_KIND_RUNTIME"};
    const auto global = calls.column("globalTid");
    while (calls.next()) {
        if (const auto process = process_of(calls.whole(global))) {
            processes_.try_emplace(*process, processes_.size());
        }
    }
    SqliteTable devices{database, "TARGET_INFO_CUDA_DEVICE"};
    const auto process = devices.column("pid");
    const auto seen_as = devices.column("cudaId");
    const auto gpu = devices.column("gpuId");
    while (devices.next()) {
        const auto pid = devices.id<ProcessId>(process);
        const auto number = devices.number<std::uint32_t>(seen_as);
        const auto id = devices.id<DeviceId>(gpu);
        if (pid && number && id) {
            devices_.try_emplace({*pid, *number}, *id);
        }
    }
}

std::optional<ProcessId> NsysIdentities::process_of(std::optional<std::int64_t> global) {
    return global ? std::optional{ProcessId{static_cast<std::uint32_t>(
                        static_cast<std::uint64_t>(*global) >> kProcessShift & kLowBits)}}
                  : std::nullopt;
}

std::optional<ThreadId> NsysIdentities::thread_of(std::optional<std::int64_t> global) {
    return global ? std::optional{ThreadId{static_cast<std::uint64_t>(*global) & kLowBits}}
                  : std::nullopt;
}

std::optional<ProcessId> NsysIdentities::only_process() const {
    if (processes_.size() > 1) {
        return std::nullopt;
    }
    return processes_.empty() ? ProcessId{} : processes_.begin()->first;
}

CorrelationId NsysIdentities::correlation(ProcessId process, std::uint64_t number) {
    if (number == 0) {
        return CorrelationId{};  // none
    }
    const auto place = processes_.try_emplace(process, processes_.size()).first->second;
    return CorrelationId{number + (place << kCorrelationShift)};
}

ContextId NsysIdentities::context(ProcessId process, std::uint32_t number) {
    const auto known = contexts_.find({process, number});
    if (known != contexts_.end()) {
        return known->second;
    }
    auto id = ContextId{number};
    if (taken_contexts_.contains(id)) {
        while (taken_contexts_.contains(free_context_)) {
            free_context_ = ContextId{overcast::number(free_context_) + 1};
        }
        id = free_context_;
    }
    taken_contexts_.insert(id);
    contexts_.emplace(std::pair{process, number}, id);
    return id;
}

DeviceId NsysIdentities::device(ProcessId process, std::uint32_t number) {
    const auto known = devices_.find({process, number});
    if (known != devices_.end()) {
        return known->second;
    }
    const DeviceId device{number};
    if (untold_devices_.try_emplace(device, process).first->second != process) {
        doubtful_device_ = device;
    }
    return device;
}

}  // namespace overcast
