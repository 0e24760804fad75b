// Dates as text, in UTC.
#pragma once

#include <ctime>
#include <string>

namespace overcast {

/// "2026-11-20T19:30:32Z".
std::string utc_time(std::time_t seconds);
std::string utc_time_now();

/// "2026-11-20".
std::string utc_date(std::time_t seconds);
std::string utc_date_now();

}  // namespace overcast
