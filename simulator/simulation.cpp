#include "simulator/simulation.hpp"

#include "core/error.hpp"
#include "core/large_pages.hpp"
#include "simulator/kernel_demands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace overcast {
namespace {

/// What slows operations down is in their durations already where they were recorded side by side.
Rules rules_for(const Workload& workload, Rules rules) {
    if (workload.contended) {
        for (const auto rule : {Rule::duplex, Rule::waiting_slowdown, Rule::corun_slowdown,
                                Rule::dram_sharing, Rule::l2_halves}) {
            rules.switch_off(rule);
        }
    }
    return rules;
}

/// What a call costs more that follows one into another stream: the more streams a program uses,
/// the less of what the driver keeps of each is in the CPU's caches. Less what the recorded calls
/// have in them.
Duration stream_change(const Workload& workload, const Curve& by_streams, const Rules& rules) {
    if (by_streams.empty() || !rules[Rule::stream_change]) {
        return {};
    }
    const auto at = [&](std::size_t streams) {
        return by_streams.linear(static_cast<double>(streams));
    };
    return round_to_duration(
        std::max(0.0, at(workload.streams.size()) - at(workload.recorded_streams)));
}

}  // namespace

Simulation::Simulation(const Workload& workload, const DeviceModel& model, const Rules& rules,
                       WarmState& state)
    : workload_{workload},
      model_{model},
      gaps_{model.gaps},
      copy_stream_change_{stream_change(workload, model.host.copy_stream_change_ns, rules)},
      kernel_stream_change_{stream_change(workload, model.host.kernel_stream_change_ns, rules)},
      rules_{rules_for(workload, rules)},
      copy_policy_{copy_policy(rules[Rule::engine_drain] ? model.copy_service
                                                         : CopyService::fifo_by_readiness)},
      outgrows_l2_{outgrows_l2(workload, model)},
      look_ahead_{rules[Rule::look_ahead] ? model.look_ahead : LookAhead{}},
      state_{state},
      channels_{{{state.channels[0], flights_},
                 {state.channels[1], flights_},
                 {state.channels[2], flights_}}},
      demands_{kernel_demands(workload, model, rules_)},
      kernels_{model, demands_, rules_},
      solo_runs_{model, demands_, rules_},
      h2d_{ChannelKind::h2d, model, rules_},
      d2h_{ChannelKind::d2h, model, rules_},
      streams_(workload.streams.size()),
      event_states_(workload.events),
      threads_(std::max(1U, workload.threads)) {
    for (std::uint32_t i = 0; i < workload.streams.size(); ++i) {
        if (workload.streams[i].kind == StreamKind::legacy_default) {
            default_stream_ = i;
        }
    }
    auto& entries = timeline_.entries;
    entries.reserve(workload.operations.size());
    prefer_large_pages(entries.data(), entries.capacity() * sizeof(TimelineEntry));
    entries.resize(workload.operations.size());
    start_threads();
}

void Simulation::start_threads() {
    if (threads_.size() > 1) {
        for (std::uint32_t i = 0; i < workload_.operations.size(); ++i) {
            threads_[index(workload_.operations[i].thread)].operations.push_back(i);
        }
        for (auto& thread : threads_) {
            thread.count = static_cast<std::uint32_t>(thread.operations.size());
        }
    } else {
        threads_[0].count = static_cast<std::uint32_t>(workload_.operations.size());
    }
    for (auto& thread : threads_) {
        prepare_call(thread, TimelineTime{});
    }
}

Timeline Simulation::run() {
    for (;;) {
        switch (earliest()) {
            case Source::h2d: finish_copy(h2d_); break;
            case Source::d2h: finish_copy(d2h_); break;
            case Source::sms:
                kernels_.advance();
                hear_from_kernels();
                break;
            case Source::event: timed_event(); break;
            case Source::host: host_call(); break;
            case Source::none: check_finished(); return finished_timeline();
        }
    }
}

/// What happens next; at equal times ends come before starts, and the device before the host.
Simulation::Source Simulation::earliest() {
    auto source = Source::none;
    auto time = kNever;
    const auto consider = [&](Source candidate, TimelineTime at) {
        if (at < time) {
            source = candidate;
            time = at;
        }
    };
    consider(Source::h2d, h2d_.engine.completion());
    consider(Source::d2h, d2h_.engine.completion());
    consider(Source::sms, kernels_.next());
    if (!events_.empty()) {
        consider(Source::event, events_.top().time);
    }
    for (const auto& thread : threads_) {
        if (thread.next < time) {
            source = Source::host;
            time = thread.next;
            next_thread_ = static_cast<std::uint32_t>(&thread - threads_.data());
        }
    }
    if (source != Source::none) {
        now_ = time;
    }
    return source;
}

