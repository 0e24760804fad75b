#include "formats/chrome_kernel_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

namespace overcast {
namespace {

using Json = nlohmann::ordered_json;

Json extent_json(const Extent& extent) { return Json::array({extent.x, extent.y, extent.z}); }

/// Whole numbers are exact; nobody can tell another counter to more than six digits.
Json counter_json(double value) {
    constexpr double kExactBelow = 1ULL << 53U;
    const bool whole = std::abs(value) < kExactBelow && std::trunc(value) == value;
    return whole ? Json(static_cast<std::int64_t>(value))
                 : Json::parse(fmt::format("{:.6g}", value));
}

Extent read_extent(const JsonObject& object, std::string_view key) {
    const auto* const list = object.find(key);
    const auto is_extent = [](const nlohmann::json& value) {
        return value.is_number_unsigned() && value.get<std::uint64_t>() <= UINT32_MAX;
    };
    if (list == nullptr || !list->is_array() || list->size() != 3 ||
        !std::ranges::all_of(*list, is_extent)) {
        object.fail(key, "must be a list of three whole numbers");
    }
    return {(*list)[0].get<std::uint32_t>(), (*list)[1].get<std::uint32_t>(),
            (*list)[2].get<std::uint32_t>()};
}

/// The first word of `pass` that is no instruction.
std::string_view malformed_word(std::string_view pass) {
    for (auto rest = pass;;) {
        const auto space = rest.find(' ');
        const auto word = rest.substr(0, space);
        if (space == std::string_view::npos || !parse_pass(word)) {
            return word;
        }
        rest.remove_prefix(space + 1);
    }
}

KernelPass read_pass(const JsonObject& entry, std::string_view key) {
    const auto text = entry.text(key);
    if (!text) {
        return {};
    }
    auto pass = parse_pass(*text);
    if (!pass) {
        constexpr std::size_t kShown = 20;  // characters
        entry.fail(key,
                   fmt::format("holds \"{}\" where an instruction such as \"a4\" or "
                               "\"g2*4>0<1&3f\" is expected: a letter of nfhaxdsg, a stall from 1 "
                               "to 15, *words, >scoreboard, <scoreboard, &scoreboards; one space "
                               "between two",
                               malformed_word(*text).substr(0, kShown)));
    }
    return *std::move(pass);
}

}  // namespace

nlohmann::ordered_json counters_json(const Trace& trace) {
    auto list = Json::array();
    for (const auto& counters : trace.counters) {
        Json entry{{"kernel", trace.names[counters.name]},
                   {"grid", extent_json(counters.grid)},
                   {"block", extent_json(counters.block)},
                   {"dynamic_shared_memory_bytes", counters.dynamic_shared_memory.count()},
                   {"launches", counters.launches},
                   {"measured_launches", counters.measured_launches}};
        for (std::size_t i = 0; i < kCounters; ++i) {
            if (const auto& value = counters.values[i]) {
                entry[std::string{to_string(static_cast<KernelCounter>(i))}] = counter_json(*value);
            }
        }
        list.push_back(std::move(entry));
    }
    return list;
}

nlohmann::ordered_json code_json(const Trace& trace) {
    auto list = Json::array();
    for (const auto& code : trace.code) {
        Json entry{{"kernel", trace.names[code.name]},
                   {"instructions", counter_json(code.instructions)},
                   {"cycles", counter_json(code.cycles)},
                   {"memory_waits", counter_json(code.memory_waits)},
                   {"global_bytes", counter_json(code.global_bytes)},
                   {"barriers", counter_json(code.barriers)}};
        for (std::size_t i = 0; i < kCodeUnits; ++i) {
            if (const auto held = code.cycles_of[i]; held > 0) {
                entry[std::string{to_string(static_cast<CodeUnit>(i))}] = counter_json(held);
            }
        }
        if (!code.pass.empty()) {
            entry["pass"] = to_text(code.pass);
        }
        if (!code.start.empty()) {
            entry["start"] = to_text(code.start);
        }
        if (!code.end.empty()) {
            entry["end"] = to_text(code.end);
        }
        list.push_back(std::move(entry));
    }
    return list;
}

void read_counters(const JsonObject& header, Trace& trace) {
    header.each("counters", [&](const JsonObject& entry) {
        const auto name = entry.text("kernel");
        if (!name) {
            entry.fail("kernel", "is missing");
        }
        KernelCounters counters;
        counters.name = trace.names.intern(*name);
        counters.grid = read_extent(entry, "grid");
        counters.block = read_extent(entry, "block");
        counters.dynamic_shared_memory =
            Bytes{entry.whole<std::uint64_t>("dynamic_shared_memory_bytes").value_or(0)};
        counters.launches = entry.whole<std::uint64_t>("launches").value_or(0);
        counters.measured_launches = entry.whole<std::uint32_t>("measured_launches").value_or(0);
        for (std::size_t i = 0; i < kCounters; ++i) {
            const auto key = to_string(static_cast<KernelCounter>(i));
            counters.values[i] = entry.number(key);
            if (counters.values[i] && *counters.values[i] < 0) {
                entry.fail(key, "must not be negative");
            }
        }
        trace.counters.push_back(std::move(counters));
    });
}

void read_code(const JsonObject& header, Trace& trace) {
    header.each("code", [&](const JsonObject& entry) {
        const auto name = entry.text("kernel");
        if (!name) {
            entry.fail("kernel", "is missing");
        }
        const auto amount = [&entry](std::string_view key) {
            const auto value = entry.number(key).value_or(0);
            if (value < 0) {
                entry.fail(key, "must not be negative");
            }
            return value;
        };
        KernelCode code;
        code.name = trace.names.intern(*name);
        code.instructions = amount("instructions");
        code.cycles = amount("cycles");
        code.memory_waits = amount("memory_waits");
        code.global_bytes = amount("global_bytes");
        code.barriers = amount("barriers");
        for (std::size_t i = 0; i < kCodeUnits; ++i) {
            code.cycles_of[i] = amount(to_string(static_cast<CodeUnit>(i)));
        }
        code.pass = read_pass(entry, "pass");
        code.start = read_pass(entry, "start");
        code.end = read_pass(entry, "end");
        trace.code.push_back(std::move(code));
    });
}

}  // namespace overcast
