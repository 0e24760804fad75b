#include "report/json_parts.hpp"

#include <cmath>
#include <cstddef>

namespace overcast {

using Json = nlohmann::ordered_json;

Json warnings_json(const Warnings& warnings) {
    auto result = Json::array();
    for (const auto& warning : warnings) {
        result.push_back({{"code", warning.code}, {"text", warning.text}});
    }
    return result;
}

Json overheads_json(const OverheadParameters& overheads) {
    auto result = Json::object();
    for (std::size_t i = 0; i < kGapKinds; ++i) {
        if (const auto& gap = overheads.gaps[i]) {
            result[std::string{overhead_name(static_cast<GapKind>(i))}] = {
                {"median_us", to_microseconds(gap->median)},
                {"p10_us", to_microseconds(gap->p10)},
                {"p90_us", to_microseconds(gap->p90)},
                {"count", gap->count},
            };
        }
    }
    return result;
}

double rounded(double value) { return std::round(value * 1e6) / 1e6; }

std::string json_text(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace overcast
