#include "report/prediction_words.hpp"

#include "report/human_units.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace overcast {
namespace {

/// A configuration with fewer streams is as good if it loses no more than this.
constexpr double kAsGood = 0.01;

std::string in_order(IssueOrder order) {
    switch (order) {
        case IssueOrder::depth: return "issued depth-first";
        case IssueOrder::breadth: return "issued breadth-first";
        case IssueOrder::recorded: return "issued as recorded";
    }
    return "";
}

std::string limit_in_words(const Prediction& prediction) {
    const auto busy = [](std::string_view what, double share) {
        return fmt::format(" {} busy {:.0f} % of the time.", what, share * 100);
    };
    const auto& shares = prediction.utilisation;
    switch (prediction.bound_by) {
        case Bound::h2d: return busy("The H2D copy engine is", shares.h2d);
        case Bound::d2h: return busy("The D2H copy engine is", shares.d2h);
        case Bound::sm: return busy("The SMs are", shares.sm);
        case Bound::host: return busy("The host thread that issues is", shares.host);
        case Bound::chain: return " No engine is busy all the time: operations wait for others.";
    }
    return "";
}

/// The configuration with the fewest streams, fewer than the best, that is as good.
const Prediction* as_good_with_fewer(const PredictionSweep& sweep, const Prediction& best) {
    const Prediction* found = nullptr;
    for (const auto& prediction : sweep.predictions) {
        const auto streams = prediction.configuration.streams;
        if (streams < best.configuration.streams &&
            prediction.speedup >= best.speedup * (1 - kAsGood) &&
            (found == nullptr || streams < found->configuration.streams)) {
            found = &prediction;
        }
    }
    return found;
}

std::string choice_in_words(const PredictionSweep& sweep, const Prediction& best,
                            const TerminalStyle& style) {
    const auto& configuration = best.configuration;
    const auto streams = configuration.streams;
    const auto wall = human_duration(best.wall, style);
    if (configuration.transform == Transform::as_recorded) {
        return fmt::format("as recorded: {} without tracing.", wall);
    }
    if (streams == 1) {
        return sweep.predictions.size() == 1
                   ? fmt::format("1 stream, {}: {}, the only configuration asked for.",
                                 in_order(configuration.order), wall)
                   : fmt::format("1 stream, {}: {}; more streams do not help.",
                                 in_order(configuration.order), wall);
    }
    const auto one = sweep.one_stream_wall;
    if (configuration.transform == Transform::replicate) {
        return fmt::format(
            "{} streams, {}: {} copies of the work in {}, {:.2f} times as fast as "
            "one after the other ({} each).",
            streams, in_order(configuration.order), streams, wall, best.speedup,
            human_duration(one, style));
    }
    return fmt::format("{} streams, {}: {}, {:.2f} times as fast as one stream ({}).", streams,
                       in_order(configuration.order), wall, best.speedup,
                       human_duration(one, style));
}

}  // namespace

std::string_view bound_label(Bound bound) {
    switch (bound) {
        case Bound::h2d: return "H2D";
        case Bound::d2h: return "D2H";
        case Bound::sm: return "SM";
        case Bound::host: return "host";
        case Bound::chain: return "chain";
    }
    return "?";
}

std::string recorded_in_words(const PredictionSweep& sweep, const TerminalStyle& style) {
    auto result = fmt::format("{}{}: {} while recording", counted(sweep.operations, "operation"),
                              sweep.units_found >= 2 ? " in " + counted(sweep.units_found, "unit")
                                                     : std::string{", no repeated units"},
                              human_duration(sweep.recorded_wall, style));
    if (sweep.setup > Duration::zero()) {
        result += fmt::format(", after {} of set-up", human_duration(sweep.setup, style));
    }
    return result;
}

std::string scheme_in_words(const PredictionSweep& sweep) {
    const auto waits = sweep.sync == SyncPolicy::defer
                           ? ", waits moved to the end of the region (--sync defer)"
                           : ", waits as written (--sync keep)";
    switch (sweep.transform) {
        case Transform::as_recorded: return std::string{"as recorded"} + waits;
        case Transform::replicate:
            return std::string{"the whole work on each of N streams (replicate)"} + waits;
        case Transform::distribute:
            return std::string{"the units dealt over N streams (distribute)"} + waits;
        case Transform::split: {
            const bool fixed =
                std::ranges::adjacent_find(sweep.predictions, std::ranges::not_equal_to{},
                                           [](const auto& p) { return p.configuration.parts; }) ==
                sweep.predictions.end();
            const auto parts = fixed && !sweep.predictions.empty()
                                   ? counted(sweep.predictions[0].configuration.parts, "part")
                                   : std::string{"as many parts as streams"};
            return "each unit cut into " + parts + " (split)" + waits;
        }
    }
    return "";
}

std::string choice_in_words(const PredictionSweep& sweep, const TerminalStyle& style) {
    return choice_in_words(sweep, sweep.predictions[*sweep.best], style);
}

std::string reason_in_words(const PredictionSweep& sweep) {
    const auto& best = sweep.predictions[*sweep.best];
    auto result = limit_in_words(best);
    if (const auto* fewer = as_good_with_fewer(sweep, best)) {
        const auto& configuration = fewer->configuration;
        const auto order = configuration.order == best.configuration.order
                               ? std::string{}
                               : ", " + in_order(configuration.order) + ",";
        result += fmt::format(" {}{} {} within 1 % of that speed.",
                              counted(configuration.streams, "stream"), order,
                              configuration.streams == 1 ? "comes" : "come");
    }
    return result.empty() ? result : result.substr(1);
}

std::string best_in_words(const PredictionSweep& sweep, const TerminalStyle& style) {
    const auto reason = reason_in_words(sweep);
    return choice_in_words(sweep, style) + (reason.empty() ? "" : " " + reason);
}

Warnings all_warnings(const PredictionSweep& sweep) {
    struct Group {
        Warning warning;
        std::size_t configurations = 0;
    };
    std::vector<Group> groups;
    for (const auto& prediction : sweep.predictions) {
        Warnings one_per_code;
        for (const auto& warning : prediction.warnings) {
            if (std::ranges::find(one_per_code, warning.code, &Warning::code) !=
                one_per_code.end()) {
                continue;
            }
            one_per_code.push_back(warning);
            const auto known = std::ranges::find(
                groups, warning.code, [](const Group& group) { return group.warning.code; });
            auto& group = known == groups.end() ? groups.emplace_back() : *known;
            group.warning = warning;  // the last one: that of the most streams
            ++group.configurations;
        }
    }
    auto result = sweep.warnings;
    for (auto& [warning, configurations] : groups) {
        if (configurations < sweep.predictions.size()) {
            warning.text +=
                fmt::format(" ({} of {} configurations)", configurations, sweep.predictions.size());
        }
        add_warning(result, warning);
    }
    return result;
}

std::string configuration_in_words(const Configuration& configuration) {
    return fmt::format("{}, {}, {} order", to_string(configuration.transform),
                       counted(configuration.streams, "stream"), to_string(configuration.order));
}

}  // namespace overcast
