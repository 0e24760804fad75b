// Cuts a JSON document of any size into pieces: members of its top-level object, and batches of
// whole elements of one long array. Only the pieces are ever held.
#pragma once

#include "formats/byte_source.hpp"
#include "formats/trace_text.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace overcast {

/// A stretch of whole array elements, separated by commas. `text` may be parsed in place: the bytes
/// directly before and after it may be overwritten, and kPadding readable bytes follow it.
struct JsonBatch {
    char* text = nullptr;
    std::size_t length = 0;
    std::uint64_t byte = 0;           ///< position of text[0] in the document
    std::uint64_t first_element = 0;  ///< counted from 1
    std::size_t elements = 0;
};

class JsonStream {
public:
    /// Bytes readable behind every piece, as simdjson wants.
    static constexpr std::size_t kPadding = 128;
    /// No single element, member or gap may be longer: a longer one is damage, not data.
    static constexpr std::size_t kLongestPiece = std::size_t{16} << 20;
    static constexpr int kDeepestNesting = 200;

    /// Both must outlive the stream; `chunk` is how much is read at once.
    JsonStream(ByteSource& source, std::string_view file, std::size_t chunk);

    /// The next byte that is not white space, left in place; nullopt at the end of the text.
    std::optional<char> peek();
    /// Takes `wanted`, which must come next; `where` completes the message "expected X WHERE".
    void expect(char wanted, std::string_view where);
    /// Takes `wanted` if it comes next.
    bool accept(char wanted);

    /// Takes the next value, whatever it is, and returns its text, which is valid until the next
    /// call.
    std::string_view value();
    /// Passes over the next value without holding it.
    void skip_value();

    /// The next batch of elements of the array whose '[' has been taken; nullopt when its ']' has
    /// been taken. Elements must be objects.
    std::optional<JsonBatch> next_batch();
    /// Starts counting elements from 1 again.
    void start_array();

    [[nodiscard]] std::uint64_t position() const { return base_ + begin_ - kFront; }
    [[noreturn]] void fail(std::string_view reason) const;
    [[noreturn]] void fail(std::uint64_t byte, std::string_view reason) const;

private:
    static constexpr std::size_t kFront = 1;  // one byte in front of every piece

    [[nodiscard]] const char* cursor() const { return buffer_.data() + begin_; }
    [[nodiscard]] const char* limit() const { return buffer_.data() + end_; }
    /// Moves what is left to the front and reads on. False at the end of the text.
    bool refill();
    /// Makes room for a longer piece, or fails when it is too long already.
    void grow();
    void require_more(std::string_view what);
    std::size_t scan_elements(const char*& end);

    ByteSource& source_;
    std::string_view file_;
    std::vector<char> buffer_;
    std::size_t begin_ = kFront;
    std::size_t end_ = kFront;
    std::uint64_t base_ = 0;  // document position of buffer_[kFront]
    std::uint64_t elements_ = 0;
    bool at_end_ = false;
    bool after_element_ = false;
};

}  // namespace overcast
