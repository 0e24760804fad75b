#include "report/advice_json.hpp"

#include "report/json_parts.hpp"

#include <nlohmann/json.hpp>

namespace overcast {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kAdviceVersion = 1;

/// Six decimals: more than it is worth, and the same text on every machine.
double since_start(TimelineTime time) { return to_microseconds(time.time_since_epoch()); }

Json to_json(const Saving& saving) {
    Json result = {{"saving_us", to_microseconds(saving.time)}, {"interval_us", nullptr}};
    if (saving.low && saving.high) {
        result["interval_us"] = {{"low", to_microseconds(*saving.low)},
                                 {"high", to_microseconds(*saving.high)},
                                 {"level", 0.9}};
    }
    return result;
}

Json to_json(const Diagnosis& diagnosis) {
    auto places = Json::array();
    for (const auto& place : diagnosis.places) {
        places.push_back({{"operation", place.operation},
                          {"call", place.call},
                          {"what", place.what},
                          {"at_us", since_start(place.at)}});
    }
    return {
        {"id", diagnosis.id},
        {"title", diagnosis.title},
        {"verdict", to_string(diagnosis.verdict)},
        {"advised", diagnosis.advised},
        {"alone", to_json(diagnosis.alone)},
        {"with_the_rest", to_json(diagnosis.with_the_rest)},
        {"evidence", diagnosis.evidence},
        {"reason", diagnosis.reason},
        {"occurrences", diagnosis.occurrences},
        {"places", std::move(places)},
        {"change", diagnosis.change},
        {"link", diagnosis.link},
    };
}

Json to_json(const std::optional<Schedule>& schedule) {
    if (!schedule) {
        return nullptr;
    }
    const auto& configuration = schedule->configuration;
    const auto& shares = schedule->utilisation;
    Json result = {
        {"transform", to_string(configuration.transform)},
        {"streams", configuration.streams},
        {"order", to_string(configuration.order)},
        {"units_in_turn", configuration.units_in_turn},
        {"parts", configuration.parts},
        {"max_connections", schedule->max_connections},
        {"wall_us", to_microseconds(schedule->wall)},
        {"interval_us", nullptr},
        {"bound_by", to_string(schedule->bound_by)},
        {"utilisation",
         {{"h2d", rounded(shares.h2d)},
          {"d2h", rounded(shares.d2h)},
          {"sm", rounded(shares.sm)},
          {"host", rounded(shares.host)}}},
        {"device_bytes", schedule->device_bytes},
    };
    if (schedule->interval) {
        result["interval_us"] = {{"low", to_microseconds(schedule->interval->low)},
                                 {"high", to_microseconds(schedule->interval->high)},
                                 {"level", schedule->interval->level}};
    }
    return result;
}

Json to_json(const CriticalPath& path) {
    auto shares = Json::array();
    for (const auto& share : path.shares) {
        shares.push_back({{"what", share.what},
                          {"count", share.count},
                          {"time_us", to_microseconds(share.time)}});
    }
    auto links = Json::array();
    for (const auto& link : path.links) {
        links.push_back({{"what", link.what},
                         {"count", link.count},
                         {"waited_for", link.waited_for},
                         {"reason", link.reason},
                         {"operation", link.operation},
                         {"start_us", since_start(link.start)},
                         {"end_us", since_start(link.end)}});
    }
    return {{"wall_us", to_microseconds(path.wall)},
            {"operations", path.operations},
            {"shares", std::move(shares)},
            {"links", std::move(links)}};
}

Json to_json(const Advice& advice) {
    auto diagnoses = Json::array();
    for (const auto& diagnosis : advice.diagnoses) {
        diagnoses.push_back(to_json(diagnosis));
    }
    auto warnings = Json::array();
    for (const auto& warning : advice.warnings) {
        warnings.push_back({{"code", warning.code}, {"text", warning.text}});
    }
    return {
        {"schema_version", kAdviceVersion},
        {"trace", advice.trace},
        {"program", advice.program},
        {"device", advice.device},
        {"device_model", advice.device_model},
        {"operations", advice.operations},
        {"units", advice.units},
        {"streams", advice.streams},
        {"recorded_wall_us", to_microseconds(advice.recorded_wall)},
        {"wall_us", to_microseconds(advice.wall)},
        {"wall_without_causes_us", to_microseconds(advice.wall_without_causes)},
        {"diagnoses", std::move(diagnoses)},
        {"schedules",
         {{"played", advice.schedules_played},
          {"best", to_json(advice.best)},
          {"cheapest", to_json(advice.cheapest)},
          {"cut", to_json(advice.cut)}}},
        {"critical_path", to_json(advice.path)},
        {"warnings", std::move(warnings)},
    };
}

}  // namespace

std::string advice_json(const std::vector<Advice>& advice) {
    constexpr int kIndent = 2;
    auto all = Json::array();
    for (const auto& one : advice) {
        all.push_back(to_json(one));
    }
    // Text of a recording may be no valid UTF-8.
    return (all.size() == 1 ? all.front() : all)
               .dump(kIndent, ' ', false, Json::error_handler_t::replace) +
           '\n';
}

}  // namespace overcast
