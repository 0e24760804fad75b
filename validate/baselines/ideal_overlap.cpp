#include "validate/baselines/ideal_overlap.hpp"

#include "model/kernel_model.hpp"
#include "workload/transform.hpp"

#include <algorithm>
#include <vector>

namespace overcast {
namespace {

/// Nanoseconds.
struct EngineWork {
    double h2d = 0;
    double d2h = 0;
    double sm = 0;
    std::vector<double> streams;
    bool any = false;
};

double nanoseconds(const Measured& measured) {
    return static_cast<double>(measured.duration.count());
}

/// A measured duration for another number of bytes.
double scaled(const std::optional<Measured>& measured, Bytes bytes) {
    if (!measured) {
        return 0;
    }
    if (measured->amount == 0) {
        return nanoseconds(*measured);
    }
    return nanoseconds(*measured) * static_cast<double>(bytes.count()) /
           static_cast<double>(measured->amount);
}

double waves(std::uint64_t blocks, std::uint64_t slots) {
    return static_cast<double>(std::max<std::uint64_t>((blocks + slots - 1) / slots, 1));
}

class Counter {
public:
    explicit Counter(const Workload& workload) : workload_{workload} {
        work_.streams.resize(std::max<std::size_t>(workload.streams.size(), 1), 0);
    }

    EngineWork count() {
        for (const auto& operation : workload_.operations) {
            if (enqueues_work(operation.action)) {
                work_.any = true;
                work_.streams[index(operation.stream)] += add(operation.action);
            }
        }
        return std::move(work_);
    }

private:
    /// Its duration, which its engine works off.
    double add(const Action& action) {
        if (const auto* copy = std::get_if<Copy>(&action)) {
            const auto duration = scaled(copy->measured, copy->bytes);
            work_.h2d += copy->kind == CopyKind::host_to_device ? duration : 0;
            work_.d2h += copy->kind == CopyKind::device_to_host ? duration : 0;
            return duration;
        }
        if (const auto* launch = std::get_if<KernelLaunch>(&action)) {
            return add_kernel(*launch);
        }
        const auto& memset = std::get<Memset>(action);
        return scaled(memset.measured, memset.bytes);
    }

    double add_kernel(const KernelLaunch& launch) {
        if (!launch.measured) {
            return 0;
        }
        const auto& shape = workload_.kernels[index(launch.kernel)].shape;
        const auto per_sm =
            std::max(1U, blocks_that_fit(block_needs(shape), sm_limits(workload_.device)));
        const auto slots = std::uint64_t{per_sm} * multiprocessors(workload_.device);
        const auto blocks = std::max<std::uint64_t>(shape.grid.count(), 1);
        const auto duration = nanoseconds(*launch.measured) * waves(blocks, slots) /
                              waves(launch.measured->amount, slots);
        work_.sm += duration * static_cast<double>(blocks) /
                    (waves(blocks, slots) * static_cast<double>(slots));
        return duration;
    }

    const Workload& workload_;
    EngineWork work_;
};

}  // namespace

std::optional<Duration> predict_ideal_overlap(const Extraction& recorded,
                                              const Configuration& configuration) {
    const auto workload = transform(recorded.workload, configuration);
    const auto work = Counter{workload}.count();
    if (!work.any) {
        return std::nullopt;
    }
    const auto chain = *std::max_element(work.streams.begin(), work.streams.end());
    return round_to_duration(std::max({work.h2d, work.d2h, work.sm, chain}));
}

}  // namespace overcast
