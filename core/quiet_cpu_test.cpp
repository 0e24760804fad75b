#include "core/quiet_cpu.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <thread>

namespace overcast {
namespace {

TEST(QuietCpu, leaves_the_thread_free_to_run_where_it_was_allowed_to) {
    // In a thread of its own, so that the other tests keep their CPUs.
    std::thread{[] {
        cpu_set_t before;
        ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
        QuietCpu cpu;
        cpu.settle();
        cpu_set_t after;
        ASSERT_EQ(sched_getaffinity(0, sizeof after, &after), 0);
        EXPECT_TRUE(CPU_EQUAL(&before, &after));
    }}.join();
}

TEST(QuietCpu, stays_on_the_only_cpu_that_is_allowed) {
    std::thread{[] {
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(static_cast<std::size_t>(sched_getcpu()), &one);
        ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
        QuietCpu cpu;
        cpu.settle();
        EXPECT_TRUE(CPU_ISSET(static_cast<std::size_t>(sched_getcpu()), &one));
        cpu.settle();
        cpu_set_t after;
        ASSERT_EQ(sched_getaffinity(0, sizeof after, &after), 0);
        EXPECT_TRUE(CPU_EQUAL(&one, &after));
    }}.join();
}

TEST(QuietCpu, times_its_loop_on_every_cpu_that_is_allowed) {
    std::thread{[] {
        cpu_set_t before;
        ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
        const auto times = QuietCpu{}.survey();
        EXPECT_EQ(times.size(), static_cast<std::size_t>(CPU_COUNT(&before)));
        for (const auto time : times) {
            EXPECT_GT(time.count(), 0);
        }
        cpu_set_t after;
        ASSERT_EQ(sched_getaffinity(0, sizeof after, &after), 0);
        EXPECT_TRUE(CPU_EQUAL(&before, &after));
    }}.join();
}

}  // namespace
}  // namespace overcast
