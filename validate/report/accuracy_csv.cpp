#include "validate/report/accuracy_csv.hpp"

#include "core/memory_word.hpp"
#include "report/csv_field.hpp"
#include "validate/baselines/baseline.hpp"

#include <fmt/format.h>

namespace overcast {
namespace {

std::string interval_fields(const std::optional<WallInterval>& interval) {
    return interval ? fmt::format(",{:.3f},{:.3f}", to_microseconds(interval->low),
                                  to_microseconds(interval->high))
                    : ",,";
}

std::string row(const CaseAccuracy& one, const RunAccuracy& run) {
    const auto& measured = run.measured;
    std::string text = fmt::format(
        "{},{},{},{},{},{},{},{},{},{},{:.3f},{},{:.3f},{:.6f}{}", csv_field(one.case_name),
        to_string(one.family), csv_field(one.preset), to_string(measured.transform),
        to_string(measured.order), measured.streams, measured.units, measured.parts,
        measured.max_connections ? std::to_string(*measured.max_connections) : "",
        memory_word(measured.memory), to_microseconds(measured.wall_median), measured.noise_percent,
        to_microseconds(run.predicted), run.error_percent, interval_fields(run.interval));
    for (const auto& predicted : run.baselines) {
        text += predicted ? fmt::format(",{:.3f}", to_microseconds(*predicted)) : ",";
    }
    return text + ',' + csv_field(measured.range.value_or("")) + '\n';
}

}  // namespace

std::string accuracy_csv(const AccuracyReport& report) {
    std::string text =
        "case,family,preset,transform,order,streams,units,parts,max_connections,memory,"
        "measured_us,noise_percent,predicted_us,error_percent,interval_low_us,interval_high_us";
    for (const auto& baseline : baselines()) {
        text += fmt::format(",{}_us", baseline.name);
    }
    text += ",range\n";
    for (const auto& one : report.cases) {
        for (const auto& run : one.runs) {
            text += row(one, run);
        }
    }
    return text;
}

}  // namespace overcast
