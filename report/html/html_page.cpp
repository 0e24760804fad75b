#include "report/html/html_page.hpp"

#include "core/error.hpp"
#include "core/version.hpp"
#include "formats/chrome_event_writer.hpp"
#include "report/html/page_template.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace overcast {
namespace {

/// Where the data goes; page.html says the same.
constexpr std::string_view kHole = "@DATA@";

std::string page_json(const HtmlPage& page) {
    std::vector<std::string> sections;
    for (const auto& section : page.sections) {
        sections.push_back(
            fmt::format(R"({{"kind":{},"data":{}}})", json_string(section.kind), section.json));
    }
    return fmt::format(
        R"({{"schema_version":1,"version":{},"title":{},"headline":{},"detail":{},"sections":[)"
        "\n{}]}}",
        json_string(kVersion), json_string(page.title), json_string(page.headline),
        json_string(page.detail), fmt::join(sections, ",\n"));
}

}  // namespace

void require_html() {
    if (page_template().empty()) {
        throw Error(
            "--html: this overcast was built without the HTML page, because npm was missing: "
            "install nodejs and npm (tools/install-dependencies.sh does), and build again");
    }
}

std::string html_page(const HtmlPage& page) {
    require_html();
    const auto whole = page_template();
    const auto hole = whole.rfind(kHole);
    std::string result{whole.substr(0, hole)};
    result += safe_in_script(page_json(page));
    result += whole.substr(hole + kHole.size());
    return result;
}

std::string safe_in_script(std::string_view json) {
    std::string result;
    result.reserve(json.size());
    for (std::size_t i = 0; i < json.size(); ++i) {
        switch (json[i]) {
            case '<': result += "\\u003c"; break;
            case '>': result += "\\u003e"; break;
            case '&': result += "\\u0026"; break;
            case '\xe2':  // U+2028 and U+2029 are E2 80 A8 and E2 80 A9
                if (json.substr(i, 3) == "\xe2\x80\xa8") {
                    result += "\\u2028";
                    i += 2;
                } else if (json.substr(i, 3) == "\xe2\x80\xa9") {
                    result += "\\u2029";
                    i += 2;
                } else {
                    result += json[i];
                }
                break;
            default: result += json[i];
        }
    }
    return result;
}

}  // namespace overcast
