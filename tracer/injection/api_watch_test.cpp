// A CUPTI of our own stands for the real one: needs its headers, not the library, nor a GPU.
#include "tracer/injection/api_watch.hpp"

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace overcast::injection {
namespace {

constexpr auto kRuntimeApi = CUPTI_CB_DOMAIN_RUNTIME_API;
constexpr auto kDriverApi = CUPTI_CB_DOMAIN_DRIVER_API;

// As in a toolkit, by callback id from 1 on.
constexpr std::array kRuntimeCalls{"cudaGetDevice_v3020",
                                   "cudaLaunchKernel_v7000",
                                   "cudaMemcpyAsync_v3020",
                                   "cudaStreamSynchronize_v3020",
                                   "cudaStreamSynchronize_ptsz_v7000",
                                   "cudaDeviceSynchronize_v3020",
                                   "cudaEventRecord_v3020",
                                   "cudaEventSynchronize_v3020",
                                   "cudaStreamWaitEvent_v3020",
                                   "cudaEventDestroy_v3020",
                                   "cudaStreamBeginCapture_v10000",
                                   "cudaStreamEndCapture_v10000"};
constexpr std::array kDriverCalls{"cuCtxGetCurrent", "cuLaunchKernel", "cuStreamSynchronize",
                                  "cuEventRecord", "cuProfilerStart"};

struct Asked {
    std::set<std::string> recorded;
    std::set<std::string> watched;
    std::set<std::string> left_out;
};
Asked asked;  // CUPTI's functions carry no user data

const char* name_of(CUpti_CallbackDomain domain, std::uint32_t cbid) {
    if (domain == kRuntimeApi) {
        return cbid <= kRuntimeCalls.size() ? kRuntimeCalls[cbid - 1] : nullptr;
    }
    return cbid <= kDriverCalls.size() ? kDriverCalls[cbid - 1] : nullptr;
}

CuptiLibrary cupti_for_tests() {
    CuptiLibrary cupti;
    cupti.get_callback_name = [](CUpti_CallbackDomain domain, std::uint32_t cbid,
                                 const char** name) {
        *name = name_of(domain, cbid);
        return *name == nullptr ? CUPTI_ERROR_INVALID_PARAMETER : CUPTI_SUCCESS;
    };
    cupti.enable_runtime_api = [](CUpti_CallbackId cbid, std::uint8_t enable) {
        (enable != 0 ? asked.recorded : asked.left_out).insert(name_of(kRuntimeApi, cbid));
        return CUPTI_SUCCESS;
    };
    cupti.enable_driver_api = [](CUpti_CallbackId cbid, std::uint8_t enable) {
        (enable != 0 ? asked.recorded : asked.left_out).insert(name_of(kDriverApi, cbid));
        return CUPTI_SUCCESS;
    };
    cupti.enable_callback = [](std::uint32_t /*enable*/, CUpti_SubscriberHandle /*subscriber*/,
                               CUpti_CallbackDomain domain, CUpti_CallbackId cbid) {
        asked.watched.insert(name_of(domain, cbid));
        return CUPTI_SUCCESS;
    };
    cupti.get_stream_id = [](CUcontext /*context*/, CUstream stream, std::uint8_t per_thread,
                             std::uint32_t* id) {
        *id = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(stream)) +
              (per_thread != 0 ? 1000 : 0);
        return CUPTI_SUCCESS;
    };
    return cupti;
}

class Watching : public ::testing::Test {
protected:
    Watching()
        : file_{::testing::TempDir() + "watching-" +
                ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".spool"},
          cupti_{cupti_for_tests()},
          watch_{cupti_, spool_} {
        asked = {};
        std::filesystem::remove(file_);
        EXPECT_TRUE(spool_.open(file_));
    }
    ~Watching() override { std::filesystem::remove(file_); }

    static CUpti_CallbackId id_of(CUpti_CallbackDomain domain, std::string_view name) {
        CUpti_CallbackId id = 1;
        while (name != name_of(domain, id)) {
            ++id;
        }
        return id;
    }

    using Arguments = std::array<std::uint64_t, 2>;

    void enter(CUpti_CallbackDomain domain, std::string_view name, std::uint32_t correlation,
               Arguments arguments) {
        tell(domain, name, CUPTI_API_ENTER, correlation, arguments);
    }
    void leave(CUpti_CallbackDomain domain, std::string_view name, std::uint32_t correlation,
               Arguments arguments) {
        tell(domain, name, CUPTI_API_EXIT, correlation, arguments);
    }
    void call(CUpti_CallbackDomain domain, std::string_view name, std::uint32_t correlation,
              Arguments arguments = {}) {
        enter(domain, name, correlation, arguments);
        leave(domain, name, correlation, arguments);
    }

    template <typename Record>
    std::vector<Record> all() {
        EXPECT_TRUE(spool_.flush());
        spool::Reader reader{file_};
        std::vector<Record> found;
        while (const auto record = reader.next()) {
            if (const auto* one = std::get_if<Record>(&*record)) {
                found.push_back(*one);
            }
        }
        return found;
    }
    std::vector<spool::Synchronisation> waits() { return all<spool::Synchronisation>(); }

    std::string file_;
    CuptiLibrary cupti_;
    SpoolWriter spool_;
    ApiWatch watch_;
    int answer_ = 0;  ///< of all calls

private:
    void tell(CUpti_CallbackDomain domain, std::string_view name, CUpti_ApiCallbackSite site,
              std::uint32_t correlation, const Arguments& arguments) {
        CUpti_CallbackData data{};
        data.functionReturnValue = &answer_;
        data.callbackSite = site;
        data.functionParams = arguments.data();
        data.correlationId = correlation;
        data.contextUid = 1;
        watch_.on_call(domain, id_of(domain, name), data);
    }
};

TEST_F(Watching, asks_for_each_call_by_itself_and_never_for_noise) {
    watch_.record_calls(RecordMode::light, false);
    EXPECT_EQ(asked.recorded.count("cudaLaunchKernel_v7000"), 1U);
    EXPECT_EQ(asked.recorded.count("cudaEventRecord_v3020"), 1U);
    EXPECT_EQ(asked.recorded.count("cuLaunchKernel"), 1U);
    EXPECT_EQ(asked.recorded.count("cudaGetDevice_v3020"), 0U);
    EXPECT_EQ(asked.recorded.count("cuCtxGetCurrent"), 0U);
    EXPECT_TRUE(asked.left_out.empty());
}

TEST_F(Watching, asks_the_driver_for_its_profiler_calls_alone_in_a_minimal_recording) {
    watch_.record_calls(RecordMode::minimal, true);
    EXPECT_EQ(asked.recorded.count("cuProfilerStart"), 1U);
    EXPECT_EQ(asked.recorded.count("cuLaunchKernel"), 0U);
    EXPECT_EQ(asked.recorded.count("cudaLaunchKernel_v7000"), 1U);
}

TEST_F(Watching, leaves_noise_out_of_a_full_recording_which_has_all_calls) {
    watch_.record_calls(RecordMode::full, false);
    EXPECT_TRUE(asked.recorded.empty());
    EXPECT_EQ(asked.left_out, (std::set<std::string>{"cudaGetDevice_v3020", "cuCtxGetCurrent"}));
}

TEST_F(Watching, asks_for_callbacks_of_calls_that_it_needs_them_for) {
    watch_.watch_calls(nullptr, RecordMode::full);
    EXPECT_EQ(asked.watched, (std::set<std::string>{"cudaMemcpyAsync_v3020"}));
    watch_.watch_calls(nullptr, RecordMode::light);
    EXPECT_EQ(asked.watched.size(), 12U);
    EXPECT_EQ(asked.watched.count("cudaLaunchKernel_v7000"), 0U);
    EXPECT_EQ(asked.watched.count("cudaGetDevice_v3020"), 0U);
}

TEST_F(Watching, says_what_waits_wait_for) {
    watch_.watch_calls(nullptr, RecordMode::light);
    call(kRuntimeApi, "cudaStreamSynchronize_v3020", 5, {7});
    call(kRuntimeApi, "cudaStreamSynchronize_ptsz_v7000", 6);
    call(kRuntimeApi, "cudaDeviceSynchronize_v3020", 8);
    const auto found = waits();
    ASSERT_EQ(found.size(), 3U);
    EXPECT_EQ(found[0].correlation, 5U);
    EXPECT_EQ(found[0].context, 1U);
    EXPECT_EQ(found[0].has_stream, 1);
    EXPECT_EQ(found[0].stream, 7U);
    EXPECT_GE(found[0].end, found[0].start);
    EXPECT_GT(found[0].start, 0U);
    EXPECT_EQ(found[1].stream, 1000U) << "the thread's own";
    EXPECT_EQ(found[2].kind, static_cast<std::uint32_t>(SynchronisationKind::context));
    EXPECT_EQ(found[2].has_stream, 0);
}

TEST_F(Watching, takes_a_call_of_the_runtime_and_what_it_asks_of_the_driver_as_one) {
    watch_.watch_calls(nullptr, RecordMode::light);
    enter(kRuntimeApi, "cudaStreamSynchronize_v3020", 5, {7});
    call(kDriverApi, "cuStreamSynchronize", 5, {7});
    leave(kRuntimeApi, "cudaStreamSynchronize_v3020", 5, {7});
    call(kDriverApi, "cuStreamSynchronize", 9, {3});
    const auto found = waits();
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].correlation, 5U);
    EXPECT_EQ(found[1].correlation, 9U);
}

