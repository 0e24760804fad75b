#include "workload/group_keys.hpp"

#include <algorithm>
#include <optional>

namespace overcast {
namespace {

std::uint32_t key_of(std::optional<BufferIndex> buffer) { return buffer ? number(*buffer) + 1 : 0; }

std::uint32_t buffer_key(const Action& action) {
    if (const auto* copy = std::get_if<Copy>(&action)) {
        return key_of(copy->kind == CopyKind::device_to_host ? copy->source_buffer
                                                             : copy->destination_buffer);
    }
    if (const auto* memset = std::get_if<Memset>(&action)) {
        return key_of(memset->buffer);
    }
    return 0;
}

bool copies_in(const Action& action) {
    const auto* copy = std::get_if<Copy>(&action);
    return copy != nullptr && copy->kind == CopyKind::host_to_device;
}

/// Walks the operations with the stack of open ranges of each thread.
class OpenRanges {
public:
    explicit OpenRanges(const Workload& workload)
        : ranges_{workload.ranges.begin(), workload.ranges.end()}, open_(workload.threads) {
        std::stable_sort(ranges_.begin(), ranges_.end(), [](const auto& left, const auto& right) {
            return left.begin != right.begin ? left.begin < right.begin : left.end > right.end;
        });
    }

    /// `position` must not fall from call to call.
    std::uint32_t innermost(std::size_t position, ThreadIndex thread) {
        for (; next_ < ranges_.size() && ranges_[next_].begin <= position; ++next_) {
            close(open_[index(ranges_[next_].thread)], ranges_[next_].begin);
            open_[index(ranges_[next_].thread)].push_back(ranges_[next_]);
        }
        auto& stack = open_[index(thread)];
        close(stack, position);
        return stack.empty() ? 0 : number(stack.back().name) + 1;
    }

private:
    static void close(std::vector<OperationRange>& stack, std::size_t position) {
        while (!stack.empty() && stack.back().end <= position) {
            stack.pop_back();
        }
    }

    std::vector<OperationRange> ranges_;
    std::vector<std::vector<OperationRange>> open_;
    std::size_t next_ = 0;
};

}  // namespace

std::vector<GroupKeys> group_keys(const Workload& workload, std::span<const WorkItem> items) {
    std::vector<GroupKeys> keys;
    keys.reserve(items.size());
    OpenRanges ranges{workload};
    const auto& operations = workload.operations;
    std::size_t previous = 0;
    for (const auto& item : items) {
        const auto& operation = operations[item.operation];
        const auto between = operations.begin() + static_cast<std::ptrdiff_t>(previous);
        const auto here = operations.begin() + static_cast<std::ptrdiff_t>(item.operation);
        const bool after_wait = std::any_of(
            between, here, [](const auto& other) { return synchronises(other.action); });
        const bool starts =
            keys.empty() || after_wait ||
            (copies_in(operation.action) && !copies_in(operations[previous].action));
        keys.push_back({ranges.innermost(item.operation, operation.thread),
                        buffer_key(operation.action), starts});
        previous = item.operation;
    }
    return keys;
}

}  // namespace overcast
