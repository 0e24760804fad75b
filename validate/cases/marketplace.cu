// Exercises: a pipeline bound by its copies in, the same bytes under three kernels.
//
// Each of 30,000 products has 1,024 offers (store, price); the cheapest is looked for. A unit is
// one chunk of the products: a copy in of 8,192 bytes per product, a kernel with one block per
// product, a copy out of 8 bytes per product. The seed's three kernels differ in duration alone:
// `market_naive` reduces with interleaved, divergent threads, `market_warps` with whole warps,
// `market_work` with half the threads, each comparing two offers while it loads them.
// `repeats` reduces again and again and so moves the balance from the copy to the kernel.
//
// Ties: prices are whole numbers up to 999, so most products have several offers at the lowest
// price. The lowest store number wins, whatever the order of the comparisons.
#include "validate/cases/marketplace.hpp"

#include "validate/cases/all_cases.hpp"
#include "validate/cases/harness/comparison.hpp"
#include "validate/cases/harness/mix.hpp"

#include <algorithm>
#include <bit>
#include <string>

namespace overcast::cases {
namespace {

constexpr std::uint32_t kHighestPrice = 999;
constexpr std::uint32_t kMostOffers = 1024;  // threads of a block

enum class Reduction : std::uint8_t { interleaved, whole_warps, two_per_thread };

__host__ __device__ constexpr bool is_better(const Offer& candidate, const Offer& than) {
    return candidate.price < than.price ||
           (candidate.price == than.price && candidate.store < than.store);
}

__device__ void keep_better(Offer& kept, const Offer& candidate) {
    if (is_better(candidate, kept)) {
        kept = candidate;
    }
}

__device__ void reduce_interleaved(Offer* offers) {
    for (std::uint32_t stride = 1; stride < blockDim.x; stride *= 2) {
        if (threadIdx.x % (2 * stride) == 0) {
            keep_better(offers[threadIdx.x], offers[threadIdx.x + stride]);
        }
        __syncthreads();
    }
}

__device__ void reduce_by_whole_warps(Offer* offers) {
    for (std::uint32_t stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (threadIdx.x < stride) {
            keep_better(offers[threadIdx.x], offers[threadIdx.x + stride]);
        }
        __syncthreads();
    }
}

/// One block per product. The threads are a power of two: as many as offers, or half of that.
template <Reduction reduction>
__global__ void find_cheapest(const Offer* __restrict__ all_offers, Offer* __restrict__ cheapest,
                              std::uint32_t repeats) {
    constexpr std::uint32_t kPerThread = reduction == Reduction::two_per_thread ? 2 : 1;
    __shared__ Offer offers[kMostOffers / kPerThread];
    const Offer* const mine = all_offers + std::size_t{blockIdx.x} * blockDim.x * kPerThread;
    Offer own = mine[threadIdx.x];
    if constexpr (reduction == Reduction::two_per_thread) {
        keep_better(own, mine[threadIdx.x + blockDim.x]);
    }
    for (std::uint32_t i = 0; i < repeats; ++i) {
        offers[threadIdx.x] = own;
        __syncthreads();
        if constexpr (reduction == Reduction::interleaved) {
            reduce_interleaved(offers);
        } else {
            reduce_by_whole_warps(offers);
        }
    }
    if (threadIdx.x == 0) {
        cheapest[blockIdx.x] = offers[0];
    }
}

struct Unit {
    HostArray<Offer> host_offers;
    DeviceArray<Offer> offers;
    DeviceArray<Offer> cheapest;
    HostArray<Offer> host_cheapest;
};

struct Market {
    std::uint32_t products;
    std::uint32_t offers;
    std::uint32_t chunks;
    std::uint32_t repeats;
};

Market market_from(const Values& values) {
    const Market market{values.count("products"), values.count("options"), values.count("units"),
                        values.count("repeats")};
    if (!std::has_single_bit(market.offers) || market.offers < 2 || market.offers > kMostOffers) {
        throw OptionError("the options of a product must be a power of two from 2 to 1024");
    }
    if (market.chunks == 0 || market.chunks > market.products || market.repeats == 0) {
        throw OptionError("there must be at least one unit, one product per unit and one repeat");
    }
    return market;
}

template <Reduction reduction>
class Chunks : public Work {
public:
    Chunks(const Values& values, HostMemory memory) : market_{market_from(values)} {
        units_.reserve(market_.chunks);
        for (std::uint32_t number = 0; number < market_.chunks; ++number) {
            const Stretch products = chunk_of(market_.products, market_.chunks, number);
            const std::size_t offers = products.size * market_.offers;
            units_.push_back({HostArray<Offer>{memory, offers}, DeviceArray<Offer>{offers},
                              DeviceArray<Offer>{products.size},
                              HostArray<Offer>{memory, products.size}});
            const Unit& unit = units_.back();
            for (std::size_t i = 0; i < offers; ++i) {
                const std::size_t product = products.begin + i / market_.offers;
                unit.host_offers[i] =
                    offer_of(static_cast<std::uint32_t>(product),
                             static_cast<std::uint32_t>(i % market_.offers), market_.offers);
            }
            std::fill_n(unit.host_cheapest.data(), products.size, Offer{});  // the price of none
        }
    }

