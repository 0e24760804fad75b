#include "validate/cases/sweep.hpp"

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>

#include <unistd.h>

namespace overcast::cases {
namespace {

std::string quoted(std::string_view text) {
    std::string result{'"'};
    for (const char letter : text) {
        if (letter == '"' || letter == '\\') {
            result += '\\';
        }
        result += static_cast<unsigned char>(letter) < 0x20 ? ' ' : letter;
    }
    return result + '"';
}

std::string microseconds(double nanoseconds) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3f", nanoseconds / 1e3);
    return text;
}

std::string own_path() {
    char path[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0) {
        throw std::runtime_error("cannot find this program: /proc/self/exe is not readable");
    }
    return std::string(path, static_cast<std::size_t>(length));
}

std::string shell_word(const std::string& text) {
    std::string result{'\''};
    for (const char letter : text) {
        result += letter == '\'' ? std::string{"'\\''"} : std::string(1, letter);
    }
    return result + '\'';
}

/// The command line of the case itself, without streams and order.
std::string work_arguments(const Options& options) {
    std::ostringstream text;
    text << options.definition->name << " --units " << options.sizes.units << " --bytes "
         << options.sizes.bytes << " --iterations " << options.sizes.iterations << " --transform "
         << to_string(options.transform) << " --memory " << to_string(options.memory);
    return text.str();
}

struct ChildResult {
    std::string device;
    std::vector<double> nanoseconds;
};

ChildResult run_child(const Options& options, std::uint32_t streams, Order order) {
    std::ostringstream command;
    command << shell_word(own_path()) << ' ' << work_arguments(options) << " --streams " << streams
            << " --order " << to_string(order) << " --repetitions " << options.repetitions
            << " --raw";
    std::FILE* pipe = popen(command.str().c_str(), "r");
    if (pipe == nullptr) {
        throw std::runtime_error("cannot start " + command.str());
    }
    ChildResult result;
    char line[512];
    while (std::fgets(line, sizeof line, pipe) != nullptr) {
        std::istringstream words{line};
        std::string key;
        words >> key;
        if (key == "device") {
            std::getline(words >> std::ws, result.device);
        } else if (key == "wall_ns") {
            double nanoseconds = 0;
            words >> nanoseconds;
            result.nanoseconds.push_back(nanoseconds);
        }
    }
    if (pclose(pipe) != 0 || result.nanoseconds.size() != options.repetitions) {
        throw std::runtime_error("this run failed: " + command.str());
    }
    return result;
}

std::string utc_now() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text;
}

/// Absent (null) where the variable is not set: the driver's default is not the same as 8.
std::string max_connections_json() {
    const char* value = std::getenv("CUDA_DEVICE_MAX_CONNECTIONS");
    return value != nullptr && std::atoi(value) > 0 ? std::to_string(std::atoi(value)) : "null";
}

}  // namespace

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

std::string run_json(const Options& options, std::uint32_t streams, Order order,
                     const Series& series) {
    std::vector<double> all;
    std::vector<double> medians;
    for (const auto& one : series) {
        all.insert(all.end(), one.begin(), one.end());
        medians.push_back(median(one));
    }
    const auto [lowest, highest] = std::minmax_element(medians.begin(), medians.end());
    char noise[32];
    std::snprintf(noise, sizeof noise, "%.3f", (*highest - *lowest) / median(all) * 100);
    const std::uint32_t units =
        options.sizes.units * (options.transform == Transform::replicate ? streams : 1);
    std::ostringstream text;
    text << "{\"transform\": " << quoted(to_string(options.transform))
         << ", \"order\": " << quoted(to_string(order)) << ", \"streams\": " << streams
         << ", \"units\": " << units
         << ", \"parts\": 1, \"memory\": " << quoted(to_string(options.memory))
         << ", \"max_connections\": " << max_connections_json()
         << ", \"wall_median_us\": " << microseconds(median(all))
         << ", \"wall_min_us\": " << microseconds(*std::min_element(all.begin(), all.end()))
         << ", \"wall_max_us\": " << microseconds(*std::max_element(all.begin(), all.end()))
         << ", \"noise_percent\": " << noise << ", \"repetitions\": " << all.size()
         << ", \"series_median_us\": [";
    for (std::size_t i = 0; i < medians.size(); ++i) {
        text << (i == 0 ? "" : ", ") << microseconds(medians[i]);
    }
    text << "], \"timeline_file\": ";
    if (options.timeline_folder.empty()) {
        text << "null";
    } else {
        text << quoted(options.timeline_folder + "/" + std::string{to_string(order)} + "-" +
                       std::to_string(streams) + ".json.gz");
    }
    text << '}';
    return text.str();
}

void sweep(const Options& options) {
    std::map<std::pair<std::size_t, std::size_t>, Series> results;
    std::string device;
    for (std::uint32_t series = 0; series < options.series; ++series) {
        for (std::size_t order = 0; order < options.orders.size(); ++order) {
            for (std::size_t i = 0; i < options.streams.size(); ++i) {
                auto child = run_child(options, options.streams[i], options.orders[order]);
                device = child.device;
                results[{order, i}].push_back(std::move(child.nanoseconds));
            }
        }
    }
    std::ostringstream text;
    text << "{\n  \"schema_version\": 1,\n  \"case\": " << quoted(options.definition->name)
         << ",\n  \"device\": " << quoted(device) << ",\n  \"driver\": " << quoted(options.driver)
         << ",\n  \"date\": " << quoted(utc_now())
         << ",\n  \"command\": " << quoted("overcast-cases " + work_arguments(options))
         << ",\n  \"effect\": " << quoted(options.definition->effect)
         << ",\n  \"bytes\": " << options.sizes.bytes
         << ",\n  \"iterations\": " << options.sizes.iterations << ",\n  \"runs\": [";
    const char* separator = "\n    ";
    for (const auto& [key, series] : results) {
        text << separator
             << run_json(options, options.streams[key.second], options.orders[key.first], series);
        separator = ",\n    ";
    }
    text << "\n  ]\n}\n";
    if (options.output.empty()) {
        std::cout << text.str();
        return;
    }
    std::ofstream file{options.output};
    file << text.str();
    file.close();
    if (!file) {
        throw std::runtime_error("cannot write " + options.output);
    }
}

}  // namespace overcast::cases
