// Rounds of calls timed on the host's clock, while nothing else slows the CPU.
#pragma once

#include "core/quiet_cpu.hpp"
#include "model/probes/probe.cuh"

namespace overcast::probes {

/// How often calls are timed.
struct QuietRounds {
    int rounds;          ///< that count; two before them warm up
    int calls;           ///< of one round: far fewer than the launch queue holds
    int most_disturbed;  ///< rounds made again because the host's other work slowed them down
};

/// One `sample` a round: mean time of `call(step)` after `prepare()`, which is not timed. The
/// device is idle before; what `prepare` leaves there the calls find unfinished.
template <typename Call, typename Prepare>
void sample_calls_after(Prepare prepare, const char* quantity, double x, const QuietRounds& of,
                        Call call) {
    QuietCpu cpu;
    cpu.settle();
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    int disturbed = 0;
    for (int round = -2; round < of.rounds; ++round) {
        if (cpu.disturbed()) {
            cpu.settle();
        }
        prepare();
        const auto start = Clock::now();
        for (int step = 0; step < of.calls; ++step) {
            call(step);
        }
        const double took = nanoseconds_since(start);
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        if (round >= 0 && disturbed < of.most_disturbed && cpu.disturbed()) {
            ++disturbed;
            --round;
        } else if (round >= 0) {
            sample(quantity, x, took / of.calls);
        }
    }
}

template <typename Call>
void sample_calls(const char* quantity, double x, const QuietRounds& of, Call call) {
    sample_calls_after([] {}, quantity, x, of, call);
}

}  // namespace overcast::probes
