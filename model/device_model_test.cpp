#include "model/device_model.hpp"

#include "core/error.hpp"
#include "model/device_model_json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace overcast {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

std::string installed_text() {
    std::ifstream file{std::string{OVERCAST_SOURCE_DIR} + "/model/devices/nvidia-h200.json"};
    return {std::istreambuf_iterator<char>{file}, {}};
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
    return text;
}

std::string message_of(const std::string& text) {
    try {
        parse_device_model(text, "x.json");
    } catch (const ModelFileError& error) {
        return error.what();
    }
    return "no error";
}

TEST(DeviceModel, the_installed_h200_is_found_by_the_name_the_driver_gives) {
    const auto model = find_device_model("NVIDIA H200");
    ASSERT_TRUE(model);
    EXPECT_EQ(model->name, "nvidia-h200");
    EXPECT_EQ(model->device.multiprocessors, 132U);
    EXPECT_EQ(model->channels.h2d, (std::vector<std::uint32_t>{10, 11, 8, 9}));  // rule 7
    EXPECT_FALSE(model->transfer_overlap_threshold);                             // rule 3
    EXPECT_FALSE(find_device_model("GeForce 256"));
}

TEST(DeviceModel, a_missing_parameter_is_named) {
    const auto text = replaced(installed_text(), "\"h2d.latency_ns\"", "\"h2d.latencies_ns\"");
    EXPECT_THAT(message_of(text), HasSubstr("x.json: parameter 'h2d.latency_ns' is missing"));
}

TEST(DeviceModel, an_unknown_parameter_is_named) {
    const auto text = replaced(installed_text(), "\"parameters\": {",
                               "\"parameters\": {\"kernel.colour\": {\"value\": 1},");
    EXPECT_THAT(message_of(text), HasSubstr("unknown parameter 'kernel.colour'"));
}

TEST(DeviceModel, a_wrong_type_or_another_version_is_an_error_of_the_file) {
    EXPECT_THAT(message_of("[]"), HasSubstr("x.json: not a device model"));
    EXPECT_THAT(message_of("{"), HasSubstr("x.json: not a device model"));
    EXPECT_THAT(
        message_of(replaced(installed_text(), "\"schema_version\": 1", "\"schema_version\": 2")),
        HasSubstr("schema version 2"));
}

TEST(DeviceModel, an_unknown_name_lists_what_is_installed) {
    EXPECT_THROW(load_device_model("nothing.json"), ModelFileError);
    try {
        load_device_model("no-such-gpu");
        FAIL();
    } catch (const ModelFileError& error) {
        EXPECT_THAT(error.what(), HasSubstr("installed: nvidia-h100, nvidia-h200;"));
    }
}

TEST(DeviceModel, an_unknown_gpu_borrows_what_its_trace_does_not_tell) {
    DeviceProperties device;
    device.name = "NVIDIA Something";
    device.multiprocessors = 20;
    Warnings warnings;
    const auto model = generic_device_model(device, warnings);
    EXPECT_EQ(model.device.multiprocessors, 20U);
    EXPECT_EQ(model.device.threads_per_multiprocessor, 2048U);
    ASSERT_EQ(warnings.size(), 1U);
    EXPECT_EQ(warnings[0].code, "generic-device-model");
}

// Two sets are installed: an H200's, and one of compute capability 8.0 with 100 SMs that comes
// later in the alphabet. An A100 is more like the second, an H100 more like the first.
TEST(DeviceModel, an_unknown_gpu_borrows_from_the_most_similar_one) {
    const auto folder =
        std::filesystem::temp_directory_path() / ("overcast_devices_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    auto other = replaced(installed_text(), "\"name\": \"nvidia-h200\"", "\"name\": \"other\"");
    other = replaced(other, "\"compute_capability_major\":9", "\"compute_capability_major\":8");
    other = replaced(other, "\"multiprocessors\":132", "\"multiprocessors\":100");
    std::ofstream{folder / "a.json"} << installed_text();
    std::ofstream{folder / "b.json"} << other;
    setenv("OVERCAST_DEVICES", folder.c_str(), 1);
    const auto borrowed_by = [](std::uint32_t major, std::uint32_t multiprocessors) {
        DeviceProperties device;
        device.compute_capability_major = major;
        device.compute_capability_minor = 0;
        device.multiprocessors = multiprocessors;
        Warnings warnings;
        return generic_device_model(device, warnings).name;
    };
    EXPECT_EQ(borrowed_by(8, 108), "generic (other)");
    EXPECT_EQ(borrowed_by(9, 114), "generic (nvidia-h200)");
    EXPECT_EQ(borrowed_by(10, 148), "generic (nvidia-h200)");
    unsetenv("OVERCAST_DEVICES");
    std::filesystem::remove_all(folder);
}

