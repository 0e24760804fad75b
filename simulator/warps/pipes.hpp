// The pipes of a quarter of an SM, and its part of what the SM has one of.
#pragma once

#include "core/kernel_pass.hpp"
#include "model/scheduler_parameters.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace overcast {

using Cycle = double;
inline constexpr Cycle kNoCycle = std::numeric_limits<double>::infinity();  ///< it does not come
inline constexpr Cycle kPipe = 2;  // of 16 lanes for 32 threads

/// Until when the operands of an instruction and its result are waited for.
struct Uses {
    Cycle read = 0;
    Cycle result = 0;
};

class Pipes {
public:
    explicit Pipes(const SchedulerParameters& parameters)
        : parameters_{parameters},
          places_{static_cast<std::size_t>(std::max(1.0, parameters.memory_queue))} {}

    /// Nothing but the slot is asked for by what has no unit.
    [[nodiscard]] bool can_take(PassUnit unit, Cycle now) const {
        switch (unit) {
            case PassUnit::fma: return std::min(light_, heavy_) <= now;
            case PassUnit::fma_heavy: return heavy_ <= now;
            case PassUnit::alu: return alu_ <= now;
            case PassUnit::xu: return xu_ <= now + parameters_.xu_ahead;
            case PassUnit::fp64: return fp64_ <= now;
            case PassUnit::shared:
            case PassUnit::global: return l1_has_room(now);
            case PassUnit::none: break;
        }
        return true;
    }

    Uses take(const PassInstruction& instruction, Cycle now) {
        switch (instruction.unit) {
            case PassUnit::fma: hold(light_ <= now ? light_ : heavy_, now, kPipe); break;
            case PassUnit::fma_heavy: hold(heavy_, now, kPipe); break;
            case PassUnit::alu: hold(alu_, now, kPipe); break;
            case PassUnit::fp64: hold(fp64_, now, kPipe); break;
            case PassUnit::xu: {
                const auto read = hold(xu_, now, parameters_.xu_cycles);
                return {read, read + parameters_.xu_latency};
            }
            case PassUnit::shared:
            case PassUnit::global: {
                const auto read = hold(l1_, now, parameters_.word_cycles * instruction.words);
                wait_for_l1(read);
                return {read, l1_ - parameters_.word_cycles + parameters_.shared_latency};
            }
            case PassUnit::none: return {now, now + kAskedCycles};
        }
        return {now, now};
    }

    /// Where the queue to the L1 is full, and it has long to do.
    [[nodiscard]] bool has_a_long_queue(Cycle now) const {
        return l1_ - now >= parameters_.long_queue && !l1_has_room(now);
    }

    /// How often an instruction holds the issue slot of the next cycle, too.
    [[nodiscard]] double second_slot(PassUnit unit) const {
        switch (unit) {
            case PassUnit::xu: return parameters_.xu_second_slot;
            case PassUnit::shared:
            case PassUnit::global: return parameters_.memory_second_slot;
            default: return 0;
        }
    }

private:
    /// From when on; its end becomes when the unit is free.
    static Cycle hold(Cycle& unit, Cycle now, double cycles) {
        const auto start = std::max(unit, now);
        unit = start + cycles;
        return start;
    }

    [[nodiscard]] bool l1_has_room(Cycle now) const {
        return l1_starts_.size() < places_ || l1_starts_[oldest_start_] <= now;
    }
    void wait_for_l1(Cycle start) {
        if (l1_starts_.size() < places_) {
            l1_starts_.push_back(start);
            return;
        }
        l1_starts_[oldest_start_] = start;
        oldest_start_ = (oldest_start_ + 1) % places_;
    }

    SchedulerParameters parameters_;
    std::size_t places_;
    // When each is free:
    Cycle light_ = 0;  ///< the half of the FMA pipe that multiplies floats alone
    Cycle heavy_ = 0;
    Cycle alu_ = 0;
    Cycle xu_ = 0;
    Cycle fp64_ = 0;
    Cycle l1_ = 0;
    std::vector<Cycle> l1_starts_;  ///< of the last instructions for it, in a ring
    std::size_t oldest_start_ = 0;
};

}  // namespace overcast
