#include "tracer/injection/metric_table.hpp"

#include <array>

namespace overcast::injection {
namespace {

constexpr double kPercent = 0.01;

constexpr std::array kMetrics{
    Metric{KernelCounter::duration_ns, "gpu__time_duration.sum"},
    Metric{KernelCounter::sm_active, "sm__cycles_active.avg.pct_of_peak_sustained_elapsed",
           kPercent},
    Metric{KernelCounter::warps_per_sm, "sm__warps_active.avg.per_cycle_active"},
    Metric{KernelCounter::issue_slots, "sm__inst_issued.avg.pct_of_peak_sustained_active",
           kPercent},
    Metric{KernelCounter::fma_pipe, "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active",
           kPercent},
    Metric{KernelCounter::fma_heavy_pipe,
           "sm__pipe_fmaheavy_cycles_active.avg.pct_of_peak_sustained_active", kPercent},
    Metric{KernelCounter::alu_pipe, "sm__pipe_alu_cycles_active.avg.pct_of_peak_sustained_active",
           kPercent},
    Metric{KernelCounter::xu_pipe, "sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active",
           kPercent},
    Metric{KernelCounter::fp64_pipe, "sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_active",
           kPercent},
    Metric{KernelCounter::fp64_pipe, "sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active",
           kPercent},
    Metric{KernelCounter::tensor_pipe,
           "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active", kPercent},
    Metric{KernelCounter::lsu_pipe, "sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_active",
           kPercent},
    Metric{KernelCounter::l1, "l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_active",
           kPercent},
    Metric{KernelCounter::l2, "lts__t_sectors.avg.pct_of_peak_sustained_elapsed", kPercent},
    Metric{KernelCounter::l2_requests, "lts__t_tag_requests.avg.pct_of_peak_sustained_elapsed",
           kPercent},
    Metric{KernelCounter::l2_replies,
           "lts__lts2xbar_cycles_active.avg.pct_of_peak_sustained_elapsed", kPercent},
    Metric{KernelCounter::l2_fabric,
           "lts__ltcfabric2lts_cycles_active.avg.pct_of_peak_sustained_elapsed", kPercent},
    Metric{KernelCounter::dram, "dram__throughput.avg.pct_of_peak_sustained_elapsed", kPercent},
    Metric{KernelCounter::l1_hit_rate, "l1tex__t_sector_hit_rate.pct", kPercent},
    Metric{KernelCounter::l2_hit_rate, "lts__t_sector_hit_rate.pct", kPercent},
    Metric{KernelCounter::stalled_by_math_pipe,
           "smsp__average_warps_issue_stalled_math_pipe_throttle_per_issue_active.ratio"},
    Metric{KernelCounter::stalled_by_memory_queue,
           "smsp__average_warps_issue_stalled_mio_throttle_per_issue_active.ratio"},
    Metric{KernelCounter::stalled_by_global_queue,
           "smsp__average_warps_issue_stalled_lg_throttle_per_issue_active.ratio"},
    Metric{KernelCounter::stalled_by_other_warp,
           "smsp__average_warps_issue_stalled_not_selected_per_issue_active.ratio"},
    Metric{KernelCounter::stalled_by_barrier,
           "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio"},
    Metric{KernelCounter::stalled_by_dependency,
           "smsp__average_warps_issue_stalled_wait_per_issue_active.ratio"},
    Metric{KernelCounter::stalled_by_branch,
           "smsp__average_warps_issue_stalled_branch_resolving_per_issue_active.ratio"},
};

}  // namespace

std::span<const Metric> metrics() { return kMetrics; }

}  // namespace overcast::injection
