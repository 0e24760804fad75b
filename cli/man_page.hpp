// Man pages, made from what `--help` prints.
#pragma once

#include <string>
#include <string_view>

namespace overcast {

/// overcast(1) or overcast-SUBCOMMAND(1) as roff, in UTF-8. `see_also`: "overcast-predict(1), …".
std::string man_page(std::string_view help, std::string_view see_also);

}  // namespace overcast
