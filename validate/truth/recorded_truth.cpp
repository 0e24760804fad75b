#include "validate/truth/recorded_truth.hpp"

#include "core/error.hpp"
#include "core/memory_word.hpp"
#include "workload/units.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>

namespace overcast {
namespace {

using Json = nlohmann::json;

constexpr std::uint32_t kTruthVersion = 1;
/// A year: beyond it a time is a mistake, and nanoseconds would come near their limit.
constexpr double kLongestRunUs = 365.0 * 24 * 3600 * 1e6;

/// One JSON object together with the words that say where it stands.
class Reader {
public:
    Reader(const Json& object, std::string place) : object_{object}, place_{std::move(place)} {
        if (!object_.is_object()) {
            throw TraceFormatError(
                fmt::format("{}: expected an object, found {}", place_, object_.type_name()));
        }
    }

    [[noreturn]] void fail(std::string_view key, std::string_view reason) const {
        throw TraceFormatError(fmt::format("{}: \"{}\" {}", place_, key, reason));
    }

    [[nodiscard]] const Json& value(const char* key) const {
        const auto found = object_.find(key);
        if (found == object_.end()) {
            fail(key, "is missing");
        }
        return *found;
    }

    [[nodiscard]] std::string text(const char* key) const {
        const Json& found = value(key);
        if (!found.is_string()) {
            fail(key, fmt::format("must be a text, not {}", found.type_name()));
        }
        return found.get<std::string>();
    }

    [[nodiscard]] std::uint32_t count(const char* key) const {
        const Json& found = value(key);
        if (!found.is_number_unsigned()) {
            fail(key, "must be a whole number of at least 1");
        }
        const auto number = found.get<std::uint64_t>();
        if (number == 0 || number > std::numeric_limits<std::uint32_t>::max()) {
            fail(key, fmt::format("is out of range: {}", number));
        }
        return static_cast<std::uint32_t>(number);
    }

    [[nodiscard]] double number(const char* key, double largest) const {
        return to_number(key, value(key), largest);
    }

    [[nodiscard]] double to_number(const char* key, const Json& found, double largest) const {
        if (!found.is_number()) {
            fail(key, fmt::format("must be a number, not {}", found.type_name()));
        }
        const auto number = found.get<double>();
        if (!std::isfinite(number) || number < 0 || number > largest) {
            fail(key, fmt::format("is out of range: {}", number));
        }
        return number;
    }

    [[nodiscard]] Duration microseconds(const char* key) const {
        return to_duration(key, value(key));
    }

    [[nodiscard]] Duration to_duration(const char* key, const Json& found) const {
        return round_to_duration(to_number(key, found, kLongestRunUs) * 1e3);
    }

    [[nodiscard]] std::vector<Duration> list_of_microseconds(const char* key) const {
        const Json& found = value(key);
        if (!found.is_array() || found.empty()) {
            fail(key, "must be a list of at least one number");
        }
        std::vector<Duration> durations;
        for (const auto& item : found) {
            durations.push_back(to_duration(key, item));
        }
        return durations;
    }

    [[nodiscard]] bool is_null(const char* key) const {
        const auto found = object_.find(key);
        return found == object_.end() || found->is_null();
    }

    /// One of `choices`, by the words of `to_words`.
    template <typename Choice, std::size_t kCount, typename ToWords>
    [[nodiscard]] Choice choice(const char* key, const std::array<Choice, kCount>& choices,
                                ToWords to_words) const {
        const std::string found = text(key);
        std::string known;
        for (const Choice candidate : choices) {
            if (found == to_words(candidate)) {
                return candidate;
            }
            known += fmt::format("{}{}", known.empty() ? "" : ", ", to_words(candidate));
        }
        fail(key, fmt::format("is \"{}\"; known: {}", found, known));
    }

private:
    const Json& object_;
    std::string place_;
};

RecordedRun parse_run(const Json& object, const std::string& place) {
    const Reader reader{object, place};
    constexpr std::array kTransforms{Transform::as_recorded, Transform::replicate,
                                     Transform::distribute, Transform::split};
    constexpr std::array kOrders{IssueOrder::depth, IssueOrder::breadth, IssueOrder::recorded};
    constexpr std::array kMemories{MemoryKind::pinned, MemoryKind::pageable};
    RecordedRun run;
    run.transform =
        reader.choice("transform", kTransforms, [](Transform t) { return to_string(t); });
    run.order = reader.choice("order", kOrders, [](IssueOrder o) { return to_string(o); });
    run.memory = reader.choice("memory", kMemories, memory_word);
    run.streams = reader.count("streams");
    run.units = reader.count("units");
    run.parts = reader.count("parts");
    run.repetitions = reader.count("repetitions");
    run.series_medians = reader.list_of_microseconds("series_median_us");
    run.wall_median = reader.microseconds("wall_median_us");
    run.wall_min = reader.microseconds("wall_min_us");
    run.wall_max = reader.microseconds("wall_max_us");
    run.noise_percent = reader.number("noise_percent", std::numeric_limits<double>::max());
    if (!reader.is_null("max_connections")) {
        run.max_connections = reader.count("max_connections");
    }
    if (!reader.is_null("range")) {
        constexpr std::string_view kNvtx = "nvtx:";
        run.range = reader.text("range");
        if (!run.range->starts_with(kNvtx) || run.range->size() == kNvtx.size()) {
            reader.fail("range", fmt::format("is \"{}\"; expected nvtx:NAME", *run.range));
        }
    }
    if (!reader.is_null("timeline_file")) {
        run.timeline_file = reader.text("timeline_file");
    }
    if (run.wall_median <= Duration::zero()) {
        reader.fail("wall_median_us", "must be more than 0");
    }
    if (run.wall_min > run.wall_median || run.wall_median > run.wall_max) {
        reader.fail("wall_median_us", "does not lie between wall_min_us and wall_max_us");
    }
    return run;
}

}  // namespace

RecordedTruth parse_recorded_truth(std::string_view text, const std::string& file) {
    Json document;
    try {
        document = Json::parse(text);
    } catch (const Json::parse_error& error) {
        throw TraceFormatError(fmt::format("{}: byte {}: not valid JSON", file, error.byte));
    }
    const Reader reader{document, file};
    if (const auto version = reader.count("schema_version"); version != kTruthVersion) {
        reader.fail("schema_version",
                    fmt::format("is {}; this Overcast reads {}", version, kTruthVersion));
    }
    RecordedTruth truth;
    truth.case_name = reader.text("case");
    truth.preset = reader.text("preset");
    truth.unit = reader.text("unit");
    try {
        parse_unit_choice(truth.unit);
    } catch (const UsageError& error) {
        reader.fail("unit", fmt::format("cannot be used: {}", error.what()));
    }
    truth.device = reader.text("device");
    truth.driver = reader.text("driver");
    truth.date = reader.text("date");
    truth.command = reader.text("command");
    const Json& runs = reader.value("runs");
    if (!runs.is_array() || runs.empty()) {
        reader.fail("runs", "must be a list of at least one run");
    }
    for (std::size_t i = 0; i < runs.size(); ++i) {
        truth.runs.push_back(parse_run(runs[i], fmt::format("{}: runs[{}]", file, i)));
    }
    return truth;
}

RecordedTruth read_recorded_truth(const std::filesystem::path& file) {
    std::ifstream input{file, std::ios::binary};
    const std::string text{std::istreambuf_iterator<char>{input}, {}};
    if (!input) {
        throw TraceFormatError(fmt::format("{}: cannot be read", file.string()));
    }
    return parse_recorded_truth(text, file.string());
}

}  // namespace overcast
