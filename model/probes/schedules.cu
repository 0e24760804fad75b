// Probe: how the schedulers of an SM share their issue slots and pipes among warps. Two kernels, of
// sixteen kinds of loops (schedule_loops.cuh), start one right after the other with some blocks on
// every SM each. All warps wait until 40 us after the start of the older one, so that they begin
// together, and are watched from 60 to 260 us. For docs/model.md#the-schedulers-of-an-sm, whose
// figures it gives; `calibrate` does not read it.
//   text schedules OLDER BLOCKSxTHREADS YOUNGER BLOCKSxTHREADS | RATES | RATES
// Blocks are those of one SM. First the rates of the older kernel's warps, then those of the
// younger's: rounds per million cycles of a warp, mean of its place over all SMs and schedulers.
// Places of a kernel go by the block (in order of their number on the SM) and in it by the warp: of
// each four in a row every scheduler has one. A round is the number of passes that the table below
// says for the kind. `-`: these warps did not fit beside the others, or began too late. The younger
// one is `- 0x0` where the older one is alone.
//   fma1 to fma4    one to four chains of multiply-adds
//   mix42, mix61    four and two, six and one, chains of multiply-adds and of integers
//   int1 to int3    one to three chains of shifts, additions and logic
//   sine, root      a chain of sines; two of roots and powers
//   lds1, lds4      loads of a word and of 16 bytes per thread from the shared memory
//   l2x4, l2x1      loads of 16 bytes per thread from the L2, four at once and one
//   chase           a chain of loads from the L2
#include "model/probes/probe.cuh"
#include "model/probes/probes.hpp"
#include "model/probes/schedule_loops.cuh"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <map>
#include <string>
#include <vector>

namespace overcast::probes {
namespace {

constexpr unsigned kMostThreads = 1024;
constexpr unsigned kWarpThreads = 32;
constexpr unsigned kSchedulers = 4;
constexpr unsigned long long kBeginNs = 40'000;  // from the start of the older kernel on
constexpr unsigned long long kFromNs = 60'000;
constexpr unsigned long long kToNs = 260'000;
constexpr unsigned kNapNs = 500;
constexpr unsigned long long kLongAgoNs = 1'000'000;
constexpr unsigned long long kNotYet = ~0ULL;
constexpr int kSharedPercent = 60;  // of what the L1 and the shared memory have together

/// What was seen of a warp from kFromNs to kToNs.
struct Watched {
    unsigned block, warp;  ///< of the kernel, of the block
    unsigned sm;
    unsigned rounds;
    long long cycles;
};

struct Plan {
    unsigned long long from, to;  ///< kFromNs, kToNs
    unsigned long long* start;    ///< %globaltimer; the older kernel sets it
    unsigned long long* begins;   ///< likewise, of each block
    double cycles_per_ns;
    unsigned passes;  ///< of a round
    unsigned shared_words;
    bool older;
};

/// Stays where it is among a loop's runs.
__device__ long long cycle() {
    long long now = 0;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(now)::"memory");
    return now;
}

/// A pair of looks at the clocks.
struct Now {
    unsigned long long nanoseconds;
    long long cycle;
    double cycles_per_ns;

    /// The cycle in which it is so late.
    __device__ long long at(unsigned long long later) const {
        const auto away = static_cast<long long>(later) - static_cast<long long>(nanoseconds);
        return cycle + static_cast<long long>(static_cast<double>(away) * cycles_per_ns);
    }
};

/// When the older kernel started; now if that is not known, or long ago.
__device__ unsigned long long start_of(const Plan& plan) {
    const auto start = *static_cast<volatile unsigned long long*>(plan.start);
    if (start == kNotYet || start + kLongAgoNs < globaltimer()) {
        return globaltimer();
    }
    return start;
}

/// The registers of a loop's passes, and with them the order of its instructions, depend on what
/// surrounds them: figures in docs/model.md are of this text (nvcc 13.0, sm_90).
template <typename Loop>
__global__ void __launch_bounds__(kMostThreads)
    run_loop(Plan plan, const char* memory, Watched* watched, unsigned* results) {
    if (threadIdx.x == 0) {
        const auto begin = globaltimer();
        if (plan.older) {
            atomicMin(plan.start, begin);
        }
        plan.begins[blockIdx.x] = begin;
    }
    for (unsigned i = threadIdx.x; i < plan.shared_words; i += blockDim.x) {
        schedule_table[i] = i * 2654435761U;
    }
    Loop loop;
    loop.begin(blockIdx.x * blockDim.x + threadIdx.x, memory);
    __syncthreads();
    const auto start = start_of(plan);
    const Now now{globaltimer(), cycle(), plan.cycles_per_ns};
    const auto from = now.at(start + plan.from);
    const auto to = now.at(start + plan.to);
    const auto begin = now.at(start + kBeginNs);
    while (cycle() < begin) {
        __nanosleep(kNapNs);
    }
    unsigned rounds = 0;
    unsigned rounds_before = 0;
    long long first = 0;
    long long last = 0;
    for (;;) {
        loop.run(plan.passes);
        ++rounds;
        last = cycle();
        if (first == 0 && last >= from) {
            first = last;
            rounds_before = rounds;
        }
        if (last >= to) {
            break;
        }
    }
    results[blockIdx.x * blockDim.x + threadIdx.x] = loop.result();
    if (threadIdx.x % kWarpThreads == 0) {
        const auto warp = threadIdx.x / kWarpThreads;
        watched[blockIdx.x * (blockDim.x / kWarpThreads) + warp] = {
            blockIdx.x, warp, multiprocessor(), rounds - rounds_before, last - first};
    }
}

struct Kind {
    const char* name;
    void (*kernel)(Plan, const char*, Watched*, unsigned*);
    unsigned passes;  // of a round
    unsigned shared_words = kScheduleWords;

