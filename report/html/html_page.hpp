// One self-contained HTML file: a headline and sections, drawn by the scripts beside this file.
//
// A section is a name and its figures as JSON. To add one: a function here that writes the JSON
// from core's nouns, a script in sections/ that draws it, and a row in page.js.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace overcast {

struct HtmlSection {
    std::string_view kind;  ///< which script draws it: a key of the table in page.js
    std::string json;
};

struct HtmlPage {
    std::string title;     ///< what the report is about: "predict: run.json.gz"
    std::string headline;  ///< the answer in one sentence
    std::string detail;    ///< a sentence or two more; may be empty
    std::vector<HtmlSection> sections;
};

/// Throws Error, with what to do, where this program was built without the page.
void require_html();

/// The whole file. Any text may be hostile: it reaches the page as JSON, and as text from there.
/// Throws Error as require_html.
std::string html_page(const HtmlPage& page);

/// JSON that may stand inside a script element: neither `</script>` nor `<!--` nor a line separator
/// of JavaScript is left in it.
std::string safe_in_script(std::string_view json);

}  // namespace overcast
