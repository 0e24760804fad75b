// Exercises: kernels of nine classes that run at the same time, 2 to 16 of them; no copies.
//
// Each unit is one kernel: on one stream they run one after the other, with --streams each side by
// side. 160 groups of each variant were drawn once (group.cu): which classes, their blocks, grids
// of 0.1 to 8 waves (a wave being as many blocks as the device holds at once), lengths of 100 to
// 500 us, and of four in ten groups waits of the host before each launch but the first. The two
// variants have no kernel and no block size in common.
//
// 640 pairs of each variant (pairs.cu) are on every SM from the begin: how kernels share SMs,
// whoever is where. 54 groups of each (products.cu) are a product beside another kernel on the SMs
// that it leaves: how these share the L2, the DRAM and the clock.
//
// Cache state: of the pass before, in the recording as in every other pass.
#include "validate/cases/all_cases.hpp"
#include "validate/cases/co_run/classes.hpp"
#include "validate/cases/harness/cuda_check.hpp"
#include "validate/cases/harness/mix.hpp"

#include <algorithm>
#include <chrono>
#include <string>

namespace overcast::cases {
namespace {

void wait_in_host(std::uint32_t us) {
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::microseconds{us};
    while (us > 0 && Clock::now() < end) {
    }
}

std::uint32_t sms_of_device() {
    int device = 0;
    int sms = 0;
    check(cudaGetDevice(&device), "cudaGetDevice");
    check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device),
          "cudaDeviceGetAttribute");
    return static_cast<std::uint32_t>(sms);
}

std::uint32_t resident_per_sm(const void* kernel, std::uint32_t block) {
    int blocks = 0;
    check(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, static_cast<int>(block), 0),
        "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    return static_cast<std::uint32_t>(std::max(blocks, 1));
}

LaunchPlan plan_of(const DrawnKernel& drawn, const ClassVariant& row, std::uint32_t scale_percent) {
    LaunchPlan plan;
    plan.block = drawn.block;
    plan.tenths_of_wave = drawn.tenths_of_wave;
    plan.sms = sms_of_device();
    plan.target_us = drawn.target_us * (scale_percent / 100.0);
    plan.bytes = std::size_t{drawn.megabytes} << 20;
    if (row.kernel != nullptr) {
        const std::uint32_t resident = resident_per_sm(row.kernel, plan.block);
        plan.blocks = drawn.blocks_per_sm > 0 ? drawn.blocks_per_sm * plan.sms
                                              : blocks_of(plan.tenths_of_wave, resident, plan.sms);
        plan.iterations = iterations_for(row.cost, plan, resident);
    }
    return plan;
}

class CoRun : public Work {
public:
    CoRun(const Group& group, Variant variant, std::uint32_t units, std::uint32_t scale_percent)
        : group_{group.begin(),
                 group.begin() + std::min<std::ptrdiff_t>(units, std::ssize(group))} {
        for (std::uint32_t unit = 0; unit < this->units(); ++unit) {
            const ClassVariant& row = class_row(group_[unit].kind).variant(variant);
            LaunchPlan plan = plan_of(group_[unit], row, scale_percent);
            plan.seed = seed_of(unit, 0);
            kernels_.push_back(row.make(plan));
        }
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    }

    std::uint32_t units() const override { return static_cast<std::uint32_t>(group_.size()); }

    std::vector<Step> steps(std::uint32_t unit, Part part) override {
        if (part.of != 1) {
            throw OptionError("a unit without copies cannot be cut into parts");
        }
        return {{[kernel = kernels_.at(unit).get(), delay = group_[unit].delay_us](Lanes lanes) {
                     wait_in_host(delay);
                     kernel->launch(lanes[0]);
                 },
                 0}};
    }

    std::uint64_t verify(std::uint32_t unit) const override {
        Comparison comparison{unit};
        kernels_.at(unit)->verify(comparison);
        return comparison.checksum();
    }

private:
    Group group_;
    std::vector<std::unique_ptr<CoRunKernel>> kernels_;
};

template <Variant variant, auto groups, std::uint32_t number_of_groups>
CaseDefinition definition(std::string_view name, std::string_view effect) {
    static const std::string numbers =
        "which of the groups, 0 to " + std::to_string(number_of_groups - 1);
    CaseDefinition result;
    result.name = name;
    result.effect = effect;
    result.parameters = {
        {"group", numbers, 0, 0, 0, 0},
        {"units", "kernels of the group, at most", 16, 16, 3},
        {"scale_percent", "of the lengths that were drawn", 100, 100, 2},
    };
    result.make = [](const Values& values, HostMemory /*no copies*/) -> std::unique_ptr<Work> {
        const std::uint32_t number = values.count("group");
        if (number >= number_of_groups) {
            throw OptionError("--group must be at most " + std::to_string(number_of_groups - 1));
        }
        return std::make_unique<CoRun>(groups(variant)[number], variant, values.count("units"),
                                       values.count("scale_percent"));
    };
    return result;
}

}  // namespace

CaseDefinition co_run_a_case() {
    return definition<Variant::a, groups_of, kGroups>(
        "co_run_a", "2 to 16 kernels of nine classes at the same time");
}

CaseDefinition co_run_b_case() {
    return definition<Variant::b, groups_of, kGroups>(
        "co_run_b", "the same classes by other kernels, in other groups");
}

CaseDefinition co_run_pairs_a_case() {
    return definition<Variant::a, pairs_of, kPairs>("co_run_pairs_a",
                                                    "two kernels on every SM at the same time");
}

CaseDefinition co_run_pairs_b_case() {
    return definition<Variant::b, pairs_of, kPairs>("co_run_pairs_b", "the same by other kernels");
}

CaseDefinition co_run_products_a_case() {
    return definition<Variant::a, products_of, kProducts>(
        "co_run_products_a", "a product on tensor cores beside a kernel on other SMs");
}

CaseDefinition co_run_products_b_case() {
    return definition<Variant::b, products_of, kProducts>("co_run_products_b",
                                                          "the same by other kernels");
}

}  // namespace overcast::cases