void Simulation::check_finished() const {
    for (const auto& thread : threads_) {
        if (thread.made < thread.count) {
            const auto operation = operation_of(thread);
            throw Error(fmt::format(
                "the workload can never end: call {} ({}) waits for something that is never "
                "issued; "
                "check that every event that is waited for is recorded",
                operation,
                workload_.names.size() > 0 ? workload_.names[workload_.operations[operation].name]
                                           : "unnamed"));
        }
    }
    if (in_flight_ > 0) {
        throw Error(
            fmt::format("the workload can never end: {} operations wait for an event that "
                        "is never recorded",
                        in_flight_));
    }
}

Timeline Simulation::finished_timeline() {
    timeline_.wall = std::max(last_return_, last_end_).time_since_epoch();
    if (first_start_ < last_end_) {
        timeline_.device = last_end_ - first_start_;
    }
    return std::move(timeline_);
}

void Simulation::complete(FlightIndex index, TimelineTime end) {
    const auto& flight = flights_[index];
    auto side = flight.side;
    if (flight.kind == FlightKind::marker && flight.reason == WaitReason::event) {
        side.reset();  // what follows waited for the event, not for the work before it
    }
    auto& entry = timeline_.entries[flight.operation];
    entry.device_end = end;
    if (entry.on_device) {
        last_end_ = std::max(last_end_, end);
    } else {
        entry.device_start = end;  // reached, but nothing was done
    }
    if (flight.kind == FlightKind::marker) {
        reach_event(flight, end);
    }
    auto& stream = streams_[flight.stream];
    if (flight.next_in_stream != kNoFlight) {
        auto& next = flights_[flight.next_in_stream];
        const auto gap =
            next.dependency_in_channel ? Duration{} : gap_after(end, next, side, flight.bytes);
        if (gap > Duration{}) {
            next.seen_from = looked_for(side, next) ? end : kNever;
            next.in_time = std::max(next.in_time, end + look_ahead(*side));
        }
        release_dependent(flight.next_in_stream, end + gap, WaitReason::stream_order);
    } else {
        stream.last = kNoFlight;
        stream.last_end = end;
        stream.side = side;
        stream.bytes = flight.bytes;
    }
    if (stream.last_to_device == index) {
        stream.last_to_device = kNoFlight;
    }
    follow_edges(flight.first_edge, end);
    flights_.remove(index);
    --in_flight_;
}

void Simulation::follow_edges(std::uint32_t edge, TimelineTime end) {
    while (edge != kNoFlight) {
        const Edge followed = edges_[edge];
        if (followed.kind == Edge::Waiter::thread) {
            resume_thread(followed.waiter, end);
        } else {
            release_dependent(followed.waiter, end + model_.gaps.event, followed.reason);
        }
        edges_.remove(edge);
        edge = followed.next;
    }
}

void Simulation::release_dependent(FlightIndex index, TimelineTime ready, WaitReason reason) {
    auto& flight = flights_[index];
    if (ready > flight.ready) {
        flight.ready = ready;
        flight.reason = reason;
    }
    --flight.pending;
    if (flight.pending == 0) {
        if (const auto kind = channel_kind(flight.kind)) {
            channels(*kind).dependencies_met(flight.channel);
        }
        arm_if_first(index);
    }
}

void Simulation::resume_thread(std::uint32_t index, TimelineTime end) {
    auto& thread = threads_[index];
    thread.resume = std::max(thread.resume, end);
    --thread.pending;
    if (thread.pending == 0) {
        const auto back = thread.resume + model_.host.synchronise_wake_up +
                          workload_.operations[operation_of(thread)].after_wait;
        finish_call(thread, back);
        last_return_ = std::max(last_return_, back);
    }
}

void Simulation::add_edge(std::uint32_t& first, Edge::Waiter kind, std::uint32_t waiter,
                          WaitReason reason) {
    edges_.next() = {waiter, first, kind, reason};
    first = edges_.keep();
}

void Simulation::reach_event(const Flight& flight, TimelineTime end) {
    const auto* record = std::get_if<EventRecord>(&workload_.operations[flight.operation].action);
    if (record == nullptr) {
        return;
    }
    auto& event = event_states_[overcast::index(record->event)];
    event.reached = true;
    event.end = end;
    const auto waiting = event.first_edge;
    event.first_edge = kNoFlight;
    follow_edges(waiting, end);
}

