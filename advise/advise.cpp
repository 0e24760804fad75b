#include "advise/advise.hpp"

#include "advise/diagnosis_table.hpp"
#include "advise/path_summary.hpp"
#include "advise/savings.hpp"
#include "advise/words.hpp"
#include "core/error.hpp"
#include "forecast/bound.hpp"
#include "forecast/interval.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

namespace overcast {
namespace {

constexpr std::size_t kPlaces = 3;

std::vector<Place> places_of(const RecordedProgram& program, const DiagnosisFinding& finding) {
    std::vector<Place> places;
    for (std::size_t i = 0; i < std::min(finding.operations.size(), kPlaces); ++i) {
        const auto at = finding.operations[i];
        const auto& operation = program.workload.operations[at];
        Place place;
        place.operation = at;
        place.call = program.workload.names[operation.name];
        place.at = program.measured.entries[at].call_start;
        const auto what = operation_in_words(program.workload, at);
        place.what = what == place.call ? "" : what;
        if (enqueues_work(operation.action)) {
            place.what += ", " + stream_in_words(program.workload, operation.stream);
        }
        places.push_back(std::move(place));
    }
    return places;
}

std::string bound_in_words(Bound bound) {
    switch (bound) {
        case Bound::h2d: return "copies to the device are";
        case Bound::d2h: return "copies to the host are";
        case Bound::sm: return "the SMs are";
        case Bound::host: return "the host is";
        case Bound::chain: return "the chain of dependencies is";
    }
    return "something else is";
}

/// Why a finding that could be removed saves nothing.
std::string without_gain(const Found& found, Bound recorded, Bound advised) {
    if (found.with_the_rest.time < Duration{} || found.alone.time < Duration{}) {
        return fmt::format("without it the program takes longer or as long ({} alone, {} last)",
                           time_in_words(-found.alone.time),
                           time_in_words(-found.with_the_rest.time));
    }
    return fmt::format("{} the limit as recorded, and {} with everything else changed",
                       bound_in_words(recorded),
                       recorded == advised ? "still" : bound_in_words(advised));
}

struct Limits {
    Duration recorded_wall{};
    Bound recorded = Bound::chain;
    Bound advised = Bound::chain;
};

/// Less than a thousandth of the wall time either way is no difference.
Saving noticeable(const Saving& saving, Duration wall) {
    constexpr int kLeast = 1000;
    return std::chrono::abs(saving.time) * kLeast < wall ? Saving{} : saving;
}

Diagnosis diagnosis_of(const RecordedProgram& program, Found& found, const Limits& limits) {
    auto& finding = found.finding;
    Diagnosis diagnosis;
    diagnosis.id = found.row->id;
    diagnosis.title = found.row->title;
    diagnosis.link = found.row->link;
    diagnosis.places = places_of(program, finding);
    diagnosis.occurrences =
        finding.occurrences > 0 ? finding.occurrences : finding.operations.size();
    diagnosis.evidence = std::move(finding.evidence);
    diagnosis.change = std::move(finding.change);
    diagnosis.advised = found.active;
    diagnosis.alone = noticeable(found.alone, limits.recorded_wall);
    diagnosis.with_the_rest = noticeable(found.with_the_rest, limits.recorded_wall);
    diagnosis.verdict = finding.verdict;
    diagnosis.reason = std::move(finding.reason);
    const auto least =
        round_to_duration(kWorthwhile * static_cast<double>(limits.recorded_wall.count()));
    if (diagnosis.verdict == Verdict::saves && diagnosis.most() < least) {
        diagnosis.verdict = Verdict::nothing_to_gain;
        diagnosis.reason = without_gain(found, limits.recorded, limits.advised);
    }
    return diagnosis;
}

std::vector<Found> find_all(const Case& seen) {
    std::vector<Found> found;
    for (const auto& row : diagnosis_table()) {
        if (auto finding = row.find(seen)) {
            const bool removable = finding->remove || finding->put_back;
            const bool active = removable && !finding->may_be_needed;
            found.push_back({&row, *std::move(finding), active, false, {}, {}});
        }
    }
    return found;
}

void make_changes(const std::vector<std::string>& ids, std::vector<Found>& found) {
    for (const auto& id : ids) {
        const auto place =
            std::ranges::find_if(found, [&](const auto& one) { return one.row->id == id; });
        if (place == found.end() || !place->finding.remove) {
            throw UsageError(
                fmt::format("--made {}: this program has no such cause to remove", id));
        }
        place->active = place->made = true;
    }
}

/// Largest saving first; what saves nothing behind, what has no price last.
void rank(std::vector<Diagnosis>& diagnoses) {
    std::ranges::stable_sort(diagnoses, [](const Diagnosis& left, const Diagnosis& right) {
        if (left.verdict != right.verdict) {
            return left.verdict < right.verdict;
        }
        return left.verdict == Verdict::saves && left.most() > right.most();
    });
}

Bound bound_of(const PlayedConfiguration& played) {
    return bound_by(utilisation(played.workload, played.timeline));
}

/// The work that is searched, and what comes out of it.
class Adviser {
public:
    Adviser(const Trace& trace, const DeviceModel& model, const AdviseOptions& options)
        : options_{options}, program_{recorded_program(trace, prepare(trace, model, options))} {}

