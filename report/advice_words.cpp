#include "report/advice_words.hpp"

#include "report/human_units.hpp"
#include "report/terminal_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace overcast {
namespace {

std::string factor(Duration before, Duration after, const TerminalStyle& style) {
    const double times = after > Duration::zero() ? static_cast<double>(before.count()) /
                                                        static_cast<double>(after.count())
                                                  : 1;
    return fmt::format("{:.2f}{}", times, style.unicode ? "×" : "x");
}

std::string with_interval(const Saving& saving, const TerminalStyle& style) {
    if (saving.time == Duration{}) {
        return "nothing";
    }
    auto text = human_duration(saving.time, style);
    if (saving.low && saving.high) {
        text += fmt::format(" ({} to {})", human_duration(*saving.low, style),
                            human_duration(*saving.high, style));
    }
    return text;
}

}  // namespace

std::string headline(const Advice& advice, const TerminalStyle& style) {
    const auto counts = [](const Diagnosis& diagnosis) {
        return diagnosis.verdict == Verdict::saves && diagnosis.advised;
    };
    const auto changes = std::ranges::count_if(advice.diagnoses, counts);
    const auto now = human_duration(advice.wall, style);
    if (changes == 0) {
        return fmt::format("{} as recorded, and nothing that was found would save time.", now);
    }
    auto text = fmt::format(
        "{} as recorded; {} ({}) with {}", now, human_duration(advice.wall_without_causes, style),
        factor(advice.wall, advice.wall_without_causes, style),
        changes == 1 ? "the change below" : fmt::format("the {} changes below", changes));
    if (advice.cheapest && advice.cheapest->configuration.streams != advice.streams) {
        text += fmt::format(", on {}", counted(advice.cheapest->configuration.streams, "stream"));
    }
    return text + '.';
}

std::string saving_in_words(const Diagnosis& diagnosis, const TerminalStyle& style) {
    auto text = fmt::format("saves {} alone, {} with the others made",
                            with_interval(diagnosis.alone, style),
                            with_interval(diagnosis.with_the_rest, style));
    return diagnosis.advised ? text : text + "; not counted in the total above";
}

std::string schedule_in_words(const Schedule& schedule) {
    const auto& configuration = schedule.configuration;
    if (configuration.transform == Transform::as_recorded) {
        return "as recorded";
    }
    auto text = counted(configuration.streams, "stream");
    if (configuration.streams > 1) {
        text += fmt::format(", {}", to_string(configuration.order));
    }
    if (configuration.units_in_turn > 1) {
        text += fmt::format(", {} in turn", configuration.units_in_turn);
    }
    if (configuration.parts > 1) {
        text += fmt::format(", in {} parts", configuration.parts);
    }
    return text;
}

std::string places_in_words(const Diagnosis& diagnosis, const TerminalStyle& style) {
    std::string text;
    for (const auto& place : diagnosis.places) {
        text += fmt::format("{}{} at {}", text.empty() ? "" : "; ", printable(place.call),
                            human_duration(place.at.time_since_epoch(), style));
        if (!place.what.empty()) {
            text += fmt::format(" ({})", printable(place.what));
        }
    }
    if (diagnosis.occurrences > diagnosis.places.size() && !text.empty()) {
        text +=
            fmt::format("; {} more", human_count(diagnosis.occurrences - diagnosis.places.size()));
    }
    return text;
}

}  // namespace overcast
