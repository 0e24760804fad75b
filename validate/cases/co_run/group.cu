#include "validate/cases/co_run/group.hpp"

#include "validate/cases/co_run/classes.hpp"

#include <array>
#include <random>
#include <utility>

namespace overcast::cases {
namespace {

constexpr std::uint64_t kSeed = 20'261'122;
constexpr std::array<std::uint32_t, 8> kTenthsOfWave{1, 3, 5, 9, 10, 13, 20, 80};
constexpr std::uint32_t kShortestUs = 100;
constexpr std::uint32_t kLongestUs = 500;
constexpr std::uint32_t kLongestGroupUs = 4'500;
constexpr std::uint32_t kLongestDelayUs = 200;
constexpr std::uint32_t kStaggeredOfTen = 4;

/// The standard fixes the generator but not its distributions: those are made here.
class Draw {
public:
    explicit Draw(std::uint64_t seed) : bits_{seed} {}

    std::uint32_t below(std::uint32_t end) { return static_cast<std::uint32_t>(bits_() % end); }
    std::uint32_t from_to(std::uint32_t first, std::uint32_t last) {
        return first + below(last - first + 1);
    }
    template <typename List>
    auto one_of(const List& list) {
        return list[below(static_cast<std::uint32_t>(list.size()))];
    }
    template <typename List>
    void shuffle(List& list) {
        for (auto i = static_cast<std::uint32_t>(list.size()); i > 1; --i) {
            std::swap(list[i - 1], list[below(i)]);
        }
    }

private:
    std::mt19937_64 bits_;
};

using Kinds = std::vector<KernelClass>;

std::vector<Kinds> every_pair(Draw& draw) {
    std::vector<Kinds> pairs;
    for (std::uint32_t first = 0; first < kKernelClasses; ++first) {
        for (std::uint32_t second = first; second < kKernelClasses; ++second) {
            Kinds pair{static_cast<KernelClass>(first), static_cast<KernelClass>(second)};
            draw.shuffle(pair);
            pairs.push_back(std::move(pair));
        }
    }
    draw.shuffle(pairs);
    return pairs;
}

std::uint32_t size_of_group(Draw& draw, std::uint32_t number) {
    const std::uint32_t place = number % 10;
    return place < 5 ? 2 : place < 8 ? draw.from_to(3, 4) : draw.from_to(5, 16);
}

DrawnKernel draw_kernel(Draw& draw, Variant variant, KernelClass kind) {
    const ClassVariant& row = class_row(kind).variant(variant);
    DrawnKernel kernel;
    kernel.kind = kind;
    kernel.tenths_of_wave = draw.one_of(kTenthsOfWave);
    kernel.target_us = draw.from_to(kShortestUs, kLongestUs);
    kernel.block = row.blocks.empty() ? 0 : draw.one_of(row.blocks);
    kernel.megabytes = row.megabytes.empty() ? 0 : draw.one_of(row.megabytes);
    return kernel;
}

void limit_length(Group& group) {
    std::uint32_t total = 0;
    for (const auto& kernel : group) {
        total += kernel.target_us;
    }
    for (auto& kernel : group) {
        if (total > kLongestGroupUs) {
            kernel.target_us = kernel.target_us * kLongestGroupUs / total;
        }
    }
}

void stagger(Draw& draw, Group& group) {
    for (std::size_t i = 1; i < group.size(); ++i) {
        group[i].delay_us = draw.from_to(0, kLongestDelayUs);
    }
}

std::vector<Group> draw_groups(Variant variant) {
    Draw draw{kSeed + static_cast<std::uint64_t>(variant)};
    std::vector<Kinds> pairs;
    std::vector<Group> groups;
    for (std::uint32_t number = 0; number < kGroups; ++number) {
        Kinds kinds(size_of_group(draw, number));
        if (kinds.size() == 2) {
            if (pairs.empty()) {
                pairs = every_pair(draw);
            }
            kinds = pairs.back();
            pairs.pop_back();
        } else {
            for (auto& kind : kinds) {
                kind = static_cast<KernelClass>(draw.below(kKernelClasses));
            }
        }
        Group& group = groups.emplace_back();
        for (const auto kind : kinds) {
            group.push_back(draw_kernel(draw, variant, kind));
        }
        limit_length(group);
        if (draw.below(10) < kStaggeredOfTen) {
            stagger(draw, group);
        }
    }
    return groups;
}

}  // namespace

const std::vector<Group>& groups_of(Variant variant) { return made_once<draw_groups>(variant); }

}  // namespace overcast::cases
