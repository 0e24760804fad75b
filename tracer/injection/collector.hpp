// One recording: CUPTI's records of this process, decoded, into its spool file.
#pragma once

#include "tracer/injection/api_watch.hpp"
#include "tracer/injection/buffers.hpp"
#include "tracer/injection/code_recording.hpp"
#include "tracer/injection/cupti_library.hpp"
#include "tracer/injection/decoder.hpp"
#include "tracer/injection/flusher.hpp"
#include "tracer/injection/snapshot.hpp"
#include "tracer/injection/spool_writer.hpp"

#include <atomic>
#include <mutex>
#include <optional>
#include <span>
#include <string>

namespace overcast::injection {

/// What the launcher asked for, from the environment.
struct Settings {
    std::string spool_folder;
    RecordMode mode = RecordMode::light;
    bool profiler_range = false;  ///< the profiler API's calls are needed, whatever the mode
    /// Of each kernel, of which hardware counters are read. 0: an ordinary recording.
    std::uint32_t counted_launches = 0;

    /// Reads OVERCAST_SPOOL_FOLDER, OVERCAST_RECORD, OVERCAST_RANGE, OVERCAST_COUNTERS.
    static Settings from_environment();
};

/// Lives until the process ends: CUPTI may call back at any time.
class Collector final : public Recording {
public:
    explicit Collector(Settings settings);

    /// Opens the spool and CUPTI and switches recording on. False: tracing is off, and the reason
    /// is in the spool, or on stderr where there is no spool.
    bool start();

    void flush() override;
    void close(int signal) override;
    void abandon() noexcept override;

    [[nodiscard]] const CuptiLibrary& cupti() const { return cupti_; }

private:
    bool open_spool();
    void write_header();
    bool switch_on(std::string& reason);
    bool subscribe(std::string& reason);
    void configure();
    bool enable_kinds(std::string& reason);
    void enable_if_possible(std::span<const CUpti_ActivityKind> kinds);
    void enable_callbacks();
    void write_quality();
    void write_snapshot();
    CallbackNames callback_names() const;
    std::string failure(const char* what, CUptiResult result) const;
    void tracing_off(const std::string& reason);

    void on_module(const CUpti_ResourceData& data);
    static void on_callback(void* self, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                            const void* data);
    static void on_buffer_requested(std::uint8_t** buffer, std::size_t* size, std::size_t* records);
    static void on_buffer_completed(CUcontext context, std::uint32_t stream, std::uint8_t* buffer,
                                    std::size_t size, std::size_t valid);
    void read_buffer(std::uint8_t* buffer, std::size_t valid);

    Settings settings_;
    CuptiLibrary cupti_;
    CUpti_SubscriberHandle subscriber_{};
    BufferPool buffers_;
    std::string spool_file_;
    SpoolWriter spool_;
    CodeRecording code_;
    ApiWatch watch_;
    std::mutex decoding_;  ///< never held while CUPTI is called
    Decoder decoder_;
    std::optional<Snapshot> snapshot_;
    std::atomic<std::uint64_t> dropped_{0};
    std::atomic<bool> recording_{false};
    std::atomic<bool> closed_{false};
};

/// The recording of this process; null where there is none.
Collector* active_collector() noexcept;

}  // namespace overcast::injection
