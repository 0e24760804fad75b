// One function for each diagnosis: its row of the table.
#pragma once

#include "advise/diagnosis_finding.hpp"

namespace overcast {

DiagnosisRow allocation_in_loop();
DiagnosisRow busy_engine();
DiagnosisRow carve_out();
DiagnosisRow default_stream();
DiagnosisRow device_memory();
DiagnosisRow device_waits();
DiagnosisRow event_waits();
DiagnosisRow full_kernels();
DiagnosisRow host_functions();
DiagnosisRow host_waits();
DiagnosisRow implicit_waits();
DiagnosisRow issue_order();
DiagnosisRow l2_footprint();
DiagnosisRow launch_blocking();
DiagnosisRow launch_bound();
DiagnosisRow launch_queue();
DiagnosisRow lazy_loading();
DiagnosisRow managed_memory();
DiagnosisRow max_connections();
DiagnosisRow one_stream();
DiagnosisRow pageable_memory();
DiagnosisRow same_direction_copies();
DiagnosisRow serialising_recorder();
DiagnosisRow shared_buffers_of_units();
DiagnosisRow small_copies();
DiagnosisRow stream_count();
DiagnosisRow synchronous_copies();
DiagnosisRow unit_waits();

}  // namespace overcast
