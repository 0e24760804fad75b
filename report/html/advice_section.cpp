#include "report/html/advice_section.hpp"

#include "report/advice_json.hpp"

#include <fmt/format.h>

namespace overcast {

HtmlSection advice_section(const Advice& advice) {
    return {"advice", fmt::format(R"({{"advice":{}}})", advice_json({advice}))};
}

}  // namespace overcast