TEST_F(Watching, joins_a_wait_to_the_last_record_of_its_event) {
    constexpr std::uint64_t kEvent = 0x5000;
    constexpr std::uint64_t kOther = 0x6000;
    watch_.watch_calls(nullptr, RecordMode::light);
    call(kRuntimeApi, "cudaEventRecord_v3020", 1, {kEvent, 7});
    call(kRuntimeApi, "cudaEventRecord_v3020", 2, {kOther, 7});
    call(kRuntimeApi, "cudaStreamWaitEvent_v3020", 3, {8, kEvent});
    call(kDriverApi, "cuEventRecord", 4, {kEvent, 9});
    call(kRuntimeApi, "cudaEventSynchronize_v3020", 5, {kEvent});
    const auto records = all<spool::EventRecording>();
    ASSERT_EQ(records.size(), 3U);
    EXPECT_EQ(records[0].stream, 7U);
    EXPECT_EQ(records[2].stream, 9U);
    EXPECT_EQ(records[0].event, records[2].event);
    EXPECT_NE(records[0].event, records[1].event);
    const auto found = waits();
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].kind, static_cast<std::uint32_t>(SynchronisationKind::stream_wait_event));
    EXPECT_EQ(found[0].stream, 8U);
    EXPECT_EQ(found[0].event_sync, records[0].event_sync);
    EXPECT_EQ(found[1].kind, static_cast<std::uint32_t>(SynchronisationKind::event));
    EXPECT_EQ(found[1].event_sync, records[2].event_sync);
    EXPECT_NE(records[0].event_sync, records[2].event_sync);
}

