#include "simulator/warps/warp_scheduler.hpp"

#include "simulator/warps/warp_state.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>

namespace overcast {
namespace {

constexpr unsigned kSettles = 2'000;
constexpr Cycle kWatched = 10'000;
/// A warp that starts and found no slot for so long will find none before it has waited longest.
/// Assumes: longer than the passes of those that leave some.
constexpr Cycle kPatience = 4'000;
constexpr double kMostWaits = 100;  // of the longest ones, until it has started
constexpr Cycle kFetched = 60;      // after a branch; Assumes: shorter than a pass that never waits
constexpr double kBranch = 6;       // of a branch back itself

/// A pass is kept without what its instructions are. Observed: branches take five or six cycles.
bool is_branch(const PassInstruction& instruction) {
    return instruction.unit == PassUnit::none && (instruction.stall == 5 || instruction.stall == 6);
}

class Scheduler {
public:
    /// All blocks are in their loops but that at `once`, if it is one.
    Scheduler(std::span<const ScheduledBlock> blocks, const SchedulerParameters& parameters,
              std::size_t once = SIZE_MAX)
        : parameters_{parameters}, pipes_{parameters}, rates_(blocks.size(), 0.0) {
        for (std::size_t block = 0; block < blocks.size(); ++block) {
            for (std::uint32_t i = 0; i < blocks[block].warps; ++i) {
                add_warp(first_like(*blocks[block].program), block);
                if (block == once) {
                    warps_.back().starts = true;
                    warps_.back().ready = kNoCycle;
                    ++starting_;
                } else {
                    come_at_any_time(warps_.back());
                }
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

    double run_once() {
        run_until(kSettles);
        last_start_ = now_;
        for (auto& warp : warps_) {
            warp.ready = warp.starts ? now_ : warp.ready;
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

    /// Who is in its loop has come there by its turns.
    void come_at_any_time(Warp& warp) {
        warp.next = random_() % warp.program->pass.size();
        warp.ready = static_cast<Cycle>(random_() % (kSettles / 2));
        warp.arrives = true;
        warp.turn = true;
    }

    void run_until(Cycle end) {
        while (now_ < end) {
            step();
        }
    }

    void step() {
        auto* const warp = now_ < slot_free_ ? nullptr : choose();
        in_a_row_ = warp != nullptr && warp == before_;
        before_ = warp;
        if (warp != nullptr) {
            issue(*warp);
        } else if (fetching_ == 0 && leaving_.empty()) {
            const auto ready = std::ranges::min_element(warps_, {}, &Warp::ready)->ready;
            now_ = std::max(now_, ready < kNoCycle ? ready - 1 : now_);
        }
        const auto come = in_a_row_ ? parameters_.share_in_a_row : 1;
        fetch(come);
        leave(come);
        now_ += 1;
    }

    /// Who has waited longest, or has its turn, or issued last as long as it can go on, else of the
    /// oldest block with a warp that can, that which issued longest ago.
    Warp* choose() {
        if (auto* const next = starting_ > 0 ? who_waited_longest() : nullptr) {
            return next;
        }
        if (auto* const next = who_has_its_turn()) {
            return next;
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

    Warp* who_waited_longest() {
        for (auto& warp : warps_) {
            if (warp.starts && can_issue(warp) && now_ - warp.ready >= parameters_.longest_wait) {
                warp.waited = true;
                return &warp;
            }
        }
        return nullptr;
    }

    /// The youngest whose instruction has just come, or comes right behind its last one.
    Warp* who_has_its_turn() {
        if (now_ < next_turn_) {
            return nullptr;
        }
        next_turn_ = kNoCycle;
        for (auto i = warps_.size(); i-- > 0;) {
            auto& warp = warps_[i];
            if (!warp.turn) {
                continue;
            }
            if (warp.ready > now_ || warp.to_fetch > 0) {
                next_turn_ = std::min(next_turn_, std::max(warp.ready, now_ + 1));
                continue;
            }
            warp.turn = now_ <= end_of_turn(warp);
            next_turn_ = warp.turn ? now_ + 1 : next_turn_;
            if (warp.turn && can_issue(warp) && !run_is_over(warp) && !another_goes_on(warp)) {
                return &warp;
            }
        }
        return nullptr;
    }

    /// Those that start do not take it from each other, and who comes to its loop does not lose it.
    [[nodiscard]] Cycle end_of_turn(const Warp& warp) const {
        if (warp.issued < 0) {
            return kNoCycle;
        }
        const auto end = warp.ready + kPipe - 1;  // if that is held just then
        return warp.starts ? std::max(end, last_start_ + kPipe) : end;
    }

    /// Nobody takes from others in a longer run: one less where somebody has an instruction for
    /// another unit than the ALU.
    [[nodiscard]] bool run_is_over(const Warp& warp) const {
        const auto left = parameters_.run_at_pipe - warp.run;
        return takes_from_others(warp) && (left < 1 || (left < 2 && another_could_issue(warp)));
    }

    /// The ALU, or the slot where somebody issued in the cycle before.
    [[nodiscard]] bool takes_from_others(const Warp& warp) const {
        return warp.instruction().unit == PassUnit::alu ||
               (now_ - warp.issued > 1 && another_could_issue(warp));
    }

    [[nodiscard]] bool another_could_issue(const Warp& than) const {
        return std::ranges::any_of(warps_, [&](const Warp& warp) {
            return &warp != &than && !warp.starts && warp.instruction().unit != PassUnit::alu &&
                   can_issue(warp);
        });
    }

    /// Who never waits goes on, unless what comes right behind comes to the slot first.
    bool another_goes_on(const Warp& warp) {
        const auto is_for_alu = [](const Warp& any) {
            return any.instruction().unit == PassUnit::alu;
        };
        const bool can = last_ != nullptr && last_ != &warp && !last_->starts &&
                         can_issue(*last_) && !(is_for_alu(*last_) && is_for_alu(warp));
        return can && (warp.arrives ? in_a_row_ : by_chance(parameters_.run_lost));
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
        return pipes_.can_take(warp.instruction().unit, now_) && !waits_for_what_it_asks(warp);
    }

    /// What a block asks for as it starts (its place in the grid) comes by the queue of the L1,
    /// which lets it in unless reads make it long.
    [[nodiscard]] bool waits_for_what_it_asks(const Warp& warp) const {
        const auto& instruction = warp.instruction();
        return warp.program->begins && instruction.unit == PassUnit::none &&
               instruction.result < kScoreboards && pipes_.has_a_long_queue(now_);
    }

    void issue(Warp& warp) {
        const auto& instruction = warp.instruction();
        count_run(warp);
        use(warp, instruction);
        if (warp.starts) {
            last_start_ = now_;
        }
        if (by_chance(pipes_.second_slot(instruction.unit))) {
            slot_free_ = now_ + 2;
        }
        rates_[warp.block] += now_ < kSettles ? 0 : 1;
        last_ = &warp;
        warp.issued = now_;
        warp.after_last = now_ + instruction.stall;
        auto fetched = is_branch(instruction);
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
            fetched = true;
        }
        find_ready(warp, fetched);
    }

    void find_ready(Warp& warp, bool fetched) {
        warp.find_ready(fetched);
        if (warp.turn) {
            next_turn_ = std::min(next_turn_, warp.ready);
        }
    }

    void count_run(Warp& warp) const {
        if (warp.arrives || !warp.turn) {
            warp.run = 0;
        }
        warp.run = takes_from_others(warp) ? warp.run + 1
                                           : std::max(0.0, warp.run - parameters_.run_given_back);
    }

    void use(Warp& warp, const PassInstruction& instruction) {
        auto [read, result] = pipes_.take(instruction, now_);
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

    void fetch(double come) {
        if (fetching_ == 0) {
            return;
        }
        for (auto& warp : warps_) {
            if (warp.to_fetch > 0 && now_ >= warp.after_last && by_chance(come)) {
                warp.to_fetch -= 1;
                if (warp.to_fetch <= 0) {
                    --fetching_;
                    warp.ready = std::max(warp.ready, now_ + 1);
                }
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
                find_ready(*load.warp, false);
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
    Pipes pipes_;
    std::minstd_rand random_;
    std::vector<Warp> warps_;
    std::vector<LeavingLoad> leaving_;
    std::vector<double> rates_;
    Cycle now_ = 0;
    Cycle slot_free_ = 0;
    Cycle last_start_ = 0;        ///< when a warp that starts last issued
    double skipped_ = 0;          ///< cycles in which such warps wait, and others do as before
    std::uint32_t starting_ = 0;  ///< such warps
    int fetching_ = 0;            ///< warps whose next instruction is not here
    Warp* last_ = nullptr;        ///< that issued
    Warp* before_ = nullptr;      ///< that issued in the cycle before
    Cycle next_turn_ = 0;         ///< before which nobody has its turn
    bool in_a_row_ = false;       ///< and in that before it, too
};

}  // namespace

std::vector<double> issue_rates(std::span<const ScheduledBlock> blocks,
                                const SchedulerParameters& parameters) {
    return Scheduler{blocks, parameters}.run();
}

double cycles_to_run(std::span<const ScheduledBlock> blocks, std::size_t once,
                     const SchedulerParameters& parameters) {
    return Scheduler{blocks, parameters, once}.run_once();
}

}  // namespace overcast