// An H100 PCIe has 114 SMs, as far from an H100 SXM's 132 as from an H200's, and 2.0 TB/s.
TEST(DeviceModel, a_gpu_between_two_borrows_from_the_one_with_such_a_memory) {
    DeviceProperties device;
    device.compute_capability_major = 9;
    device.compute_capability_minor = 0;
    device.multiprocessors = 114;
    Warnings warnings;
    EXPECT_EQ(generic_device_model(device, warnings).name, "generic (nvidia-h200)");
    device.memory_bandwidth_bytes_per_s = 2.0e12;
    EXPECT_EQ(generic_device_model(device, warnings).name, "generic (nvidia-h100)");
}

TEST(DeviceModel, gaps_of_a_trace_replace_those_of_the_model) {
    auto model = load_device_model("nvidia-h200");
    const auto before = model.gaps.base[static_cast<std::size_t>(GapKind::kernel_to_kernel)];
    OverheadParameters overheads;
    overheads[GapKind::h2d_to_kernel] =
        GapStatistics{.median = 9us, .p10 = 4us, .p90 = 10us, .count = 3};
    overheads[GapKind::h2d_to_h2d] =
        GapStatistics{.median = 2us, .p10 = 1us, .p90 = 3us, .count = 3};
    apply_overheads(model, overheads);
    EXPECT_EQ(model.gaps.base[static_cast<std::size_t>(GapKind::h2d_to_kernel)], 7us);
    EXPECT_EQ(model.h2d.turnaround_same, 2us);
    EXPECT_EQ(model.gaps.base[static_cast<std::size_t>(GapKind::kernel_to_kernel)], before);
}

TEST(DeviceModel, gaps_of_a_trace_hold_what_its_kernels_bring_into_the_l2) {
    DeviceModel model;
    model.gaps.growth_ns_by_bytes = {Curve{{{0, 0}, {100, 10}}}, Curve{{{0, 0}, {100, 40}}},
                                     Curve{{{0, 0}, {100, 7}}}};
    OverheadParameters overheads;
    const GapStatistics gap{.median = 2us, .p10 = 1us, .p90 = 3us, .count = 3};
    overheads[GapKind::h2d_to_kernel] = gap;
    apply_overheads(model, overheads);
    EXPECT_EQ(model.gaps.growth_ns_by_bytes[0].linear(100), 10);
    overheads[GapKind::kernel_to_kernel] = gap;
    for (int times = 0; times < 2; ++times) {  // the second time there is nothing left to take out
        apply_overheads(model, overheads);
        EXPECT_EQ(model.gaps.growth_ns_by_bytes[0].linear(100), 0);
        EXPECT_EQ(model.gaps.growth_ns_by_bytes[1].linear(100), 30);
        EXPECT_EQ(model.gaps.growth_ns_by_bytes[2].linear(100), 0);
    }
}

TEST(DeviceModel, latencies_of_a_trace_replace_those_of_the_model) {
    DeviceModel model;
    model.host.kernel_start_latency = 9us;
    model.host.copy_start_latency = 8us;
    HostLatencies latencies;
    latencies.kernel_start = GapStatistics{2us, 1us, 3us, 5};
    latencies.wake_up = GapStatistics{6us, 4us, 8us, 3};
    latencies.early_return = GapStatistics{40us, 20us, 60us, 7};
    apply_latencies(model, latencies);
    EXPECT_EQ(model.host.kernel_start_latency, 2us);
    EXPECT_EQ(model.host.copy_start_latency, 8us);  // the trace has no such copy
    EXPECT_EQ(model.host.synchronise_wake_up, 6us);
    EXPECT_EQ(model.host.early_return, 40us);
    EXPECT_FALSE(model.host.memset_start_latency);
}

TEST(DeviceModel, tracing_costs_depend_on_how_the_trace_was_recorded) {
    const auto model = load_device_model("nvidia-h200");
    Trace trace;
    trace.record_mode = RecordMode::minimal;
    EXPECT_LT(tracing_cost_of(trace, model).traced.calls.copy,
              tracing_cost_of(Trace{}, model).traced.calls.copy);
}

TEST(DeviceModel, that_does_not_know_light_recordings_takes_them_for_minimal_ones) {
    auto model = load_device_model("nvidia-h200");
    auto json = nlohmann::json::parse(device_model_json(model, {}, "x"));
    auto& parameters = json.at("parameters");
    parameters.erase("host.light_traced_call.copy_ns");
    parameters.at("host.minimal_traced_call.copy_ns").at("value") = 1234;
    parameters.at("host.light_traced_call.memset_ns").at("value") = 4321;
    model = parse_device_model(json.dump(), "x");
    Trace trace;
    trace.record_mode = RecordMode::light;
    EXPECT_EQ(tracing_cost_of(trace, model).traced.calls.copy, 1234ns);
    EXPECT_EQ(tracing_cost_of(trace, model).traced.calls.memset, 4321ns);
}