    std::size_t shared_bytes() const { return shared_words * sizeof(std::uint32_t); }
};

constexpr Kind kKinds[] = {
    {"fma1", run_loop<MultiplyAdds<1, 16>>, 32},
    {"fma2", run_loop<MultiplyAdds<2, 16>>, 32},
    {"fma3", run_loop<MultiplyAdds<3, 12>>, 48},
    {"fma4", run_loop<MultiplyAdds<4, 8>>, 64},
    {"mix42", run_loop<Mix<4, 2>>, 64},
    {"mix61", run_loop<Mix<6, 1>>, 64},
    {"int1", run_loop<Integers<1>>, 64},
    {"int2", run_loop<Integers<2>>, 64},
    {"int3", run_loop<Integers<3>>, 32},
    {"sine", run_loop<Sines>, 12},
    {"root", run_loop<Roots>, 24},
    {"lds1", run_loop<SharedLoads<1>>, 48, SharedLoads<1>::kTable},
    {"lds4", run_loop<SharedLoads<4>>, 32, SharedLoads<4>::kTable},
    {"l2x4", run_loop<Stream<4>>, 8},
    {"l2x1", run_loop<Stream<1>>, 16},
    {"chase", run_loop<Chase>, 2},
};

/// On every SM.
struct Shape {
    unsigned blocks, threads;

    unsigned warps_of_block() const { return threads / kWarpThreads; }
};

constexpr Shape kOlder[] = {{1, 128}, {2, 128}, {4, 128}, {2, 256},
                            {1, 512}, {4, 256}, {2, 512}, {3, 512}};
constexpr Shape kYounger[] = {{1, 128}, {1, 512}};

struct Work {
    const Kind* kind;
    Shape shape;
};

/// Each word for a chase says where the next one is.
void link_words(const Buffers& memory) {
    constexpr unsigned kApart = 8;  // words: a sector
    constexpr unsigned kLinks = kScheduleBytes / sizeof(std::uint32_t) / kApart;
    std::memset(memory.pinned(), 0, kScheduleBytes);
    auto* const words = reinterpret_cast<std::uint32_t*>(memory.pinned());
    for (unsigned i = 0; i < kLinks; ++i) {
        words[i * kApart] = (i * 1237U + 7919U) % kLinks * kApart;
    }
    memory.h2d(kScheduleBytes, nullptr);
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
}

/// Rows on the device that a launch fills.
template <typename Row>
class Rows {
public:
    explicit Rows(std::size_t most) : buffer_(most * sizeof(Row)) {}

    Row* device() const { return reinterpret_cast<Row*>(buffer_.device()); }
    std::vector<Row> first(std::size_t count) const {
        std::vector<Row> rows(count);
        check(cudaMemcpy(rows.data(), device(), count * sizeof(Row), cudaMemcpyDeviceToHost),
              "cudaMemcpy to the host");
        return rows;
    }

private:
    Buffers buffer_;
};

/// One of the two kernels: its stream, and what it reads and writes.
class Side {
public:
    Side(unsigned processors, bool older)
        : processors_(processors),
          older_(older),
          begins_(processors * kMostWarps),
          watched_(processors * kMostWarps),
          results_(processors * kMostWarps * kWarpThreads),
          memory_(kScheduleBytes) {
        link_words(memory_);
    }

