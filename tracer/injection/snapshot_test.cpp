#include "tracer/injection/snapshot.hpp"

#include "tracer/injection/buffers.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <vector>

namespace overcast::injection {
namespace {

/// Finds records as CUPTI's own function does, for the two kinds that occur here.
CUptiResult next_record(std::uint8_t* buffer, std::size_t valid, CUpti_Activity** record) {
    auto* next = buffer;
    if (*record != nullptr) {
        const bool is_kernel = (*record)->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
        next = reinterpret_cast<std::uint8_t*>(*record) +
               (is_kernel ? sizeof(CUpti_ActivityKernel10) : sizeof(CUpti_ActivityAPI));
    }
    if (next >= buffer + valid) {
        return CUPTI_ERROR_MAX_LIMIT_REACHED;
    }
    *record = reinterpret_cast<CUpti_Activity*>(next);
    return (*record)->kind == CUPTI_ACTIVITY_KIND_INVALID ? CUPTI_ERROR_INVALID_KIND
                                                          : CUPTI_SUCCESS;
}

class SnapshotFile : public ::testing::Test {
protected:
    SnapshotFile() : buffer_{BufferPool::allocate(), &std::free} { std::filesystem::remove(file_); }
    ~SnapshotFile() override { std::filesystem::remove(file_); }

    void put_kernel(std::uint32_t correlation, std::uint64_t end) {
        CUpti_ActivityKernel10 kernel{};
        kernel.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
        kernel.name = "scale";
        kernel.start = 10;
        kernel.end = end;
        kernel.correlationId = correlation;
        std::memcpy(buffer_.get() + used_, &kernel, sizeof kernel);
        used_ += sizeof kernel;
    }

    void write() {
        const std::vector<std::uint8_t*> buffers{buffer_.get()};
        snapshot_.write(buffers);
    }

    std::vector<std::uint32_t> correlations() const {
        std::vector<std::uint32_t> result;
        spool::Reader reader{file_};
        while (const auto record = reader.next()) {
            if (const auto* kernel = std::get_if<spool::Kernel>(&*record)) {
                result.push_back(kernel->activity.correlation);
            }
        }
        return result;
    }

    std::string file_ = ::testing::TempDir() + "snapshot-" +
                        ::testing::UnitTest::GetInstance()->current_test_info()->name();
    std::unique_ptr<std::uint8_t, decltype(&std::free)> buffer_;
    std::size_t used_ = 0;
    Snapshot snapshot_{file_, [](CUpti_CallbackDomain, std::uint32_t) { return nullptr; },
                       &next_record};
};

TEST_F(SnapshotFile, has_what_is_finished_behind_something_unfinished) {
    put_kernel(1, 20);
    put_kernel(2, 0);
    put_kernel(3, 30);
    write();
    EXPECT_EQ(correlations(), (std::vector<std::uint32_t>{1, 3}));
}

TEST_F(SnapshotFile, is_replaced_by_the_next_one) {
    put_kernel(1, 20);
    write();
    put_kernel(2, 20);
    write();
    EXPECT_EQ(correlations(), (std::vector<std::uint32_t>{1, 2}));
}

TEST_F(SnapshotFile, is_gone_where_cupti_has_handed_out_everything) {
    put_kernel(1, 20);
    write();
    snapshot_.write({});
    EXPECT_FALSE(std::filesystem::exists(file_));
}

}  // namespace
}  // namespace overcast::injection
