#include "validate/cases/harness/runner.hpp"

#include "validate/cases/harness/cuda_check.hpp"

#include <nvtx3/nvToolsExt.h>

#include <optional>

namespace overcast::cases {
namespace {

/// The steps of each part of each unit, asked for once.
class StepTable {
public:
    StepTable(Work& work, std::uint32_t parts) : parts_{parts} {
        for (std::uint32_t unit = 0; unit < work.units(); ++unit) {
            for (std::uint32_t part = 0; part < parts; ++part) {
                steps_.push_back(work.steps(unit, {part, parts}));
            }
        }
    }

    [[nodiscard]] const std::vector<Step>& of(std::uint32_t unit, std::uint32_t part) const {
        return steps_[std::size_t{unit} * parts_ + part];
    }

    /// By unit and step; all parts of a unit have the same.
    [[nodiscard]] std::vector<std::vector<std::uint32_t>> phases() const {
        std::vector<std::vector<std::uint32_t>> result;
        for (std::size_t first = 0; first < steps_.size(); first += parts_) {
            auto& phases = result.emplace_back();
            for (const auto& step : steps_[first]) {
                phases.push_back(step.phase);
            }
            for (std::size_t part = 1; part < parts_; ++part) {
                if (steps_[first + part].size() != phases.size()) {
                    throw std::logic_error("the parts of a unit differ in their number of steps");
                }
            }
        }
        return result;
    }

private:
    std::uint32_t parts_;
    std::vector<std::vector<Step>> steps_;
};

}  // namespace

Runner::Runner(const Options& options) : mark_units_{options.mark_units} {
    const CaseDefinition& definition = *options.definition;
    const bool replicate = options.transform == Transform::replicate;
    for (std::uint32_t i = 0; i < (replicate ? options.streams : 1); ++i) {
        work_.push_back(definition.make(options.values, options.memory));
    }
    stream_count_ = options.stream_per_unit ? work_.front()->units() : options.streams;
    create_streams(stream_count_ * definition.lanes);
    make_calls(options, definition.lanes);
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
}

void Runner::create_streams(std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
        cudaStream_t stream = nullptr;
        check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking),
              "cudaStreamCreateWithFlags");
        streams_.emplace_back(stream);
        handles_.push_back(stream);
    }
}

void Runner::make_calls(const Options& options, std::uint32_t lanes) {
    std::vector<StepTable> tables;
    for (const auto& work : work_) {
        tables.emplace_back(*work, options.parts);
    }
    const Layout layout{options.transform, work_.front()->units(), stream_count_, options.parts};
    std::vector<bool> used(stream_count_, false);
    for (const auto& planned : plan_pass(layout, options.order, tables.front().phases())) {
        const Lanes all{handles_};
        calls_.push_back({tables[planned.replica].of(planned.unit, planned.part)[planned.step],
                          all.subspan(std::size_t{planned.lane_set} * lanes, lanes),
                          planned.strand});
        used[planned.lane_set] = true;
    }
    for (std::size_t i = 0; i < handles_.size(); ++i) {
        if (used[i / lanes]) {
            used_.push_back(handles_[i]);
        }
    }
}

void Runner::issue_with_marks() const {
    std::optional<std::uint32_t> open;
    for (const auto& call : calls_) {
        if (open != call.strand) {
            if (open) {
                nvtxRangePop();
            }
            nvtxRangePushA("unit");
            open = call.strand;
        }
        call.step.issue(call.lanes);
    }
    if (open) {
        nvtxRangePop();
    }
}

std::chrono::nanoseconds Runner::run_pass() {
    const auto start = std::chrono::steady_clock::now();
    if (mark_units_) {
        issue_with_marks();
    } else {
        for (const auto& call : calls_) {
            call.step.issue(call.lanes);
        }
    }
    for (const auto stream : used_) {
        check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    }
    return std::chrono::steady_clock::now() - start;
}

std::uint64_t Runner::verify() const {
    std::uint64_t checksum = 0;
    for (const auto& work : work_) {
        for (std::uint32_t unit = 0; unit < work->units(); ++unit) {
            checksum = checksum * 31 + work->verify(unit);
        }
    }
    return checksum;
}

std::uint32_t Runner::units() const {
    return work_.front()->units() * static_cast<std::uint32_t>(work_.size());
}

}  // namespace overcast::cases
