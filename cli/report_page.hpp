// `--html`: what the pages of all subcommands have in common.
#pragma once

#include "core/trace.hpp"
#include "report/html/plain_sections.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace overcast {

/// "overcast predict 'a b.json' --streams 4": what a shell reads as the same arguments.
std::string command_in_words(std::string_view subcommand,
                             const std::vector<std::string>& arguments);

/// The recording: file, program, when and with what it was made.
std::vector<ProvenanceRow> provenance_of(const Trace& trace);

/// This program and how it was called: the last rows of every page.
void add_own_provenance(std::vector<ProvenanceRow>& rows, std::string_view subcommand,
                        const std::vector<std::string>& arguments);

}  // namespace overcast
