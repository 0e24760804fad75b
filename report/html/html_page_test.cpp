#include "report/html/html_page.hpp"

#include "core/error.hpp"
#include "report/html/page_template.hpp"
#include "report/html/plain_sections.hpp"
#include "report/html/streams_section.hpp"
#include "report/prediction_json.hpp"
#include "report/report_samples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace overcast {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::ordered_json;

TEST(SafeInScript, leaves_nothing_that_ends_or_opens_an_element) {
    EXPECT_EQ(safe_in_script(R"({"name":"</script><!-- & -->"})"),
              R"({"name":"\u003c/script\u003e\u003c!-- \u0026 --\u003e"})");
}

TEST(SafeInScript, escapes_the_line_separators_of_javascript_and_no_other_letter) {
    EXPECT_EQ(safe_in_script("\"\xe2\x80\xa8\xe2\x80\xa9\xe2\x80\xa6 µ\""),
              "\"\\u2028\\u2029\xe2\x80\xa6 µ\"");
}

TEST(SafeInScript, keeps_what_the_json_says) {
    const std::string hostile = "</script><script>alert(1)</script>\xe2\x80\xa8\"'&lt;\n";
    EXPECT_EQ(Json::parse(safe_in_script(Json(hostile).dump())).get<std::string>(), hostile);
}

TEST(StreamsSection, holds_the_object_of_the_json_format) {
    const auto sweep = sample_sweep_with_intervals();
    const auto section = Json::parse(streams_section(sweep).json);
    EXPECT_EQ(section["sweep"], Json::parse(prediction_json(sweep)));
    EXPECT_EQ(section["recorded"],
              "80 operations in 20 units: 15.31 ms while recording, after "
              "312.0 ms of set-up");
}

TEST(ProvenanceSection, leaves_out_what_is_not_known) {
    EXPECT_EQ(provenance_section({{"trace", "a \"b\""}, {"program", ""}}).json,
              R"([{"label":"trace","value":"a \"b\""}])");
}

#ifdef OVERCAST_HAVE_HTML

/// What stands between the marks of the data element.
Json data_of(const std::string& page) {
    constexpr std::string_view kBegin = R"(<script type="application/json" id="data">)";
    const auto begin = page.find(kBegin) + kBegin.size();
    return Json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

TEST(HtmlPage, holds_its_sections_as_data) {
    const auto data = data_of(html_page(
        {"a title", "The answer.", "", {warnings_section({{"a-code", "</script> is doubt."}})}}));
    EXPECT_EQ(data["title"], "a title");
    EXPECT_EQ(data["headline"], "The answer.");
    EXPECT_EQ(data["sections"], Json::parse(R"([{"kind": "warnings",
                               "data": [{"code": "a-code", "text": "</script> is doubt."}]}])"));
}

TEST(HtmlPage, asks_nothing_of_a_network) {
    const std::string page{page_template()};
    EXPECT_THAT(page, HasSubstr("default-src 'none'"));
    EXPECT_THAT(page, Not(HasSubstr("<link")));
    EXPECT_THAT(page, Not(HasSubstr(" src=\"http")));
}

TEST(HtmlPage, takes_hostile_texts_that_are_no_utf_8) {
    const std::string hostile = "</script>\xff@DATA@";
    const auto data = data_of(html_page({hostile, hostile, hostile, {}}));
    EXPECT_EQ(data["headline"], "</script>\xef\xbf\xbd@DATA@");
}

#else

TEST(HtmlPage, says_what_is_missing_where_it_was_built_without) {
    try {
        require_html();
        FAIL() << "nothing was thrown";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("install nodejs and npm"));
    }
}

#endif

}  // namespace
}  // namespace overcast
