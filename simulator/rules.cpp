#include "simulator/rules.hpp"

#include "core/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

namespace overcast {
namespace {

constexpr std::array<std::string_view, kRules> kNames{
    "channel-ownership", "channel-fifo",   "engine-drain",  "look-ahead",       "duplex",
    "waiting-slowdown",  "turnaround",     "stream-gaps",   "read-ahead",       "host-engines",
    "late-arrival",      "inline-copies",  "tail-filling",  "pile-up",          "carve-out",
    "clusters",          "corun-slowdown", "stream-change", "call-beside-copy", "launch-queue",
    "default-stream",    "implicit-sync",  "dram-sharing",  "l2-path",          "memory-queue",
    "memory-latency",    "l2-eviction",    "l2-halves",     "slot-waits",       "bursts",
    "device-held",       "greedy-runs",    "full-pipes",    "ready-warps",      "barriers",
    "staggered-ends",    "tensor-clock",   "schedules",     "load-returns",     "starts",
    "late-ends",         "fast-sms"};

}  // namespace

std::string_view to_string(Rule rule) { return kNames[static_cast<std::size_t>(rule)]; }

Rule parse_rule(std::string_view name) {
    for (std::size_t i = 0; i < kNames.size(); ++i) {
        if (kNames[i] == name) {
            return static_cast<Rule>(i);
        }
    }
    throw UsageError(
        fmt::format("unknown rule '{}'; the rules are: {}", name, fmt::join(kNames, ", ")));
}

}  // namespace overcast
