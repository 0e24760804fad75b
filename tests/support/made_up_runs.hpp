// Runs of probes made by hand, for tests.
#pragma once

#include "calibrate/draft.hpp"
#include "calibrate/measurements.hpp"
#include "calibrate/probe_runs.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace overcast::test {

inline DeviceModel defaults() {
    return load_device_model(std::string{OVERCAST_SOURCE_DIR} + "/model/devices/nvidia-h200.json");
}

/// Runs made by hand, in the words that the probes print.
class Runs {
public:
    Runs& untraced(const std::string& probe, const std::string& text) {
        runs_.add({probe, ProbeMode::untraced}, {parse_probe_output(text), nullptr, {}});
        return *this;
    }
    Runs& untraced(const std::string& probe, const std::string& text, std::uint32_t connections) {
        runs_.add({probe, ProbeMode::untraced, true, connections},
                  {parse_probe_output(text), nullptr, {}});
        return *this;
    }
    Runs& traced_under(std::uint32_t connections, const std::string& probe,
                       std::vector<Phase> phases) {
        runs_.add({probe, ProbeMode::full, true, connections}, {{}, nullptr, std::move(phases)});
        return *this;
    }
    Runs& recorded(const std::string& probe, ProbeMode mode, std::shared_ptr<const Trace> trace) {
        runs_.add({probe, mode}, {{}, std::move(trace), {}});
        return *this;
    }
    Runs& printed(const std::string& probe, ProbeMode mode, const std::string& text) {
        runs_.add({probe, mode}, {parse_probe_output(text), nullptr, {}});
        return *this;
    }
    Runs& traced(const std::string& probe, std::vector<Phase> phases,
                 const std::string& text = "") {
        runs_.add({probe, ProbeMode::full}, {parse_probe_output(text), nullptr, std::move(phases)});
        return *this;
    }
    Draft draft_after(void (*measure)(const ProbeRuns&, Draft&)) const {
        return draft_after(measure, defaults());
    }
    Draft draft_after(void (*measure)(const ProbeRuns&, Draft&), DeviceModel before) const {
        Draft draft{std::move(before), "driver 1, CUDA 2, today"};
        measure(runs_, draft);
        return draft;
    }

private:
    ProbeRuns runs_;
};

struct Slot {
    ActivityKind kind;
    Duration start;
    Duration end;
    std::uint64_t bytes = 0;
    std::uint32_t channel = 10;
    std::uint32_t stream = 1;
    ChannelType type = ChannelType::copy;
    Duration issued{};
};

inline Phase phase(const std::string& quantity, double x, double y,
                   const std::vector<Slot>& slots) {
    Phase made{{quantity, x, y}, {}};
    for (const auto& slot : slots) {
        PhaseActivity activity;
        activity.kind = slot.kind;
        activity.bytes = Bytes{slot.bytes};
        activity.start = TraceTime{slot.start};
        activity.end = TraceTime{slot.end};
        activity.stream = StreamId{slot.stream};
        activity.channel = {ChannelId{slot.channel}, slot.type};
        activity.issued = TraceTime{slot.issued};
        activity.returned = TraceTime{slot.issued};
        made.activities.push_back(activity);
    }
    return made;
}

}  // namespace overcast::test