TEST_F(Watching, takes_an_event_at_the_place_of_a_destroyed_one_for_another) {
    constexpr std::uint64_t kEvent = 0x5000;
    watch_.watch_calls(nullptr, RecordMode::light);
    call(kRuntimeApi, "cudaEventRecord_v3020", 1, {kEvent, 7});
    call(kRuntimeApi, "cudaEventDestroy_v3020", 2, {kEvent});
    call(kRuntimeApi, "cudaStreamWaitEvent_v3020", 3, {8, kEvent});
    const auto found = waits();
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].event_sync, 0U) << "never recorded";
    EXPECT_NE(found[0].event, all<spool::EventRecording>().front().event);
}

TEST_F(Watching, leaves_out_what_is_captured_for_a_graph) {
    constexpr std::uint64_t kEvent = 0x5000;
    watch_.watch_calls(nullptr, RecordMode::light);
    call(kRuntimeApi, "cudaStreamBeginCapture_v10000", 1, {7});
    call(kRuntimeApi, "cudaEventRecord_v3020", 2, {kEvent, 7});
    call(kRuntimeApi, "cudaStreamWaitEvent_v3020", 3, {8, kEvent});
    call(kRuntimeApi, "cudaStreamEndCapture_v10000", 4, {7});
    EXPECT_TRUE(all<spool::EventRecording>().empty());
    EXPECT_TRUE(waits().empty());
    answer_ = 1;  // it does not begin
    call(kRuntimeApi, "cudaStreamBeginCapture_v10000", 5, {7});
    call(kRuntimeApi, "cudaEventRecord_v3020", 6, {kEvent, 7});
    call(kRuntimeApi, "cudaStreamWaitEvent_v3020", 7, {8, kEvent});
    EXPECT_EQ(all<spool::EventRecording>().size(), 1U);
    EXPECT_EQ(waits().size(), 1U);
}

TEST_F(Watching, leaves_out_what_it_cannot_tell_the_stream_of) {
    cupti_.get_stream_id = [](CUcontext /*context*/, CUstream /*stream*/, std::uint8_t /*own*/,
                              std::uint32_t* /*id*/) { return CUPTI_ERROR_INVALID_STREAM; };
    watch_.watch_calls(nullptr, RecordMode::light);
    call(kRuntimeApi, "cudaStreamSynchronize_v3020", 5, {7});
    call(kRuntimeApi, "cudaEventRecord_v3020", 6, {0x5000, 7});
    EXPECT_TRUE(waits().empty());
    EXPECT_TRUE(all<spool::EventRecording>().empty());
}

}  // namespace
}  // namespace overcast::injection
