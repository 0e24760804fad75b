#include "tracer/doctor/findings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

namespace overcast {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

MachineFacts healthy() {
    MachineFacts facts;
    facts.kernel_driver = "580.159.04";
    facts.driver_cuda = "13.0";
    GpuFacts gpu;
    gpu.name = "NVIDIA H200";
    gpu.compute_major = 9;
    gpu.multiprocessors = 132;
    gpu.async_engines = 3;
    gpu.pcie_generation = 5;
    gpu.most_pcie_generation = 5;
    gpu.pcie_width = 16;
    gpu.most_pcie_width = 16;
    gpu.other_processes = 0;
    facts.gpus = {gpu};
    facts.tracer_library = "lib/libovercast-tracer.so";
    facts.cupti_soname = "libcupti.so.13";
    facts.cupti = "lib/libcupti.so.13";
    facts.counters_for_root_only = false;
    return facts;
}

const Finding* find(const std::vector<Finding>& all, std::string_view subject) {
    const auto found = std::ranges::find(all, subject, &Finding::subject);
    return found == all.end() ? nullptr : &*found;
}

std::size_t count(const std::vector<Finding>& all, Health health) {
    return static_cast<std::size_t>(std::ranges::count(all, health, &Finding::health));
}

TEST(Findings, of_a_healthy_machine_are_all_ok) {
    const auto all = findings(healthy());
    EXPECT_EQ(count(all, Health::ok), all.size());
    EXPECT_EQ(find(all, "driver")->found, "580.159.04, CUDA 13.0");
    EXPECT_THAT(find(all, "GPU")->found, HasSubstr("NVIDIA H200, compute capability 9.0, 132 SMs"));
    EXPECT_THAT(find(all, "GPU link")->found, HasSubstr("generation 5 of 5, 16 of 16 lanes"));
}

TEST(Findings, of_a_machine_without_driver_say_what_still_works) {
    auto facts = healthy();
    facts.no_device = "there is no CUDA driver";
    facts.gpus.clear();
    const auto all = findings(facts);
    EXPECT_EQ(count(all, Health::fault), 1U);
    EXPECT_THAT(find(all, "driver")->remedy, HasSubstr("--replay work without a GPU"));
}

TEST(Findings, name_what_keeps_the_tracer_from_working) {
    auto facts = healthy();
    facts.tracer_library.reset();
    facts.cupti.reset();
    const auto all = findings(facts);
    EXPECT_EQ(find(all, "tracer")->health, Health::fault);
    EXPECT_EQ(find(all, "CUPTI")->health, Health::fault);
    EXPECT_THAT(find(all, "CUPTI")->found, HasSubstr("libcupti.so.13, for which the tracer"));
}

TEST(Findings, ask_for_no_cupti_where_none_was_built_against) {
    auto facts = healthy();
    facts.tracer_library.reset();
    facts.cupti_soname.reset();
    facts.cupti.reset();
    const auto all = findings(facts);
    EXPECT_EQ(find(all, "tracer")->health, Health::fault);
    EXPECT_EQ(find(all, "CUPTI"), nullptr);
}

TEST(Findings, warn_of_a_narrow_slot_and_of_others_on_the_gpu) {
    auto facts = healthy();
    facts.gpus[0].pcie_width = 8;
    facts.gpus[0].other_processes = 1;
    const auto all = findings(facts);
    EXPECT_EQ(find(all, "GPU link")->health, Health::warning);
    EXPECT_THAT(find(all, "GPU users")->found, HasSubstr("1 other process computes"));
}

TEST(Findings, do_not_call_an_idle_link_slow) {
    auto facts = healthy();
    facts.gpus[0].pcie_generation = 1;  // steps up as soon as something is copied
    EXPECT_EQ(find(findings(facts), "GPU link")->health, Health::ok);
}

TEST(Findings, tell_two_gpus_apart) {
    auto facts = healthy();
    facts.gpus.push_back(facts.gpus[0]);
    const auto all = findings(facts);
    EXPECT_NE(find(all, "GPU 0"), nullptr);
    EXPECT_NE(find(all, "GPU 1"), nullptr);
}

TEST(Findings, mind_variables_that_change_what_is_measured) {
    auto facts = healthy();
    facts.environment = {{"CUDA_LAUNCH_BLOCKING", "1"},
                         {"CUDA_INJECTION64_PATH", "other.so"},
                         {"CUDA_DEVICE_MAX_CONNECTIONS", "32"},
                         {"LD_PRELOAD", ""}};
    const auto all = findings(facts);
    EXPECT_EQ(find(all, "CUDA_LAUNCH_BLOCKING")->health, Health::warning);
    EXPECT_THAT(find(all, "CUDA_INJECTION64_PATH")->remedy, HasSubstr("only one can trace"));
    EXPECT_EQ(find(all, "CUDA_DEVICE_MAX_CONNECTIONS")->health, Health::ok);
    EXPECT_EQ(find(all, "LD_PRELOAD"), nullptr);
}

TEST(Findings, say_who_may_read_counters) {
    auto facts = healthy();
    facts.counters_for_root_only = true;
    EXPECT_EQ(find(findings(facts), "counters")->health, Health::warning);
    facts.root = true;
    EXPECT_EQ(find(findings(facts), "counters")->health, Health::ok);
    facts.counters_for_root_only.reset();
    EXPECT_EQ(find(findings(facts), "counters"), nullptr);
}

TEST(MachineFacts, can_be_asked_for_on_any_machine) {
    const auto facts = machine_facts();
    EXPECT_EQ(facts.no_device.has_value(), facts.gpus.empty());
    EXPECT_THAT(findings(facts), Not(IsEmpty()));
}

TEST(Findings, say_how_many_cpus_others_leave_alone) {
    using namespace std::chrono_literals;
    auto facts = healthy();
    facts.cpu_loops = {10us, 11us, 15us, 10500ns};
    auto all = findings(facts);
    EXPECT_EQ(find(all, "CPUs")->health, Health::ok);
    EXPECT_EQ(find(all, "CPUs")->found, "3 of 4 undisturbed");
    facts.cpu_loops = {15us, 11us, 15us, 16us};
    all = findings(facts);
    EXPECT_EQ(find(all, "CPUs")->health, Health::warning);
    EXPECT_THAT(find(all, "CPUs")->remedy, HasSubstr("when it is quieter"));
    facts.cpu_loops = {15us};  // nothing to compare it with
    EXPECT_EQ(find(findings(facts), "CPUs"), nullptr);
    EXPECT_FALSE(undisturbed_cpus({}));
}

}  // namespace
}  // namespace overcast
