#include "simulator/warps/warp_scheduler.hpp"

#include "simulator/warps/warp_state.hpp"

#include <algorithm>
#include <cstddef>
#include <random>

namespace overcast {
namespace {

constexpr Cycle kSettles = 2'000;
constexpr Cycle kWatched = 10'000;
/// A warp that starts and found no slot for so long will find none before it has waited longest.
/// Assumes: longer than the passes of those that leave some.
constexpr Cycle kPatience = 4'000;
constexpr double kMostWaits = 100;  // of the longest ones, until it has started
constexpr double kPipe = 2;         // cycles of 16 lanes for 32 threads
constexpr Cycle kFetched = 60;      // after a branch; Assumes: shorter than a pass that never waits
constexpr double kBranch = 6;       // of a branch back itself

class Scheduler {
public:
    Scheduler(std::span<const ScheduledBlock> blocks, const SchedulerParameters& parameters)
        : parameters_{parameters},
          l1_places_{static_cast<std::size_t>(std::max(1.0, parameters.memory_queue))},
          rates_(blocks.size(), 0.0) {
        for (std::size_t block = 0; block < blocks.size(); ++block) {
            for (std::uint32_t i = 0; i < blocks[block].warps; ++i) {
                add_warp(first_like(*blocks[block].program), block);
                warps_.back().next = random_() % warps_.back().program->pass.size();
            }
        }
    }

    std::vector<double> run() {
        run_until(kSettles + kWatched);
        for (auto& rate : rates_) {
            rate /= kWatched;
        }
        return rates_;
    }

    double start(const ScheduledBlock& starting) {
        const auto first = warps_.size();
        for (std::uint32_t i = 0; i < starting.warps; ++i) {
            add_warp(*starting.program, rates_.size());
            warps_.back().starts = true;
            warps_.back().ready = kNoCycle;
        }
        rates_.push_back(0);
        run_until(kSettles);
        starting_ = starting.warps;
        last_start_ = now_;
        for (auto i = first; i < warps_.size(); ++i) {
            warps_[i].ready = now_;
        }
        const auto most = kMostWaits * parameters_.longest_wait;
        while (starting_ > 0 && now_ + skipped_ - kSettles < most) {
            step();
            if (now_ - last_start_ > kPatience) {
                skip_wait();
            }
        }
        return std::min(now_ + skipped_ - kSettles, most);
    }

private:
    /// Two launches of a kernel are of one program, wherever each has it.
    const WarpProgram& first_like(const WarpProgram& program) const {
        const auto found = std::ranges::find_if(
            warps_, [&](const Warp& warp) { return *warp.program == program; });
        return found == warps_.end() ? program : *found->program;
    }

    void add_warp(const WarpProgram& program, std::size_t block) {
        Warp warp;
        warp.program = &program;
        warp.block = block;
        warps_.push_back(warp);
    }

    void run_until(Cycle end) {
        while (now_ < end) {
            step();
        }
    }

    void step() {
        auto* const warp = now_ < slot_free_ ? nullptr : choose();
        const bool in_a_row = warp != nullptr && warp == before_;
        before_ = warp;
        if (warp != nullptr) {
            issue(*warp);
        } else if (fetching_ == 0 && leaving_.empty()) {
            const auto ready = std::ranges::min_element(warps_, {}, &Warp::ready)->ready;
            now_ = std::max(now_, ready < kNoCycle ? ready - 1 : now_);
        }
        const auto come = in_a_row ? parameters_.share_in_a_row : 1;
        fetch(come);
        leave(come);
        now_ += 1;
    }

    /// Who issued last as long as it can go on (who starts only if it had waited longest), else of
    /// the oldest block with a warp that can, that which issued longest ago.
    Warp* choose() {
        if (auto* const starting = starting_ > 0 ? first_of_those_that_start() : nullptr) {
            return starting;
        }
        if (last_ != nullptr && !last_->starts && can_issue(*last_)) {
            return last_;
        }
        Warp* best = nullptr;
        for (auto& warp : warps_) {
            if (best != nullptr && warp.block != best->block) {
                break;
            }
            if (can_issue(warp) && (best == nullptr || warp.issued < best->issued)) {
                best = &warp;
            }
        }
        return fetching_ > 0 ? instead_of(best) : best;
    }

