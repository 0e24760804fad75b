#include "formats/nvprof_csv_reader.hpp"

#include "core/error.hpp"
#include "formats/format_table.hpp"
#include "formats/nvprof_quantity.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace overcast {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kTitles =
    R"("Start","Duration","Grid X","Grid Y","Grid Z","Block X","Block Y","Block Z",)"
    R"("Registers Per Thread","Static SMem","Dynamic SMem","Size","Throughput","Device",)"
    R"("Context","Stream","Name")"
    "\n";
const std::string kUnits = "ms,us,,,,,,,,B,B,KB,GB/s,,,,\n";
const std::string kCopyRow =
    R"csv(1.000000,16.672000,,,,,,,,,,89.843750,5.139256,"GeForce GTX 950 (0)","1","13",)csv"
    R"csv("[CUDA memcpy HtoD]")csv"
    "\n";

/// A row of 17 columns with what differs between tests.
std::string row(const std::string& start, const std::string& duration, const std::string& shape,
                const std::string& size, const std::string& name) {
    return start + ',' + duration + ',' + shape + ',' + size + ",,\"GPU (0)\",\"1\",\"7\"," + name +
           '\n';
}

std::string copy_row(const std::string& start, const std::string& duration,
                     const std::string& size) {
    return row(start, duration, ",,,,,,,,", size, "\"[CUDA memcpy DtoH]\"");
}

Trace read_nvprof(const std::string& text, std::size_t chunk = 4096) {
    MemorySource source{text};
    return read_nvprof_csv(source, "run.csv", chunk);
}

std::string nvprof_failure(const std::string& text) {
    try {
        read_nvprof(text);
    } catch (const TraceFormatError& error) {
        return error.what();
    }
    return "";
}

std::filesystem::path sample(const char* name) {
    return std::filesystem::path{OVERCAST_SOURCE_DIR} / "tests/data/nvprof" / name;
}

const TracedCopy& copy_of(const Trace& trace, std::size_t i) {
    return std::get<TracedCopy>(trace.activities.at(i).what);
}

std::string codes(const Trace& trace) {
    std::string result;
    for (const auto& warning : trace.warnings) result += warning.code + ' ';
    return result;
}

