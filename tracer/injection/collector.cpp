#include "tracer/injection/collector.hpp"

#include "tracer/injection/process_facts.hpp"

#include <unistd.h>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <span>

namespace overcast::injection {
namespace {

constexpr std::size_t kBufferStock = 8;

std::atomic<Collector*> g_active{nullptr};  // CUPTI's buffer callbacks carry no user data

/// CLOCK_MONOTONIC: unlike CUPTI's default (CLOCK_REALTIME) it never steps back. CUPTI brings the
/// device's times to this clock as well.
std::uint64_t CUPTIAPI timestamp() { return clock_ns(CLOCK_MONOTONIC); }

/// Gives a buffer back, however reading it ends.
class GiveBack {
public:
    GiveBack(BufferPool& pool, std::uint8_t* buffer) : pool_{pool}, buffer_{buffer} {}
    GiveBack(const GiveBack&) = delete;
    GiveBack& operator=(const GiveBack&) = delete;
    ~GiveBack() { pool_.give_back(buffer_); }

private:
    BufferPool& pool_;
    std::uint8_t* buffer_;
};

std::string variable(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
}

}  // namespace

Collector* active_collector() noexcept { return g_active.load(std::memory_order_acquire); }

Settings Settings::from_environment() {
    Settings settings;
    settings.spool_folder = variable("OVERCAST_SPOOL_FOLDER");
    settings.mode = record_mode(variable("OVERCAST_RECORD")).value_or(RecordMode::light);
    settings.profiler_range = variable("OVERCAST_RANGE") == "profiler-api";
    settings.counted_launches = static_cast<std::uint32_t>(
        std::strtoul(variable("OVERCAST_COUNTERS").c_str(), nullptr, 10));
    return settings;
}

Collector::Collector(Settings settings)
    : settings_{std::move(settings)},
      buffers_{kBufferStock},
      watch_{cupti_, spool_},
      decoder_{spool_, callback_names()} {}

CallbackNames Collector::callback_names() const {
    return [this](CUpti_CallbackDomain domain, std::uint32_t cbid) {
        const char* name = nullptr;
        return cupti_.get_callback_name(domain, cbid, &name) == CUPTI_SUCCESS ? name : nullptr;
    };
}

bool Collector::start() {
    if (!open_spool()) {
        return false;
    }
    write_header();
    std::string reason;
    auto cupti = open_cupti(reason);
    if (cupti) {
        cupti_ = *cupti;
        spool_.append(spool::Information{"cupti", cupti_.path});
        snapshot_.emplace(spool_file_ + ".unfinished", callback_names(), cupti_.get_next_record);
        g_active.store(this, std::memory_order_release);
        recording_ = switch_on(reason);
    }
    if (!recording_) {
        g_active.store(nullptr, std::memory_order_release);
        tracing_off(reason);
    }
    spool_.flush();
    return recording_;
}

bool Collector::open_spool() {
    // The time makes the name unique where a process id is used again, or a program runs another
    // one in its place.
    spool_file_ = settings_.spool_folder + "/" + std::to_string(getpid()) + "-" +
                  std::to_string(clock_ns(CLOCK_MONOTONIC)) + ".spool";
    if (spool_.open(spool_file_)) {
        spool_.reserve();
        return true;
    }
    std::fprintf(stderr, "overcast: cannot create %s: %s; this process is not traced\n",
                 spool_file_.c_str(), std::strerror(errno));
    return false;
}

void Collector::write_header() {
    spool::Process process;
    process.monotonic_ns = clock_ns(CLOCK_MONOTONIC);
    process.realtime_ns = clock_ns(CLOCK_REALTIME);
    process.process = static_cast<std::uint32_t>(getpid());
    process.parent = static_cast<std::uint32_t>(getppid());
    spool_.append(process);
    spool_.append(spool::Information{"command", command_line()});
    for (const auto& [name, value] : environment_that_matters()) {
        spool_.append(spool::Information{"env:" + name, value});
    }
}

bool Collector::switch_on(std::string& reason) {
    if (!subscribe(reason)) {
        return false;
    }
    configure();
    const auto registered =
        cupti_.register_callbacks(&Collector::on_buffer_requested, &Collector::on_buffer_completed);
    if (registered != CUPTI_SUCCESS) {
        reason = failure("registering the buffers", registered);
        cupti_.unsubscribe(subscriber_);
        return false;
    }
    if (!enable_kinds(reason)) {
        cupti_.unsubscribe(subscriber_);
        return false;
    }
    watch_.record_calls(settings_.mode, settings_.profiler_range);
    enable_callbacks();
    return true;
}

bool Collector::subscribe(std::string& reason) {
    std::array<char, CUPTI_OLD_SUBSCRIBER_NAME_MIN_LEN> other{};
    CUpti_SubscriberParams parameters{};
    parameters.structSize = CUpti_SubscriberParams_STRUCT_SIZE;
    parameters.subscriberName = "Overcast";
    parameters.oldSubscriberName = other.data();
    parameters.oldSubscriberSize = other.size();
    const auto result = cupti_.subscribe(&subscriber_, &Collector::on_callback, this, &parameters);
    if (result == CUPTI_SUCCESS) {
        return true;
    }
    if (result == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED) {
        other.back() = '\0';
        reason = "another profiler is attached (" +
                 std::string(other.front() == '\0' ? "it gives no name" : other.data()) +
                 "): run the program without it";
    } else {
        reason = failure("attaching to CUPTI", result);
    }
    return false;
}

void Collector::configure() {
    // Each of these only adds detail: without it the recording is poorer, not wrong.
    std::uint8_t zeroed = 1;
    std::size_t size = sizeof zeroed;
    cupti_.set_attribute(CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER, &size, &zeroed);
    cupti_.register_timestamp(&timestamp);
    cupti_.set_thread_id_type(CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM);
    if (settings_.mode == RecordMode::full) {
        cupti_.enable_latency_timestamps(1);
        cupti_.enable_event_timestamps(1);
        cupti_.enable_all_sync_records(0);
    }
}

bool Collector::enable_kinds(std::string& reason) {
    // Overhead first, so that the cost of switching on the others is recorded.
    constexpr std::array kAlways{
        CUPTI_ACTIVITY_KIND_OVERHEAD, CUPTI_ACTIVITY_KIND_DEVICE,
        CUPTI_ACTIVITY_KIND_CONTEXT,  CUPTI_ACTIVITY_KIND_STREAM,
        CUPTI_ACTIVITY_KIND_MEMCPY,   CUPTI_ACTIVITY_KIND_MEMCPY2,
        CUPTI_ACTIVITY_KIND_MEMSET,   CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL};
    constexpr std::array kMore{CUPTI_ACTIVITY_KIND_MEMORY2, CUPTI_ACTIVITY_KIND_PCIE,
                               CUPTI_ACTIVITY_KIND_MARKER};
    // Each makes every call of the program slower, of whatever kind: see ApiWatch.
    constexpr std::array kHeavy{CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_ACTIVITY_KIND_DRIVER,
                                CUPTI_ACTIVITY_KIND_SYNCHRONIZATION,
                                CUPTI_ACTIVITY_KIND_CUDA_EVENT};
    for (const auto kind : kAlways) {
        if (const auto result = cupti_.enable(kind); result != CUPTI_SUCCESS) {
            reason = failure("switching on records", result);
            return false;
        }
    }
    if (settings_.mode != RecordMode::minimal) {
        enable_if_possible(kMore);
    }
    if (settings_.mode == RecordMode::full) {
        enable_if_possible(kHeavy);
    }
    return true;
}

void Collector::enable_if_possible(std::span<const CUpti_ActivityKind> kinds) {
    for (const auto kind : kinds) {
        if (const auto result = cupti_.enable(kind); result != CUPTI_SUCCESS) {
            spool_.append(spool::Information{
                "warning", failure(("records of kind " + std::to_string(kind)).c_str(), result)});
        }
    }
}

void Collector::enable_callbacks() {
    cupti_.enable_callback(1, subscriber_, CUPTI_CB_DOMAIN_STATE, CUPTI_CBID_STATE_FATAL_ERROR);
    cupti_.enable_callback(1, subscriber_, CUPTI_CB_DOMAIN_RESOURCE,
                           CUPTI_CBID_RESOURCE_CONTEXT_CREATED);
    if (settings_.mode == RecordMode::minimal) {
        return;
    }
    cupti_.enable_callback(1, subscriber_, CUPTI_CB_DOMAIN_RESOURCE,
                           CUPTI_CBID_RESOURCE_MODULE_LOADED);
    watch_.watch_calls(subscriber_, settings_.mode);
}

void Collector::flush() {
    if (recording_) {
        cupti_.flush_all(0);
        code_.report(spool_);
        write_quality();
    }
    spool_.flush();
    if (recording_) {
        write_snapshot();
    }
}

void Collector::close(int signal) {
    if (closed_.exchange(true)) {
        return;
    }
    if (recording_) {
        cupti_.flush_all(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
        code_.report(spool_);
        write_quality();
    }
    spool::End end;
    end.time = clock_ns(CLOCK_MONOTONIC);
    end.signal = static_cast<std::uint32_t>(signal);
    spool_.append(end);
    spool_.flush();
}

void Collector::abandon() noexcept {
    recording_ = false;
    closed_ = true;
    g_active.store(nullptr, std::memory_order_release);
    spool_.abandon();
}

void Collector::write_quality() {
    spool_.append(spool::Quality{dropped_, decoder_.zero_timestamps(), decoder_.unknown_records()});
}

void Collector::write_snapshot() {
    const std::lock_guard lock{decoding_};  // no buffer is given back meanwhile
    if (snapshot_) {
        snapshot_->write(buffers_.outstanding());
    }
}

std::string Collector::failure(const char* what, CUptiResult result) const {
    const char* name = nullptr;
    cupti_.get_result_string(result, &name);
    return std::string(what) + " failed: " + (name == nullptr ? "unknown error" : name) + " (" +
           std::to_string(result) + ", " + cupti_.path + ")";
}

void Collector::tracing_off(const std::string& reason) {
    recording_ = false;
    spool_.append(spool::Information{"tracing-off", reason});
}

void Collector::on_callback(void* self, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                            const void* data) {
    auto& collector = *static_cast<Collector*>(self);
    if (!collector.recording_) {
        return;
    }
    try {
        if (domain == CUPTI_CB_DOMAIN_RESOURCE && id == CUPTI_CBID_RESOURCE_MODULE_LOADED) {
            collector.on_module(*static_cast<const CUpti_ResourceData*>(data));
        } else if (domain == CUPTI_CB_DOMAIN_RESOURCE) {
            // The driver has registered its own exit handler by now; a later one runs earlier.
            close_at_exit();
        } else if (domain == CUPTI_CB_DOMAIN_STATE) {
            const auto* state = static_cast<const CUpti_StateData*>(data);
            collector.tracing_off(collector.failure("recording", state->notification.result));
        } else {
            collector.watch_.on_call(domain, id, *static_cast<const CUpti_CallbackData*>(data));
        }
    } catch (...) {
        collector.recording_ = false;
    }
}

void Collector::on_module(const CUpti_ResourceData& data) {
    const auto* const module =
        static_cast<const CUpti_ModuleResourceData*>(data.resourceDescriptor);
    if (module != nullptr && module->pCubin != nullptr) {
        code_.add_module(std::as_bytes(std::span{module->pCubin, module->cubinSize}));
    }
}

void Collector::on_buffer_requested(std::uint8_t** buffer, std::size_t* size,
                                    std::size_t* records) {
    *records = 0;
    *size = BufferPool::kBytes;
    auto* const collector = active_collector();
    // In the child of a fork CUPTI may still ask; nobody reads what it writes there.
    *buffer = collector == nullptr ? BufferPool::allocate() : collector->buffers_.take();
}

void Collector::on_buffer_completed(CUcontext context, std::uint32_t stream, std::uint8_t* buffer,
                                    std::size_t /*size*/, std::size_t valid) {
    auto* const collector = active_collector();
    if (collector == nullptr || buffer == nullptr) {
        std::free(buffer);
        return;
    }
    std::size_t dropped = 0;
    if (collector->cupti_.get_dropped_records(context, stream, &dropped) == CUPTI_SUCCESS) {
        collector->dropped_ += dropped;
    }
    try {
        collector->read_buffer(buffer, valid);
    } catch (...) {
        ++collector->dropped_;  // no memory for the rest of this buffer
    }
}

void Collector::read_buffer(std::uint8_t* buffer, std::size_t valid) {
    const std::lock_guard lock{decoding_};
    const GiveBack at_the_end{buffers_, buffer};
    CUpti_Activity* record = nullptr;
    // The next record is CUPTI's to find: a newer CUPTI writes longer records than our headers
    // know.
    while (cupti_.get_next_record(buffer, valid, &record) == CUPTI_SUCCESS) {
        decoder_.decode(*record);
    }
}

}  // namespace overcast::injection
