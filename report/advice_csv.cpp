#include "report/advice_csv.hpp"

#include "report/csv_field.hpp"

#include <fmt/format.h>

namespace overcast {
namespace {

std::string optional_us(const std::optional<Duration>& time) {
    return time ? fmt::format("{:.3f}", to_microseconds(*time)) : "";
}

std::string saving_fields(const Saving& saving) {
    return fmt::format("{:.3f},{},{}", to_microseconds(saving.time), optional_us(saving.low),
                       optional_us(saving.high));
}

}  // namespace

std::string advice_csv(const std::vector<Advice>& advice) {
    std::string text =
        "trace,diagnosis,verdict,advised,occurrences,recorded_us,alone_us,alone_low_us,alone_high_"
        "us,"
        "with_the_rest_us,with_the_rest_low_us,with_the_rest_high_us,evidence,reason\n";
    for (const auto& one : advice) {
        for (const auto& diagnosis : one.diagnoses) {
            text += fmt::format("{},{},{},{},{},{:.3f},{},{},{},{}\n", csv_field(one.trace),
                                diagnosis.id, to_string(diagnosis.verdict),
                                diagnosis.advised ? "yes" : "no", diagnosis.occurrences,
                                to_microseconds(one.wall), saving_fields(diagnosis.alone),
                                saving_fields(diagnosis.with_the_rest),
                                csv_field(diagnosis.evidence), csv_field(diagnosis.reason));
        }
    }
    return text;
}

}  // namespace overcast
