#include "core/spool.hpp"

#include "core/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace overcast::spool {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class SpoolFile : public ::testing::Test {
protected:
    SpoolFile()
        : file_{std::filesystem::path(::testing::TempDir()) /
                (std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()) +
                 ".spool")} {
        encode_header(bytes_);
    }
    ~SpoolFile() override { std::filesystem::remove(file_); }

    Reader reader(std::size_t cut = 0) {
        std::ofstream output{file_, std::ios::binary};
        output.write(bytes_.data(), static_cast<std::streamsize>(bytes_.size() - cut));
        output.close();
        return Reader{file_};
    }

    std::filesystem::path file_;
    std::vector<char> bytes_;
};

TEST_F(SpoolFile, gives_back_every_record_in_order) {
    encode(bytes_, Text{1, "scale"});
    encode(bytes_, Information{"command", "./app 1 2"});
    Kernel kernel;
    kernel.activity.start = 100;
    kernel.grid = {7, 8, 9};
    kernel.name = 1;
    encode(bytes_, kernel);

    auto spool = reader();
    const auto text = spool.next();
    ASSERT_TRUE(text);
    EXPECT_EQ(std::get<Text>(*text).id, 1U);
    EXPECT_EQ(std::get<Text>(*text).text, "scale");
    const auto information = spool.next();
    ASSERT_TRUE(information);
    EXPECT_EQ(std::get<Information>(*information).key, "command");
    EXPECT_EQ(std::get<Information>(*information).value, "./app 1 2");
    const auto read = spool.next();
    ASSERT_TRUE(read);
    EXPECT_EQ(std::get<Kernel>(*read).activity.start, 100U);
    EXPECT_EQ(std::get<Kernel>(*read).grid, (Extent{7, 8, 9}));
    EXPECT_EQ(std::get<Kernel>(*read).name, 1U);
    EXPECT_FALSE(spool.next());
    EXPECT_EQ(spool.bytes_cut(), 0U);
}

TEST_F(SpoolFile, ends_before_a_record_that_is_cut_short_wherever_the_cut_is) {
    encode(bytes_, Context{1, 2, 3, 0});
    const auto whole = bytes_.size();
    encode(bytes_, Context{4, 5, 6, 0});
    const auto last = bytes_.size() - whole;
    for (std::size_t cut = 1; cut <= last; ++cut) {
        auto spool = reader(cut);
        const auto first = spool.next();
        ASSERT_TRUE(first) << cut;
        EXPECT_EQ(std::get<Context>(*first).context, 1U);
        EXPECT_FALSE(spool.next()) << cut;
        EXPECT_EQ(spool.bytes_cut(), last - cut);
    }
}

TEST_F(SpoolFile, is_read_across_the_reader_s_blocks) {
    // 200 texts of 50 kB are 10 MB: more than two blocks of 4 MiB, cut at odd places.
    const std::string long_name(50'001, 'x');
    for (std::uint32_t id = 1; id <= 200; ++id) {
        encode(bytes_, Text{id, long_name});
    }
    auto spool = reader();
    for (std::uint32_t id = 1; id <= 200; ++id) {
        const auto record = spool.next();
        ASSERT_TRUE(record);
        ASSERT_EQ(std::get<Text>(*record).id, id);
        ASSERT_EQ(std::get<Text>(*record).text, long_name);
    }
    EXPECT_FALSE(spool.next());
}

TEST_F(SpoolFile, of_another_version_is_refused) {
    const std::uint32_t other = kVersion + 1;
    std::memcpy(bytes_.data() + kMagic.size(), &other, sizeof other);
    EXPECT_THAT([&] { reader(); }, ThrowsMessage<Error>(HasSubstr("must be of one build")));
}

TEST_F(SpoolFile, that_is_something_else_is_refused) {
    bytes_.assign(100, 'x');
    EXPECT_THAT([&] { reader(); }, ThrowsMessage<Error>(HasSubstr("is not a spool file")));
    bytes_.clear();
    EXPECT_THAT([&] { reader(); }, ThrowsMessage<Error>(HasSubstr("is not a spool file")));
    EXPECT_THAT([] { Reader{"/no/such/file"}; }, ThrowsMessage<Error>(HasSubstr("cannot open")));
}

TEST_F(SpoolFile, with_a_record_of_a_wrong_size_is_refused) {
    const std::uint32_t half = 0;
    encode_frame(bytes_, Tag::kernel, &half, sizeof half);
    auto spool = reader();
    EXPECT_THAT([&] { spool.next(); }, ThrowsMessage<Error>(HasSubstr("damaged")));
}

TEST_F(SpoolFile, with_an_endless_record_is_refused_without_reading_it) {
    const std::array<std::uint32_t, 2> header{0xffffffff, static_cast<std::uint32_t>(Tag::text)};
    const auto* first = reinterpret_cast<const char*>(header.data());
    bytes_.insert(bytes_.end(), first, first + sizeof header);
    auto spool = reader();
    EXPECT_THAT([&] { spool.next(); }, ThrowsMessage<Error>(HasSubstr("damaged")));
}

}  // namespace
}  // namespace overcast::spool
