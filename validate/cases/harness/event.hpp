// An event without timing, and the steps that are followed by one of its calls.
#pragma once

#include "validate/cases/harness/case.hpp"
#include "validate/cases/harness/cuda_check.hpp"

#include <memory>
#include <type_traits>
#include <utility>

namespace overcast::cases {

class Event {
public:
    Event() {
        cudaEvent_t event = nullptr;
        check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cudaEventCreateWithFlags");
        event_.reset(event);
    }

    [[nodiscard]] cudaEvent_t get() const { return event_.get(); }

private:
    struct Destroy {
        void operator()(cudaEvent_t event) const { cudaEventDestroy(event); }
    };
    std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, Destroy> event_;
};

/// `step`, and then the event recorded on `lane`.
inline Step record_after(Step step, const Event& event, std::uint32_t lane) {
    return {[issue = std::move(step.issue), event = event.get(), lane](Lanes lanes) {
                issue(lanes);
                check(cudaEventRecord(event, lanes[lane]), "cudaEventRecord");
            },
            step.phase};
}

/// `step`, and then what follows on `lane` waits for the event.
inline Step wait_after(Step step, const Event& event, std::uint32_t lane) {
    return {[issue = std::move(step.issue), event = event.get(), lane](Lanes lanes) {
                issue(lanes);
                check(cudaStreamWaitEvent(lanes[lane], event, 0), "cudaStreamWaitEvent");
            },
            step.phase};
}

}  // namespace overcast::cases
