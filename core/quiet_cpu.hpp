// Keeps a thread that measures host time on a CPU that nothing else disturbs.
#pragma once

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <vector>

namespace overcast {

/// On shared machines a CPU shares its core with others' work, and calls of the driver then take up
/// to half as long again, for seconds at a time. A loop that keeps the core's arithmetic units busy
/// shows it: a loop of dependent operations does not.
class QuietCpu {
public:
    /// Moves the calling thread to the allowed CPU on which the loop runs fastest now. It is not
    /// bound to it, because threads that it starts later would have to share that CPU. Where it may
    /// not move it stays.
    void settle() {
        int best = -1;
        Clock::duration least = Clock::duration::max();
        visit_cpus([&](int cpu) {
            const auto took = time_loop();
            if (took < least) {
                least = took;
                best = cpu;
            }
        });
        if (best >= 0) {
            move_to(best);
        }
        allow_all();
    }

    /// How long the loop takes now on each allowed CPU, the best of three; empty where the thread
    /// may not move.
    std::vector<std::chrono::nanoseconds> survey() {
        std::vector<std::chrono::nanoseconds> times;
        visit_cpus([&](int) {
            times.emplace_back(std::min({time_loop(), time_loop(), time_loop()}));
        });
        allow_all();
        return times;
    }

    /// True if the loop now takes at least 6 % longer than the fastest that this object has seen.
    bool disturbed() { return time_loop() > fastest_ + fastest_ * 6 / 100; }

private:
    using Clock = std::chrono::steady_clock;

    /// `visit(cpu)` on each allowed CPU.
    template <typename Visit>
    void visit_cpus(Visit visit) {
        if (!known_) {
            known_ = sched_getaffinity(0, sizeof allowed_, &allowed_) == 0;
        }
        for (int cpu = 0; known_ && cpu < CPU_SETSIZE; ++cpu) {
            if (CPU_ISSET(static_cast<std::size_t>(cpu), &allowed_) && move_to(cpu)) {
                visit(cpu);
            }
        }
    }

    void allow_all() const {
        if (known_) {
            sched_setaffinity(0, sizeof allowed_, &allowed_);
        }
    }

    static bool move_to(int cpu) {
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(static_cast<std::size_t>(cpu), &one);
        return sched_setaffinity(0, sizeof one, &one) == 0;
    }

    /// About 16 us; the first rounds, which are not timed, wake the CPU up.
    Clock::duration time_loop() {
        run_loop(500);
        const auto start = Clock::now();
        run_loop(5000);
        const auto took = Clock::now() - start;
        fastest_ = std::min(fastest_, took);
        return took;
    }

    /// Eight independent chains: bound by how many operations the core begins in a cycle.
    void run_loop(int rounds) {
        std::uint32_t chains[8] = {1, 2, 3, 4, 5, 6, 7, 8};
        for (int i = 0; i < rounds; ++i) {
            for (auto& chain : chains) {
                chain = chain * 5 + 3;
                chain ^= chain >> 7;
            }
        }
        for (const auto chain : chains) {
            result_ = result_ ^ chain;
        }
    }

    cpu_set_t allowed_{};
    bool known_ = false;
    Clock::duration fastest_ = std::chrono::hours{1};
    volatile std::uint32_t result_ = 0;
};

}  // namespace overcast