    std::uint32_t units() const override { return market_.chunks; }

    std::vector<Step> steps(std::uint32_t number, Part part) override {
        const Unit& unit = units_.at(number);
        const Stretch products = stretch_of(unit.cheapest.size(), part);
        const Stretch offers{products.begin * market_.offers, products.size * market_.offers};
        const auto grid = static_cast<std::uint32_t>(products.size);
        constexpr std::uint32_t kPerThread = reduction == Reduction::two_per_thread ? 2 : 1;
        return {copy_in(unit.offers, unit.host_offers, offers),
                kernel([=, block = market_.offers / kPerThread, repeats = market_.repeats,
                        input = unit.offers.data() + offers.begin,
                        output = unit.cheapest.data() + products.begin](cudaStream_t stream) {
                    find_cheapest<reduction><<<grid, block, 0, stream>>>(input, output, repeats);
                }),
                copy_out(unit.host_cheapest, unit.cheapest, products)};
    }

    std::uint64_t verify(std::uint32_t number) const override {
        const Unit& unit = units_.at(number);
        Comparison comparison{number};
        for (std::size_t product = 0; product < unit.host_cheapest.size(); ++product) {
            const Offer expected =
                cheapest_of({unit.host_offers.data() + product * market_.offers, market_.offers});
            comparison.expect("price", product, expected.price, unit.host_cheapest[product].price);
            comparison.expect("store", product, expected.store, unit.host_cheapest[product].store);
        }
        return comparison.checksum();
    }

private:
    Market market_;
    std::vector<Unit> units_;
};

template <Reduction reduction>
CaseDefinition definition(std::string_view name, std::string_view effect) {
    CaseDefinition result;
    result.name = name;
    result.effect = effect;
    result.parameters = {
        {"units", "chunks that the products are cut into", 8, 30, 3},
        {"products", "products in all units together", 30'000, 30'000, 22},
        {"options", "offers of each product (a power of two, at most 1024)", 1'024, 1'024, 64},
        {"repeats", "how often the kernel reduces the offers", 1, 1, 2},
    };
    result.make = [](const Values& values, HostMemory memory) -> std::unique_ptr<Work> {
        return std::make_unique<Chunks<reduction>>(values, memory);
    };
    result.can_be_split = true;
    return result;
}

}  // namespace

Offer offer_of(std::uint32_t product, std::uint32_t position, std::uint32_t offers) {
    // An odd factor permutes the numbers below a power of two.
    const std::uint32_t store = (position * 5 + product) % offers;
    return {store, 1 + mix(product * kMostOffers + position) % kHighestPrice};
}

Offer cheapest_of(std::span<const Offer> offers) {
    Offer best = offers.front();
    for (const Offer& offer : offers) {
        if (is_better(offer, best)) {
            best = offer;
        }
    }
    return best;
}

Stretch chunk_of(std::uint32_t products, std::uint32_t chunks, std::uint32_t chunk) {
    const std::size_t share = products / chunks;
    const std::size_t begin = share * chunk;
    return {begin, chunk + 1 == chunks ? products - begin : share};
}

CaseDefinition market_naive_case() {
    return definition<Reduction::interleaved>(
        "market_naive", "copies in bound the pipeline; a reduction with divergent threads");
}

CaseDefinition market_warps_case() {
    return definition<Reduction::whole_warps>(
        "market_warps", "copies in bound the pipeline; a reduction with whole warps");
}

CaseDefinition market_work_case() {
    return definition<Reduction::two_per_thread>(
        "market_work", "copies in bound the pipeline; a reduction with half the threads");
}

}  // namespace overcast::cases
