// Whatever is wrong in a trace gives an error that names the file and the place; nothing crashes,
// hangs or takes memory without end.
#include "core/error.hpp"
#include "formats/chrome_trace_reader.hpp"
#include "formats/chrome_trace_writer.hpp"
#include "formats/trace_samples_test.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <sstream>
#include <string>

namespace overcast {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// The message with which reading `text` fails, or "" where it does not.
std::string failure(const std::string& text) {
    try {
        constexpr std::size_t kChunk = 4096;
        MemorySource source{text};
        read_chrome_trace(source, "bad.json", kChunk);
    } catch (const TraceFormatError& error) {
        return error.what();
    }
    return "";
}

std::string with_events(const std::string& events) {
    return R"({"schemaVersion":1,"traceEvents":[)" + events + "]}";
}

/// A kernel event with `members` in the place of its last ones.
std::string kernel(const std::string& members) {
    return R"({"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,)" + members + "}";
}

std::string failure_of_kernel(const std::string& members) {
    return failure(with_events(kernel(members)));
}

std::string gzipped(const std::string& text) {
    z_stream stream{};
    deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 9, Z_DEFAULT_STRATEGY);
    std::string result(deflateBound(&stream, text.size()), '\0');
    // zlib does not change what next_in points to.
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(result.data());
    stream.avail_out = static_cast<uInt>(result.size());
    deflate(&stream, Z_FINISH);
    result.resize(stream.total_out);
    deflateEnd(&stream);
    return result;
}

std::string failure_of_gzip(const std::string& compressed) {
    try {
        const auto source = gunzip(std::make_unique<MemorySource>(compressed), "bad.json.gz");
        read_chrome_trace(*source, "bad.json.gz");
    } catch (const TraceFormatError& error) {
        return error.what();
    }
    return "";
}

/// Gives `pattern` again and again, `size` bytes in all.
class EndlessSource : public ByteSource {
public:
    EndlessSource(std::string start, const std::string& pattern, std::uint64_t size)
        : start_{std::move(start)}, size_{size} {
        while (repeated_.size() < std::size_t{64} << 10) repeated_ += pattern;
    }

    std::size_t read(std::span<char> to) override {
        const auto count = std::min<std::uint64_t>(to.size(), size_ - given_);
        for (std::uint64_t done = 0; done < count;) {
            const auto& part = given_ < start_.size() ? start_ : repeated_;
            const auto offset =
                given_ < start_.size() ? given_ : (given_ - start_.size()) % repeated_.size();
            const auto length = std::min(count - done, part.size() - offset);
            std::copy_n(part.data() + offset, length, to.data() + done);
            done += length;
            given_ += length;
        }
        return count;
    }
    [[nodiscard]] std::uint64_t given() const { return given_; }

private:
    std::string start_;
    std::string repeated_;
    std::uint64_t size_;
    std::uint64_t given_ = 0;
};

/// How much of an endless text is read before it is given up, and the message.
std::pair<std::uint64_t, std::string> give_up(const std::string& start,
                                              const std::string& pattern) {
    constexpr std::uint64_t kEndless = std::uint64_t{200} << 20;
    EndlessSource source{start, pattern, kEndless};
    try {
        read_chrome_trace(source, "endless.json");
    } catch (const TraceFormatError& error) {
        return {source.given(), error.what()};
    }
    return {source.given(), ""};
}

TEST(MalformedTrace, empty_text_is_refused) {
    EXPECT_THAT(failure(""), HasSubstr("bad.json is empty"));
    EXPECT_THAT(failure(" \n\t"), HasSubstr("bad.json is empty"));
}

TEST(MalformedTrace, every_truncation_is_refused) {
    std::ostringstream text;
    StreamSink sink{text};
    write_chrome_trace(trace_with_every_record(), sink);
    const auto whole = text.str();
    const auto last_brace = whole.rfind('}');
    ASSERT_EQ(failure(whole), "");
    // Every length in front, where the header is, and every seventh in the events.
    for (std::size_t length = 0; length <= last_brace; length += length < 3000 ? 1 : 7) {
        ASSERT_THAT(failure(whole.substr(0, length)), HasSubstr("bad.json")) << length;
    }
}

TEST(MalformedTrace, every_truncation_of_a_compressed_trace_is_refused) {
    const auto whole = gzipped(with_events(kernel(R"("ts":1,"dur":2)")));
    ASSERT_EQ(failure_of_gzip(whole), "");
    for (std::size_t length = 1; length < whole.size(); ++length) {
        ASSERT_THAT(failure_of_gzip(whole.substr(0, length)),
                    AllOf(HasSubstr("bad.json.gz: byte"), HasSubstr("truncated")))
            << length;
    }
}

