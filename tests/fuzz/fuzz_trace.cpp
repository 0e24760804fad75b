// libFuzzer's entry: the first byte chooses how much is read at once.
#include "tests/fuzz/read_any_bytes.hpp"

#include <cstdint>
#include <cstdlib>

// NOLINTNEXTLINE(readability-identifier-naming): the name is libFuzzer's
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view bytes{reinterpret_cast<const char*>(data) + 1, size - 1};
    const auto chunk = std::size_t{data[0]} * 16 + 1;
    if (!overcast::test::fault_in_reading(bytes, chunk).empty() ||
        !overcast::test::fault_in_reading_nvprof(bytes, chunk).empty()) {
        std::abort();
    }
    return 0;
}
