#include "validate/accuracy/tolerances.hpp"

#include "core/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace overcast {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

CaseAccuracy case_with_errors(const std::string& name, const std::vector<double>& errors) {
    CaseAccuracy one;
    one.case_name = name;
    for (const double error : errors) {
        RunAccuracy run;
        run.measured.streams = 2;
        run.measured.wall_median = Duration{100'000};
        run.predicted = Duration{static_cast<Duration::rep>(100'000 + error * 1000)};
        run.error_percent = error;
        run.baselines.resize(8);  // more than there are
        one.runs.push_back(run);
    }
    return one;
}

Tolerances tolerances(std::string_view text) { return parse_tolerances(text, "tolerances.json"); }

TEST(Tolerances, name_what_is_exceeded) {
    const auto report = make_report({case_with_errors("a", {2, -4}), case_with_errors("b", {1})});
    const auto limits = tolerances(R"({"cases": {"a": {"mape_percent": 2.5, "max_percent": 4}},
                                       "summary": {"p95_percent": 3}})");
    EXPECT_THAT(violations(report, limits),
                ElementsAre("a: mean error 3.00 % is more than 2.5 %",
                            "all runs: p95 error 4.00 % is more than 3 %"));
}

TEST(Tolerances, of_the_whole_set_are_not_asked_of_a_part) {
    const auto limits = tolerances(R"({"cases": {"a": {"mape_percent": 5}, "b": {}},
                                       "summary": {"mape_percent": 1}})");
    EXPECT_THAT(violations(make_report({case_with_errors("a", {4})}), limits), IsEmpty());
    EXPECT_THAT(
        violations(make_report({case_with_errors("a", {4}), case_with_errors("b", {4})}), limits),
        ElementsAre("all runs: mean error 4.00 % is more than 1 %"));
}

TEST(Tolerances, refuse_what_they_do_not_understand) {
    const auto error_of = [](std::string_view text) -> std::string {
        try {
            tolerances(text);
        } catch (const TraceFormatError& error) {
            return error.what();
        }
        return "accepted";
    };
    EXPECT_THAT(error_of("{"), HasSubstr("tolerances.json: byte 2: not valid JSON"));
    EXPECT_THAT(error_of("[]"), HasSubstr("expected an object"));
    EXPECT_THAT(error_of(R"({"cases": {}})"), HasSubstr("\"summary\" must be an object"));
    EXPECT_THAT(error_of(R"({"cases": {"a": {"mean": 1}}, "summary": {}})"),
                HasSubstr("cases.a: \"mean\" is not known"));
    EXPECT_THAT(error_of(R"({"cases": {"a": {"max_percent": -1}}, "summary": {}})"),
                HasSubstr("cases.a: \"max_percent\" must be a number of percent"));
}

}  // namespace
}  // namespace overcast
