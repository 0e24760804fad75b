// Programs that work through 16 chunks with the libraries of the CUDA Toolkit (CUB, cuBLAS, cuFFT,
// cuRAND, cuSOLVER, cuSPARSE), dealt over streams: pinned input, some calls, pinned output.
//
// usage: overcast-library-streams PROGRAM [--streams LIST] [--passes N] [--profile]
//   prints how long a pass of all chunks took on so many streams, in us: median and quartiles
//   --profile: one pass between cudaProfilerStart and cudaProfilerStop, on the first of the counts
#include "core/quiet_cpu.hpp"
#include "tests/gpu/library_programs.hpp"
#include "validate/cases/harness/cuda_check.hpp"

#include <cuda_profiler_api.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace overcast::library {
namespace {

using cases::check;

struct Options {
    std::string program;
    std::vector<int> streams{1, 2, 3, 4, 6, 8};
    int passes = 31;
    bool profile = false;
};

int positive(const std::string& text) {
    std::size_t read = 0;
    int number = 0;
    try {
        number = std::stoi(text, &read);
    } catch (const std::logic_error&) {
        read = 0;
    }
    if (read != text.size() || number < 1) {
        throw std::runtime_error("'" + text + "' is no number from 1 on");
    }
    return number;
}

std::vector<int> counts_of(const std::string& list) {
    std::vector<int> counts;
    std::istringstream rest{list};
    for (std::string each; std::getline(rest, each, ',');) {
        counts.push_back(positive(each));
    }
    if (counts.empty()) {
        throw std::runtime_error("--streams takes numbers with commas between them");
    }
    return counts;
}

Options read(int count, char** words) {
    Options options;
    for (int i = 1; i < count; ++i) {
        const std::string word = words[i];
        if (word == "--profile") {
            options.profile = true;
        } else if (word == "--streams" && i + 1 < count) {
            options.streams = counts_of(words[++i]);
        } else if (word == "--passes" && i + 1 < count) {
            options.passes = positive(words[++i]);
        } else if (word.starts_with("--")) {
            throw std::runtime_error("unknown option or one without its value: " + word);
        } else {
            options.program = word;
        }
    }
    if (!programs().contains(options.program)) {
        std::string names;
        for (const auto& [name, make] : programs()) {
            names += ' ' + name;
        }
        throw std::runtime_error("no program '" + options.program + "'; there are" + names);
    }
    return options;
}

/// Time of a pass, us.
double pass(Program& program, const std::vector<cudaStream_t>& streams, int count) {
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    const auto start = std::chrono::steady_clock::now();
    for (int chunk = 0; chunk < kChunks; ++chunk) {
        program.play(chunk, chunk % count, streams[chunk % count]);
    }
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start)
        .count();
}

void run(const Options& options) {
    std::vector<cudaStream_t> streams(*std::ranges::max_element(options.streams));
    for (auto& stream : streams) {
        check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreate");
    }
    const auto program = programs().at(options.program)(static_cast<int>(streams.size()));
    QuietCpu cpu;
    for (const auto count : options.streams) {
        cpu.settle();
        for (int i = 0; i < 5; ++i) {
            pass(*program, streams, count);
        }
        if (options.profile) {
            check(cudaProfilerStart(), "cudaProfilerStart");
            pass(*program, streams, count);
            check(cudaProfilerStop(), "cudaProfilerStop");
            return;
        }
        std::vector<double> taken;
        for (int i = 0; i < options.passes; ++i) {
            taken.push_back(pass(*program, streams, count));
        }
        std::ranges::sort(taken);
        const auto at = [&](std::size_t quarter) {
            return taken[quarter * (taken.size() - 1) / 4];
        };
        std::printf("{\"streams\": %d, \"us\": %.2f, \"quartiles_us\": [%.2f, %.2f]}\n", count,
                    at(2), at(1), at(3));
    }
}

}  // namespace
}  // namespace overcast::library

int main(int count, char** words) {
    try {
        overcast::library::run(overcast::library::read(count, words));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "overcast-library-streams: %s\n", error.what());
        return 1;
    }
    return 0;
}
