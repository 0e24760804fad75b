#include "workload/work_splitter.hpp"

#include <algorithm>
#include <array>

namespace overcast {

bool WorkSplitter::cut(Action& action, std::uint32_t part) {
    if (auto* copy = std::get_if<Copy>(&action)) {
        copy->bytes = Bytes{share_of(copy->bytes.count(), parts_, part)};
        return copy->bytes.count() > 0;
    }
    if (auto* memset = std::get_if<Memset>(&action)) {
        memset->bytes = Bytes{share_of(memset->bytes.count(), parts_, part)};
        return memset->bytes.count() > 0;
    }
    if (auto* launch = std::get_if<KernelLaunch>(&action)) {
        cut_kernel(*launch, part);
    }
    return true;
}

void WorkSplitter::cut_kernel(KernelLaunch& launch, std::uint32_t part) {
    if (kernels_ == SplitKernels::duration) {
        if (launch.measured) {
            const auto whole = static_cast<std::uint64_t>(launch.measured->duration.count());
            launch.measured->duration =
                Duration{static_cast<Duration::rep>(share_of(whole, parts_, part))};
        }
        return;
    }
    const auto cut = cut_of(launch.kernel);
    launch.kernel = part < cut.larger ? cut.large : cut.small;
}

WorkSplitter::Cut WorkSplitter::cut_of(KernelIndex kernel) {
    if (index(kernel) >= cuts_.size()) {
        cuts_.resize(index(kernel) + 1);
    }
    if (!cuts_[index(kernel)]) {
        cuts_[index(kernel)] = cut_grid(kernel);
    }
    return *cuts_[index(kernel)];
}

KernelIndex WorkSplitter::with_grid(KernelIndex kernel, Extent grid) {
    auto changed = result_->kernels[index(kernel)];
    changed.shape.grid = grid;
    result_->kernels.push_back(changed);
    return static_cast<KernelIndex>(result_->kernels.size() - 1);
}

/// Divides the largest dimension, in whole clusters. A grid whose dimensions are each smaller than
/// the number of parts, but which has enough blocks, is laid out along x.
WorkSplitter::Cut WorkSplitter::cut_grid(KernelIndex kernel) {
    const auto shape = result_->kernels[index(kernel)].shape;
    constexpr std::array<std::uint32_t Extent::*, 3> kDimensions{&Extent::x, &Extent::y,
                                                                 &Extent::z};
    const auto clusters = [&](std::uint32_t Extent::*dimension) {
        return shape.grid.*dimension / std::max(shape.cluster.*dimension, 1U);
    };
    const auto largest =
        *std::max_element(kDimensions.begin(), kDimensions.end(),
                          [&](auto left, auto right) { return clusters(left) < clusters(right); });
    std::uint64_t total = clusters(largest);
    auto dimension = largest;
    auto base = shape.grid;
    if (total < parts_ && shape.cluster.count() == 1 && shape.grid.count() >= parts_) {
        total = shape.grid.count();
        dimension = &Extent::x;
        base = Extent{};
    }
    if (total < parts_) {
        ++too_small_;
        return {kernel, kernel, 0};
    }
    const auto grid_of = [&](std::uint64_t count) {
        auto grid = base;
        grid.*dimension =
            static_cast<std::uint32_t>(count * std::max(shape.cluster.*dimension, 1U));
        return grid;
    };
    const auto larger = total % parts_;
    const auto small = with_grid(kernel, grid_of(total / parts_));
    const auto large = larger == 0 ? small : with_grid(kernel, grid_of(total / parts_ + 1));
    return {large, small, larger};
}

}  // namespace overcast
