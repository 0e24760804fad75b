#include "formats/chrome_names.hpp"

#include <gtest/gtest.h>

namespace overcast {
namespace {

TEST(CopyName, is_pytorchs_and_reads_back) {
    EXPECT_EQ(copy_name({CopyKind::host_to_device, MemoryKind::pinned, MemoryKind::device}),
              "Memcpy HtoD (Pinned -> Device)");
    const auto copy = parse_copy_name("Memcpy DtoH (Device -> Pageable)");
    ASSERT_TRUE(copy);
    EXPECT_EQ(copy->kind, CopyKind::device_to_host);
    EXPECT_EQ(copy->source, MemoryKind::device);
    EXPECT_EQ(copy->destination, MemoryKind::pageable);
}

TEST(CopyName, static_memory_counts_as_what_it_lies_in) {
    const auto copy = parse_copy_name("Memcpy DtoD (Device Static -> Managed Static)");
    ASSERT_TRUE(copy);
    EXPECT_EQ(copy->source, MemoryKind::device);
    EXPECT_EQ(copy->destination, MemoryKind::managed);
}

TEST(CopyName, arrays_count_as_device_memory) {
    EXPECT_EQ(parse_copy_name("Memcpy HtoA (Pinned -> Array)")->kind, CopyKind::host_to_device);
    EXPECT_EQ(parse_copy_name("Memcpy AtoH (Array -> Pinned)")->kind, CopyKind::device_to_host);
    EXPECT_EQ(parse_copy_name("Memcpy AtoD (Array -> Device)")->kind, CopyKind::device_to_device);
}

TEST(CopyName, memory_that_is_not_named_is_unknown) {
    for (const auto* text : {"Memcpy HtoD", "Memcpy HtoD ()", "Memcpy HtoD (Pinned)",
                             "Memcpy HtoD (x -> y)", "Memcpy HtoD ) -> ("}) {
        const auto copy = parse_copy_name(text);
        ASSERT_TRUE(copy) << text;
        EXPECT_EQ(copy->source, MemoryKind::unknown) << text;
        EXPECT_EQ(copy->destination, MemoryKind::unknown) << text;
    }
}

TEST(CopyName, other_names_are_no_copies) {
    for (const auto* text : {"", "Memcpy", "Memcpy ", "Memcpy XtoY (Pinned -> Device)", "Memset"}) {
        EXPECT_FALSE(parse_copy_name(text)) << text;
    }
}

TEST(AbiSuffix, is_taken_off_and_version_numbers_of_the_api_stay) {
    EXPECT_EQ(without_abi_suffix("cudaMemcpyAsync_v3020"), "cudaMemcpyAsync");
    EXPECT_EQ(without_abi_suffix("cudaStreamGetCaptureInfo_v2_v11030"),
              "cudaStreamGetCaptureInfo_v2");
    EXPECT_EQ(without_abi_suffix("cuMemcpyHtoDAsync_v2"), "cuMemcpyHtoDAsync_v2");
    EXPECT_EQ(without_abi_suffix("cudaMemcpyAsync_ptsz_v7000"), "cudaMemcpyAsync_ptsz");
    EXPECT_EQ(without_abi_suffix("cudaMalloc"), "cudaMalloc");
    EXPECT_EQ(without_abi_suffix("my_v30a0"), "my_v30a0");
}

}  // namespace
}  // namespace overcast
