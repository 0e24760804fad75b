// What a call of the host sets in motion.

#include "core/overloaded.hpp"
#include "simulator/simulation.hpp"

#include <algorithm>
#include <variant>

namespace overcast {
namespace {

/// Memsets of so few bytes run beside kernels that leave an SM no room (4 bytes: cuBLAS, H200).
constexpr Bytes kWordMemset{8};
constexpr std::size_t kCallsAhead = 4;  // of which the operations are fetched from memory

GapSide side_of(FlightKind kind) {
    switch (kind) {
        case FlightKind::h2d: return GapSide::h2d;
        case FlightKind::d2h: return GapSide::d2h;
        default: return GapSide::kernel;
    }
}

/// What all blocks of a launch bring into the L2.
Bytes brought_into_l2(const KernelDemand& demand, const LaunchTimes& times) {
    const auto work = static_cast<double>(demand.blocks) * static_cast<double>(times.block.count());
    return Bytes{static_cast<std::uint64_t>(demand.brought_into_l2 * work)};
}

}  // namespace

std::uint32_t Simulation::operation_of(const Thread& thread) const {
    return thread.operations.empty() ? thread.made : thread.operations[thread.made];
}

void Simulation::prepare_call(Thread& thread, TimelineTime from) {
    if (thread.made == thread.count) {
        thread.next = kNever;
        return;
    }
    const auto index = operation_of(thread);
    const auto& operation = workload_.operations[index];
    const auto soon = std::min(index + kCallsAhead, workload_.operations.size() - 1);
    prefetch(&workload_.operations[soon]);
    const auto start = from + operation.host_before;
    timeline_.entries[index].call_start = start;
    thread.next = start + operation.call_cost;
}

void Simulation::finish_call(Thread& thread, TimelineTime end) {
    timeline_.entries[operation_of(thread)].call_end = end;
    ++thread.made;
    prepare_call(thread, end);
}

void Simulation::host_call() {
    auto& thread = threads_[next_thread_];
    thread.next = kNever;
    thread.resume = now_;
    thread.beyond = {};
    if (issue(thread, operation_of(thread)) && thread.pending == 0) {
        // A wait for something that has just ended still lasts until then.
        const auto& operation = workload_.operations[operation_of(thread)];
        const auto end =
            (thread.resume > now_ ? thread.resume + model_.host.synchronise_wake_up : now_) +
            operation.after_wait + thread.beyond;
        if (synchronises(operation.action)) {
            last_return_ = std::max(last_return_, end);
        }
        finish_call(thread, end);
    }
}

/// False if the channel has no room: the thread tries again when it has.
bool Simulation::issue(Thread& thread, std::uint32_t index) {
    const auto& operation = workload_.operations[index];
    const auto kernel_like = [&](std::uint32_t demand, const LaunchTimes& times, Duration latency,
                                 Bytes brought) {
        auto& flight = flights_.next();
        flight.kind = FlightKind::kernel;
        flight.kernel = demand;
        flight.duration = std::max(times.block, Duration{1});
        flight.beyond = times.beyond;
        flight.bytes = brought;
        flight.visible = now_ + latency;
        return issue_work(thread, index, flight);
    };
    return std::visit(
        Overloaded{
            [&](const Copy& copy) { return issue_copy(thread, index, copy); },
            [&](const Memset& memset) {
                const auto latency =
                    model_.host.memset_start_latency.value_or(model_.host.kernel_start_latency);
                const auto duration = memset_duration(memset, model_);
                if (memset.bytes <= kWordMemset) {  // no blocks: it never waits for an SM
                    auto& flight = flights_.next();
                    flight.kind = FlightKind::inline_copy;
                    flight.duration = duration;
                    flight.visible = now_ + latency;
                    if (!issue_work(thread, index, flight)) {
                        return false;
                    }
                } else if (!kernel_like(fill_demand(), fill_times(duration), latency,
                                        outgrows_l2_ ? memset.bytes : Bytes{})) {
                    return false;
                }
                if (!memset.asynchronous) {
                    wait_for_stream(thread, number(operation.stream));
                }
                return true;
            },
            [&](const KernelLaunch& launch) {
                const auto kernel = number(launch.kernel);
                const auto own = launch.measured.value_or(Measured{model_.kernels.floor, 1});
                const auto measured = demands_[kernel].round.mean.value_or(own);
                const auto& solo =
                    solo_runs_.of(kernel, std::max<std::uint64_t>(measured.amount, 1));
                const auto& demand = demands_[kernel];
                const auto times = launch_times(measured, demand, model_, solo);
                return kernel_like(kernel, times, model_.host.kernel_start_latency,
                                   brought_into_l2(demand, times));
            },
            [&](const EventRecord&) {
                issue_marker(index, FlightKind::marker, Duration{});
                return true;
            },
            [&](const EventWait&) {
                issue_marker(index, FlightKind::marker, Duration{});
                return true;
            },
            [&](const HostFunction& function) {
                issue_marker(
                    index, FlightKind::host_function,
                    function.measured ? function.measured->duration : model_.host.host_function);
                return true;
            },
            [&](const SynchroniseStream&) {
                wait_for_stream(thread, number(operation.stream));
                return true;
            },
            [&](const SynchroniseDevice&) {
                wait_for_device(thread);
                return true;
            },
            [&](const SynchroniseEvent& wait) {
                wait_for_event(thread, wait.event);
                return true;
            },
            [&](const ReleaseMemory&) {
                if (rules_[Rule::implicit_sync]) {
                    wait_for_device(thread);
                }
                return true;
            },
            [&](const HostCall& call) {
                if (call.after_copies_to_device && rules_[Rule::implicit_sync]) {
                    wait_for_copies_to_device(thread);
                }
                return true;
            },
        },
        operation.action);
}

/// A copy inside the device or a memset that takes `duration`, as a kernel.
LaunchTimes Simulation::fill_times(Duration duration) {
    const auto& fill = demands_[fill_demand()];
    return launch_times(Measured{duration, fill.blocks}, fill, model_,
                        solo_runs_.of(fill_demand(), fill.blocks));
}

bool Simulation::issue_copy(Thread& thread, std::uint32_t index, const Copy& copy) {
    const auto stream = number(workload_.operations[index].stream);
    // The driver looks when the call begins.
    const bool idle = streams_[stream].last == kNoFlight &&
                      streams_[stream].last_end <= timeline_.entries[index].call_start;
    auto path = copy_path(copy, idle, model_.inline_copies);
    if (path == CopyPath::inline_command && !rules_[Rule::inline_copies]) {
        path = CopyPath::h2d_engine;
    }
    auto& flight = flights_.next();
    flight.visible = now_ + model_.host.copy_start_latency;
    flight.duration = copy_duration(copy, path, model_);
    flight.bytes = copy.bytes;
    const bool early = model_.host.early_return && returns_early(copy, path);
    if (early) {
        flight.early_thread = static_cast<std::uint32_t>(&thread - threads_.data());
    }
    switch (path) {
        case CopyPath::h2d_engine:
            flight.kind = FlightKind::h2d;
            flight.moving = std::min(flight.duration, copy.bytes / model_.h2d.bandwidth);
            break;
        case CopyPath::d2h_engine:
            flight.kind = FlightKind::d2h;
            flight.moving = std::min(flight.duration, copy.bytes / model_.d2h.bandwidth);
            break;
        case CopyPath::inline_command:
            flight.kind = FlightKind::inline_copy;
            flight.bytes = {};
            thread.beyond = inline_call_time(copy, path, model_.inline_copies);
            flight.visible =
                now_ + thread.beyond +
                model_.host.inline_copy_start_latency.value_or(model_.host.kernel_start_latency);
            break;
        case CopyPath::sm:
            flight.kind = FlightKind::kernel;
            flight.kernel = fill_demand();
            flight.bytes = Bytes{outgrows_l2_ ? 2 * copy.bytes.count() : 0};  // in and out
            flight.visible = now_ + model_.host.kernel_start_latency;
            flight.beyond = fill_times(flight.duration).beyond;
            flight.duration = fill_times(flight.duration).block;
            break;
        case CopyPath::host: flight.kind = FlightKind::host_function; break;
    }
    if (path == CopyPath::host) {
        issue_marker(index, FlightKind::host_function, flight.duration);
    } else if (!issue_work(thread, index, flight)) {
        return false;
    }
    if (early) {
        ++thread.pending;
    } else if (blocks_host(copy, path)) {
        wait_for_stream(thread, stream);
    }
    return true;
}

bool Simulation::issue_work(Thread& thread, std::uint32_t index, Flight& flight) {
    flight.operation = index;
    flight.stream = number(workload_.operations[index].stream);
    flight.side = side_of(flight.kind);
    const auto kind = *channel_kind(flight.kind);
    const auto began = timeline_.entries[index].call_start;
    const auto more = beyond_call(thread, flight);
    thread.beyond += more;
    const auto early = after_work(index);
    flight.visible = std::max(flight.visible + more - early, now_);
    thread.stream = flight.stream;
    flight.heard = now_ + thread.beyond - early;
    flight.channel = take_channel(kind, flight.stream, began);
    if (rules_[Rule::launch_queue] &&
        channels(kind).length(flight.channel) >= model_.channels.queue_depth) {
        blocked_by_queue_.push_back({next_thread_, kind, flight.channel});
        return false;
    }
    auto& entry = timeline_.entries[index];
    entry.on_device = true;
    entry.channel = ownership(kind).id(flight.channel);
    const auto before = streams_[flight.stream].last;
    flight.dependency_in_channel =
        before != kNoFlight && flights_[before].kind == flight.kind &&
        (flight.kind == FlightKind::h2d || flight.kind == FlightKind::d2h) &&
        flights_[before].channel == flight.channel;
    flight.behind_event = before != kNoFlight && flights_[before].kind == FlightKind::marker &&
                          flights_[before].behind_event;
    const auto issued = launch(flight);
    const bool slows = slows_copies(kind, flight.channel);
    look_at_head(kind, flights_[issued]);
    channels(kind).push(flight.channel, issued);
    if (flights_[issued].pending == 0) {
        arm_if_first(issued);
    }
    if (slows) {
        update_rates();
    }
    return true;
}

/// Whether one more in a channel may slow copies: what waits at a head does, and what stands behind
/// heads of compute channels, up to a number.
bool Simulation::slows_copies(ChannelKind kind, std::uint32_t channel) const {
    if (channels(kind).head(channel) == kNoFlight) {
        return kind != ChannelKind::d2h;
    }
    return kind == ChannelKind::compute &&
           entries_behind_each_head() < model_.waiting_slowdown.most_entries;
}

std::uint32_t Simulation::take_channel(ChannelKind kind, std::uint32_t stream, TimelineTime began) {
    auto& owned = ownership(kind);
    if (!rules_[Rule::channel_ownership]) {
        return owned.take_fixed(stream);
    }
    const auto idle = [&](std::uint32_t channel) { return holds_nothing(kind, channel, began); };
    return owned.take(stream, idle, !channels(kind).some_depend_in_each());
}

/// What a call finds that began at a time. A kernel that waits for room on the SMs has been handed
/// over to them: in its channel it only keeps others from following.
bool Simulation::holds_nothing(ChannelKind kind, std::uint32_t channel, TimelineTime at) const {
    const auto& queues = channels(kind);
    if (queues.some_depend(channel)) {
        return false;
    }
    auto flight = queues.head(channel);
    if (flight == kNoFlight || kind != ChannelKind::compute) {
        return queues.empty_since(channel) <= at;
    }
    while (flight != kNoFlight && flights_[flight].ready <= at) {
        flight = flights_[flight].next_in_channel;
    }
    return flight == kNoFlight;
}

void Simulation::issue_marker(std::uint32_t index, FlightKind kind, Duration duration) {
    auto& flight = flights_.next();
    flight.operation = index;
    flight.kind = kind;
    flight.stream = number(workload_.operations[index].stream);
    flight.duration = duration;
    flight.visible = now_;
    // The gap after a marker is the gap after the work before it.
    const auto before = streams_[flight.stream].last;
    flight.side = before == kNoFlight ? streams_[flight.stream].side : flights_[before].side;
    flight.bytes = before == kNoFlight ? streams_[flight.stream].bytes : flights_[before].bytes;
    const auto* wait = std::get_if<EventWait>(&workload_.operations[index].action);
    flight.behind_event =
        wait != nullptr || (before != kNoFlight && flights_[before].kind == FlightKind::marker &&
                            flights_[before].behind_event);
    const auto issued = launch(flight);
    if (wait != nullptr) {
        auto& event = event_states_[overcast::index(wait->event)];
        if (!event.reached) {
            ++flights_[issued].pending;
            add_edge(event.first_edge, Edge::Waiter::flight, issued, WaitReason::event);
        } else {
            flights_[issued].ready =
                std::max(flights_[issued].ready, event.end + model_.gaps.event);
        }
    }
    if (flights_[issued].pending == 0) {
        arm(issued);
    }
}

/// Puts the flight that flights_.next() gave behind the others of its stream.
FlightIndex Simulation::launch(Flight& flight) {
    auto& stream = streams_[flight.stream];
    flight.ready = flight.visible;
    flight.in_time = flight.visible + look_ahead_.call.value_or(Duration{});
    if (stream.last == kNoFlight) {
        const auto ready =
            stream.last_end + gap_after(stream.last_end, flight, stream.side, stream.bytes);
        if (ready > flight.ready) {
            flight.ready = ready;
            flight.reason = WaitReason::stream_order;
            flight.seen_from = looked_for(stream.side, flight) ? stream.last_end : kNever;
        }
    } else {
        flight.pending = 1;
    }
    const auto issued = flights_.keep();
    if (stream.last != kNoFlight) {
        flights_[stream.last].next_in_stream = issued;
    }
    stream.last = issued;
    if (flight.kind == FlightKind::h2d) {
        stream.last_to_device = issued;
    }
    ++in_flight_;
    if (default_stream_ && rules_[Rule::default_stream]) {
        depend_on_default_stream(issued);
    }
    return issued;
}

/// Work in the legacy default stream waits for all earlier work in blocking streams, and the
/// reverse.
void Simulation::depend_on_default_stream(FlightIndex issued) {
    const auto own = flights_[issued].stream;
    const auto depend = [&](std::uint32_t other) {
        if (streams_[other].last != kNoFlight) {
            ++flights_[issued].pending;
            add_edge(flights_[streams_[other].last].first_edge, Edge::Waiter::flight, issued,
                     WaitReason::default_stream);
        }
    };
    if (own != *default_stream_) {
        if (workload_.streams[own].kind == StreamKind::blocking) {
            depend(*default_stream_);
        }
        return;
    }
    for (std::uint32_t other = 0; other < streams_.size(); ++other) {
        if (other != own && workload_.streams[other].kind == StreamKind::blocking) {
            depend(other);
        }
    }
}

}  // namespace overcast
