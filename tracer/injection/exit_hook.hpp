// _exit() runs no exit handler: what a program did in its last half second would be lost.
#pragma once

namespace overcast::injection {

/// Makes calls of `_exit` and `_Exit`, from every library that is loaded by now, call `leave`
/// first. `leave` may be called in a signal handler. Callable again, for libraries loaded since.
void call_before_exit(void (*leave)() noexcept) noexcept;

}  // namespace overcast::injection
