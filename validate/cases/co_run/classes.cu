#include "validate/cases/co_run/classes.hpp"

#include <algorithm>

namespace overcast::cases {
namespace {

constexpr double kCyclesPerUs = 1'980;

/// Cycles of one iteration of all of `blocks` blocks, resident at once.
double cycles_of_round(const IterationCost& cost, const LaunchPlan& plan, std::uint32_t blocks) {
    const double warps = plan.block / 32.0;
    const std::uint32_t on_fullest_sm = (blocks + plan.sms - 1) / plan.sms;
    return std::max(
        {cost.latency, on_fullest_sm * warps * cost.of_sm, blocks * warps * cost.of_device});
}

}  // namespace

const ClassRow& class_row(KernelClass kind) {
    static const std::array<ClassRow, kKernelClasses> rows{{
        {KernelClass::issue, "issue", issue_variants()},
        {KernelClass::fma, "fma", fma_variants()},
        {KernelClass::special, "special", special_variants()},
        {KernelClass::integer, "integer", integer_variants()},
        {KernelClass::shared, "shared", shared_variants()},
        {KernelClass::l2, "l2", l2_variants()},
        {KernelClass::dram, "dram", dram_variants()},
        {KernelClass::chase, "chase", chase_variants()},
        {KernelClass::tensor, "tensor", tensor_variants()},
    }};
    return rows.at(static_cast<std::size_t>(kind));
}

std::uint32_t blocks_of(std::uint32_t tenths_of_wave, std::uint32_t resident_per_sm,
                        std::uint32_t sms) {
    return std::max(resident_per_sm * sms * tenths_of_wave / 10, 1U);
}

std::uint32_t iterations_for(const IterationCost& cost, const LaunchPlan& plan,
                             std::uint32_t resident_per_sm) {
    const std::uint32_t wave = resident_per_sm * plan.sms;
    double cycles = plan.blocks / wave * cycles_of_round(cost, plan, wave);
    if (plan.blocks % wave != 0) {
        cycles += cycles_of_round(cost, plan, plan.blocks % wave);
    }
    return std::max(static_cast<std::uint32_t>(plan.target_us * kCyclesPerUs / cycles), 1U);
}

}  // namespace overcast::cases
