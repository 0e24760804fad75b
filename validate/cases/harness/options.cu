#include "validate/cases/harness/options.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <map>
#include <optional>

namespace overcast::cases {
namespace {

constexpr std::array kPresets{Preset::h200, Preset::seed, Preset::small};
constexpr std::array kTransforms{Transform::distribute, Transform::replicate, Transform::split};
constexpr std::array kOrders{Order::depth, Order::breadth, Order::recorded};
constexpr std::array kMemories{HostMemory::pinned, HostMemory::pageable};

std::uint64_t parse_number(std::string_view option, std::string_view text, std::uint64_t minimum,
                           std::uint64_t maximum) {
    std::uint64_t value = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool is_number = status == std::errc{} && end == text.data() + text.size();
    if (is_number && value > maximum) {
        throw OptionError(std::string{option} + " must be at most " + std::to_string(maximum) +
                          ", not " + std::string{text});
    }
    if (!is_number || value < minimum) {
        throw OptionError(std::string{option} + " needs a number of at least " +
                          std::to_string(minimum) + ", not '" + std::string{text} + "'");
    }
    return value;
}

template <typename Choice, std::size_t count>
Choice parse_choice(std::string_view option, std::string_view text,
                    const std::array<Choice, count>& choices) {
    std::string known;
    for (std::size_t i = 0; i < count; ++i) {
        if (text == to_string(choices[i])) {
            return choices[i];
        }
        known += (i == 0 ? "" : i + 1 == count ? " or " : ", ");
        known += to_string(choices[i]);
    }
    throw OptionError(std::string{option} + " is " + known + ", not '" + std::string{text} + "'");
}

/// What was said of things that depend on each other, in whatever order it was said.
struct Wishes {
    std::optional<std::string> sweep;
    std::map<std::string, std::uint64_t, std::less<>> values;
    std::optional<std::uint32_t> parts;
};

/// Walks over the arguments; `value` is the word behind the option at hand.
class Words {
public:
    explicit Words(std::span<const std::string> words) : words_{words} {}

