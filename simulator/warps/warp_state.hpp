// What a scheduler knows of its warps.
#pragma once

#include "simulator/warps/pipes.hpp"
#include "simulator/warps/warp_scheduler.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace overcast {

struct Warp {
    const WarpProgram* program = nullptr;
    std::size_t block = 0;
    std::size_t next = 0;  ///< instruction
    Cycle after_last = 0;  ///< when that may be issued at the earliest
    Cycle ready = 0;       ///< and when what it waits for is there, too
    Cycle issued = -1;     ///< when the last one was; -1: none
    double to_fetch = 0;   ///< cycles until it is here
    std::array<Cycle, kScoreboards> boards{};
    bool arrives = false;  ///< its instruction had to wait for a result, or came behind a branch
    bool turn = false;     ///< it goes before others
    double run = 0;        ///< instructions by which it took from others, less those between them
    // Of one that executes its program once:
    bool starts = false;
    bool waited = false;  ///< as long as any

    [[nodiscard]] const PassInstruction& instruction() const { return program->pass[next]; }

    /// Only one that executes its program once is ever done.
    [[nodiscard]] bool is_done() const { return next == program->pass.size(); }

    /// `fetched`: behind a branch.
    void find_ready(bool fetched) {
        ready = after_last;
        for (std::uint32_t waits = instruction().waits_for; waits != 0; waits &= waits - 1) {
            ready = std::max(ready, boards[static_cast<std::size_t>(std::countr_zero(waits))]);
        }
        arrives = fetched || ready > after_last;
        const bool at_once = ready - issued <= kPipe;
        turn = (arrives || at_once) && (waited || !starts);
    }
};

/// A load from global memory that has not left the SM.
struct LeavingLoad {
    Warp* warp = nullptr;
    std::size_t board = 0;
    double to_leave = 0;  ///< cycles
};

}  // namespace overcast
