// libFuzzer's entry for the reader that OVERCAST_FUZZED_READER names.
#include "tests/fuzz/fuzzed_readers.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

// NOLINTNEXTLINE(readability-identifier-naming): the name is libFuzzer's
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const auto reader =
        *std::ranges::find(overcast::test::fuzzed_readers(), OVERCAST_FUZZED_READER,
                           &overcast::test::FuzzedReader::name);
    const auto fault = reader.fault_in({reinterpret_cast<const char*>(data), size});
    if (!fault.empty()) {
        std::fprintf(stderr, "fault: %s\n", fault.c_str());
        std::abort();
    }
    return 0;
}
