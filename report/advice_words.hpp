// Advice in sentences.
#pragma once

#include "core/diagnosis.hpp"
#include "report/terminal_style.hpp"

#include <string>

namespace overcast {

/// "18.11 ms as recorded; 10.19 ms (1.78×) with the 2 changes below, on 4 streams."
std::string headline(const Advice& advice, const TerminalStyle& style);

/// "saves 7.92 ms (7.5–8.3) alone, 6.10 ms last".
std::string saving_in_words(const Diagnosis& diagnosis, const TerminalStyle& style);

/// "4 streams, depth, 2 in turn".
std::string schedule_in_words(const Schedule& schedule);

/// "cudaMemcpyAsync at 0.13 ms (H2D 12 MiB, stream 13)": the first places, and how many more.
std::string places_in_words(const Diagnosis& diagnosis, const TerminalStyle& style);

}  // namespace overcast
