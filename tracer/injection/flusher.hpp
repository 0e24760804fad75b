// When a recording is written out: every half second, on request, at exit, and when a signal ends the
// program. All flushing happens on one thread of our own, so that nothing of CUPTI runs in a signal
// handler, and a flush that hangs can be left behind.
#pragma once

namespace overcast::injection {

class Collector;

/// Starts the thread, and installs the handlers for exit, fork and those signals that the program
/// has left at their default action. Once per process.
void start_flusher(Collector& collector);

/// Asks for a flush soon. Callable from any thread.
void request_flush() noexcept;

/// Registers the last flush as an exit handler (again: later ones run earlier).
void close_at_exit() noexcept;

}  // namespace overcast::injection
