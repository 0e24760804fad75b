#include "formats/utf8.hpp"

namespace overcast {

std::size_t utf8_length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const auto continues = [&](std::size_t i) {
        return i < text.size() && (byte(i) & 0xc0U) == 0x80U;
    };
    if (byte(0) < 0x80) {
        return 1;
    }
    if (byte(0) >= 0xc2 && byte(0) <= 0xdf) {
        return continues(1) ? 2 : 0;
    }
    if (byte(0) >= 0xe0 && byte(0) <= 0xef) {
        if (!continues(1) || !continues(2)) {
            return 0;
        }
        const bool overlong = byte(0) == 0xe0 && byte(1) < 0xa0;
        const bool surrogate = byte(0) == 0xed && byte(1) >= 0xa0;
        return overlong || surrogate ? 0 : 3;
    }
    if (byte(0) >= 0xf0 && byte(0) <= 0xf4) {
        if (!continues(1) || !continues(2) || !continues(3)) {
            return 0;
        }
        const bool overlong = byte(0) == 0xf0 && byte(1) < 0x90;
        const bool beyond = byte(0) == 0xf4 && byte(1) >= 0x90;
        return overlong || beyond ? 0 : 4;
    }
    return 0;
}

bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        const auto length = utf8_length(text);
        if (length == 0) {
            return false;
        }
        text.remove_prefix(length);
    }
    return true;
}

std::string as_utf8(std::string_view text) {
    constexpr std::string_view kReplacement = "\xef\xbf\xbd";
    std::string result;
    while (!text.empty()) {
        const auto length = utf8_length(text);
        result += length == 0 ? kReplacement : text.substr(0, length);
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return result;
}

}  // namespace overcast
