// A sweep with round numbers, for the golden tests of the reports.
#pragma once

#include "core/prediction.hpp"

namespace overcast {

inline Prediction sample_prediction(std::uint32_t streams, IssueOrder order, Duration wall,
                                    double speedup, Bound bound, const Utilisation& shares) {
    Prediction prediction;
    prediction.configuration.streams = streams;
    prediction.configuration.order = order;
    prediction.units = 20;
    prediction.max_connections = 8;
    prediction.wall = wall;
    prediction.device = wall - std::chrono::microseconds{20};
    prediction.speedup = speedup;
    prediction.bound_by = bound;
    prediction.utilisation = shares;
    prediction.device_bytes = 50'331'648;
    return prediction;
}

/// 20 units of 0.75 ms on one stream, half of that on four.
inline PredictionSweep sample_sweep() {
    using namespace std::chrono_literals;
    PredictionSweep sweep;
    sweep.trace = "traces/pipeline.json.gz";
    sweep.program = "./pipeline --units 20";
    sweep.device = "NVIDIA H200";
    sweep.device_model = "nvidia-h200";
    sweep.transform = Transform::distribute;
    sweep.sync = SyncPolicy::defer;
    sweep.operations = 80;
    sweep.units_found = 20;
    sweep.setup = 312ms;
    sweep.recorded_wall = 15'310us;
    sweep.one_stream_wall = 15ms;
    sweep.predictions = {
        sample_prediction(1, IssueOrder::depth, 15ms, 1.0, Bound::chain, {0.61, 0.30, 0.27, 0.03}),
        sample_prediction(1, IssueOrder::breadth, 15ms, 1.0, Bound::chain,
                          {0.61, 0.30, 0.27, 0.03}),
        sample_prediction(4, IssueOrder::depth, 7'500us, 2.0, Bound::h2d, {0.98, 0.6, 0.54, 0.06}),
        sample_prediction(4, IssueOrder::breadth, 10ms, 1.5, Bound::chain, {0.8, 0.45, 0.4, 0.04}),
        sample_prediction(16, IssueOrder::depth, 7'450us, 2.0134, Bound::h2d,
                          {1.0, 0.61, 0.55, 0.06}),
    };
    sweep.best = 4;
    sweep.overheads[GapKind::h2d_to_kernel] = GapStatistics{4'200ns, 4us, 8'600ns, 20};
    sweep.warnings = {{"dropped-records", "3 records were dropped: record a shorter run."}};
    sweep.predictions[2].warnings = {{"private-copies", "4 units write the same buffer."}};
    sweep.predictions[4].warnings = {{"private-copies", "16 units write the same buffer."}};
    return sweep;
}

/// The sample with intervals from 2 % below to 4 % above; the second one without.
inline PredictionSweep sample_sweep_with_intervals() {
    auto sweep = sample_sweep();
    for (auto& prediction : sweep.predictions) {
        prediction.interval = {prediction.wall * 98 / 100, prediction.wall * 104 / 100};
    }
    sweep.predictions[1].interval.reset();
    return sweep;
}

/// The sample with what two or three other models say; the last one knows single streams alone.
inline PredictionSweep sample_sweep_beside_others(bool three) {
    using namespace std::chrono_literals;
    auto sweep = sample_sweep();
    for (auto& prediction : sweep.predictions) {
        prediction.baselines = {{"serial", 15'200us}};
        if (three) {
            prediction.baselines.push_back({"ideal-overlap", prediction.wall / 2});
        }
        prediction.baselines.push_back({"one-stream-model", std::nullopt});
        if (prediction.configuration.streams == 1) {
            prediction.baselines.back().wall = 15'100us;
        }
    }
    return sweep;
}

}  // namespace overcast
