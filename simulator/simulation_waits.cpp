// What host threads wait for.

#include "simulator/simulation.hpp"

#include <algorithm>

namespace overcast {

void Simulation::wait_for_stream(Thread& thread, std::uint32_t stream) {
    const auto last = streams_[stream].last;
    if (last == kNoFlight) {
        thread.resume = std::max(thread.resume, streams_[stream].last_end);
        return;
    }
    wait_for_flight(thread, last);
}

void Simulation::wait_for_device(Thread& thread) {
    for (std::uint32_t stream = 0; stream < streams_.size(); ++stream) {
        wait_for_stream(thread, stream);
    }
}

void Simulation::wait_for_copies_to_device(Thread& thread) {
    for (const auto& stream : streams_) {
        if (stream.last_to_device != kNoFlight) {
            wait_for_flight(thread, stream.last_to_device);
        }
    }
}

void Simulation::wait_for_flight(Thread& thread, FlightIndex flight) {
    ++thread.pending;
    add_edge(flights_[flight].first_edge, Edge::Waiter::thread,
             static_cast<std::uint32_t>(&thread - threads_.data()), WaitReason::none);
}

void Simulation::wait_for_event(Thread& thread, EventIndex index) {
    auto& event = event_states_[overcast::index(index)];
    if (event.reached) {
        thread.resume = std::max(thread.resume, event.end);
        return;
    }
    ++thread.pending;
    add_edge(event.first_edge, Edge::Waiter::thread,
             static_cast<std::uint32_t>(&thread - threads_.data()), WaitReason::none);
}

}  // namespace overcast
