#include "workload/scatter.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

namespace overcast {
namespace {

/// 95 % point of the normal distribution: one side of a 90 % interval.
constexpr double kOneSide = 1.645;
/// What is assumed of a class counts as much as so many recorded operations.
constexpr double kAssumedWeight = 2;

enum class Server : std::uint8_t { h2d, d2h, sm, host };
constexpr std::size_t kServers = 4;

/// A class of operations, as a number that is the same in a workload made of the recorded one.
struct Class {
    std::uint64_t key = 0;
    Server server{};
    double assumed = 0;  ///< coefficient of variation
};

constexpr std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
    constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15ULL;
    hash ^= value + kGolden + (hash << 6U) + (hash >> 2U);
    return hash * kGolden;
}

bool pageable(const Copy& copy) {
    return copy.source == MemoryKind::pageable || copy.destination == MemoryKind::pageable;
}

/// The amount is the recorded one, which a transform keeps.
std::uint64_t key_of(std::uint64_t kind, std::uint64_t detail, const Measured& measured) {
    return mixed(mixed(mixed(0, kind), detail), measured.amount);
}

std::optional<Class> class_of(const Workload& workload, const Operation& operation,
                              const ScatterParameters& assumed) {
    if (const auto* copy = std::get_if<Copy>(&operation.action); copy && copy->measured) {
        const bool staged = pageable(*copy);
        const auto server = copy->kind == CopyKind::host_to_device   ? Server::h2d
                            : copy->kind == CopyKind::device_to_host ? Server::d2h
                                                                     : Server::sm;
        return Class{
            key_of(static_cast<std::uint64_t>(copy->kind), staged ? 1 : 0, *copy->measured), server,
            server == Server::sm ? assumed.kernel
            : staged             ? assumed.pageable_copy
                                 : assumed.pinned_copy};
    }
    if (const auto* memset = std::get_if<Memset>(&operation.action); memset && memset->measured) {
        constexpr std::uint64_t kMemset = 100;
        return Class{key_of(kMemset, 0, *memset->measured), Server::sm, assumed.kernel};
    }
    const auto* launch = std::get_if<KernelLaunch>(&operation.action);
    if (launch && launch->measured) {
        constexpr std::uint64_t kKernel = 101;
        const auto& kernel = workload.kernels[index(launch->kernel)];
        return Class{key_of(kKernel, mixed(number(kernel.name), kernel.shape.block.count()),
                            *launch->measured),
                     Server::sm, assumed.kernel};
    }
    return std::nullopt;
}

std::optional<Duration> recorded_duration(const Action& action) {
    std::optional<Measured> measured;
    if (const auto* copy = std::get_if<Copy>(&action)) {
        measured = copy->measured;
    } else if (const auto* memset = std::get_if<Memset>(&action)) {
        measured = memset->measured;
    } else if (const auto* launch = std::get_if<KernelLaunch>(&action)) {
        measured = launch->measured;
    }
    return measured ? std::optional{measured->duration} : std::nullopt;
}

/// Sums over a class, about its first value so that nothing cancels.
struct Sample {
    Server server{};
    double assumed = 0;
    double first = 0;
    double count = 0;
    double sum = 0;
    double squares = 0;

    void add(double value) {
        first = count == 0 ? value : first;
        count += 1;
        sum += value - first;
        squares += (value - first) * (value - first);
    }
    [[nodiscard]] double total() const { return count * first + sum; }
    /// Standard deviation, relative, of the mean of another run less that of the recording.
    [[nodiscard]] double of_mean() const {
        const double mean = total() / count;
        if (mean <= 0) {
            return 0;
        }
        const double assumed_variance = assumed * assumed * mean * mean;
        const double variance =
            (std::max(0.0, squares - sum * sum / count) + kAssumedWeight * assumed_variance) /
            (count - 1 + kAssumedWeight);
        return std::sqrt(variance * 2 / count) / mean;
    }
};

using Samples = std::map<std::uint64_t, Sample>;

std::unordered_map<std::uint64_t, double> half_widths(const Samples& samples) {
    std::array<double, kServers> variance{};  // of the sum over the classes of a server
    for (const auto& [key, sample] : samples) {
        const double deviation = sample.of_mean() * sample.total();
        variance[static_cast<std::size_t>(sample.server)] += deviation * deviation;
    }
    std::unordered_map<std::uint64_t, double> result;
    for (const auto& [key, sample] : samples) {
        const double all = std::sqrt(variance[static_cast<std::size_t>(sample.server)]);
        const double relative = sample.of_mean();
        result[key] = all > 0 ? kOneSide * relative * (relative * sample.total()) / all : 0;
    }
    return result;
}

double found(const std::unordered_map<std::uint64_t, double>& widths, std::uint64_t key) {
    const auto place = widths.find(key);
    return place == widths.end() ? 0 : place->second;
}

}  // namespace

TraceScatter::TraceScatter(const Workload& recorded, const ScatterParameters& assumed) {
    Samples durations;
    Samples calls;
    const auto add = [](Samples& samples, const Class& of, Duration value) {
        auto& sample = samples[of.key];
        sample.server = of.server;
        sample.assumed = of.assumed;
        sample.add(static_cast<double>(value.count()));
    };
    for (const auto& operation : recorded.operations) {
        add(calls, {number(operation.name), Server::host, assumed.host_call}, operation.call_cost);
        if (const auto one = class_of(recorded, operation, assumed)) {
            add(durations, *one, *recorded_duration(operation.action));
        }
    }
    durations_ = half_widths(durations);
    calls_ = half_widths(calls);
}

double TraceScatter::of_duration(const Workload& workload, const Operation& operation) const {
    const auto one = class_of(workload, operation, {});
    return one ? found(durations_, one->key) : 0;
}

double TraceScatter::of_call(const Operation& operation) const {
    return found(calls_, number(operation.name));
}

}  // namespace overcast