TEST(NvprofCsv, a_recorded_vector_addition_is_read_whole) {
    const auto trace = read_trace(sample("vecadd_23000_1stream.csv"));
    EXPECT_EQ(trace.producer, "nvprof");
    EXPECT_EQ(trace.program, "./mem_mem_ptx_all 1 0 23000 0");
    ASSERT_EQ(trace.devices.size(), 1U);
    EXPECT_EQ(trace.devices[0].name, "GeForce GTX 950");
    EXPECT_FALSE(trace.devices[0].multiprocessors.has_value());
    ASSERT_EQ(trace.activities.size(), 4U);
    const auto& first = trace.activities[0];
    EXPECT_EQ(first.start.time_since_epoch(), Duration{526'961'828});
    EXPECT_EQ(first.end - first.start, Duration{16'672});
    EXPECT_EQ(first.stream, StreamId{13});
    EXPECT_EQ(first.context, ContextId{1});
    EXPECT_EQ(copy_of(trace, 0).kind, CopyKind::host_to_device);
    EXPECT_EQ(copy_of(trace, 0).destination, MemoryKind::device);
    EXPECT_EQ(copy_of(trace, 0).source, MemoryKind::unknown);
    EXPECT_EQ(copy_of(trace, 3).kind, CopyKind::device_to_host);
    const auto& kernel = std::get<TracedKernel>(trace.activities[2].what);
    EXPECT_THAT(std::string{trace.names[kernel.name]},
                AllOf(HasSubstr("kernel_vectorAdd(float const *, float"), Not(HasSubstr("[223]"))));
    EXPECT_EQ(trace.activities[2].correlation, CorrelationId{223});
    EXPECT_EQ(kernel.shape.grid, (Extent{90, 1, 1}));
    EXPECT_EQ(kernel.shape.block, (Extent{256, 1, 1}));
    EXPECT_EQ(kernel.shape.registers_per_thread, 28U);
    EXPECT_EQ(codes(trace), "missing-call no-channels ");
}

TEST(NvprofCsv, a_kilobyte_has_1024_bytes_and_a_gigabyte_2_to_the_30) {
    // 23,000 floats are 92,000 B. 92,000 B / 16.672 us / 2^30 = 5.139256 "GB/s", as the row says.
    const auto trace = read_nvprof(kTitles + kUnits + kCopyRow);
    EXPECT_EQ(copy_of(trace, 0).bytes, Bytes{92'000});
    EXPECT_NEAR(92'000 / 16.672e-6 / (1U << 30U), 5.139256, 5e-7);
}

TEST(NvprofCsv, both_streams_of_a_two_stream_run_are_told_apart) {
    const auto trace = read_trace(sample("vecadd_23000_2streams.csv"));
    ASSERT_EQ(trace.activities.size(), 8U);
    EXPECT_EQ(trace.activities[1].stream, StreamId{13});
    EXPECT_EQ(trace.activities[2].stream, StreamId{14});
    // One kernel: the number behind its name is that of the launch.
    EXPECT_EQ(std::get<TracedKernel>(trace.activities[4].what).name,
              std::get<TracedKernel>(trace.activities[5].what).name);
}

TEST(NvprofCsv, units_come_from_the_row_behind_the_titles) {
    const auto text = [](const std::string& units, const std::string& rows) {
        return kTitles + units + ",,,,,,,,B,KB,MB,GB/s,,,,\n" + rows;
    };
    const auto in_ms = read_nvprof(text("us,ms", copy_row("2.5", "1.25", "38.146973")));
    EXPECT_EQ(in_ms.activities[0].start.time_since_epoch(), Duration{2'500});
    EXPECT_EQ(in_ms.activities[0].end - in_ms.activities[0].start, Duration{1'250'000});
    // 10,000,000 floats: 38.146973 MB are 40,000,000.2 B, and half a unit of the last digit is 0.5.
    EXPECT_EQ(copy_of(in_ms, 0).bytes, Bytes{40'000'000});
    const auto in_ns = read_nvprof(text("ns,us", copy_row("2500", "0.0005", "1")));
    EXPECT_EQ(in_ns.activities[0].start.time_since_epoch(), Duration{2'500});
    EXPECT_EQ(in_ns.activities[0].end - in_ns.activities[0].start, Duration{1});
    const auto in_s = read_nvprof(text("s,us", copy_row("2.000001", "1", "1")));
    EXPECT_EQ(in_s.activities[0].start.time_since_epoch(), Duration{2'000'001'000});
    EXPECT_THAT(codes(in_s), HasSubstr("coarse-times"));
    const auto kernel =
        read_nvprof(text("us,us", row("1", "1", "2,3,4,32,2,1,40,48,1.5", "", "\"scale(int)\"")));
    const auto& shape = std::get<TracedKernel>(kernel.activities[0].what).shape;
    EXPECT_EQ(shape.grid, (Extent{2, 3, 4}));
    EXPECT_EQ(shape.block, (Extent{32, 2, 1}));
    EXPECT_EQ(shape.static_shared_memory, Bytes{48});
    EXPECT_EQ(shape.dynamic_shared_memory, Bytes{1'536});
}

TEST(NvprofCsv, an_amount_that_the_digits_leave_open_is_taken_as_whole_words) {
    constexpr std::uint64_t kMegabyte = 1U << 20U;
    // 40,000,004 B print as 38.146976 MB, which is 40,000,003.51 +- 0.52: 40,000,004 is a multiple
    // of 4 in that range. 17 B, given to the byte, stay 17.
    EXPECT_EQ(parse_nvprof_bytes("38.146976", kMegabyte), Bytes{40'000'004});
    // 38.146975 MB are 40,000,002.46 +- 0.52: no multiple of 4.
    EXPECT_EQ(parse_nvprof_bytes("38.146975", kMegabyte), Bytes{40'000'002});
    EXPECT_EQ(parse_nvprof_bytes("17", 1), Bytes{17});
    EXPECT_EQ(parse_nvprof_bytes("-1", 1), std::nullopt);
    EXPECT_EQ(parse_nvprof_bytes("1.", 1), std::nullopt);
    EXPECT_EQ(parse_nvprof_bytes("9999999999999999", kMegabyte), std::nullopt);
}

TEST(NvprofCsv, names_may_hold_commas_quotes_and_brackets) {
    const auto name = [](const std::string& text) {
        const auto trace =
            read_nvprof(kTitles + kUnits + row("1", "1", "1,1,1,1,1,1,1,0,0", "", text));
        const auto& kernel = std::get<TracedKernel>(trace.activities.at(0).what);
        return std::string{trace.names[kernel.name]} + " #" +
               std::to_string(number(trace.activities[0].correlation));
    };
    EXPECT_EQ(name(R"("f(int, ""a"", b) [12]")"), R"(f(int, "a", b) #12)");
    EXPECT_EQ(name("f"), "f #0");
    EXPECT_EQ(name(R"("f(int[3]) [x]")"), "f(int[3]) [x] #0");
}

TEST(NvprofCsv, every_kind_of_row_is_known_by_its_name) {
    std::string text = kTitles + kUnits;
    for (const auto* name : {"[CUDA memcpy HtoD]", "[CUDA memcpy DtoH]", "[CUDA memcpy DtoD]",
                             "[CUDA memcpy HtoA]", "[CUDA memcpy PtoP]", "[CUDA memset]"}) {
        text += row("1", "1", ",,,,,,,,", "1", '"' + std::string{name} + '"');
    }
    text += row("1", "1", ",,,,,,,,", "1", "\"[Unified Memory Memcpy HtoD]\"");
    const auto trace = read_nvprof(text);
    ASSERT_EQ(trace.activities.size(), 6U);
    std::vector<CopyKind> kinds;
    for (std::size_t i = 0; i < 5; ++i) kinds.push_back(copy_of(trace, i).kind);
    EXPECT_THAT(kinds, ElementsAre(CopyKind::host_to_device, CopyKind::device_to_host,
                                   CopyKind::device_to_device, CopyKind::host_to_device,
                                   CopyKind::peer_to_peer));
    EXPECT_EQ(copy_of(trace, 3).destination, MemoryKind::array);
    EXPECT_EQ(std::get<TracedMemset>(trace.activities[5].what).bytes, Bytes{1'024});
    EXPECT_THAT(codes(trace), HasSubstr("rows-left-out"));
}

TEST(NvprofCsv, columns_are_found_by_name_in_any_order_with_others_between) {
    const auto trace = read_nvprof(
        "\"Start\",\"Duration\",\"Stream\",\"SrcMemType\",\"DstMemType\",\"Size\",\"Unheard of\","
        "\"Name\",\"Device\",\"Correlation_ID\"\n"
        "us,us,,,,B,,,,\n"
        "1,2,7,\"Pageable\",\"Device\",12,x,\"[CUDA memcpy HtoD]\",\"A (B) (1)\",77\n");
    ASSERT_EQ(trace.activities.size(), 1U);
    EXPECT_EQ(copy_of(trace, 0).source, MemoryKind::pageable);
    EXPECT_EQ(copy_of(trace, 0).bytes, Bytes{12});
    EXPECT_EQ(trace.activities[0].correlation, CorrelationId{77});
    EXPECT_EQ(trace.activities[0].device, DeviceId{1});
    EXPECT_EQ(trace.devices.at(0).name, "A (B)");
}

TEST(NvprofCsv, what_the_tool_and_the_program_print_around_the_table_is_skipped) {
    const auto trace =
        read_nvprof("hello, world\n==1== NVPROF is profiling process 1, command: ./a b\r\n" +
                    kTitles + "\n" + kUnits + "==1== Warning: x\n" + kCopyRow + "\n");
    EXPECT_EQ(trace.activities.size(), 1U);
    EXPECT_EQ(trace.program, "./a b");
}

TEST(NvprofCsv, rows_come_sorted_however_little_is_read_at_once) {
    const auto text = kTitles + kUnits + copy_row("3", "1", "1") + copy_row("2", "1", "2");
    for (const std::size_t chunk : {1U, 7U, 4096U}) {
        const auto trace = read_nvprof(text, chunk);
        ASSERT_EQ(trace.activities.size(), 2U);
        EXPECT_EQ(copy_of(trace, 0).bytes, Bytes{2'048});
    }
}

TEST(NvprofCsv, what_is_wrong_is_told_with_line_and_column) {
    EXPECT_THAT(nvprof_failure(""), HasSubstr("run.csv is empty"));
    EXPECT_THAT(nvprof_failure("==1== NVPROF is profiling process 1, command: ./a\n"),
                AllOf(HasSubstr("run.csv: line 1"), HasSubstr("nvprof --print-gpu-trace --csv")));
    EXPECT_THAT(nvprof_failure("\"Start\",\"Duration\",\"Name\"\nms,us,\n"),
                HasSubstr(R"(run.csv: line 1: there is no column "Device")"));
    EXPECT_THAT(nvprof_failure(kTitles),
                HasSubstr("line 1: the text ends before the row of units"));
    EXPECT_THAT(nvprof_failure(kTitles + kCopyRow),
                HasSubstr(R"(line 2, column "Start": "1.000000" is no unit of time)"));
    EXPECT_THAT(nvprof_failure(kTitles + "ms,us,,,,,,,,B,B,pages,GB/s,,,,\n"),
                HasSubstr(R"(line 2, column "Size": "pages" is no unit of memory)"));
    const auto start = kTitles + kUnits;
    EXPECT_THAT(nvprof_failure(start + copy_row("x", "1", "1")),
                HasSubstr(R"(run.csv: line 3, column "Start": "x" is no time)"));
    EXPECT_THAT(nvprof_failure(start + copy_row("1", "-1", "1")), HasSubstr("column \"Duration\""));
    EXPECT_THAT(nvprof_failure(start + copy_row("99999999999999999", "1", "1")),
                HasSubstr("out of range"));
    EXPECT_THAT(nvprof_failure(start + copy_row("1", "1", "")), HasSubstr(R"(column "Size": "")"));
    EXPECT_THAT(nvprof_failure(start + row("1", "1", "0,1,1,1,1,1,1,0,0", "", "f")),
                HasSubstr(R"(column "Grid X": must be above 0)"));
    EXPECT_THAT(nvprof_failure(start + row("1", "1", ",,,,,,,,", "", "f")),
                HasSubstr(R"(column "Grid X": "" is no whole number)"));
    EXPECT_THAT(nvprof_failure("\"Start\",\"Duration\",\"Device\",\"Stream\",\"Name\"\nms,us,,,\n"
                               "1,1,\"A (0)\",7,f\n"),
                HasSubstr(R"(line 3: this row needs a column "Grid X")"));
    EXPECT_THAT(nvprof_failure("\"Start\",\"Duration\",\"Device\",\"Stream\",\"Name\"\nms,us,,,\n"
                               "1,1,\"A\",7,f\n"),
                HasSubstr(R"(line 3, column "Device": expected a name and a number)"));
}

TEST(NvprofCsv, a_last_line_that_is_cut_off_is_refused_wherever_it_is_cut) {
    const auto start = kTitles + kUnits + kCopyRow;
    for (std::size_t length = 1; length + 1 < kCopyRow.size(); ++length) {
        const auto message = nvprof_failure(start + kCopyRow.substr(0, length));
        EXPECT_THAT(message, AllOf(HasSubstr("run.csv: line 4"), HasSubstr("cut off"))) << length;
    }
    EXPECT_EQ(nvprof_failure(start + kCopyRow.substr(0, kCopyRow.size() - 1)), "");
}

TEST(NvprofCsv, a_text_without_lines_takes_no_memory_without_end) {
    EXPECT_THAT(nvprof_failure(std::string(std::size_t{3} << 20U, 'x')),
                HasSubstr("line 1 is longer than"));
}

TEST(NvprofCsv, only_its_own_tables_are_recognised) {
    EXPECT_TRUE(is_nvprof_csv("==21542== NVPROF is profiling process 21542, command: ./a\n"));
    EXPECT_TRUE(is_nvprof_csv("printed by the program\n" + kTitles));
    EXPECT_FALSE(is_nvprof_csv("\"Start\",\"Duration\",\"Name\"\n1,2,3\n"));
    EXPECT_FALSE(is_nvprof_csv("Start,Duration,Grid X,Device,Stream,Name\n"));
    EXPECT_FALSE(is_nvprof_csv("trace,device_model,transform\n"));
    EXPECT_FALSE(is_nvprof_csv("== NVPROF is profiling process 1\n"));
    EXPECT_FALSE(is_nvprof_csv("==x== NVPROF is profiling process 1\n"));
    EXPECT_FALSE(is_nvprof_csv("=="));
    EXPECT_FALSE(is_nvprof_csv(""));
}

}  // namespace
}  // namespace overcast
