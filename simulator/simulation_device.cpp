// What the copy engines and the SMs do.

#include "core/overloaded.hpp"
#include "model/memory_interference.hpp"
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
        flight.armed = events_.push(flight.ready, TimedEvent::Kind::ready, index);
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
    if (event.kind == TimedEvent::Kind::join) {
        const auto kind = static_cast<ChannelKind>(event.flight);
        serve(kind == ChannelKind::h2d ? h2d_ : d2h_);
        return;
    }
    if (event.kind == TimedEvent::Kind::returns) {
        auto& thread = threads_[event.flight];
        --thread.pending;
        finish_call(thread, now_);
        return;
    }
    if (event.kind == TimedEvent::Kind::ready) {
        if (flights_[event.flight].armed == event.sequence) {
            become_eligible(event.flight);
        }
        return;
    }
    const auto kind = channel_kind(flights_[event.flight].kind);
    const auto channel = flights_[event.flight].channel;
    complete(event.flight, now_);
    if (kind) {
        leave_channel(*kind, channel);
        update_rates();
    }
}

void Simulation::become_eligible(FlightIndex index) {
    auto& flight = flights_[index];
    flight.armed = 0;
    if (const auto kind = channel_kind(flight.kind)) {
        channels(*kind).mark_eligible(flight.channel);
    }
    switch (flight.kind) {
        case FlightKind::h2d:
        case FlightKind::d2h:
            if (auto& engine = direction(flight.kind); !engine.engine.busy()) {
                start_copy(engine, index);
            } else if (copy_policy_.shares && !engine.finishing) {
                serve(engine);
            }
            break;
        case FlightKind::kernel:
            if (workload_.contended) {
                kernels_.submit(now_, index, flight.kernel, flight.duration, lasting(flight));
            } else if (kernels_.idle()) {
                kernels_.submit_alone(now_, index, flight.kernel, flight.duration,
                                      solo_runs_.of(flight.kernel, demands_[flight.kernel].blocks));
            } else {
                kernels_.submit(now_, index, flight.kernel, flight.duration);
            }
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

/// How long a kernel that was recorded beside others lasts, whatever runs beside it now.
Duration Simulation::lasting(const Flight& flight) const {
    const auto measured =
        std::visit(Overloaded{[](const KernelLaunch& launch) { return launch.measured; },
                              [](const Copy& copy) { return copy.measured; },
                              [](const Memset& memset) { return memset.measured; },
                              [](const auto&) { return std::optional<Measured>{}; }},
                   workload_.operations[flight.operation].action);
    return measured ? std::max(measured->duration - flight.beyond, Duration{1}) : kNoEnd;
}

void Simulation::start_on_device(FlightIndex index, TimelineTime start, Engine engine,
                                 WaitReason busy) {
    const auto& flight = flights_[index];
    flights_.prefetch(flight.next_in_stream);
    flights_.prefetch(flight.next_in_channel);
    auto& entry = timeline_.entries[flight.operation];
    entry.device_start = start;
    entry.engine = engine;
    entry.waited_for = start > flight.ready ? busy : flight.reason;
    first_start_ = std::min(first_start_, start);
}

/// Among the heads that are eligible and not in service, the one that the policy puts first. What
/// comes too late for the choice is copied next only where nothing else is ready.
FlightIndex Simulation::choose(const CopyDirection& direction) const {
    const auto& queues = channels(direction.kind);
    const auto& owned = ownership(direction.kind);
    const auto then = decided(direction);
    const auto& ascending = owned.ascending();
    const auto count = owned.size();
    auto rank = owned.rank(direction.engine.channel());
    ReadyCopy first;
    for (std::uint32_t step = 0; step < count; ++step) {
        const auto channel = ascending[rank];
        rank = rank + 1 == count ? 0 : rank + 1;
        if (!queues.could_start(channel)) {
            continue;
        }
        const auto head = queues.head(channel);
        const auto& flight = flights_[head];
        const auto late = std::max(flight.in_time - then, Duration{});
        if (copy_policy_.nearest && late == Duration{}) {
            return head;
        }
        const ReadyCopy candidate{head, late, step, flight.ready, flight.visible, flight.operation};
        if (first.flight == kNoFlight || copy_policy_.before(candidate, first)) {
            first = candidate;
        }
    }
    return first.flight;
}

/// As of when an engine chooses what follows a copy that ends now: so far as look_ahead() reaches,
/// what is ready before that is in time. A small copy it took while the one ran that stands
/// LookAhead::copies_ahead before it in its channel.
TimelineTime Simulation::decided(const CopyDirection& direction) const {
    const auto& ahead = look_ahead_.copies_ahead;
    const auto bytes = static_cast<double>(direction.bytes.count());
    if (ahead.empty() || direction.visit.empty() || bytes > ahead.points().back().x) {
        return now_;
    }
    const auto copies = ahead.logarithmic(std::max(bytes, 1.0));
    return direction.visit.start_before_last(copies) + look_ahead_.call.value_or(Duration{});
}

/// So long before the end of the copy that runs has to end what a copy waits for.
Duration Simulation::look_ahead(GapSide earlier) const {
    switch (earlier) {
        case GapSide::h2d: return look_ahead_.h2d.value_or(Duration{});
        case GapSide::d2h: return look_ahead_.d2h.value_or(Duration{});
        case GapSide::kernel: break;
    }
    return look_ahead_.kernel.value_or(Duration{});
}

/// How long copies of a direction go on using the link. One that has just ended does not, but the
/// next one does where it is ready.
Duration Simulation::uses_link_for(const CopyDirection& direction) const {
    if (!direction.finishing) {
        if (!direction.engine.busy()) {
            return Duration{};
        }
        const auto& running = flights_[channels(direction.kind).head(direction.engine.channel())];
        return std::min(direction.engine.completion() - now_, running.moving);
    }
    auto next = choose(direction);
    if (next == kNoFlight) {
        const auto ended = channels(direction.kind).head(direction.engine.channel());
        next = flights_[ended].next_in_channel;
        if (next == kNoFlight || flights_[next].pending > 0 || flights_[next].ready > now_) {
            return Duration{};
        }
    }
    return flights_[next].moving;
}

/// How much of the time since `from` the copies of a direction were on the link, as far as the one
/// that runs and the last one that ended tell.
Duration Simulation::used_link_since(const CopyDirection& direction, TimelineTime from) const {
    const auto within = [&](TimelineTime begin, TimelineTime end) {
        return std::max(end - std::max(begin, from), Duration{});
    };
    auto used = within(direction.last_end - direction.last_moved, direction.last_end);
    if (direction.engine.busy()) {
        const auto& running = flights_[channels(direction.kind).head(direction.engine.channel())];
        used += within(direction.engine.completion() - running.moving, now_);
    }
    return used;
}

/// An idle engine does; a busy one where copies share it, once the threshold after the latest start
/// has passed.
bool Simulation::takes_another(const CopyDirection& direction) {
    if (!direction.engine.busy()) {
        return true;
    }
    if (!copy_policy_.shares) {
        return false;
    }
    const auto from =
        direction.engine.last_start() + model_.transfer_overlap_threshold.value_or(Duration{});
    if (from > now_) {
        events_.push(from, TimedEvent::Kind::join, static_cast<std::uint32_t>(direction.kind));
        return false;
    }
    return true;
}

void Simulation::serve(CopyDirection& direction) {
    while (takes_another(direction)) {
        const auto flight = choose(direction);
        if (flight == kNoFlight) {
            update_rates();
            return;
        }
        start_copy(direction, flight);
    }
}

/// What waiting compute channels and the other direction add between two copies: the engine's next
/// one has to be noticed.
Duration Simulation::turnaround_growth(const CopyDirection& direction) const {
    const auto waiting = channels(ChannelKind::compute).waiting_channels();
    auto growth = round_to_duration(direction.turnaround_growth.at(waiting));
    if (direction.parameters.turnaround_beside > Duration{}) {
        const auto& other = direction.kind == ChannelKind::h2d ? d2h_ : h2d_;
        growth += std::min(direction.parameters.turnaround_beside, uses_link_for(other));
    }
    return growth;
}

void Simulation::start_copy(CopyDirection& direction, FlightIndex index) {
    const auto& flight = flights_[index];
    const auto& parameters = direction.parameters;
    const auto growth = turnaround_growth(direction);
    const bool turnaround = rules_[Rule::turnaround];
    channels(direction.kind).mark_served(flight.channel);
    const auto start =
        direction.engine.start(now_, index, flight.channel, flight.duration,
                               turnaround ? parameters.turnaround_same + growth : Duration{},
                               turnaround ? parameters.turnaround_other + growth : Duration{});
    direction.visit.serve(flight.channel, start);
    direction.set_bytes(flight.bytes);
    start_on_device(index, start, direction.kind == ChannelKind::h2d ? Engine::h2d : Engine::d2h,
                    WaitReason::copy_engine);
    if (flight.early_thread != kNoFlight) {
        // Filling the driver's buffer sets the pace: another load of the link does not move it.
        const auto left = std::max(flight.duration - *model_.host.early_return, Duration{});
        events_.push(start + left, TimedEvent::Kind::returns, flight.early_thread);
    }
    update_rates();
}

void Simulation::finish_copy(CopyDirection& direction) {
    const auto channel = direction.engine.channel();
    const auto head = channels(direction.kind).head(channel);
    direction.last_end = now_;
    direction.last_moved = flights_[head].moving;
    direction.finishing = true;
    complete(head, now_);                    // the engine still counts as busy: whoever becomes
    leave_channel(direction.kind, channel);  // eligible now is chosen by serve
    direction.engine.finish();
    direction.finishing = false;
    serve(direction);
}

void Simulation::leave_channel(ChannelKind kind, std::uint32_t channel) {
    const auto head = channels(kind).pop(channel, now_);
    if (head != kNoFlight && flights_[head].pending == 0) {
        arm(head);
    }
    if (!blocked_by_queue_.empty()) {
        std::erase_if(blocked_by_queue_, [&](const Blocked& blocked) {
            const bool has_room = blocked.kind == kind && blocked.channel == channel;
            if (has_room) {
                threads_[blocked.thread].next = now_;
            }
            return has_room;
        });
    }
}

void Simulation::hear_from_kernels() {
    // Leaving a channel may submit the next kernel, which adds news at the end of the list.
    if (hearing_ || kernels_.news().empty()) {
        return;
    }
    hearing_ = true;
    bool slows_copies = kernels_.share_dram();
    for (std::size_t i = 0; i < kernels_.news().size(); ++i) {
        const auto news = kernels_.news()[i];
        const auto flight = news.flight;
        switch (news.kind) {
            case KernelNews::Kind::started:
                start_on_device(flight, now_, Engine::sm, WaitReason::sm_room);
                break;
            case KernelNews::Kind::placed:
                leave_channel(ChannelKind::compute, flights_[flight].channel);
                slows_copies = true;
                break;
            case KernelNews::Kind::ended:
                complete(flight, now_ + flights_[flight].beyond + news.late);
                break;
        }
    }
    kernels_.clear_news();
    hearing_ = false;
    if (slows_copies) {
        update_rates();
    }
}

/// Of the compute channels whose head waits; no more than do harm.
double Simulation::entries_behind_each_head() const {
    const double waiting = channels(ChannelKind::compute).waiting_channels();
    const double behind = channels(ChannelKind::compute).entries_behind_heads();
    const auto most = model_.waiting_slowdown.most_entries;
    return behind >= most * waiting ? (waiting > 0 ? most : 0) : std::min(behind / waiting, most);
}

/// Progress of both engines under the other direction (5), of H2D under waiting channels (6), and
/// of both beside kernels that use the DRAM:
///   rate = 1 / (duplex_factor * (1 + per_entry(c) * min(m, most_entries)) * copy_slow_down),
///   c = waiting compute channels, m = entries behind their heads / c.
/// What waiting channels read slows copies to the host as copies in the other direction do; of both
/// the larger slow-down counts.
void Simulation::update_rates() {
    const bool h2d = h2d_.engine.busy();
    const bool d2h = d2h_.engine.busy();
    kernels_.set_copies(now_, h2d, d2h);
    if (!h2d && !d2h) {
        return;
    }
    const bool duplex = rules_[Rule::duplex] && h2d && d2h;
    const auto dram_share = kernels_.dram_share();
    const auto waiting = channels(ChannelKind::compute).waiting_channels();
    if (h2d) {
        double factor = duplex ? h2d_.duplex_factor : 1;
        if (const auto per_entry = h2d_.beside_waiting.at(waiting); per_entry > 0) {
            factor *= 1 + per_entry * entries_behind_each_head();
        }
        factor *= copy_slow_down(h2d_.dram_factor, dram_share);
        h2d_.engine.set_slow_down(now_, factor);
    }
    if (d2h) {
        const auto copies = channels(ChannelKind::h2d).waiting_channels();
        double factor = 1 + d2h_.beside_waiting.at(waiting + copies);
        factor = std::max(duplex ? d2h_.duplex_factor : 1, factor);
        factor *= copy_slow_down(d2h_.dram_factor, dram_share);
        d2h_.engine.set_slow_down(now_, factor);
    }
}

}  // namespace overcast