    /// Of the warps that start, one that must not wait any longer, or has not waited since it had
    /// to.
    Warp* first_of_those_that_start() {
        for (auto& warp : warps_) {
            if (!warp.starts || !can_issue(warp)) {
                continue;
            }
            if (now_ - warp.ready >= parameters_.longest_wait) {
                warp.begin_run();
                return &warp;
            }
            if (warp.goes_on && warp.follows_at_once(now_) && !run_is_over(warp) &&
                !(another_goes_on(warp) && by_chance(parameters_.run_lost))) {
                return &warp;
            }
        }
        return nullptr;
    }

    /// With an instruction for another unit than `starting` waits for.
    [[nodiscard]] bool another_goes_on(const Warp& starting) const {
        return last_ != nullptr && !last_->starts && can_issue(*last_) &&
               last_->instruction().unit != starting.instruction().unit;
    }

    /// What others want of a pipe, too, one that starts does not get in a longer run.
    [[nodiscard]] bool run_is_over(const Warp& warp) const {
        return warp.instruction().unit == warp.run_of && warp.run + 1 > parameters_.run_at_pipe;
    }

    /// Until one of them has waited longest everything goes on as it does.
    void skip_wait() {
        const auto waits = [this](const Warp& warp) { return warp.starts && warp.ready <= now_; };
        auto left = parameters_.longest_wait;
        for (const auto& warp : warps_) {
            left =
                waits(warp) ? std::min(left, warp.ready + parameters_.longest_wait - now_) : left;
        }
        left = std::max(left, 0.0);
        for (auto& warp : warps_) {
            warp.ready -= waits(warp) ? left : 0;
        }
        skipped_ += left;
        last_start_ = now_;
    }

    /// Where one warp ends its pass as another of its kernel has long waited for its instructions,
    /// these have come while the first issued its last ones: the other one goes on at once, unless
    /// `best` is of their kernel, too, or older and it is its turn.
    Warp* instead_of(Warp* best) {
        auto* const next = longest_without_instructions();
        if (next == nullptr || last_ == nullptr || last_->program != next->program ||
            last_->next != 0) {
            return best;
        }
        if (best != nullptr && best->program == next->program) {
            return best;
        }
        if (best != nullptr && best->block < next->block && !by_chance(parameters_.before_older)) {
            return best;
        }
        next->to_fetch = 0;
        --fetching_;
        return next;
    }

    Warp* longest_without_instructions() {
        Warp* found = nullptr;
        for (auto& warp : warps_) {
            if (warp.to_fetch > 0 && warp.issued + kFetched < now_ &&
                (found == nullptr || warp.issued < found->issued)) {
                found = &warp;
            }
        }
        return found;
    }

    [[nodiscard]] bool can_issue(const Warp& warp) const {
        if (warp.ready > now_ || warp.to_fetch > 0) {
            return false;
        }
        switch (warp.instruction().unit) {
            case PassUnit::fma: return std::min(pipes_.light, pipes_.heavy) <= now_;
            case PassUnit::fma_heavy: return pipes_.heavy <= now_;
            case PassUnit::alu: return pipes_.alu <= now_;
            case PassUnit::xu: return pipes_.xu <= now_ + parameters_.xu_ahead;
            case PassUnit::fp64: return pipes_.fp64 <= now_;
            case PassUnit::shared:
            case PassUnit::global: return pipes_.l1_queue_has_room(now_, l1_places_);
            case PassUnit::none: return !waits_for_what_it_asks(warp);
        }
        return true;
    }

    /// What a block asks for as it starts (its place in the grid, constants) comes by the queue of
    /// the L1, which lets it in unless reads make it long.
    [[nodiscard]] bool waits_for_what_it_asks(const Warp& warp) const {
        return warp.starts && warp.instruction().result < kScoreboards &&
               pipes_.l1 - now_ >= parameters_.long_queue &&
               !pipes_.l1_queue_has_room(now_, l1_places_);
    }

    void issue(Warp& warp) {
        const auto& instruction = warp.instruction();
        use(warp, instruction);
        if (warp.starts) {
            warp.count_run(instruction.unit, parameters_.run_given_back);
            last_start_ = now_;
        }
        if (by_chance(second_slot(instruction.unit))) {
            slot_free_ = now_ + 2;
        }
        rates_[warp.block] += now_ < kSettles ? 0 : 1;
        last_ = &warp;
        warp.issued = now_;
        warp.after_last = now_ + instruction.stall;
        if (++warp.next == warp.program->pass.size()) {
            if (warp.starts) {
                warp.ready = kNoCycle;
                --starting_;
                return;
            }
            warp.next = 0;
            warp.after_last = now_ + std::max<double>(instruction.stall, kBranch);
            warp.to_fetch = parameters_.loop_end - kBranch;
            ++fetching_;
        }
        warp.find_ready();
    }

