// What a scheduler knows of its warps, and of the pipes that they share.
#pragma once

#include "simulator/warps/warp_scheduler.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace overcast {

using Cycle = double;
inline constexpr Cycle kNoCycle = std::numeric_limits<double>::infinity();  ///< it does not come

struct Warp {
    const WarpProgram* program = nullptr;
    std::size_t block = 0;
    std::size_t next = 0;  ///< instruction
    Cycle after_last = 0;  ///< when that may be issued at the earliest
    Cycle ready = 0;       ///< and when what it waits for is there, too
    Cycle issued = 0;      ///< when the last one was
    double to_fetch = 0;   ///< cycles until it is here
    std::array<Cycle, kScoreboards> boards{};
    // Of one that executes its program once:
    bool starts = false;
    bool goes_on = false;  ///< since it waited longest
    double run = 0;        ///< instructions since for the unit of that which waited, less others
    PassUnit run_of{};

    [[nodiscard]] const PassInstruction& instruction() const { return program->pass[next]; }

    /// Only one that executes its program once is ever done.
    [[nodiscard]] bool is_done() const { return next == program->pass.size(); }

    void find_ready() {
        ready = after_last;
        for (std::uint32_t waits = instruction().waits_for; waits != 0; waits &= waits - 1) {
            ready = std::max(ready, boards[static_cast<std::size_t>(std::countr_zero(waits))]);
        }
    }

    /// Its next instruction, if it is issued now.
    [[nodiscard]] bool follows_at_once(Cycle now) const {
        constexpr Cycle kAtOnce = 2;
        return now - issued <= kAtOnce;
    }

    void begin_run() {
        goes_on = true;
        run = 0;
        run_of = instruction().unit;
    }
    /// What is for other units makes room for `gives_back` more.
    void count_run(PassUnit unit, double gives_back) {
        run = unit == run_of ? run + 1 : std::max(0.0, run - gives_back);
    }
};

/// A load from global memory that has not left the SM.
struct LeavingLoad {
    Warp* warp = nullptr;
    std::size_t board = 0;
    double to_leave = 0;  ///< cycles
};

/// The pipes of a quarter of an SM, and its part of what the SM has one of: when each is free.
struct Pipes {
    Cycle light = 0;  ///< the half of the FMA pipe that multiplies floats alone
    Cycle heavy = 0;
    Cycle alu = 0;
    Cycle xu = 0;
    Cycle fp64 = 0;
    Cycle l1 = 0;
    std::vector<Cycle> l1_starts;  ///< of the last instructions for it, in a ring
    std::size_t oldest_start = 0;

    [[nodiscard]] bool l1_queue_has_room(Cycle now, std::size_t places) const {
        return l1_starts.size() < places || l1_starts[oldest_start] <= now;
    }
    void queue_for_l1(Cycle start, std::size_t places) {
        if (l1_starts.size() < places) {
            l1_starts.push_back(start);
            return;
        }
        l1_starts[oldest_start] = start;
        oldest_start = (oldest_start + 1) % places;
    }
};

/// From when on; its end becomes when the unit is free.
inline Cycle hold(Cycle& unit, Cycle now, double cycles) {
    const auto start = std::max(unit, now);
    unit = start + cycles;
    return start;
}

}  // namespace overcast
