// One pass over a workload: host threads issue, channels queue, engines and SMs work.
//
// simulation.cpp has the main loop and what follows from an end; simulation_issue.cpp what a call
// of the host sets in motion, simulation_waits.cpp what it waits for; simulation_device.cpp what
// the engines do.
#pragma once

#include "core/timeline.hpp"
#include "core/workload.hpp"
#include "model/device_model.hpp"
#include "model/gap_model.hpp"
#include "model/kernel_model.hpp"
#include "model/transfer_model.hpp"
#include "simulator/channel_set.hpp"
#include "simulator/copy_direction.hpp"
#include "simulator/copy_policies.hpp"
#include "simulator/event_queue.hpp"
#include "simulator/flight.hpp"
#include "simulator/kernels/kernel_executor.hpp"
#include "simulator/kernels/solo_runs.hpp"
#include "simulator/rules.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace overcast {

/// What outlives a pass: a warm program finds its channels as the pass before left them.
struct WarmState {
    std::array<ChannelOwnership, kChannelKinds> channels;
};

/// Channels as a fresh process finds them.
WarmState fresh_state(const Workload& workload, const DeviceModel& model, const Rules& rules);

class Simulation {
public:
    Simulation(const Workload& workload, const DeviceModel& model, const Rules& rules,
               WarmState& state);

    /// Throws Error if the workload can never end.
    Timeline run();

private:
    struct Thread {
        std::vector<std::uint32_t> operations;  ///< empty for the only thread: it makes them all
        std::uint32_t made = 0;                 ///< calls finished
        std::uint32_t count = 0;
        TimelineTime next = kNever;  ///< the call's own work is done; kNever while it waits
        TimelineTime resume{};       ///< latest end among what it waits for
        std::uint32_t pending = 0;   ///< what it waits for
        Duration beyond{};           ///< what this call takes beyond its usual cost, at its end
        std::optional<std::uint32_t> stream;  ///< into which it issued last
    };
    /// A thread that waits for room in a channel.
    struct Blocked {
        std::uint32_t thread = 0;
        ChannelKind kind{};
        std::uint32_t channel = 0;
    };
    struct StreamState {
        FlightIndex last = kNoFlight;            ///< issued last and not complete
        FlightIndex last_to_device = kNoFlight;  ///< of its copies to the device, the same
        TimelineTime last_end{};                 ///< end of the last one that is complete
        std::optional<GapSide> side;
        Bytes bytes{};  ///< as Flight::bytes
    };
    struct EventState {
        bool reached = false;
        TimelineTime end{};
        std::uint32_t first_edge = kNoFlight;
    };

    // Main loop.
    enum class Source : std::uint8_t { none, h2d, d2h, sms, event, host };
    Source earliest();
    void start_threads();
    void check_finished() const;
    Timeline finished_timeline();

    // Host (simulation_issue.cpp).
    void host_call();
    void prepare_call(Thread& thread, TimelineTime from);
    [[nodiscard]] std::uint32_t operation_of(const Thread& thread) const;
    bool issue(Thread& thread, std::uint32_t operation);
    bool issue_copy(Thread& thread, std::uint32_t operation, const Copy& copy);
    bool issue_work(Thread& thread, std::uint32_t operation, Flight& flight);
    [[nodiscard]] std::uint32_t fill_demand() const {
        return static_cast<std::uint32_t>(demands_.size() - 1);
    }
    [[nodiscard]] LaunchTimes fill_times(Duration duration);
    [[nodiscard]] bool slows_copies(ChannelKind kind, std::uint32_t channel) const;
    std::uint32_t take_channel(ChannelKind kind, std::uint32_t stream, TimelineTime began);
    [[nodiscard]] bool holds_nothing(ChannelKind kind, std::uint32_t channel,
                                     TimelineTime at) const;
    void issue_marker(std::uint32_t operation, FlightKind kind, Duration duration);
    void finish_call(Thread& thread, TimelineTime end);
    FlightIndex launch(Flight& flight);
    void depend_on_default_stream(FlightIndex flight);

    // What host threads wait for (simulation_waits.cpp).
    void wait_for_stream(Thread& thread, std::uint32_t stream);
    void wait_for_device(Thread& thread);
    void wait_for_copies_to_device(Thread& thread);
    void wait_for_flight(Thread& thread, FlightIndex flight);
    void wait_for_event(Thread& thread, EventIndex event);