TEST(MalformedTrace, damaged_compression_is_refused_with_its_position) {
    auto damaged = gzipped(with_events(kernel(R"("ts":1,"dur":2)")));
    damaged[damaged.size() - 6] ^= 1;  // in the checksum of the text
    EXPECT_THAT(failure_of_gzip(damaged),
                AllOf(HasSubstr("bad.json.gz: byte"), HasSubstr("damaged")));
}

TEST(MalformedTrace, gzip_bomb_is_given_up_by_its_expansion) {
    // 80 MiB of events that are passed over, which deflate makes about 1000 times smaller.
    const std::string event = R"({"ph":"M"})" + std::string(65'000, ' ') + ",";
    std::string text = R"({"traceEvents":[)";
    while (text.size() < std::size_t{80} << 20) text += event;
    text += "{}]}";
    EXPECT_THAT(failure_of_gzip(gzipped(text)), HasSubstr("expands to more than 250 times"));
}

TEST(MalformedTrace, several_gzip_members_are_one_text) {
    const auto text = with_events(kernel(R"("ts":1,"dur":2)"));
    EXPECT_EQ(failure_of_gzip(gzipped(text.substr(0, 20)) + gzipped(text.substr(20))), "");
}

TEST(MalformedTrace, endless_string_is_given_up) {
    const auto [given, message] = give_up(R"({"traceEvents":[{"name":")", "abc");
    EXPECT_THAT(message, AllOf(HasSubstr("endless.json: byte 16"), HasSubstr("16 MiB")));
    EXPECT_LT(given, std::uint64_t{64} << 20);
}

TEST(MalformedTrace, endless_white_space_is_given_up) {
    EXPECT_THAT(give_up(R"({"traceEvents":[)", " \n").second, HasSubstr("endless white space"));
    EXPECT_THAT(give_up("", "\n").second, HasSubstr("endless white space"));
    EXPECT_THAT(give_up(R"({"traceEvents":[{"ts":)", " ").second, HasSubstr("16 MiB"));
}

TEST(MalformedTrace, endless_nesting_is_given_up) {
    for (const auto* pattern : {"[", R"({"a":)"}) {
        for (const auto* start : {R"({"traceEvents":[{"args":)", R"({"unknown":)",
                                  R"({"overcast":)", R"({"deviceProperties":)"}) {
            const auto [given, message] = give_up(start, pattern);
            EXPECT_THAT(message, AllOf(HasSubstr("endless.json: byte"),
                                       HasSubstr("nested more than 200 levels deep")))
                << start;
            EXPECT_LE(given, std::uint64_t{2} << 20);
        }
    }
}

TEST(MalformedTrace, members_that_are_not_read_may_be_longer_than_any_that_is) {
    std::string text = R"({"stackFrames":[0)";
    while (text.size() < std::size_t{20} << 20) text += R"(,{"name":"frame"})";
    EXPECT_EQ(failure(text + R"(],"traceEvents":[]})"), "");
}

TEST(MalformedTrace, position_is_byte_and_number_of_the_event) {
    const auto good = kernel(R"("ts":1,"dur":2)");
    const auto text = with_events(good + ",\n" + good + ", " + kernel(R"("ts":1,"dur":-2)"));
    const auto byte = text.rfind(R"({"ph")");
    EXPECT_THAT(failure(text), HasSubstr("bad.json: byte " + std::to_string(byte) +
                                         ", event 3: a kernel event has a negative duration: -2"));
}

TEST(MalformedTrace, invalid_utf8_is_refused_with_the_event_that_holds_it) {
    const auto good = kernel(R"("ts":1,"dur":2)");
    const auto bad = kernel("\"ts\":1,\"dur\":2,\"x\":\"\xc3(\"");
    EXPECT_THAT(failure(with_events(good + "," + bad + "," + good)),
                AllOf(HasSubstr("event 2"), HasSubstr("UTF-8")));
}

TEST(MalformedTrace, control_character_in_a_string_is_refused) {
    EXPECT_THAT(failure_of_kernel("\"ts\":1,\"dur\":2,\"x\":\"\n\""), HasSubstr("event 1"));
}

TEST(MalformedTrace, a_pass_is_refused_with_the_word_that_is_no_instruction) {
    const auto with = [](const std::string& member) {
        return failure(
            R"({"schemaVersion":1,"overcast":{"schema_version":1,"code":[{"kernel":"k",)" + member +
            R"(}]},"traceEvents":[]})");
    };
    const auto with_pass = [&](const std::string& pass) { return with(R"("pass":)" + pass); };
    EXPECT_EQ(with_pass(R"("f4 g2*4>0<1 n5&3f")"), "");
    EXPECT_THAT(with_pass(R"("f4 q9 a0")"),
                AllOf(HasSubstr("bad.json"), HasSubstr("code[0].pass\" holds \"q9\""),
                      HasSubstr("a letter of nfhaxdsg")));
    EXPECT_THAT(with_pass(R"("f4 ")"), HasSubstr("holds \"\""));
    EXPECT_THAT(with_pass(R"("")"), HasSubstr("holds \"\""));
    EXPECT_THAT(with_pass("7"), HasSubstr("code[0].pass\" must be a string"));
    EXPECT_THAT(with(R"("start":"f4 q9")"), HasSubstr("code[0].start\" holds \"q9\""));
    EXPECT_THAT(with(R"("end":"f4 q9")"), HasSubstr("code[0].end\" holds \"q9\""));
}

TEST(MalformedTrace, wrong_types_are_refused_by_name) {
    EXPECT_THAT(failure_of_kernel(R"("ts":{},"dur":2)"), HasSubstr("\"ts\" is not a time"));
    EXPECT_THAT(failure_of_kernel(R"("ts":true,"dur":2)"), HasSubstr("\"ts\" is not a time"));
    EXPECT_THAT(failure_of_kernel(R"("ts":null,"dur":2)"), HasSubstr("\"ts\" is not a time"));
    EXPECT_THAT(failure_of_kernel(R"("ts":1,"dur":[2])"), HasSubstr("\"dur\" is not a time"));
    EXPECT_THAT(failure_of_kernel(R"("ts":1,"dur":2,"args":[])"), HasSubstr("\"args\" must be"));
    EXPECT_THAT(failure_of_kernel(R"("ts":1,"dur":2,"args":{"grid":7})"),
                HasSubstr("\"grid\" is not a list"));
    EXPECT_THAT(failure_of_kernel(R"("ts":1,"dur":2,"args":{"grid":[1,2]})"),
                HasSubstr("\"grid\" is not a list"));
    EXPECT_THAT(failure_of_kernel(R"("ts":1,"dur":2,"args":{"grid":[1,2,3,4]})"),
                HasSubstr("\"grid\" is not a list"));
    EXPECT_THAT(failure_of_kernel(R"("ts":1,"dur":2,"args":{"stream":"x"})"),
                HasSubstr("\"stream\" is not a whole number"));
    EXPECT_THAT(failure_of_kernel(R"("ts":1,"dur":2,"args":{"stream":{}})"),
                HasSubstr("\"stream\" is not a whole number"));
    EXPECT_THAT(failure(with_events(R"({"ph":"X","cat":"kernel","name":3,"pid":0,"tid":7,
                                       "ts":1,"dur":2})")),
                HasSubstr("\"name\" is not a string"));
    EXPECT_THAT(failure(with_events("7")), HasSubstr("an event must be an object"));
    EXPECT_THAT(failure(with_events(R"("x")")), HasSubstr("an event must be an object"));
    EXPECT_THAT(failure(R"({"traceEvents":{}})"), HasSubstr("expected '['"));
    EXPECT_THAT(failure(R"({"overcast":3,"traceEvents":[]})"), HasSubstr("must be an object"));
    EXPECT_THAT(failure(R"({"deviceProperties":[3],"traceEvents":[]})"),
                HasSubstr("must be an object"));
    EXPECT_THAT(failure(R"({"deviceProperties":[{"id":-1}],"traceEvents":[]})"),
                HasSubstr("must be a whole number from 0"));
}

TEST(MalformedTrace, numbers_out_of_range_are_refused) {
    EXPECT_THAT(failure_of_kernel(R"("ts":1e300,"dur":2)"), HasSubstr("out of range"));
    EXPECT_THAT(failure_of_kernel(R"("ts":99999999999999999999999,"dur":2)"),
                HasSubstr("out of range"));
    // Each is possible, the end is not: 2^61 ns are 2305843009213693.952 us.
    EXPECT_THAT(failure_of_kernel(R"("ts":2305843009213693.952,"dur":0.001)"),
                HasSubstr("ends beyond any possible time"));
    EXPECT_THAT(failure_of_kernel(R"("ts":NaN,"dur":2)"), HasSubstr("\"ts\" is not a time"));
    EXPECT_THAT(failure_of_kernel(R"("ts":1,"dur":Infinity)"), HasSubstr("\"dur\" is not a time"));
    EXPECT_THAT(failure_of_kernel(R"("ts":1,"dur":2,"args":{"stream":4294967296})"),
                HasSubstr("\"stream\" is not a whole number from 0 to 4294967295"));
    EXPECT_THAT(failure_of_kernel(R"("ts":1,"dur":2,"args":{"grid":[1,1,4294967296]})"),
                HasSubstr("\"grid\" is not"));
    EXPECT_THAT(failure_of_kernel(R"("ts":1,"dur":2,"args":{"grid":[0,1,1]})"),
                HasSubstr("\"grid\" is not"));
    EXPECT_THAT(failure_of_kernel(R"("ts":1,"dur":2,"args":{"registers per thread":-1})"),
                HasSubstr("\"registers per thread\" is not"));
    EXPECT_THAT(failure_of_kernel(R"("ts":1,"dur":2,"args":{"shared memory":1.5})"),
                HasSubstr("\"shared memory\" is not"));
    EXPECT_THAT(failure(R"({"baseTimeNanoseconds":9223372036854775807,"traceEvents":[]})"),
                HasSubstr("baseTimeNanoseconds"));
    EXPECT_THAT(failure(R"({"overcast":{"schema_version":1e999},"traceEvents":[]})"),
                HasSubstr("bad.json: byte 12"));
}

TEST(MalformedTrace, members_given_twice_are_refused) {
    EXPECT_THAT(failure_of_kernel(R"("ts":1,"dur":2,"ts":3)"), HasSubstr("\"ts\" is given twice"));
    EXPECT_THAT(failure_of_kernel(R"("ts":1,"dur":2,"args":{},"args":{})"),
                HasSubstr("\"args\" is given twice"));
    EXPECT_THAT(failure_of_kernel(R"("ts":1,"dur":2,"args":{"stream":1,"stream":2})"),
                HasSubstr("\"stream\" is given twice"));
    EXPECT_THAT(failure(R"({"traceEvents":[],"traceEvents":[]})"),
                HasSubstr("\"traceEvents\" is given twice"));
    EXPECT_THAT(failure(R"({"baseTimeNanoseconds":1,"baseTimeNanoseconds":1,"traceEvents":[]})"),
                HasSubstr("\"baseTimeNanoseconds\" is given twice"));
}

TEST(MalformedTrace, missing_members_are_refused_by_name) {
    EXPECT_THAT(failure_of_kernel(R"("dur":2)"), HasSubstr("a kernel event has no \"ts\""));
    EXPECT_THAT(failure_of_kernel(R"("ts":2)"), HasSubstr("a kernel event has no \"dur\""));
    EXPECT_THAT(failure(with_events(R"({"cat":"kernel","name":"k","ts":1,"dur":2})")),
                HasSubstr("a kernel event has no \"ph\""));
    EXPECT_THAT(failure(with_events(R"({"ph":"X","cat":"cuda_runtime","name":"c","pid":1,
                                       "ts":1,"dur":2})")),
                HasSubstr("a cuda_runtime event has no \"tid\""));
    EXPECT_THAT(failure(R"({"schemaVersion":1})"), HasSubstr("no \"traceEvents\""));
    EXPECT_THAT(failure(R"({"overcast":{},"traceEvents":[]})"),
                HasSubstr("\"overcast.schema_version\" is missing"));
}

TEST(MalformedTrace, broken_structure_is_refused) {
    EXPECT_NE(failure("{}x"), "");
    EXPECT_NE(failure(R"({"traceEvents":[]} {})"), "");
    EXPECT_NE(failure(R"({"traceEvents":[{},]})"), "");
    EXPECT_NE(failure(R"({"traceEvents":[,{}]})"), "");
    EXPECT_NE(failure(R"({"traceEvents":[{} {}]})"), "");
    EXPECT_NE(failure(R"({"traceEvents":[{}}})"), "");
    EXPECT_NE(failure(R"({"traceEvents" [{}]})"), "");
    EXPECT_NE(failure(R"({traceEvents:[{}]})"), "");
    EXPECT_NE(failure(R"({"a":1 "traceEvents":[{}]})"), "");
    EXPECT_NE(failure(R"({"a":,"traceEvents":[{}]})"), "");
    EXPECT_NE(failure(R"({"overcast":{"schema_version":},"traceEvents":[{}]})"), "");
    EXPECT_NE(failure(with_events(R"({"ph" "X"})")), "");
    EXPECT_NE(failure(with_events(R"({"ph":"X" "cat":"kernel"})")), "");
    EXPECT_NE(failure(with_events(R"({"name":"\x"})")), "");
    EXPECT_NE(failure("nonsense"), "");
    EXPECT_NE(failure(std::string("\0\0\0", 3)), "");
}

TEST(MalformedTrace, newer_schema_and_timelines_are_told_from_traces) {
    EXPECT_THAT(failure(R"({"overcast":{"schema_version":2},"traceEvents":[]})"),
                HasSubstr("newer Overcast"));
    EXPECT_THAT(failure(R"({"overcast":{"schema_version":1,"kind":"timeline"},"traceEvents":[]})"),
                HasSubstr("is timeline: this file is not a recording"));
}

}  // namespace
}  // namespace overcast
