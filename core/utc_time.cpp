#include "core/utc_time.hpp"

#include <array>

namespace overcast {
namespace {

std::string formatted(std::time_t seconds, const char* format) {
    std::tm parts{};
    gmtime_r(&seconds, &parts);
    std::array<char, 32> text{};
    std::strftime(text.data(), text.size(), format, &parts);
    return text.data();
}

}  // namespace

std::string utc_time(std::time_t seconds) { return formatted(seconds, "%Y-%m-%dT%H:%M:%SZ"); }

std::string utc_time_now() { return utc_time(std::time(nullptr)); }

std::string utc_date(std::time_t seconds) { return formatted(seconds, "%Y-%m-%d"); }

std::string utc_date_now() { return utc_date(std::time(nullptr)); }

}  // namespace overcast