    [[nodiscard]] bool empty() const { return next_ == words_.size(); }
    const std::string& take() { return words_[next_++]; }
    const std::string& value(std::string_view option) {
        if (empty()) {
            throw OptionError(std::string{option} + " needs a value");
        }
        return take();
    }
    std::uint32_t count(std::string_view option, std::uint32_t maximum) {
        return static_cast<std::uint32_t>(parse_number(option, value(option), 1, maximum));
    }

private:
    std::span<const std::string> words_;
    std::size_t next_ = 0;
};

bool parse_flag(std::string_view option, Options& options) {
    if (option == "--json") {
        options.json = true;
    } else if (option == "--profile-one-pass") {
        options.profile_one_pass = true;
    } else if (option == "--mark-units") {
        options.mark_units = true;
    } else {
        return false;
    }
    return true;
}

void parse_streams(Words& words, Options& options) {
    constexpr std::uint32_t kMostStreams = 1024;
    const std::string& text = words.value("--streams");
    options.stream_per_unit = text == "each";
    options.streams =
        options.stream_per_unit
            ? 1
            : static_cast<std::uint32_t>(parse_number("--streams", text, 1, kMostStreams));
}

bool parse_configuration(std::string_view option, Words& words, Options& options, Wishes& wishes) {
    constexpr std::uint32_t kMostRepetitions = 1'000'000;
    if (option == "--preset") {
        options.preset = parse_choice(option, words.value(option), kPresets);
    } else if (option == "--streams") {
        parse_streams(words, options);
    } else if (option == "--order") {
        options.order = parse_choice(option, words.value(option), kOrders);
    } else if (option == "--transform") {
        options.transform = parse_choice(option, words.value(option), kTransforms);
    } else if (option == "--parts") {
        wishes.parts = words.count(option, std::numeric_limits<std::uint32_t>::max());
    } else if (option == "--memory") {
        options.memory = parse_choice(option, words.value(option), kMemories);
    } else if (option == "--repetitions") {
        options.repetitions = words.count(option, kMostRepetitions);
    } else if (option == "--sweep") {
        wishes.sweep = words.value(option);
    } else {
        return false;
    }
    return true;
}

bool parse_parameter(std::string_view option, Words& words, const CaseDefinition& definition,
                     Wishes& wishes) {
    for (const auto& parameter : definition.parameters) {
        if (option.starts_with("--") && option.substr(2) == parameter.name) {
            wishes.values[std::string{parameter.name}] =
                parse_number(option, words.value(option), parameter.minimum,
                             std::numeric_limits<std::uint64_t>::max());
            return true;
        }
    }
    return false;
}

const CaseDefinition& choose_case(std::string_view name, std::span<const CaseDefinition> cases) {
    std::string known;
    for (const auto& definition : cases) {
        if (definition.name == name) {
            return definition;
        }
        known += (known.empty() ? "" : ", ") + std::string{definition.name};
    }
    throw OptionError("there is no case '" + std::string{name} + "'; known: " + known);
}

std::uint64_t value_of(const Parameter& parameter, Preset preset) {
    switch (preset) {
        case Preset::h200: return parameter.h200;
        case Preset::seed: return parameter.seed;
        case Preset::small: return parameter.small;
    }
    return parameter.h200;
}

using NamedValues = std::map<std::string, std::uint64_t, std::less<>>;

NamedValues named_values(const CaseDefinition& definition, Preset preset) {
    NamedValues values;
    for (const auto& parameter : definition.parameters) {
        values.emplace(parameter.name, value_of(parameter, preset));
    }
    return values;
}

/// NAME=FIRST..LAST
ParameterSweep parse_sweep(std::string_view text, const Options& options, const Wishes& wishes) {
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max() - 1;
    const std::size_t equals = text.find('=');
    const std::size_t dots = text.find("..");
    if (equals == std::string_view::npos || dots == std::string_view::npos || dots < equals) {
        throw OptionError("--sweep is NAME=FIRST..LAST, not '" + std::string{text} + "'");
    }
    const std::string_view name = text.substr(0, equals);
    for (const auto& parameter : options.definition->parameters) {
        if (parameter.name != name) {
            continue;
        }
        if (wishes.values.contains(name)) {
            throw OptionError("--sweep sets " + std::string{name} + ": give it no other value");
        }
        const std::uint64_t first = parse_number(
            "--sweep", text.substr(equals + 1, dots - equals - 1), parameter.minimum, kMost);
        return {std::string{name}, first,
                parse_number("--sweep", text.substr(dots + 2), first, kMost)};
    }
    throw OptionError("--sweep: '" + std::string{options.definition->name} +
                      "' has no parameter '" + std::string{name} + "'");
}

void apply(const Wishes& wishes, Options& options) {
    auto values = named_values(*options.definition, options.preset);
    for (const auto& [name, value] : wishes.values) {
        values[name] = value;
    }
    options.values = Values{std::move(values)};
    const bool split = options.transform == Transform::split;
    if (wishes.parts && !split) {
        throw OptionError("--parts belongs to --transform split");
    }
    options.parts = split ? wishes.parts.value_or(options.streams) : 1;
    if (wishes.sweep) {
        options.sweep = parse_sweep(*wishes.sweep, options, wishes);
    }
}

void check_consistency(const Options& options) {
    if (options.transform == Transform::split && !options.definition->can_be_split) {
        throw OptionError("a unit of '" + std::string{options.definition->name} +
                          "' cannot be split");
    }
    if (options.stream_per_unit && options.transform != Transform::distribute) {
        throw OptionError(
            "--streams each needs --transform distribute: only there a stream can "
            "have a unit of its own");
    }
    const bool one_stream = options.streams == 1 && !options.stream_per_unit;
    if (options.mark_units && (options.order != Order::depth || !one_stream ||
                               options.transform != Transform::distribute)) {
        throw OptionError(
            "--mark-units needs --order depth, --transform distribute and one stream: elsewhere "
            "the steps of a unit do not follow each other");
    }
    if (options.json && options.profile_one_pass) {
        throw OptionError(
            "--json shows times, and --profile-one-pass takes none: give one of them");
    }
}

void parse_run(Words& words, Options& options) {
    Wishes wishes;
    while (!words.empty()) {
        const std::string& option = words.take();
        if (!parse_flag(option, options) && !parse_configuration(option, words, options, wishes) &&
            !parse_parameter(option, words, *options.definition, wishes)) {
            throw OptionError("unknown option '" + option + "'; see overcast-cases " +
                              std::string{options.definition->name} + " --help");
        }
    }
    apply(wishes, options);
    check_consistency(options);
}

void parse_list(Words& words, Options& options) {
    while (!words.empty()) {
        const std::string& option = words.take();
        if (option != "--json") {
            throw OptionError("list knows no option but --json, not '" + option + "'");
        }
        options.json = true;
    }
}

}  // namespace

std::string_view to_string(Preset preset) {
    switch (preset) {
        case Preset::h200: return "h200";
        case Preset::seed: return "seed";
        case Preset::small: return "small";
    }
    return "";
}

std::string_view to_string(HostMemory memory) {
    return memory == HostMemory::pinned ? "pinned" : "pageable";
}

Values preset_values(const CaseDefinition& definition, Preset preset) {
    return Values{named_values(definition, preset)};
}

std::vector<Options> members_of(const Options& options) {
    if (!options.sweep) {
        return {options};
    }
    const ParameterSweep& sweep = *options.sweep;
    std::vector<Options> members;
    for (std::uint64_t value = sweep.first; value <= sweep.last; ++value) {
        Options& member = members.emplace_back(options);
        member.values = options.values.with(sweep.name, value);
        member.range = sweep.name + "=" + std::to_string(value);
    }
    return members;
}

Options parse_options(std::span<const std::string> arguments,
                      std::span<const CaseDefinition> cases) {
    Options options;
    Words words{arguments};
    if (words.empty()) {
        throw OptionError("name a case, or list; see overcast-cases --help");
    }
    const auto asks_for_help = [](const std::string& word) {
        return word == "--help" || word == "-h";
    };
    const std::string& name = words.take();
    const bool help = std::any_of(arguments.begin(), arguments.end(), asks_for_help);
    if (asks_for_help(name) || (help && name == "list")) {
        options.command = Command::help;
    } else if (name == "list") {
        options.command = Command::list;
        parse_list(words, options);
    } else {
        options.definition = &choose_case(name, cases);
        options.command = help ? Command::case_help : Command::run;
        if (!help) {
            parse_run(words, options);
        }
    }
    return options;
}

}  // namespace overcast::cases
