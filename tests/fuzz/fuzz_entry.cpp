// libFuzzer's entry: a program named overcast_fuzz_NAME fuzzes the reader of that name.
#include "tests/fuzz/fuzzed_readers.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {
const overcast::test::FuzzedReader* reader = nullptr;
}

// NOLINTNEXTLINE(readability-identifier-naming): the name is libFuzzer's
extern "C" int LLVMFuzzerInitialize(int* /*count*/, char*** arguments) {
    const std::string_view program{**arguments};
    const auto readers = overcast::test::fuzzed_readers();
    const auto found = std::ranges::find_if(readers, [&](const auto& known) {
        return program.ends_with("overcast_fuzz_" + std::string{known.name});
    });
    if (found == readers.end()) {
        std::fprintf(stderr, "no reader is named as this program\n");
        std::exit(1);
    }
    reader = &*found;
    return 0;
}

// NOLINTNEXTLINE(readability-identifier-naming): the name is libFuzzer's
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto fault = reader->fault_in({reinterpret_cast<const char*>(data), size});
    if (!fault.empty()) {
        std::fprintf(stderr, "fault: %s\n", fault.c_str());
        std::abort();
    }
    return 0;
}
