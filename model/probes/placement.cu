// Probe: which SMs take the blocks of three kernels, one after the other, whose grids, blocks and
// shared memory are drawn, while the blocks of all stay; and how soon each SM has read its part
// when all read the L2. Observed: each block goes where most of its kernel fit; on most chips the
// SMs of two smaller parts are served 1.37 times as fast as the others.
#include "model/probes/block_ends.cuh"
#include "model/probes/probes.hpp"

#include <algorithm>
#include <array>
#include <random>
#include <vector>

namespace overcast::probes {
namespace {

constexpr int kKernels = 3;
constexpr unsigned kMostBlocks = 4096;

__global__ void stay(unsigned nanoseconds, BlockRun* runs) {
    const auto begin = globaltimer();
    while (globaltimer() - begin < nanoseconds) {
        __nanosleep(1000);
    }
    note_end(runs, begin);
}

/// Whole lines of 8 MB, four at a time.
__global__ void read_l2(const float4* words, float* out, int rounds, BlockRun* runs) {
    constexpr unsigned kWords = 1U << 19;
    const auto begin = globaltimer();
    unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int i = 0; i < rounds; ++i) {
        const float4 a = __ldcg(words + at % kWords);
        const float4 b = __ldcg(words + (at + 40'000) % kWords);
        const float4 c = __ldcg(words + (at + 80'000) % kWords);
        const float4 d = __ldcg(words + (at + 120'000) % kWords);
        at += 160'001;
        sum += a.x + b.y + c.z + d.w;
    }
    if (sum == -1.0F) {
        *out = sum;
    }
    note_end(runs, begin);
}

struct Room {
    int threads = attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
    int blocks = attribute(cudaDevAttrMaxBlocksPerMultiprocessor);
    int shared = attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
};

struct Kernel {
    int grid = 0;
    int block = 0;
    int shared = 0;  ///< bytes per block, without what the system reserves
};

/// Blocks of each kernel on one SM.
using Held = std::array<int, kKernels>;
using Program = std::array<Kernel, kKernels>;

/// What the SMs hold, in rising order, if each block goes where `better` says.
template <typename Better>
std::vector<Held> placed(const Program& program, int sms, Better better) {
    const int reserved = attribute(cudaDevAttrReservedSharedMemoryPerBlock);
    std::vector<Room> room(static_cast<std::size_t>(sms), Room{});
    std::vector<Held> held(room.size(), Held{});
    for (std::size_t k = 0; k < program.size(); ++k) {
        const auto& kernel = program[k];
        const auto fits = [&](const Room& of) {
            return std::min(
                {of.threads / kernel.block, of.blocks, of.shared / (kernel.shared + reserved)});
        };
        for (int i = 0; i < kernel.grid; ++i) {
            const auto most =
                std::max_element(room.begin(), room.end(), [&](const Room& one, const Room& other) {
                    return better(fits(other), other) > better(fits(one), one);
                });
            most->threads -= kernel.block;
            most->blocks -= 1;
            most->shared -= kernel.shared + reserved;
            ++held[static_cast<std::size_t>(most - room.begin())][k];
        }
    }
    std::sort(held.begin(), held.end());
    return held;
}

class Placement {
public:
    Placement() {
        for (auto& runs : runs_) {
            check(cudaMallocManaged(&runs, kMostBlocks * sizeof(BlockRun)), "cudaMallocManaged");
        }
        check(cudaFuncSetAttribute(stay, cudaFuncAttributePreferredSharedMemoryCarveout, 100),
              "cudaFuncSetAttribute");
    }
    ~Placement() {
        for (auto* runs : runs_) {
            check(cudaFree(runs), "cudaFree");
        }
    }
    Placement(const Placement&) = delete;
    Placement& operator=(const Placement&) = delete;

    /// What the SMs held, in rising order; empty where some block came when another had left.
    std::vector<Held> run(const Program& program) const {
        constexpr unsigned kStay = 400'000;
        for (int k = 0; k < kKernels; ++k) {
            const auto& kernel = program[static_cast<std::size_t>(k)];
            stay<<<static_cast<unsigned>(kernel.grid), static_cast<unsigned>(kernel.block),
                   static_cast<std::size_t>(kernel.shared), streams_[k]>>>(
                kStay, runs_[static_cast<std::size_t>(k)]);
            check(cudaGetLastError(), "launch");
        }
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        std::vector<Held> held(static_cast<std::size_t>(sms_), Held{});
        unsigned long long last_begin = 0;
        unsigned long long first_end = ~0ULL;
        for (std::size_t k = 0; k < program.size(); ++k) {
            for (int i = 0; i < program[k].grid; ++i) {
                const auto& run = runs_[k][i];
                ++held.at(run.sm)[k];
                last_begin = std::max(last_begin, run.begin);
                first_end = std::min(first_end, run.end);
            }
        }
        std::sort(held.begin(), held.end());
        return last_begin < first_end ? held : std::vector<Held>{};
    }

    void read() const {
        constexpr int kPerSm = 4;
        constexpr unsigned kThreads = 512;
        constexpr int kRounds = 400;
        const Buffers words{8 << 20};
        for (int round = 0; round < 3; ++round) {
            read_l2<<<static_cast<unsigned>(kPerSm * sms_), kThreads>>>(
                reinterpret_cast<const float4*>(words.device()),
                reinterpret_cast<float*>(words.device()), kRounds, runs_[0]);
            check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
            std::vector<unsigned long long> end(static_cast<std::size_t>(sms_));
            auto begin = runs_[0][0].begin;
            for (int i = 0; i < kPerSm * sms_; ++i) {
                begin = std::min(begin, runs_[0][i].begin);
                end.at(runs_[0][i].sm) = std::max(end.at(runs_[0][i].sm), runs_[0][i].end);
            }
            std::sort(end.begin(), end.end());
            for (std::size_t sm = 0; round > 0 && sm < end.size(); ++sm) {
                sample("placement_l2_read", static_cast<double>(sm + 1),
                       static_cast<double>(end[sm] - begin));
            }
        }
    }

    int sms() const { return sms_; }

private:
    int sms_ = attribute(cudaDevAttrMultiProcessorCount);
    Streams streams_{kKernels};
    std::array<BlockRun*, kKernels> runs_{};
};

Program draw(std::mt19937& random, int sms) {
    constexpr std::array kBlocks{32, 64, 96, 128, 192, 256, 384, 512, 640, 768, 1024};
    constexpr int kThreadsEach = 640;  // three kernels of so many threads per SM find room
    constexpr int kSharedUnit = 8192;
    Program program;
    const bool shared = random() % 3 == 0;
    for (auto& kernel : program) {
        kernel.block = kBlocks[random() % kBlocks.size()];
        kernel.shared = shared ? static_cast<int>(random() % 5) * kSharedUnit : 0;
        const int most = sms * std::clamp(kThreadsEach / kernel.block, 1, 3);
        kernel.grid = 1 + static_cast<int>(random() % static_cast<unsigned>(most));
    }
    return program;
}

}  // namespace

void probe_placement(const Options& options) {
    const Placement placement;
    std::mt19937 random{7};
    int seen = 0;
    int most_fit = 0;
    int most_threads = 0;
    for (int i = 0; i < options.of(80, 20); ++i) {
        const auto program = draw(random, placement.sms());
        const auto held = placement.run(program);
        if (held.empty()) {
            continue;
        }
        ++seen;
        most_fit +=
            held == placed(program, placement.sms(), [](int fits, const Room&) { return fits; });
        most_threads += held == placed(program, placement.sms(), [](int fits, const Room& room) {
                            return fits > 0 ? room.threads : 0;
                        });
    }
    value("placement_programs", seen);
    value("placement_most_fit", most_fit);
    value("placement_most_threads", most_threads);
    placement.read();
}

}  // namespace overcast::probes
