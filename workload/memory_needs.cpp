#include "workload/memory_needs.hpp"

#include "workload/granules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <vector>

namespace overcast {
namespace {

/// Buffers whose content belongs to one unit while it runs: what it writes, and the device memory
/// that it reads its result from (a kernel wrote that).
std::array<std::optional<BufferIndex>, 2> buffers_of_unit(const Action& action) {
    if (const auto* copy = std::get_if<Copy>(&action)) {
        const bool reads_result = copy->kind == CopyKind::device_to_host;
        return {copy->destination_buffer,
                reads_result ? copy->source_buffer : std::optional<BufferIndex>{}};
    }
    if (const auto* memset = std::get_if<Memset>(&action)) {
        return {memset->buffer, std::nullopt};
    }
    return {};
}

constexpr double kMib = 1024.0 * 1024.0;
/// Of the memory held. Assumes: less are parameters, no data.
constexpr double kNextToNothing = 0.05;
constexpr std::size_t kParts = 32;  // of a page
constexpr std::uint64_t kPart = kGranule / kParts;

/// What a copy or a memset puts into device memory.
Bytes brought_in(const Action& action) {
    if (const auto* copy = std::get_if<Copy>(&action)) {
        return copy->kind == CopyKind::device_to_host ? Bytes{} : copy->bytes;
    }
    const auto* memset = std::get_if<Memset>(&action);
    return memset != nullptr ? memset->bytes : Bytes{};
}

/// Bytes of all pages by their place in the page.
std::array<double, kParts> used_by_part(const std::vector<HeldMemory>& held) {
    std::array<double, kParts> used{};
    for (const auto& [address, bytes] : held) {
        const auto pages = bytes.count() / kGranule;
        for (auto& part : used) {
            part += static_cast<double>(pages * kPart);
        }
        auto at = number(address) % kGranule;
        for (auto left = bytes.count() % kGranule; left > 0;) {
            const auto here = std::min(left, kPart - at % kPart);
            used[at / kPart % kParts] += static_cast<double>(here);
            at += here;
            left -= here;
        }
    }
    return used;
}

}  // namespace

SharedBuffers shared_buffers(const Workload& workload, const Configuration& configuration) {
    struct Use {
        std::optional<std::uint32_t> stream;
        bool shared = false;
    };
    std::vector<Use> uses(workload.buffers.size());
    for (const auto& operation : workload.operations) {
        if (!operation.unit) {
            continue;
        }
        const auto stream =
            number(*operation.unit) / configuration.units_in_turn % configuration.streams;
        for (const auto buffer : buffers_of_unit(operation.action)) {
            if (buffer) {
                auto& use = uses[index(*buffer)];
                use.shared = use.shared || (use.stream && *use.stream != stream);
                use.stream = stream;
            }
        }
    }
    SharedBuffers shared;
    for (std::size_t i = 0; i < uses.size(); ++i) {
        if (uses[i].shared) {
            const auto& buffer = workload.buffers[i];
            const auto bytes = buffer.bytes.value_or(Bytes{});
            ++shared.buffers;
            (buffer.kind == MemoryKind::device ? shared.device_bytes : shared.host_bytes) += bytes;
        }
    }
    return shared;
}

std::optional<RoundMemory> round_memory(const Workload& workload,
                                        const std::vector<HeldMemory>& held) {
    std::uint64_t brought = 0;
    for (const auto& operation : workload.operations) {
        brought += brought_in(operation.action).count();
    }
    const auto used = used_by_part(held);
    const auto sum = std::accumulate(used.begin(), used.end(), 0.0);
    if (sum == 0 || static_cast<double>(brought) > kNextToNothing * sum) {
        return std::nullopt;
    }
    const auto squares = std::inner_product(used.begin(), used.end(), used.begin(), 0.0);
    const auto uneven = kParts * squares / (sum * sum);
    const Bytes round{static_cast<std::uint64_t>(sum * (1 + uneven) / 2)};
    return RoundMemory{round, round};
}

void set_device_memory(Workload& result, std::uint64_t copies, Bytes more) {
    if (!result.device_bytes) {
        return;
    }
    result.device_bytes = Bytes{result.device_bytes->count() * copies + more.count()};
    if (result.round) {
        result.round->now = Bytes{result.round->recorded.count() * copies + more.count()};
    }
    const auto& available = result.device.memory;
    if (available && *result.device_bytes > *available) {
        add_warning(result.warnings,
                    {"device-memory",
                     fmt::format("this needs {:.0f} MiB of device memory, and the GPU has {:.0f}",
                                 static_cast<double>(result.device_bytes->count()) / kMib,
                                 static_cast<double>(available->count()) / kMib)});
    }
}

}  // namespace overcast
