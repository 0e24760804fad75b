// The hardware rules that can be switched off one by one (`--without RULE`), to see what each is
// worth.
#pragma once

#include <bitset>
#include <cstdint>
#include <string_view>

namespace overcast {

enum class Rule : std::uint8_t {
    channel_ownership,  ///< empty, then least recently used (7); off: fixed per stream
    channel_fifo,       ///< false dependencies inside a channel (8)
    engine_drain,       ///< an engine drains its channel (9); off: first ready, first served
    look_ahead,         ///< an engine chooses before the copy that runs has ended
    duplex,             ///< both directions slow each other (5)
    waiting_slowdown,   ///< H2D slows while kernels wait in channels (6)
    turnaround,         ///< between two copies of one engine (4)
    stream_gaps,        ///< between dependent operations of one stream (13)
    read_ahead,         ///< longer behind kernels that bring data into the L2
    host_engines,       ///< compute channels are served by two engines in turn; off: by one
    late_arrival,       ///< none of that where the earlier one is done at the first look
    inline_copies,      ///< small copies travel on the compute channel (24)
    tail_filling,       ///< the next kernel fills the tail of the one before (20)
    pile_up,            ///< a waiting kernel fills the first SMs that get room (37)
    carve_out,          ///< an SM gives more room to shared memory only while empty (38)
    clusters,           ///< the blocks of a cluster find room together
    corun_slowdown,     ///< kernels on one SM share its issue slots (18)
    stream_change,      ///< a call into another stream than the one before costs the host more
    call_beside_copy,   ///< a launch costs the host more while a copy to the device moves
    launch_queue,       ///< a full launch queue blocks the host (29)
    default_stream,     ///< the legacy default stream (31)
    implicit_sync,      ///< cudaFree waits for the device (30)
    dram_sharing,       ///< copies and memory-bound kernels slow each other
    l2_path,            ///< two SMs share one path from the L2
    memory_queue,       ///< an SM's full queue to the L2 serves the oldest first, others wait
    memory_latency,     ///< loads take longer before the L2 or the DRAM is full
    l2_eviction,        ///< kernels push each other's data out of the L2 (22)
    l2_halves,          ///< what both halves of the chip go round leaves the L2 earlier
    slot_waits,         ///< a warp waits for slots that older ones leave (39)
    bursts,             ///< a scheduler stays with a warp that is ready (39)
    device_held,        ///< blocks that the device slows ask less of their SM
    greedy_runs,        ///< for the rest of its run, older or younger than others (39)
    full_pipes,         ///< of units that older warps fill others find what their gaps leave
    ready_warps,        ///< warps that never wait give way to nobody
    barriers,           ///< warps that wait for each other wait for the slowest scheduler
    staggered_ends,     ///< an SM serves the oldest of its blocks first (39)
    tensor_clock,       ///< all SMs are slower while tensor cores work
    schedules,          ///< schedulers are played cycle by cycle where code is known
    load_returns,       ///< what loads bring takes the L1 before reads of shared memory
    starts,             ///< a pipe that older warps fill holds up the code before a loop
    late_ends,          ///< a kernel's first and last requests wait behind those of others
    fast_sms,           ///< SMs of small parts of the chip get more of a full L2 or DRAM
};

constexpr std::size_t kRules = 42;

std::string_view to_string(Rule rule);
/// Throws UsageError, naming the known rules.
Rule parse_rule(std::string_view name);

/// All on unless said otherwise.
class Rules {
public:
    [[nodiscard]] bool operator[](Rule rule) const { return !off_[static_cast<std::size_t>(rule)]; }
    void switch_off(Rule rule) { off_.set(static_cast<std::size_t>(rule)); }

private:
    std::bitset<kRules> off_;
};

}  // namespace overcast
