// overcast-cases: real CUDA workloads, measured on N streams.
#include "validate/cases/cuda_check.hpp"
#include "validate/cases/options.hpp"
#include "validate/cases/sweep.hpp"
#include "validate/cases/unit_runner.hpp"

#include <cuda_profiler_api.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

namespace overcast::cases {
namespace {

void print_list() {
    for (const auto& definition : all_cases()) {
        std::cout << definition.name << ": " << definition.effect << "\n  "
                  << definition.defaults.units << " units, " << definition.inputs
                  << " copies in and one out of " << definition.defaults.bytes << " bytes, "
                  << definition.defaults.iterations << " iterations\n";
    }
}

std::string device_name() {
    int device = 0;
    check(cudaGetDevice(&device), "cudaGetDevice");
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
    return properties.name;
}

/// What it prints is the same each time, so that a traced run can be compared with an untraced one.
void profile_one_pass(const Options& options, UnitRunner& runner) {
    runner.run_pass();
    check(cudaProfilerStart(), "cudaProfilerStart");
    runner.run_pass();
    check(cudaProfilerStop(), "cudaProfilerStop");
    std::printf("%s: %u units on %u streams, %s order: results are right, checksum %016llx\n",
                options.definition->name.data(), runner.units(), options.streams.front(),
                to_string(options.orders.front()).data(),
                static_cast<unsigned long long>(runner.verify()));
}

void print_timing(const Options& options, const UnitRunner& runner,
                  const std::vector<double>& walls) {
    std::printf("%s: %u units on %u streams, %s order: median %.1f us (%.1f to %.1f), %zu passes\n",
                options.definition->name.data(), runner.units(), options.streams.front(),
                to_string(options.orders.front()).data(), median(walls) / 1e3,
                *std::min_element(walls.begin(), walls.end()) / 1e3,
                *std::max_element(walls.begin(), walls.end()) / 1e3, walls.size());
}

void run(const Options& options) {
    UnitRunner runner{*options.definition, options};
    if (options.profile_one_pass) {
        profile_one_pass(options, runner);
        return;
    }
    runner.run_pass();
    std::vector<double> walls;
    walls.reserve(options.repetitions);
    for (std::uint32_t i = 0; i < options.repetitions; ++i) {
        walls.push_back(static_cast<double>(runner.run_pass().count()));
    }
    runner.verify();
    if (options.raw) {
        std::cout << "device " << device_name() << '\n';
        for (const double wall : walls) {
            std::printf("wall_ns %.0f\n", wall);
        }
    } else if (options.json) {
        std::cout << run_json(options, options.streams.front(), options.orders.front(), {walls})
                  << '\n';
    } else {
        print_timing(options, runner, walls);
    }
}

/// Time is all but linear in the iterations: two measurements give the line, a third confirms.
void calibrate(Options options) {
    options.sizes.units = 1;
    options.streams = {1};
    options.orders = {Order::depth};
    options.transform = Transform::distribute;
    UnitRunner runner{*options.definition, options};
    runner.run_pass();
    const std::uint32_t few = std::max(options.sizes.iterations / 2, 1U);
    const std::uint32_t many = few * 2;
    constexpr int kWarmingRounds = 5;  // the clock rises under load: wait until it is steady
    for (int i = 0; i < kWarmingRounds; ++i) {
        runner.kernel_us(many);
    }
    const double few_us = runner.kernel_us(few);
    const double many_us = runner.kernel_us(many);
    const double per_iteration = (many_us - few_us) / static_cast<double>(many - few);
    if (per_iteration <= 0) {
        throw std::runtime_error("the kernel's duration does not grow with its iterations");
    }
    const double wanted = few + (options.kernel_us - few_us) / per_iteration;
    if (wanted < 1) {
        throw std::runtime_error("the kernel takes longer than that without any iteration");
    }
    const auto iterations = static_cast<std::uint32_t>(std::lround(wanted));
    std::fprintf(stderr, "%s: %u iterations take %.1f us (wanted %.1f)\n",
                 options.definition->name.data(), iterations, runner.kernel_us(iterations),
                 options.kernel_us);
    std::printf("%u\n", iterations);
}

void execute(const Options& options) {
    switch (options.command) {
        case Command::help: std::cout << help_text(); break;
        case Command::list: print_list(); break;
        case Command::run: run(options); break;
        case Command::sweep: sweep(options); break;
        case Command::calibrate: calibrate(options); break;
    }
}

}  // namespace
}  // namespace overcast::cases

int main(int count, char** words) {
    try {
        const std::vector<std::string> arguments(words + 1, words + count);
        overcast::cases::execute(overcast::cases::parse_options(arguments));
        return 0;
    } catch (const overcast::cases::OptionError& error) {
        std::fprintf(stderr, "error: %s\n", error.what());
        return 2;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "error: %s\n", error.what());
        return 1;
    }
}