/// What of an operation's call passes after the device has heard of its work.
Duration Simulation::after_work(std::uint32_t operation) const {
    const auto call = workload_.operations[operation].call_cost;
    return round_to_duration(model_.host.share_after_work * static_cast<double>(call.count()));
}

/// What the call that ends now takes more than it would by itself.
Duration Simulation::beyond_call(const Thread& thread, const Flight& flight) const {
    const bool kernel = flight.kind == FlightKind::kernel;
    Duration more{};
    if (thread.stream && *thread.stream != flight.stream) {
        more += kernel ? kernel_stream_change_ : copy_stream_change_;
    }
    const auto took = now_ - timeline_.entries[flight.operation].call_start;
    if (kernel && rules_[Rule::call_beside_copy] && took > Duration{}) {
        const auto beside = std::min(used_link_since(h2d_, now_ - took), took);
        more += round_to_duration(static_cast<double>(model_.host.kernel_call_beside_h2d.count()) *
                                  static_cast<double>(beside.count()) /
                                  static_cast<double>(took.count()));
    }
    return more;
}

/// Other channels of the kind whose head waits, as they were measured. Of kernels those matter that
/// the same engine serves: every second one of many. Of copies those that wait for an event; a copy
/// that waits for the work before it in its stream holds up nobody.
std::uint32_t Simulation::others_waiting(ChannelKind kind, std::uint32_t own) const {
    const auto& all = channels(kind);
    auto waiting = all.waiting_channels();
    if (waiting == 0) {
        return 0;
    }
    if (kind == ChannelKind::compute) {
        const auto beside_own = [&](std::uint32_t count) {
            return all.head_depends(own) ? count - 1 : count;
        };
        return rules_[Rule::host_engines] ? kHostEngines * beside_own(all.waiting_at_engine_of(own))
                                          : beside_own(waiting);
    }
    if (event_states_.empty()) {
        return 0;  // there is no event to wait for
    }
    waiting = 0;
    for (std::uint32_t other = 0; other < ownership(kind).size(); ++other) {
        const auto head = all.head(other);
        if (other != own && head != kNoFlight && flights_[head].behind_event &&
            flights_[head].pending > 0) {
            ++waiting;
        }
    }
    return waiting;
}

/// A call makes its channel look: what waits at the head, and the work before it is done when the
/// device hears of the call, does not wait for the channel's own next look.
void Simulation::look_at_head(ChannelKind kind, const Flight& call) {
    const auto& queues = channels(kind);
    if (!queues.head_depends(call.channel) || !rules_[Rule::late_arrival] ||
        !model_.gaps.look_on_call) {
        return;
    }
    const auto waits = queues.head(call.channel);
    auto& head = flights_[waits];
    const auto seen = std::max({now_, head.visible, call.heard + *model_.gaps.look_on_call});
    if (head.armed > 0 && head.seen_from <= call.heard && head.ready > seen &&
        head.reason == WaitReason::stream_order) {
        head.ready = seen;
        arm(waits);
    }
}

/// Between the end of the operation before it in its stream and the flight.
Duration Simulation::gap_after(TimelineTime end, const Flight& flight,
                               std::optional<GapSide> earlier, Bytes brought) const {
    if (!earlier || !flight.side || flight.kind == FlightKind::marker ||
        !rules_[Rule::stream_gaps]) {
        return Duration{};
    }
    if (rules_[Rule::late_arrival] &&
        gaps_.arrives_late(*earlier, *flight.side, end - flight.heard)) {
        return Duration{};
    }
    const auto kind = channel_kind(flight.kind);
    const auto waiting = kind ? others_waiting(*kind, flight.channel) : 0;
    const bool brings = brought > Bytes{} && *earlier == GapSide::kernel &&
                        kind == ChannelKind::compute && rules_[Rule::read_ahead];
    const auto gap = [&](LinkLoad load) {
        return gaps_.gap(*earlier, *flight.side, waiting, load) +
               (brings ? gaps_.behind(brought, load) : Duration{});
    };
    const auto alone = gap(LinkLoad::none);
    if (!brings && !gaps_.link_matters(*earlier, *flight.side, waiting)) {
        return alone;
    }
    const auto h2d = uses_link_for(h2d_);
    const auto d2h = uses_link_for(d2h_);
    const auto load = link_load(h2d > Duration{}, d2h > Duration{});
    // A copy delays nothing beyond its own end.
    return std::min(gap(load), alone + std::max(h2d, d2h));
}

}  // namespace overcast
