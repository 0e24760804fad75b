// Results of the device against those of the host, bit by bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <sstream>
#include <stdexcept>
#include <string_view>

namespace overcast::cases {

/// Compares what one unit computed; `what` names the array in the message.
class Comparison {
public:
    explicit Comparison(std::uint32_t unit) : unit_{unit} {}

    /// Throws std::runtime_error naming unit, element, expected and found.
    template <typename T>
    void expect(std::string_view what, std::size_t element, T expected, T found) {
        static_assert(sizeof(T) <= sizeof(std::uint64_t));
        if (std::memcmp(&expected, &found, sizeof(T)) != 0) {
            std::ostringstream text;
            text.precision(9);
            text << "wrong result: unit " << unit_ << ", " << what << ", element " << element
                 << ": expected " << expected << ", found " << found;
            throw std::runtime_error(text.str());
        }
        std::uint64_t bits = 0;
        std::memcpy(&bits, &found, sizeof(T));
        checksum_ = checksum_ * 31 + bits;
    }

    /// Of everything compared so far.
    [[nodiscard]] std::uint64_t checksum() const { return checksum_; }

private:
    std::uint32_t unit_;
    std::uint64_t checksum_ = 0;
};

/// Sample `number` of `samples` spread over `size` elements; the last one is the last element.
constexpr std::size_t spread_sample(std::size_t number, std::size_t samples, std::size_t size) {
    return (number + 1) * size / samples - 1;
}

}  // namespace overcast::cases