    void launch(const Work& work, unsigned long long* start) const {
        const auto& kind = *work.kind;
        const Plan plan{kFromNs,           kToNs,          start,
                        begins_.device(),  cycles_per_ns_, kind.passes,
                        kind.shared_words, older_};
        kind.kernel<<<work.shape.blocks * processors_, work.shape.threads, kind.shared_bytes(),
                      streams_[0]>>>(plan, memory_.device(), watched_.device(), results_.device());
        check(cudaGetLastError(), "launch");
    }

    /// Of the places, as words.
    std::string rates(const Shape& shape, unsigned long long start) const {
        const bool in_time = all_in_time(shape, start);
        std::string words;
        for (const auto rate : rates_of_places(shape)) {
            char word[32] = " -";
            if (in_time) {
                std::snprintf(word, sizeof(word), " %.2f", rate);
            }
            words += word;
        }
        return words;
    }

private:
    static constexpr unsigned kMostWarps = 64;  // of an SM

    bool all_in_time(const Shape& shape, unsigned long long start) const {
        return std::ranges::max(begins_.first(shape.blocks * processors_)) < start + kBeginNs;
    }

    std::vector<double> rates_of_places(const Shape& shape) const {
        const auto warps = shape.warps_of_block();
        const auto places = warps / kSchedulers;  // of a block
        std::vector<double> sums(shape.blocks * places);
        std::vector<unsigned> counts(sums.size());
        std::map<unsigned, unsigned> warps_seen;  // by SM
        for (const auto& seen : watched_.first(processors_ * shape.blocks * warps)) {
            const auto block = warps_seen[seen.sm]++ / warps;  // of those of the SM
            if (block < shape.blocks) {
                const auto place = block * places + seen.warp / kSchedulers;
                sums[place] += seen.cycles > 0 ? 1e6 * seen.rounds / seen.cycles : 0;
                ++counts[place];
            }
        }
        for (std::size_t i = 0; i < sums.size(); ++i) {
            sums[i] /= std::max(counts[i], 1U);
        }
        return sums;
    }

    unsigned processors_;
    bool older_;
    double cycles_per_ns_ = attribute(cudaDevAttrClockRate) / 1e6;
    Rows<unsigned long long> begins_;
    Rows<Watched> watched_;
    Rows<unsigned> results_;
    Buffers memory_;
    Streams streams_{1};
};

std::string words_of(const Work& work) {
    char words[64] = "";
    std::snprintf(words, sizeof(words), "%s %ux%u", work.kind->name, work.shape.blocks,
                  work.shape.threads);
    return words;
}

class Pair {
public:
    /// `younger`: none, or what starts beside. A row of what is printed.
    std::string run(const Work& older, const Work* younger) const {
        check(cudaMemset(start_.device(), 0xff, sizeof(kNotYet)), "cudaMemset");
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        older_.launch(older, start_.device());
        if (younger != nullptr) {
            younger_.launch(*younger, start_.device());
        }
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        const auto start = start_.first(1).front();
        const auto kinds = words_of(older);
        const auto rates = older_.rates(older.shape, start);
        if (younger == nullptr) {
            return kinds + " - 0x0 |" + rates;
        }
        return kinds + " " + words_of(*younger) + " |" + rates + " |" +
               younger_.rates(younger->shape, start);
    }

private:
    unsigned processors_ = static_cast<unsigned>(attribute(cudaDevAttrMultiProcessorCount));
    Rows<unsigned long long> start_{1};
    Side older_{processors_, true};
    Side younger_{processors_, false};
};

void run_beside_all(const Pair& pair, const Work& older) {
    text("schedules", pair.run(older, nullptr).c_str());
    for (const auto& kind : kKinds) {
        for (const auto& shape : kYounger) {
            const Work younger{&kind, shape};
            text("schedules", pair.run(older, &younger).c_str());
        }
    }
}

void set_shared_memory(const Kind& kind) {
    check(cudaFuncSetAttribute(kind.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(kind.shared_bytes())),
          "cudaFuncSetAttribute");
    check(cudaFuncSetAttribute(kind.kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                               kSharedPercent),
          "cudaFuncSetAttribute");
}

}  // namespace

void probe_schedules(const Options& options) {
    const Pair pair;
    std::vector<Work> older;
    for (const auto& kind : kKinds) {
        set_shared_memory(kind);
        for (std::size_t i = 0; i < std::size(kOlder); i += options.of(1, 3)) {
            older.push_back({&kind, kOlder[i]});
        }
    }
    for (const auto& work : older) {
        pair.run(work, nullptr);  // until the device is at its speed
    }
    for (const auto& work : older) {
        run_beside_all(pair, work);
    }
}

}  // namespace overcast::probes