    // What follows from an end (simulation.cpp).
    void complete(FlightIndex flight, TimelineTime end);
    void follow_edges(std::uint32_t edge, TimelineTime end);
    void release_dependent(FlightIndex flight, TimelineTime ready, WaitReason reason);
    void resume_thread(std::uint32_t thread, TimelineTime end);
    void add_edge(std::uint32_t& first, Edge::Waiter kind, std::uint32_t waiter, WaitReason reason);
    void reach_event(const Flight& flight, TimelineTime end);
    [[nodiscard]] Duration beyond_call(const Thread& thread, const Flight& flight) const;
    [[nodiscard]] Duration after_work(std::uint32_t operation) const;
    [[nodiscard]] std::uint32_t others_waiting(ChannelKind kind, std::uint32_t own) const;
    [[nodiscard]] Duration gap_after(TimelineTime end, const Flight& flight,
                                     std::optional<GapSide> earlier, Bytes brought) const;

    // Device (simulation_device.cpp).
    void look_at_head(ChannelKind kind, const Flight& call);
    void arm_if_first(FlightIndex flight);
    void arm(FlightIndex flight);
    void become_eligible(FlightIndex flight);
    [[nodiscard]] Duration lasting(const Flight& flight) const;
    void serve(CopyDirection& direction);
    [[nodiscard]] bool takes_another(const CopyDirection& direction);
    [[nodiscard]] FlightIndex choose(const CopyDirection& direction) const;
    [[nodiscard]] Duration uses_link_for(const CopyDirection& direction) const;
    [[nodiscard]] Duration used_link_since(const CopyDirection& direction, TimelineTime from) const;
    [[nodiscard]] Duration turnaround_growth(const CopyDirection& direction) const;
    [[nodiscard]] Duration look_ahead(GapSide earlier) const;
    [[nodiscard]] TimelineTime decided(const CopyDirection& direction) const;
    void start_copy(CopyDirection& direction, FlightIndex flight);
    void finish_copy(CopyDirection& direction);
    void timed_event();
    void hear_from_kernels();
    void start_on_device(FlightIndex flight, TimelineTime start, Engine engine, WaitReason busy);
    void leave_channel(ChannelKind kind, std::uint32_t channel);
    void update_rates();
    [[nodiscard]] double entries_behind_each_head() const;

    [[nodiscard]] ChannelSet& channels(ChannelKind kind) {
        return channels_[static_cast<std::size_t>(kind)];
    }
    [[nodiscard]] const ChannelSet& channels(ChannelKind kind) const {
        return channels_[static_cast<std::size_t>(kind)];
    }
    [[nodiscard]] ChannelOwnership& ownership(ChannelKind kind) {
        return state_.channels[static_cast<std::size_t>(kind)];
    }
    [[nodiscard]] const ChannelOwnership& ownership(ChannelKind kind) const {
        return state_.channels[static_cast<std::size_t>(kind)];
    }
    [[nodiscard]] CopyDirection& direction(FlightKind kind) {
        return kind == FlightKind::h2d ? h2d_ : d2h_;
    }

    const Workload& workload_;
    const DeviceModel& model_;
    GapModel gaps_;
    Duration copy_stream_change_;  ///< what a call costs more that follows one into another stream
    Duration kernel_stream_change_;
    Rules rules_;
    CopyPolicy copy_policy_;
    bool outgrows_l2_;      ///< memsets and copies inside the device bring data into the L2
    LookAhead look_ahead_;  ///< empty where the rule is off
    WarmState& state_;

    TimelineTime now_{};
    Pool<Flight> flights_;
    Pool<Edge> edges_;
    EventQueue events_;
    std::array<ChannelSet, kChannelKinds> channels_;
    std::vector<KernelDemand>
        demands_;  ///< one per kernel of the workload, then that of D2D copies
    KernelExecutor kernels_;
    SoloRuns solo_runs_;
    CopyDirection h2d_;
    CopyDirection d2h_;
    std::vector<StreamState> streams_;
    std::vector<EventState> event_states_;
    std::vector<Thread> threads_;
    std::vector<Blocked> blocked_by_queue_;
    std::uint32_t next_thread_ = 0;  ///< whose call ends first
    std::uint64_t in_flight_ = 0;
    bool hearing_ = false;  ///< inside hear_from_kernels
    TimelineTime last_return_{};
    TimelineTime first_start_ = kNever;
    TimelineTime last_end_{};
    std::optional<std::uint32_t> default_stream_;
    Timeline timeline_;
};

/// The queue that a kind of work travels in; absent for work that needs none.
constexpr std::optional<ChannelKind> channel_kind(FlightKind kind) {
    switch (kind) {
        case FlightKind::h2d: return ChannelKind::h2d;
        case FlightKind::d2h: return ChannelKind::d2h;
        case FlightKind::kernel:
        case FlightKind::inline_copy: return ChannelKind::compute;
        case FlightKind::host_function:
        case FlightKind::marker: return std::nullopt;
    }
    return std::nullopt;
}

}  // namespace overcast
