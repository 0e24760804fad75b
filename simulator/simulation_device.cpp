// What the copy engines and the SMs do.

#include "simulator/simulation.hpp"

#include <algorithm>

namespace overcast {

void Simulation::arm_if_first(FlightIndex index) {
    const auto& flight = flights_[index];
    const auto kind = channel_kind(flight.kind);
    if (!kind || channels(*kind).head(flight.channel) == index) {
        arm(index);
    }
}

/// Nothing stands before the flight: it is eligible as soon as it is ready.
void Simulation::arm(FlightIndex index) {
    auto& flight = flights_[index];
    if (flight.ready > now_) {
        events_.push(flight.ready, TimedEvent::Kind::ready, index);
        return;
    }
    if (flight.ready < now_) {
        flight.reason = WaitReason::channel;
        flight.ready = now_;
    }
    become_eligible(index);
}

void Simulation::timed_event() {
    const auto event = events_.pop();
    if (event.kind == TimedEvent::Kind::ready) {
        become_eligible(event.flight);
        return;
    }
    const auto kind = channel_kind(flights_[event.flight].kind);
    const auto channel = flights_[event.flight].channel;
    complete(event.flight, now_);
    if (kind) {
        leave_channel(*kind, channel);
    }
}

void Simulation::become_eligible(FlightIndex index) {
    auto& flight = flights_[index];
    flight.eligible = true;
    switch (flight.kind) {
        case FlightKind::h2d:
        case FlightKind::d2h:
            if (auto& engine = direction(flight.kind); !engine.engine.busy()) {
                start_copy(engine, index);
            }
            break;
        case FlightKind::kernel:
            kernels_.submit(now_, index, flight.kernel, flight.duration);
            hear_from_kernels();
            break;
        case FlightKind::inline_copy:
            channels(ChannelKind::compute).mark_served(flight.channel);
            start_on_device(index, now_, Engine::sm, WaitReason::none);
            events_.push(now_ + flight.duration, TimedEvent::Kind::complete, index);
            break;
        case FlightKind::host_function:
            events_.push(now_ + flight.duration, TimedEvent::Kind::complete, index);
            break;
        case FlightKind::marker: complete(index, now_); break;
    }
}

void Simulation::start_on_device(FlightIndex index, TimelineTime start, Engine engine,
                                 WaitReason busy) {
    const auto& flight = flights_[index];
    auto& entry = timeline_.entries[flight.operation];
    entry.device_start = start;
    entry.engine = engine;
    entry.waited_for = start > flight.ready ? busy : flight.reason;
    first_start_ = std::min(first_start_, start);
}

/// The channel that the engine is on as long as its head is eligible, then the next one in
/// ascending cyclic order of hardware ids (9).
FlightIndex Simulation::choose(const Direction& direction) const {
    const auto& queues = channels(direction.kind);
    const auto& owned = ownership(direction.kind);
    const auto eligible = [&](FlightIndex head) {
        return head != kNoFlight && flights_[head].eligible;
    };
    if (!rules_[Rule::engine_drain]) {
        FlightIndex first = kNoFlight;
        for (std::uint32_t channel = 0; channel < owned.size(); ++channel) {
            const auto head = queues.head(channel);
            if (eligible(head) &&
                (first == kNoFlight || flights_[head].ready < flights_[first].ready)) {
                first = head;
            }
        }
        return first;
    }
    const auto current = owned.rank(direction.engine.channel());
    for (std::uint32_t step = 0; step < owned.size(); ++step) {
        const auto head = queues.head(owned.ascending()[(current + step) % owned.size()]);
        if (eligible(head)) {
            return head;
        }
    }
    return kNoFlight;
}

void Simulation::serve(Direction& direction) {
    if (const auto flight = choose(direction); flight != kNoFlight) {
        start_copy(direction, flight);
    } else {
        update_rates();
    }
}

void Simulation::start_copy(Direction& direction, FlightIndex index) {
    const auto& flight = flights_[index];
    const auto& parameters = direction.kind == ChannelKind::h2d ? model_.h2d : model_.d2h;
    const auto& copy = std::get<Copy>(workload_.operations[flight.operation].action);
    const bool turnaround = rules_[Rule::turnaround];
    channels(direction.kind).mark_served(flight.channel);
    const auto start =
        direction.engine.start(now_, index, flight.channel, flight.duration,
                               turnaround ? parameters.turnaround_same : Duration{},
                               turnaround ? parameters.turnaround_other : Duration{});
    if (direction.factor_bytes != copy.bytes.count()) {
        direction.factor_bytes = copy.bytes.count();
        direction.duplex_factor = std::max(
            1.0, parameters.duplex_factor.logarithmic(static_cast<double>(copy.bytes.count())));
    }
    start_on_device(index, start, direction.kind == ChannelKind::h2d ? Engine::h2d : Engine::d2h,
                    WaitReason::copy_engine);
    update_rates();
}

void Simulation::finish_copy(Direction& direction) {
    const auto channel = direction.engine.channel();
    const auto head = channels(direction.kind).head(channel);
    complete(head, now_);                    // the engine still counts as busy: whoever becomes
    leave_channel(direction.kind, channel);  // eligible now is chosen by serve
    direction.engine.finish();
    serve(direction);
}

void Simulation::leave_channel(ChannelKind kind, std::uint32_t channel) {
    const auto head = channels(kind).pop(channel);
    if (head != kNoFlight && flights_[head].pending == 0) {
        arm(head);
    }
    if (!blocked_by_queue_.empty()) {
        for (const auto thread : blocked_by_queue_) {
            threads_[thread].next = now_;
        }
        blocked_by_queue_.clear();
    }
}

void Simulation::hear_from_kernels() {
    // Leaving a channel may submit the next kernel, which adds news at the end of the list.
    if (hearing_) {
        return;
    }
    hearing_ = true;
    for (std::size_t i = 0; i < kernels_.news().size(); ++i) {
        const auto news = kernels_.news()[i];
        switch (news.kind) {
            case KernelNews::Kind::started:
                start_on_device(news.flight, now_, Engine::sm, WaitReason::sm_room);
                break;
            case KernelNews::Kind::placed:
                leave_channel(ChannelKind::compute, flights_[news.flight].channel);
                break;
            case KernelNews::Kind::ended: complete(news.flight, now_ + model_.kernels.floor); break;
        }
    }
    kernels_.clear_news();
    hearing_ = false;
    update_rates();
}

/// Progress of both engines under the other direction (5), and of H2D under waiting kernels (6):
///   rate = 1 / (duplex_factor * (1 + per_waiting_kernel * m)),
///   m = kernels not started / waiting compute channels.
void Simulation::update_rates() {
    const bool duplex = rules_[Rule::duplex] && h2d_.engine.busy() && d2h_.engine.busy();
    if (h2d_.engine.busy()) {
        double factor = duplex ? h2d_.duplex_factor : 1;
        const auto& slowdown = model_.waiting_slowdown;
        const auto& compute = channels(ChannelKind::compute);
        if (rules_[Rule::waiting_slowdown] &&
            compute.waiting_channels() >= std::max(1U, slowdown.from_channels)) {
            const auto waiting = static_cast<double>(compute.waiting_operations()) /
                                 static_cast<double>(compute.waiting_channels());
            factor *=
                1 + slowdown.per_waiting_kernel * std::min(waiting, slowdown.most_waiting_kernels);
        }
        h2d_.engine.set_rate(now_, 1 / factor);
    }
    if (d2h_.engine.busy()) {
        d2h_.engine.set_rate(now_, duplex ? 1 / d2h_.duplex_factor : 1);
    }
}

}  // namespace overcast