TEST(WithRecorder, leaves_in_what_the_recorder_of_the_trace_adds) {
    DeviceModel model;
    model.tracing_cost.untraced.copy = 1us;
    model.tracing_cost.traced.calls.copy = 3us;
    model.minimal_tracing.calls.copy = 2us;
    model.minimal_tracing.gaps[static_cast<std::size_t>(GapKind::d2h_to_d2h)] = 500ns;
    model.d2h.turnaround_same = 100ns;
    model.d2h.turnaround_other = 700ns;
    model.host.kernel_call_beside_h2d = 500ns;
    Trace trace;
    trace.record_mode = RecordMode::minimal;
    const auto traced = with_recorder(trace, model);
    const auto cost = tracing_cost_of(trace, traced);
    EXPECT_EQ(cost.untraced.copy, 2us);
    EXPECT_EQ(cost.traced.calls.copy, 2us);
    EXPECT_EQ(cost.traced.gaps[static_cast<std::size_t>(GapKind::d2h_to_d2h)], 0ns);
    EXPECT_EQ(traced.d2h.turnaround_same, 600ns);
    EXPECT_EQ(traced.d2h.turnaround_other, 1200ns);
    EXPECT_EQ(traced.h2d.turnaround_same, model.h2d.turnaround_same);
    EXPECT_EQ(traced.host.kernel_call_beside_h2d, 0ns);
}

TEST(WithRecorder, starts_copies_later_and_takes_fewer_ahead) {
    DeviceModel model;
    model.host.copy_start_latency = 1us;
    model.tracing_cost.traced.copy_start = 2us;
    model.look_ahead.copies_ahead = Curve{{{4, 12}, {65536, 1}}};
    model.look_ahead.recorded_copies_ahead = Curve{{{4, 6}, {65536, 0}}};
    const auto traced = with_recorder(Trace{}, model);
    EXPECT_EQ(traced.host.copy_start_latency, 2us);
    model.tracing_cost.traced.copy_start.reset();
    EXPECT_EQ(with_recorder(Trace{}, model).host.copy_start_latency, 1us);
    EXPECT_EQ(traced.look_ahead.copies_ahead.linear(4), 6);
}

TEST(WithRecorder, counts_starts_from_when_the_device_hears_of_the_work) {
    constexpr auto kKind = static_cast<std::size_t>(GapKind::h2d_to_kernel);
    DeviceModel model;
    model.host.kernel_start_latency = 3us;
    model.host.memset_start_latency = 2us;
    model.gaps.late_arrival[kKind] = 2us;
    model.tracing_cost.untraced.kernel_launch = 2us;
    auto& traced = model.tracing_cost.traced;
    traced.share_after_work = 0.125;
    traced.calls.kernel_launch = 4us;
    traced.calls.memset = 8us;
    traced.calls.copy = 16us;
    const auto recorded = with_recorder(Trace{}, model);
    EXPECT_EQ(recorded.host.share_after_work, 0.125);
    EXPECT_EQ(recorded.host.kernel_start_latency, 3500ns);
    EXPECT_EQ(recorded.host.memset_start_latency, 3us);
    EXPECT_EQ(recorded.host.inline_copy_start_latency, 5us);  // as kernels, after a call of 16 us
    // Half of what recording adds sooner, counted from an eighth of the call before its return.
    EXPECT_EQ(recorded.gaps.late_arrival[kKind], 1500ns);
}

TEST(WithRecorder, lengthens_gaps_beside_copies_to_the_device) {
    constexpr auto kKind = static_cast<std::size_t>(GapKind::kernel_to_d2h);
    DeviceModel model;
    model.tracing_cost.traced.gap_beside_h2d = 5us;
    model.gaps.growth_beside_h2d_ns[kKind] = Curve{{{0, 2000}, {2, 4000}}};
    const auto traced = with_recorder(Trace{}, model);
    EXPECT_EQ(traced.d2h.turnaround_beside, 5us);
    EXPECT_EQ(traced.h2d.turnaround_beside, 0us);
    EXPECT_EQ(traced.gaps.growth_beside_h2d_ns[kKind].linear(2), 9000);
    EXPECT_TRUE(traced.gaps.growth_beside_h2d_ns[0].empty());  // as another kind of gap
}

}  // namespace
}  // namespace overcast
