// overcast-cases: real CUDA workloads, measured on N streams.
#include "core/quiet_cpu.hpp"
#include "validate/cases/harness/cuda_check.hpp"
#include "validate/cases/harness/options.hpp"
#include "validate/cases/harness/passes.hpp"
#include "validate/cases/harness/result.hpp"
#include "validate/cases/harness/runner.hpp"

#include <cuda_profiler_api.h>
#include <nvtx3/nvToolsExt.h>

#include <chrono>
#include <cstdio>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace overcast::cases {
namespace {

std::string device_name() {
    int device = 0;
    check(cudaGetDevice(&device), "cudaGetDevice");
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
    return properties.name;
}

/// The member of a sweep with the streams that it really had.
Options as_run(const Options& member, const Runner& runner) {
    Options result = member;
    result.streams = runner.streams();
    return result;
}

/// In a range of its own where it is one of several, so that one recording holds them all. The pass
/// before it runs on the same CPU, as before a timed one: otherwise the first calls into each
/// stream would find none of their data in its caches and take 1 us longer, the very first 20.
void profile_one_pass(const Options& options, QuietCpu& cpu) {
    Runner runner{options};
    runner.run_pass();
    cpu.settle();
    runner.run_pass();
    check(cudaProfilerStart(), "cudaProfilerStart");
    if (!options.range.empty()) {
        nvtxRangePushA(options.range.c_str());
    }
    runner.run_pass();
    if (!options.range.empty()) {
        nvtxRangePop();
    }
    check(cudaProfilerStop(), "cudaProfilerStop");
    std::cout << checked_line(as_run(options, runner), runner.units(), runner.verify()) << '\n';
}

void measure(const Options& options, QuietCpu& cpu) {
    Runner runner{options};
    runner.run_pass();
    cpu.settle();
    const auto walls = timed_passes(options.repetitions, cpu, [&] {
        return std::chrono::duration<double, std::micro>{runner.run_pass()}.count();
    });
    RunResult result;
    result.walls_us = walls.us;
    result.disturbed = walls.disturbed;
    result.checksum = runner.verify();
    result.device = device_name();
    result.units = runner.units();
    result.max_connections = max_connections_of_environment();
    const Options shown = as_run(options, runner);
    std::cout << (options.json ? result_json(shown, result) : result_line(shown, result)) << '\n'
              << std::flush;
}

void run_members(const Options& options) {
    QuietCpu cpu;
    for (const auto& member : members_of(options)) {
        try {
            if (options.profile_one_pass) {
                profile_one_pass(member, cpu);
            } else {
                measure(member, cpu);
            }
        } catch (const OptionError&) {
            throw;
        } catch (const std::exception& error) {
            throw std::runtime_error((member.range.empty() ? "" : member.range + ": ") +
                                     error.what());
        }
    }
}

void print_list(bool json) {
    if (json) {
        std::cout << list_json(all_cases()) << '\n';
        return;
    }
    for (const auto& definition : all_cases()) {
        std::cout << definition.name << ": " << definition.effect << '\n';
        for (const auto& parameter : definition.parameters) {
            std::cout << "  --" << parameter.name << ' ' << parameter.h200 << "  "
                      << parameter.meaning << '\n';
        }
    }
}

void execute(const Options& options) {
    switch (options.command) {
        case Command::help: std::cout << help_text(all_cases()); break;
        case Command::case_help: std::cout << help_text(*options.definition); break;
        case Command::list: print_list(options.json); break;
        case Command::run: run_members(options); break;
    }
}

}  // namespace
}  // namespace overcast::cases

int main(int count, char** words) {
    try {
        const std::vector<std::string> arguments(words + 1, words + count);
        overcast::cases::execute(
            overcast::cases::parse_options(arguments, overcast::cases::all_cases()));
        return 0;
    } catch (const overcast::cases::OptionError& error) {
        std::fprintf(stderr, "error: %s\n", error.what());
        return 2;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "error: %s\n", error.what());
        return 1;
    }
}