    void use(Warp& warp, const PassInstruction& instruction) {
        auto read = now_;
        auto result = now_;
        switch (instruction.unit) {
            case PassUnit::fma:
                hold(pipes_.light <= now_ ? pipes_.light : pipes_.heavy, now_, kPipe);
                break;
            case PassUnit::fma_heavy: hold(pipes_.heavy, now_, kPipe); break;
            case PassUnit::alu: hold(pipes_.alu, now_, kPipe); break;
            case PassUnit::fp64: hold(pipes_.fp64, now_, kPipe); break;
            case PassUnit::xu:
                read = hold(pipes_.xu, now_, parameters_.xu_cycles);
                result = read + parameters_.xu_latency;
                break;
            case PassUnit::shared:
            case PassUnit::global:
                read = hold(pipes_.l1, now_, parameters_.word_cycles * instruction.words);
                pipes_.queue_for_l1(read, l1_places_);
                result = pipes_.l1 - parameters_.word_cycles + parameters_.shared_latency;
                break;
            case PassUnit::none: break;
        }
        if (instruction.unit == PassUnit::global && instruction.result < kScoreboards) {
            result = kNoCycle;
            leaving_.push_back({&warp, instruction.result, parameters_.load_leaves});
        }
        hold_board(warp, instruction.result, result);
        hold_board(warp, instruction.operands, read);
    }

    static void hold_board(Warp& warp, std::uint8_t board, Cycle until) {
        if (board < kScoreboards) {
            warp.boards[board] = until;
        }
    }

    [[nodiscard]] double second_slot(PassUnit unit) const {
        switch (unit) {
            case PassUnit::xu: return parameters_.xu_second_slot;
            case PassUnit::shared:
            case PassUnit::global: return parameters_.memory_second_slot;
            default: return 0;
        }
    }

    void fetch(double come) {
        if (fetching_ == 0) {
            return;
        }
        for (auto& warp : warps_) {
            if (warp.to_fetch > 0 && now_ >= warp.after_last && by_chance(come)) {
                warp.to_fetch -= 1;
                fetching_ -= warp.to_fetch <= 0 ? 1 : 0;
            }
        }
    }

    void leave(double come) {
        for (std::size_t i = 0; i < leaving_.size();) {
            auto& load = leaving_[i];
            load.to_leave -= come;
            if (load.to_leave > 0) {
                ++i;
                continue;
            }
            load.warp->boards[load.board] = now_ + load.warp->program->load_cycles;
            if (!load.warp->is_done()) {
                load.warp->find_ready();
            }
            leaving_[i] = leaving_.back();
            leaving_.pop_back();
        }
    }

    bool by_chance(double share) {
        constexpr double kRange = 65'536;
        return share >= 1 ||
               (share > 0 && static_cast<double>(random_() % 65'536) < share * kRange);
    }

    SchedulerParameters parameters_;
    std::size_t l1_places_;
    std::minstd_rand random_;
    std::vector<Warp> warps_;
    std::vector<LeavingLoad> leaving_;
    std::vector<double> rates_;
    Pipes pipes_;
    Cycle now_ = 0;
    Cycle slot_free_ = 0;
    Cycle last_start_ = 0;        ///< when a warp that starts last issued
    double skipped_ = 0;          ///< cycles in which such warps wait, and others do as before
    std::uint32_t starting_ = 0;  ///< such warps
    int fetching_ = 0;            ///< warps whose next instruction is not here
    Warp* last_ = nullptr;        ///< that issued
    Warp* before_ = nullptr;      ///< that issued in the cycle before
};

}  // namespace

std::vector<double> issue_rates(std::span<const ScheduledBlock> blocks,
                                const SchedulerParameters& parameters) {
    return Scheduler{blocks, parameters}.run();
}

double cycles_to_start(std::span<const ScheduledBlock> others, const ScheduledBlock& starting,
                       const SchedulerParameters& parameters) {
    return Scheduler{others, parameters}.start(starting);
}

}  // namespace overcast
