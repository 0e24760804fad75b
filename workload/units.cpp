#include "workload/units.hpp"

#include "core/error.hpp"
#include "workload/group_keys.hpp"
#include "workload/repetition.hpp"
#include "workload/signatures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

namespace overcast {
namespace {

using Items = std::span<const WorkItem>;

bool is_work(const Operation& operation) { return enqueues_work(operation.action); }

void forget_units(Workload& workload) {
    workload.units = 0;
    for (auto& operation : workload.operations) {
        operation.unit.reset();
    }
}

void make_one_unit(Workload& workload) {
    workload.units = 1;
    for (auto& operation : workload.operations) {
        operation.unit = UnitIndex{0};
    }
}

/// The steps between the last work of a unit and the first work of the next one in issue order,
/// where that happens for the last time; empty where it never does.
std::span<const Operation> steps_before_last_unit(const Workload& workload) {
    const auto& operations = workload.operations;
    std::span<const Operation> steps;
    std::optional<std::size_t> previous;
    for (std::size_t i = 0; i < operations.size(); ++i) {
        if (!is_work(operations[i]) || !operations[i].unit) {
            continue;
        }
        if (previous && operations[*previous].unit != operations[i].unit) {
            steps = std::span{operations}.subspan(*previous + 1, i - *previous - 1);
        }
        previous = i;
    }
    return steps;
}

/// How many of `steps`, which follow the last unit, are of the same kind as those that follow the
/// unit before it. The others belong to no unit: a wait for all.
std::size_t count_alike(std::span<const Operation> steps, std::span<const Operation> earlier) {
    const auto alike = [](const Operation& left, const Operation& right) {
        return left.action.index() == right.action.index() && left.name == right.name;
    };
    const auto [end, unused] =
        std::mismatch(steps.begin(), steps.end(), earlier.begin(), earlier.end(), alike);
    return static_cast<std::size_t>(end - steps.begin());
}

/// Memory that a unit gives back is its own: it is asked for in that unit, not in the one whose
/// work happened to be issued before.
void attach_allocations(Workload& workload) {
    std::map<BlockIndex, UnitIndex> owners;
    for (auto operation = workload.operations.rbegin(); operation != workload.operations.rend();
         ++operation) {
        if (!operation->memory) {
            continue;
        }
        const auto block = operation->memory->block;
        if (operation->memory->release && operation->unit) {
            owners[block] = *operation->unit;
        } else if (const auto owner = owners.find(block); owner != owners.end()) {
            operation->unit = owner->second;
        }
    }
}

/// Steps that put no work on the device belong to the unit of the work before them. A stream's wait
/// for an event belongs to the work after it.
void attach_other_steps(Workload& workload) {
    auto& operations = workload.operations;
    const auto in_unit = [](const Operation& operation) { return operation.unit.has_value(); };
    const auto first = std::find_if(operations.begin(), operations.end(), in_unit);
    if (first == operations.end()) {
        return;
    }
    const auto last = std::find_if(operations.rbegin(), operations.rend(), in_unit).base();
    const auto after_last = std::span{last, std::find_if(last, operations.end(), is_work)};
    const auto own = count_alike(after_last, steps_before_last_unit(workload));
    auto current = first->unit;
    for (auto operation = first; operation != last; ++operation) {
        current = operation->unit ? operation->unit : current;
        operation->unit = current;
    }
    auto next = (last - 1)->unit;
    for (auto operation = last; operation-- != first;) {
        if (std::holds_alternative<EventWait>(operation->action)) {
            operation->unit = next;
        } else if (is_work(*operation)) {
            next = operation->unit;
        }
    }
    for (auto& operation : after_last.first(own)) {
        operation.unit = current;
    }
    attach_allocations(workload);
}

/// Says so if the units do not all hold the same work.
void warn_of_uneven_units(Workload& workload, Items items) {
    std::vector<std::vector<std::uint32_t>> work(workload.units);
    for (const auto& item : items) {
        if (const auto unit = workload.operations[item.operation].unit) {
            work[index(*unit)].push_back(item.symbol);
        }
    }
    const auto uneven = std::count_if(work.begin(), work.end(),
                                      [&](const auto& other) { return other != work.front(); });
    if (uneven > 0) {
        add_warning(workload.warnings,
                    {"uneven-units",
                     fmt::format("{} of {} units hold other work than the first one (a last chunk "
                                 "that is shorter, or other steps)",
                                 uneven, workload.units)});
    }
}

/// Units must hold at least half of the steps, and a kernel if there is any: two equal copies
/// before one kernel are no repetition.
class Worthwhile {
public:
    Worthwhile(const Workload& workload, Items items) : kernels_before_(items.size() + 1, 0) {
        for (std::size_t i = 0; i < items.size(); ++i) {
            const auto& action = workload.operations[items[i].operation].action;
            kernels_before_[i + 1] =
                kernels_before_[i] + (std::holds_alternative<KernelLaunch>(action) ? 1U : 0U);
        }
    }
    bool operator()(std::size_t begin, std::size_t end) const {
        const bool has_kernel = kernels_before_[end] > kernels_before_[begin];
        return 2 * (end - begin) >= kernels_before_.size() - 1 &&
               (has_kernel || kernels_before_.back() == 0);
    }

private:
    std::vector<std::uint32_t> kernels_before_;
};

std::vector<std::uint32_t> symbols_of(Items items, std::uint32_t WorkItem::*symbol) {
    std::vector<std::uint32_t> symbols;
    symbols.reserve(items.size());
    for (const auto& item : items) {
        symbols.push_back(item.*symbol);
    }
    return symbols;
}

/// True if all units but one hold exactly the same work.
bool all_but_one_equal(const Repetition& found, Items items) {
    std::vector<std::vector<std::uint32_t>> work(found.units);
    for (std::size_t i = found.begin; i < found.end; ++i) {
        work[found.unit_of[i - found.begin]].push_back(items[i].symbol);
    }
    const auto& usual = work.front();
    return found.units > 2 && std::count(work.begin(), work.end(), usual) >= found.units - 1;
}

std::optional<Repetition> find_repeated_work(const Workload& workload, Items items) {
    const auto keys = group_keys(workload, items);
    const Worthwhile worthwhile{workload, items};
    const auto symbols = symbols_of(items, &WorkItem::symbol);
    auto best = find_repetition(symbols, keys, worthwhile);
    if (best && best->end - best->begin == items.size()) {
        return best;
    }
    const auto families = symbols_of(items, &WorkItem::family);
    if (families == symbols) {
        return best;
    }
    auto sizeless = find_repetition(families, keys, worthwhile);
    const bool better =
        sizeless && (!best || sizeless->end - sizeless->begin > best->end - best->begin);
    return better && all_but_one_equal(*sizeless, items) ? sizeless : best;
}

void find_automatic_units(Workload& workload, Items items) {
    const auto found = find_repeated_work(workload, items);
    if (!found) {
        make_one_unit(workload);
        return;
    }
    workload.units = found->units;
    for (std::size_t i = found->begin; i < found->end; ++i) {
        workload.operations[items[i].operation].unit = UnitIndex{found->unit_of[i - found->begin]};
    }
    attach_other_steps(workload);
    if (found->by_position) {
        add_warning(
            workload.warnings,
            {"units-by-position",
             "units are interleaved and neither NVTX ranges nor buffer addresses tell which "
             "operations belong together; their position was used"});
    }
    warn_of_uneven_units(workload, items);
}

void take_equal_counts(Workload& workload, std::uint32_t count, Items items) {
    if (items.size() % count != 0) {
        throw UsageError(fmt::format(
            "--unit count:{}: {} enqueuing calls cannot be cut into {} units of equal length",
            count, items.size(), count));
    }
    const auto length = items.size() / count;
    workload.units = count;
    for (std::size_t i = 0; i < items.size(); ++i) {
        workload.operations[items[i].operation].unit =
            UnitIndex{static_cast<std::uint32_t>(i / length)};
    }
    attach_other_steps(workload);
    warn_of_uneven_units(workload, items);
}

[[noreturn]] void refuse_range(const Workload& workload, std::string_view name) {
    std::set<std::string_view> known;
    for (const auto& range : workload.ranges) {
        known.insert(workload.names[range.name]);
    }
    std::string listed;
    for (const auto other : known) {
        listed += fmt::format("{}\"{}\"", listed.empty() ? "" : ", ", other);
        if (listed.size() > 200) {
            listed += ", …";
            break;
        }
    }
    throw UsageError(fmt::format("--unit nvtx:{}: no NVTX range of that name holds device work; {}",
                                 name, known.empty() ? "the region has none" : "known: " + listed));
}

void take_ranges(Workload& workload, std::string_view name, Items items) {
    auto& operations = workload.operations;
    std::uint32_t units = 0;
    for (const auto& range : workload.ranges) {
        if (workload.names[range.name] != name) {
            continue;
        }
        bool any = false;
        for (auto i = range.begin; i < range.end; ++i) {
            // An operation of a nested range of the same name stays with the outer one.
            if (operations[i].thread == range.thread && !operations[i].unit) {
                operations[i].unit = UnitIndex{units};
                any = any || is_work(operations[i]);
            }
        }
        if (any) {
            ++units;
            continue;
        }
        for (auto i = range.begin; i < range.end; ++i) {
            if (operations[i].unit == UnitIndex{units}) {
                operations[i].unit.reset();
            }
        }
    }
    if (units == 0) {
        refuse_range(workload, name);
    }
    workload.units = units;
    const auto outside = [](const Operation& operation) {
        return is_work(operation) && !operation.unit;
    };
    const auto in_unit = [](const Operation& operation) { return operation.unit.has_value(); };
    const auto first = std::find_if(operations.begin(), operations.end(), in_unit);
    const auto last = std::find_if(operations.rbegin(), operations.rend(), in_unit).base();
    if (std::any_of(first, last, outside)) {
        add_warning(workload.warnings,
                    {"work-between-units",
                     fmt::format("there is device work between the NVTX ranges \"{}\"; it is "
                                 "counted to the range before it",
                                 name)});
    }
    attach_other_steps(workload);
    warn_of_uneven_units(workload, items);
}

}  // namespace

UnitChoice parse_unit_choice(std::string_view text) {
    if (text == "auto") {
        return {};
    }
    if (text == "whole") {
        return {UnitChoice::Kind::whole, {}, 0};
    }
    if (text.starts_with("nvtx:") && text.size() > 5) {
        return {UnitChoice::Kind::nvtx, std::string{text.substr(5)}, 0};
    }
    if (text.starts_with("count:")) {
        const auto digits = text.substr(6);
        std::uint32_t count = 0;
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), count);
        if (error == std::errc{} && end == digits.data() + digits.size() && count > 0) {
            return {UnitChoice::Kind::count, {}, count};
        }
    }
    throw UsageError(
        fmt::format("--unit {}: must be auto, whole, nvtx:NAME or count:K with K from 1 up", text));
}

void find_units(Workload& workload, const UnitChoice& choice) {
    forget_units(workload);
    const auto items = work_items(workload);
    switch (choice.kind) {
        case UnitChoice::Kind::automatic: find_automatic_units(workload, items); return;
        case UnitChoice::Kind::whole: make_one_unit(workload); return;
        case UnitChoice::Kind::nvtx: take_ranges(workload, choice.name, items); return;
        case UnitChoice::Kind::count: take_equal_counts(workload, choice.count, items); return;
    }
}

}  // namespace overcast
