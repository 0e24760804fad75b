#include "core/kernel_counters.hpp"

namespace overcast {

std::string_view to_string(KernelCounter counter) {
    switch (counter) {
        case KernelCounter::duration_ns: return "duration_ns";
        case KernelCounter::sm_active: return "sm_active";
        case KernelCounter::warps_per_sm: return "warps_per_sm";
        case KernelCounter::issue_slots: return "issue_slots";
        case KernelCounter::fma_pipe: return "fma_pipe";
        case KernelCounter::fma_heavy_pipe: return "fma_heavy_pipe";
        case KernelCounter::alu_pipe: return "alu_pipe";
        case KernelCounter::xu_pipe: return "xu_pipe";
        case KernelCounter::fp64_pipe: return "fp64_pipe";
        case KernelCounter::tensor_pipe: return "tensor_pipe";
        case KernelCounter::lsu_pipe: return "lsu_pipe";
        case KernelCounter::l1: return "l1";
        case KernelCounter::l2: return "l2";
        case KernelCounter::l2_requests: return "l2_requests";
        case KernelCounter::l2_replies: return "l2_replies";
        case KernelCounter::l2_fabric: return "l2_fabric";
        case KernelCounter::dram: return "dram";
        case KernelCounter::l1_hit_rate: return "l1_hit_rate";
        case KernelCounter::l2_hit_rate: return "l2_hit_rate";
        case KernelCounter::stalled_by_math_pipe: return "stalled_by_math_pipe";
        case KernelCounter::stalled_by_memory_queue: return "stalled_by_memory_queue";
        case KernelCounter::stalled_by_global_queue: return "stalled_by_global_queue";
        case KernelCounter::stalled_by_other_warp: return "stalled_by_other_warp";
        case KernelCounter::stalled_by_barrier: return "stalled_by_barrier";
        case KernelCounter::stalled_by_dependency: return "stalled_by_dependency";
        case KernelCounter::stalled_by_branch: return "stalled_by_branch";
        case KernelCounter::memory_bytes: return "memory_bytes";
    }
    return "?";
}

}  // namespace overcast
