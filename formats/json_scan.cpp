#include "formats/json_scan.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace overcast {
namespace {

enum class Mark : std::uint8_t { plain, quote, open, close };

constexpr auto kMarks = [] {
    std::array<Mark, 256> marks{};
    marks[std::size_t{'"'}] = Mark::quote;
    marks[std::size_t{'{'}] = marks[std::size_t{'['}] = Mark::open;
    marks[std::size_t{'}'}] = marks[std::size_t{']'}] = Mark::close;
    return marks;
}();

Mark mark_of(char c) { return kMarks[static_cast<unsigned char>(c)]; }

}  // namespace

ScanResult scan_string(const char* begin, const char* end) {
    for (const char* at = begin + 1; at < end; ++at) {
        if (*at == '"') {
            return {at + 1, ScanProblem::none};
        }
        if (*at == '\\') {
            ++at;
        }
    }
    return {end, ScanProblem::incomplete};
}

ScanResult scan_container(const char* begin, const char* end, int deepest) {
    int depth = 0;
    for (const char* at = begin; at < end;) {
        switch (mark_of(*at)) {
            case Mark::plain: ++at; break;
            case Mark::quote: {
                const auto text = scan_string(at, end);
                if (text.problem != ScanProblem::none) {
                    return text;
                }
                at = text.end;
                break;
            }
            case Mark::open:
                if (++depth > deepest) {
                    return {at, ScanProblem::too_deep};
                }
                ++at;
                break;
            case Mark::close:
                ++at;
                if (--depth == 0) {
                    return {at, ScanProblem::none};
                }
                break;
        }
    }
    return {end, ScanProblem::incomplete};
}

}  // namespace overcast
