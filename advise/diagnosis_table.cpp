#include "advise/diagnosis_table.hpp"

#include "advise/diagnoses/all.hpp"

#include <array>

namespace overcast {

std::span<const DiagnosisRow> diagnosis_table() {
    static const std::array kRows{pageable_memory(),
                                  synchronous_copies(),
                                  unit_waits(),
                                  host_waits(),
                                  device_waits(),
                                  implicit_waits(),
                                  allocation_in_loop(),
                                  lazy_loading(),
                                  launch_blocking(),
                                  default_stream(),
                                  one_stream(),
                                  shared_buffers_of_units(),
                                  issue_order(),
                                  stream_count(),
                                  max_connections(),
                                  event_waits(),
                                  host_functions(),
                                  small_copies(),
                                  launch_bound(),
                                  launch_queue(),
                                  carve_out(),
                                  full_kernels(),
                                  same_direction_copies(),
                                  busy_engine(),
                                  device_memory(),
                                  l2_footprint(),
                                  managed_memory(),
                                  serialising_recorder()};
    return kRows;
}

std::vector<DiagnosisSummary> diagnosis_summaries() {
    std::vector<DiagnosisSummary> result;
    for (const auto& row : diagnosis_table()) {
        result.push_back({std::string{row.id}, std::string{row.title}, std::string{row.summary}});
    }
    return result;
}

}  // namespace overcast