    PlayedAdvice advise() {
        auto found = find_all({program_, chosen_});
        make_changes(options_.made, found);
        Savings savings{program_, found};
        const auto without_schedule = savings.advised();
        auto schedules = search_schedules(without_schedule, options_.search);
        if (schedules) {
            chosen_.with_the_rest = choice(schedules->cheapest, without_schedule);
            chosen_.for_recorded = for_recorded(savings.recorded(), *schedules);
        }
        savings.price(options_.intervals);

        const auto recorded = play(savings.recorded());
        const auto advised = savings.advised();
        auto played = play(advised);
        auto advice = describe();
        advice.wall = recorded.timeline.wall;
        advice.wall_without_causes = played.timeline.wall;
        const Limits limits{advice.wall, bound_of(recorded), bound_of(played)};
        for (auto& one : found) {
            if (!one.made) {
                advice.diagnoses.push_back(diagnosis_of(program_, one, limits));
            }
        }
        rank(advice.diagnoses);
        if (schedules) {
            add_schedules(*schedules, advised, played, advice);
        }
        advice.path = summarise_path(played);
        for (const auto& warning : played.workload.warnings) {
            if (warning.code != "shared-buffer") {  // a diagnosis of its own
                add_warning(advice.warnings, warning);
            }
        }
        return {std::move(advice), std::move(played)};
    }

private:
    static ChosenSchedule::Choice choice(const Schedule& schedule, const Scenario& searched) {
        const auto usual =
            searched.workload.max_connections.value_or(searched.model.channels.max_connections);
        return {schedule.configuration,
                schedule.max_connections == usual ? 0 : schedule.max_connections};
    }

    [[nodiscard]] std::optional<ChosenSchedule::Choice> for_recorded(
        const Scenario& recorded, FoundSchedules& schedules) const {
        auto space = options_.search;
        space.parts.clear();
        // Breadth first would carry the waits of the units behind all of them: another change.
        space.orders = {IssueOrder::depth};
        const auto found = search_schedules(recorded, space);
        if (!found) {
            return std::nullopt;
        }
        schedules.played += found->played;
        return choice(found->cheapest, recorded);
    }

    [[nodiscard]] Advice describe() const {
        const auto& workload = program_.workload;
        Advice advice;
        advice.trace = program_.trace.source;
        advice.program = program_.trace.program;
        advice.device = workload.device.name;
        advice.device_model = program_.model.name;
        advice.operations = operations_where(workload, [](const Operation& operation) {
                                return enqueues_work(operation.action);
                            }).size();
        advice.units = workload.units;
        advice.streams = static_cast<std::uint32_t>(program_.streams.size());
        advice.recorded_wall = program_.measured.wall;
        for (const auto* warnings : {&program_.trace.warnings, &workload.warnings}) {
            for (const auto& warning : *warnings) {
                add_warning(advice.warnings, warning);
            }
        }
        return advice;
    }

    /// The search played the cheapest schedule with all changes; some may have been dropped since,
    /// so that it is taken from what is advised in the end.
    void add_schedules(const FoundSchedules& schedules, const Scenario& advised,
                       const PlayedConfiguration& played, Advice& advice) const {
        advice.best = schedules.best;
        advice.cheapest = as_schedule(advised, played);
        advice.cut = schedules.cut;
        advice.schedules_played = schedules.played;
        if (!options_.intervals || !advised.same_machine ||
            played.workload.operations.size() > kMostOperationsForIntervals) {
            return;
        }
        const Rules rules;
        const IntervalEstimator estimator{program_.workload, program_.model, program_.overheads,
                                          rules};
        Prediction prediction;
        prediction.configuration = advice.cheapest->configuration;
        prediction.bound_by = advice.cheapest->bound_by;
        prediction.wall = advice.cheapest->wall;
        advice.cheapest->interval = estimator.estimate(played, prediction).interval;
    }

    const AdviseOptions& options_;
    RecordedProgram program_;
    ChosenSchedule chosen_;
};

}  // namespace

Advice advise(const Trace& trace, const DeviceModel& model, const AdviseOptions& options) {
    return advise_and_play(trace, model, options).advice;
}

PlayedAdvice advise_and_play(const Trace& trace, const DeviceModel& model,
                             const AdviseOptions& options) {
    return Adviser{trace, model, options}.advise();
}

}  // namespace overcast
