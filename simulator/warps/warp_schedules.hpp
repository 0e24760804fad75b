// How fast blocks are on an SM whose schedulers are played.
#pragma once

#include "model/kernel_model.hpp"
#include "simulator/kernels/sm_array.hpp"
#include "simulator/warps/warp_scheduler.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace overcast {

/// The code before a loop, and that behind it.
enum class LoopEdge : std::uint8_t { start, end };

/// Of kernels whose passes are known and touch no memory: how long loads take is a matter of the
/// device. Remembers what it has played: SMs with the same residents are all alike.
class WarpSchedules {
public:
    /// `demands` outlive it. `with_edges`: it knows those, too.
    WarpSchedules(const std::vector<KernelDemand>& demands, const SchedulerParameters& parameters,
                  bool with_edges);

    /// Whether nothing is known of any kernel.
    [[nodiscard]] bool empty() const { return known_.empty() && edges_.empty(); }
    [[nodiscard]] bool knows(const KernelDemand& demand) const { return known_.contains(&demand); }
    /// In its loop, of one that is known.
    [[nodiscard]] bool reads_shared_memory(const KernelDemand& demand) const;

    /// Cycles of blocks on an SM to themselves until they are in their loop, or from there to their
    /// end; 0: not known.
    [[nodiscard]] double alone(const KernelDemand& demand, LoopEdge edge) const;
    /// Likewise, of the residents at `place`, beside those of other kernels that are known.
    double beside(const SmGroup& group, std::size_t place, LoopEdge edge);

    /// Of each set of blocks, relative to warps that have a scheduler to themselves; empty where
    /// somebody is not known. Until it is asked again.
    std::span<const double> speeds(const SmGroup& group);

private:
    struct Known {
        WarpProgram program;
        double alone = 0;  ///< instructions per cycle of a warp
        bool reads_shared_memory = false;
    };
    struct Blocks {
        const Known* kernel = nullptr;
        std::uint32_t count = 0;
        std::uint32_t warps = 0;  ///< of each

        auto operator<=>(const Blocks&) const = default;
    };

    /// What warps execute before or behind their loop.
    struct Edge {
        WarpProgram program;
        double alone = 0;  ///< cycles, of a warp
    };
    using EdgeOf = std::pair<const KernelDemand*, LoopEdge>;

    /// What a scheduler has of all blocks.
    struct Dealt {
        std::vector<ScheduledBlock> blocks;  ///< of which it has warps
        std::vector<std::size_t> set_of;     ///< each of these
        std::vector<std::uint32_t> warps;    ///< of every block, those that it has not as 0
    };

    void add_edge(const KernelDemand& demand, LoopEdge edge, const KernelPass& code);
    [[nodiscard]] static Blocks blocks_of(const ResidentBlocks& resident, const Known& known);
    [[nodiscard]] static Dealt deal(const std::vector<Blocks>& sets, std::uint32_t scheduler);
    [[nodiscard]] std::vector<double> play(const std::vector<Blocks>& sets) const;

    SchedulerParameters parameters_;
    std::unordered_map<const KernelDemand*, Known> known_;
    std::map<EdgeOf, Edge> edges_;
    std::map<std::vector<Blocks>, std::vector<double>> played_;
    std::map<std::tuple<EdgeOf, std::size_t, std::vector<Blocks>>, double> passed_;
    std::vector<Blocks> looked_up_;  ///< scratch
};

}  // namespace overcast
