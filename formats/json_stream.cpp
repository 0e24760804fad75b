#include "formats/json_stream.hpp"

#include "formats/json_scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace overcast {

JsonStream::JsonStream(ByteSource& source, std::string_view file, std::size_t chunk)
    : source_{source}, file_{file}, buffer_(kFront + chunk + kPadding) {}

void JsonStream::fail(std::string_view reason) const { fail(position(), reason); }

void JsonStream::fail(std::uint64_t byte, std::string_view reason) const {
    fail_at(file_, {.byte = byte, .event = std::nullopt}, reason);
}

bool JsonStream::refill() {
    const auto left = end_ - begin_;
    std::memmove(buffer_.data() + kFront, buffer_.data() + begin_, left);
    base_ += begin_ - kFront;
    begin_ = kFront;
    end_ = kFront + left;
    if (at_end_) {
        return false;
    }
    const auto room = buffer_.size() - kPadding - end_;
    const auto count = source_.read({buffer_.data() + end_, room});
    end_ += count;
    at_end_ = count < room;
    return count > 0;
}

void JsonStream::grow() {
    const auto capacity = buffer_.size() - kFront - kPadding;
    if (capacity >= kLongestPiece) {
        fail(fmt::format("one piece of the text is longer than {} MiB: the file is damaged",
                         kLongestPiece >> 20));
    }
    buffer_.resize(kFront + std::min(2 * capacity, kLongestPiece) + kPadding);
}

void JsonStream::require_more(std::string_view what) {
    if (end_ - begin_ == buffer_.size() - kFront - kPadding) {
        grow();
    }
    if (!refill()) {
        fail(base_ + end_ - kFront,
             fmt::format("the text ends inside {}: the file is truncated", what));
    }
}

std::optional<char> JsonStream::peek() {
    std::size_t passed = 0;
    for (;;) {
        while (begin_ < end_ && is_json_space(buffer_[begin_])) {
            ++begin_;
            ++passed;
        }
        if (begin_ < end_) {
            return buffer_[begin_];
        }
        if (passed > kLongestPiece) {
            fail("endless white space: the file is damaged");
        }
        if (!refill()) {
            return std::nullopt;
        }
    }
}

void JsonStream::expect(char wanted, std::string_view where) {
    const auto next = peek();
    if (!next) {
        fail(fmt::format("the text ends where '{}' was expected {}: the file is truncated", wanted,
                         where));
    }
    if (*next != wanted) {
        fail(fmt::format("expected '{}' {}", wanted, where));
    }
    ++begin_;
}

bool JsonStream::accept(char wanted) {
    if (peek() != wanted) {
        return false;
    }
    ++begin_;
    return true;
}

std::string_view JsonStream::value() {
    if (!peek()) {
        fail("the text ends where a value was expected: the file is truncated");
    }
    for (;;) {
        ScanResult found;
        const auto first = *cursor();
        if (first == '"') {
            found = scan_string(cursor(), limit());
        } else if (first == '{' || first == '[') {
            found = scan_container(cursor(), limit(), kDeepestNesting);
        } else {
            found.end = std::find_if(cursor(), limit(), ends_json_scalar);
            found.problem =
                found.end == limit() && !at_end_ ? ScanProblem::incomplete : ScanProblem::none;
        }
        if (found.problem == ScanProblem::too_deep) {
            fail(base_ + static_cast<std::uint64_t>(found.end - buffer_.data()) - kFront,
                 fmt::format("nested more than {} levels deep", kDeepestNesting));
        }
        if (found.problem == ScanProblem::none) {
            const std::string_view text{cursor(), static_cast<std::size_t>(found.end - cursor())};
            if (text.empty()) {
                fail("expected a value");
            }
            begin_ += text.size();
            return text;
        }
        require_more("a value");
    }
}

void JsonStream::skip_value() {
    // Objects and arrays that are not read may be longer than any piece that is: their text passes
    // through, string by string and bracket by bracket.
    int depth = 0;
    do {
        const auto next = peek();
        if (!next) {
            fail("the text ends inside a value: the file is truncated");
        }
        switch (*next) {
            case '{':
            case '[':
                if (++depth > kDeepestNesting) {
                    fail(fmt::format("nested more than {} levels deep", kDeepestNesting));
                }
                ++begin_;
                break;
            case '}':
            case ']':
                if (--depth < 0) {
                    fail("expected a value");
                }
                ++begin_;
                break;
            case ',':
            case ':':
                if (depth == 0) {
                    fail("expected a value");
                }
                ++begin_;
                break;
            default: value(); break;
        }
    } while (depth > 0);
}

void JsonStream::start_array() {
    elements_ = 0;
    after_element_ = false;
}

/// Counts the whole objects, separated by commas, that the buffer holds from the cursor on, and
/// sets `end` behind the last one.
std::size_t JsonStream::scan_elements(const char*& end) {
    std::size_t count = 0;
    const char* at = cursor();
    while (at < limit() && *at == '{') {
        const auto found = scan_container(at, limit(), kDeepestNesting);
        if (found.problem == ScanProblem::too_deep) {
            fail_at(
                file_,
                {.byte = base_ + static_cast<std::uint64_t>(found.end - buffer_.data()) - kFront,
                 .event = elements_ + count + 1},
                fmt::format("nested more than {} levels deep", kDeepestNesting));
        }
        if (found.problem == ScanProblem::incomplete) {
            break;
        }
        ++count;
        end = found.end;
        at = std::find_if_not(found.end, limit(), is_json_space);
        if (at == limit() || *at != ',') {
            break;
        }
        at = std::find_if_not(at + 1, limit(), is_json_space);
    }
    return count;
}

std::optional<JsonBatch> JsonStream::next_batch() {
    const auto first = peek();
    if (first == ']') {
        ++begin_;
        return std::nullopt;
    }
    if (after_element_) {
        expect(',', "between two events");
    }
    if (const auto next = peek(); next != '{') {
        const TextPosition here{.byte = position(), .event = elements_ + 1};
        fail_at(file_, here,
                next ? "an event must be an object" : "the text ends here: the file is truncated");
    }
    for (;;) {
        const char* end = nullptr;
        const auto count = scan_elements(end);
        if (count > 0) {
            JsonBatch batch{.text = buffer_.data() + begin_,
                            .length = static_cast<std::size_t>(end - cursor()),
                            .byte = position(),
                            .first_element = elements_ + 1,
                            .elements = count};
            begin_ += batch.length;
            elements_ += count;
            after_element_ = true;
            return batch;
        }
        require_more(fmt::format("event {}", elements_ + 1));
    }
}

}  // namespace overcast
