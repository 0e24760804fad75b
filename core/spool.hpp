// The spool: what the injected tracer appends while the program runs, and the launcher reads when
// it has ended, however it ended.
//
// A file is a header (magic, version) and then frames: {payload bytes, tag, payload}. Payloads are
// the structs below, byte for byte: writer and reader are the same build on the same machine, and
// a version number refuses any other. The last frame may be cut short; everything before it counts.
// Times are nanoseconds on the recording's clock; 0 = not recorded. No struct has padding.
#pragma once

#include "core/kernel_code.hpp"
#include "core/kernel_counters.hpp"
#include "core/operation_kinds.hpp"
#include "core/trace.hpp"

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace overcast::spool {

constexpr std::string_view kMagic = "OVERCAST-SPOOL\n";
/// Raised with every change of a struct or a tag below.
constexpr std::uint32_t kVersion = 8;

enum class Tag : std::uint16_t {
    text = 1,
    information,
    process,
    api_call,
    kernel,
    copy,
    memset,
    copy_addresses,
    synchronisation,
    event_recording,
    stream,
    context,
    device,
    link,
    memory_operation,
    overhead,
    marker,
    quality,
    end,
    counted_launch,
    launch_total,
    code,
};

/// A text that later records refer to by number. Numbers count up from 1; 0 = no text.
struct Text {
    std::uint32_t id = 0;
    std::string_view text;  ///< valid until the reader moves on
};

/// A fact about the process: "command", "tracing-off", "env:CUDA_…".
struct Information {
    std::string_view key;
    std::string_view value;
};

struct Process {
    static constexpr Tag kTag = Tag::process;
    std::uint64_t monotonic_ns = 0;  ///< the recording's clock and …
    std::uint64_t realtime_ns = 0;   ///< … the wall clock, read together at the start
    std::uint32_t process = 0;
    std::uint32_t parent = 0;
};

struct Api {
    static constexpr Tag kTag = Tag::api_call;
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    std::uint32_t correlation = 0;
    std::uint32_t thread = 0;
    std::uint32_t name = 0;
    std::int32_t return_value = 0;
    std::uint32_t process = 0;
    std::uint32_t driver = 0;  ///< 1: driver API, 0: runtime API
};

/// What kernels, copies and memsets have in common.
struct Activity {
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    std::uint64_t graph_node = 0;
    std::uint32_t graph = 0;
    std::uint32_t correlation = 0;
    std::uint32_t device = 0;
    std::uint32_t context = 0;
    std::uint32_t stream = 0;
    std::uint32_t channel = 0;
    std::uint32_t channel_type = 0;  ///< ChannelType; unknown = no channel
    std::uint32_t zero = 0;
};

struct Kernel {
    static constexpr Tag kTag = Tag::kernel;
    Activity activity;
    std::uint64_t queued = 0;
    std::uint64_t submitted = 0;
    Extent grid;
    Extent block;
    Extent cluster;
    std::uint32_t name = 0;  ///< mangled
    std::uint32_t registers_per_thread = 0;
    std::uint32_t static_shared_memory = 0;
    std::uint32_t dynamic_shared_memory = 0;
    std::uint32_t executed_shared_memory = 0;
};

struct Copy {
    static constexpr Tag kTag = Tag::copy;
    Activity activity;
    std::uint64_t bytes = 0;
    CopyKind kind{};
    MemoryKind source{};
    MemoryKind destination{};
    std::uint8_t asynchronous = 0;
    std::uint32_t zero = 0;
};

struct Memset {
    static constexpr Tag kTag = Tag::memset;
    Activity activity;
    std::uint64_t bytes = 0;
    std::uint32_t value = 0;
    std::uint32_t asynchronous = 0;
};

/// Taken from the arguments of the API call that issued a copy or a memset.
struct CopyAddresses {
    static constexpr Tag kTag = Tag::copy_addresses;
    std::uint64_t source = 0;  ///< 0 for a memset
    std::uint64_t destination = 0;
    std::uint32_t correlation = 0;
    std::uint32_t zero = 0;
};

struct Synchronisation {
    static constexpr Tag kTag = Tag::synchronisation;
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    std::uint64_t event_sync = 0;
    std::uint32_t correlation = 0;
    std::uint32_t context = 0;
    std::uint32_t stream = 0;
    std::uint32_t event = 0;
    std::uint32_t kind = 0;  ///< SynchronisationKind
    std::uint8_t has_stream = 0;
    std::uint8_t has_event = 0;
    std::uint16_t zero = 0;
};

struct EventRecording {
    static constexpr Tag kTag = Tag::event_recording;
    std::uint64_t event_sync = 0;
    std::uint64_t device_time = 0;
    std::uint32_t correlation = 0;
    std::uint32_t context = 0;
    std::uint32_t stream = 0;
    std::uint32_t event = 0;
};

struct Stream {
    static constexpr Tag kTag = Tag::stream;
    std::uint32_t context = 0;
    std::uint32_t stream = 0;
    std::int32_t priority = 0;
    std::uint32_t flag = 0;  ///< StreamFlag
};

struct Context {
    static constexpr Tag kTag = Tag::context;
    std::uint32_t context = 0;
    std::uint32_t device = 0;
    std::uint32_t null_stream = 0;
    std::uint32_t zero = 0;
};

struct Device {
    static constexpr Tag kTag = Tag::device;
    std::uint64_t memory_bandwidth_kb_per_s = 0;
    std::uint64_t memory = 0;
    std::uint32_t device = 0;
    std::uint32_t name = 0;
    std::uint32_t capability_major = 0;
    std::uint32_t capability_minor = 0;
    std::uint32_t multiprocessors = 0;
    std::uint32_t threads_per_multiprocessor = 0;
    std::uint32_t blocks_per_multiprocessor = 0;
    std::uint32_t registers_per_multiprocessor = 0;
    std::uint32_t shared_memory_per_multiprocessor = 0;
    std::uint32_t shared_memory_per_block = 0;
    std::uint32_t async_engines = 0;
    std::uint32_t l2_cache = 0;
    std::uint32_t core_clock_khz = 0;
    std::uint32_t zero = 0;
};

/// The PCIe link of a device.
struct Link {
    static constexpr Tag kTag = Tag::link;
    std::uint32_t device = 0;
    std::uint32_t generation = 0;
    std::uint32_t width = 0;
};

struct MemoryOperation {
    static constexpr Tag kTag = Tag::memory_operation;
    std::uint64_t time = 0;
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
    std::uint32_t correlation = 0;
    std::uint32_t process = 0;
    MemoryKind kind{};
    std::uint8_t release = 0;
    std::uint8_t asynchronous = 0;
    std::uint8_t zero[5] = {};
};

struct Overhead {
    static constexpr Tag kTag = Tag::overhead;
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    std::uint32_t thread = 0;  ///< 0 = of no thread
    std::uint32_t kind = 0;    ///< OverheadKind
};

enum class MarkerEdge : std::uint32_t { start, end };

/// One end of an NVTX range; both ends carry the same id. Only the start has a name.
struct Marker {
    static constexpr Tag kTag = Tag::marker;
    std::uint64_t time = 0;
    std::uint32_t id = 0;
    MarkerEdge edge{};
    std::uint32_t name = 0;
    std::uint32_t process = 0;
    std::uint32_t thread = 0;
    std::uint32_t zero = 0;
};

/// Running totals; the last one in the file counts.
struct Quality {
    static constexpr Tag kTag = Tag::quality;
    std::uint64_t dropped_records = 0;
    std::uint64_t zero_timestamps = 0;
    std::uint64_t unknown_records = 0;  ///< of a kind that was never asked for
};

/// The recording was closed in order: the program exited, or a signal was caught and flushed.
struct End {
    static constexpr Tag kTag = Tag::end;
    std::uint64_t time = 0;
    std::uint32_t signal = 0;  ///< 0 = ordinary exit
    std::uint32_t flush_timed_out = 0;
};

/// Launches that count as the same kernel.
struct LaunchClass {
    Extent grid;
    Extent block;
    std::uint32_t name = 0;  ///< mangled
    std::uint32_t dynamic_shared_memory = 0;
};

/// The counters of one launch.
struct CountedLaunch {
    static constexpr Tag kTag = Tag::counted_launch;
    LaunchClass of;
    std::uint64_t values[kCounters] = {};  ///< bits of doubles; NaN: not counted
};

/// How often a class was launched so far; the last one of a class counts.
struct LaunchTotal {
    static constexpr Tag kTag = Tag::launch_total;
    LaunchClass of;
    std::uint64_t launches = 0;
};

/// What the machine code of a kernel that ran says of it.
struct Code {
    static constexpr Tag kTag = Tag::code;
    std::uint32_t name = 0;                     ///< mangled
    std::uint32_t pass = 0;                     ///< as to_text(KernelPass) has it; 0 = not known
    std::uint32_t start = 0;                    ///< likewise
    std::uint32_t end = 0;                      ///< likewise
    std::uint64_t values[5 + kCodeUnits] = {};  ///< bits of doubles, in the order of KernelCode

    /// Without its name, and its pass, start and end, which are texts.
    static Code from(const KernelCode& code);
    /// Likewise.
    [[nodiscard]] KernelCode code() const;
};

using Record =
    std::variant<Text, Information, Process, Api, Kernel, Copy, Memset, CopyAddresses,
                 Synchronisation, EventRecording, Stream, Context, Device, Link, MemoryOperation,
                 Overhead, Marker, Quality, End, CountedLaunch, LaunchTotal, Code>;

/// Appends the file header.
void encode_header(std::vector<char>& out);
void encode(std::vector<char>& out, const Text& text);
void encode(std::vector<char>& out, const Information& information);
/// Appends one frame made of raw bytes.
void encode_frame(std::vector<char>& out, Tag tag, const void* payload, std::size_t bytes);

template <typename Plain>
    requires std::is_trivially_copyable_v<Plain>
void encode(std::vector<char>& out, const Plain& record) {
    static_assert(std::has_unique_object_representations_v<Plain>, "a spool record has no padding");
    encode_frame(out, Plain::kTag, &record, sizeof record);
}

/// Reads a spool file record by record.
class Reader {
public:
    /// Throws Error if the file cannot be opened or is no spool of this version.
    explicit Reader(const std::filesystem::path& file);

    /// The next record, or nothing at the end. A frame that is cut short is the end.
    /// Throws Error on a frame that no writer of this version makes.
    std::optional<Record> next();

    /// Bytes at the end that belong to a frame cut short; meaningful after next() gave nothing.
    [[nodiscard]] std::size_t bytes_cut() const { return bytes_cut_; }

private:
    bool fill(std::size_t bytes);

    std::filesystem::path file_;
    std::ifstream input_;
    std::vector<char> buffer_;
    std::size_t position_ = 0;  ///< in buffer_
    std::size_t bytes_cut_ = 0;
};

}  // namespace overcast::spool
