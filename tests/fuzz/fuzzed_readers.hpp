// Every reader that takes files from anywhere: one row, one libFuzzer program, one corpus each.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace overcast::test {

struct FuzzedReader {
    /// Of its program overcast_fuzz_NAME and of its corpus tests/fuzz/corpus/NAME.
    std::string_view name;
    /// Gives `bytes` to the reader. What is wrong with how it took them, "" where nothing is:
    /// either it refuses them by an error that says where, or what it read is sound.
    std::string (*fault_in)(std::string_view bytes);
};

std::span<const FuzzedReader> fuzzed_readers();

}  // namespace overcast::test
