#include "formats/text_lines.hpp"

#include "core/error.hpp"

#include <fmt/format.h>

namespace overcast {

bool TextLines::fill() {
    if (ended_) {
        return false;
    }
    held_.erase(0, at_);
    at_ = 0;
    const auto before = held_.size();
    held_.resize(before + chunk_);
    const auto count = source_.read(std::span{held_}.subspan(before));
    held_.resize(before + count);
    ended_ = count < chunk_;
    return count > 0;
}

std::optional<std::string_view> TextLines::next() {
    constexpr std::size_t kLongest = std::size_t{1} << 20;
    std::size_t searched = 0;
    auto end = held_.find('\n', at_);
    while (end == std::string::npos) {
        searched = held_.size() - at_;
        if (searched > kLongest) {
            throw TraceFormatError(
                fmt::format("{}: line {} is longer than {} bytes: this is no "
                            "table",
                            file_, number_ + 1, kLongest));
        }
        if (!fill()) {
            break;
        }
        end = held_.find('\n', at_ + searched);
    }
    if (end == std::string::npos && at_ == held_.size()) {
        return std::nullopt;
    }
    ++number_;
    const auto line = std::string_view{held_}.substr(
        at_, end == std::string::npos ? std::string_view::npos : end - at_);
    at_ = end == std::string::npos ? held_.size() : end + 1;
    return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
}

}  // namespace overcast
