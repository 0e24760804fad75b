#include "report/html/streams_section.hpp"

#include "formats/chrome_event_writer.hpp"
#include "report/prediction_json.hpp"
#include "report/prediction_words.hpp"

#include <fmt/format.h>

namespace overcast {

HtmlSection streams_section(const PredictionSweep& sweep) {
    const TerminalStyle style{.unicode = true};
    return {"streams", fmt::format(R"({{"recorded":{},"scheme":{},"sweep":{}}})",
                                   json_string(recorded_in_words(sweep, style)),
                                   json_string(scheme_in_words(sweep)), prediction_json(sweep))};
}

}  // namespace overcast
