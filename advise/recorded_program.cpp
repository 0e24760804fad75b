#include "advise/recorded_program.hpp"

#include "simulator/simulator.hpp"
#include "workload/changes.hpp"

#include <algorithm>
#include <utility>

namespace overcast {

RecordedProgram recorded_program(const Trace& trace, PreparedTrace prepared) {
    auto extraction = std::move(prepared.extraction);
    auto model = std::move(prepared.model);
    auto played = simulate(extraction.workload, model);
    RecordedProgram program{trace,
                            std::move(extraction.workload),
                            extraction.overheads,
                            std::move(extraction.measured),
                            extraction.region_start,
                            std::move(model),
                            std::move(played),
                            {}};
    std::vector<bool> used(program.workload.streams.size(), false);
    for (const auto& operation : program.workload.operations) {
        if (enqueues_work(operation.action)) {
            used[index(operation.stream)] = true;
        }
    }
    for (std::uint32_t i = 0; i < used.size(); ++i) {
        if (used[i]) {
            program.streams.push_back(StreamIndex{i});
        }
    }
    return program;
}

std::vector<std::uint32_t> operations_where(const Workload& workload,
                                            const std::function<bool(const Operation&)>& test) {
    std::vector<std::uint32_t> found;
    for (std::uint32_t i = 0; i < workload.operations.size(); ++i) {
        if (test(workload.operations[i])) {
            found.push_back(i);
        }
    }
    return found;
}

std::vector<std::uint32_t> inner_operations_where(
    const Workload& workload, const std::function<bool(const Operation&)>& test) {
    auto found = operations_where(workload, test);
    const auto last = last_enqueuing(workload);
    std::erase_if(found, [&](std::uint32_t i) { return i >= last; });
    return found;
}

bool issued_unit_by_unit(const Workload& workload) {
    std::vector<bool> left(workload.units, false);
    std::optional<UnitIndex> current;
    for (const auto& operation : workload.operations) {
        if (!operation.unit || !enqueues_work(operation.action) || operation.unit == current) {
            continue;
        }
        if (left[index(*operation.unit)]) {
            return false;
        }
        if (current) {
            left[index(*current)] = true;
        }
        current = operation.unit;
    }
    return true;
}

}  // namespace overcast
