#include "core/error.hpp"
#include "model/device_model_json.hpp"
#include "model/device_parameters.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

namespace overcast {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

DeviceModel installed() {
    return load_device_model(std::string{OVERCAST_SOURCE_DIR} + "/model/devices/nvidia-h200.json");
}

DeviceModelNotes some_notes() {
    DeviceModelNotes notes;
    notes.driver = "580.1";
    notes.command = "overcast calibrate \"x\"";
    Estimate fit;
    fit.value = 2591.4;
    fit.residual = 0.0123456789;
    fit.low = 2500;
    fit.high = 2700;
    fit.valid_from = 4;
    fit.valid_to = 1024;
    fit.points = 9;
    notes.parameters["h2d.latency_ns"] = {"probe copies, traced", fit};
    notes.rules.push_back({"channel-fifo", "a channel is a FIFO", 8, 9, "ready first: 1"});
    return notes;
}

TEST(DeviceModelWriter, writes_what_the_reader_reads_parameter_by_parameter) {
    const auto model = installed();
    auto before = model;
    auto after = parse_device_model(device_model_json(model, some_notes(), "x"), "written");
    EXPECT_EQ(after.name, model.name);
    EXPECT_EQ(after.device_names, model.device_names);
    EXPECT_EQ(after.device.memory, model.device.memory);
    EXPECT_EQ(after.device.memory_bandwidth_bytes_per_s, model.device.memory_bandwidth_bytes_per_s);
    // The same text again: each parameter went through unchanged.
    EXPECT_EQ(device_model_json(after, some_notes(), "x"),
              device_model_json(before, some_notes(), "x"));
    EXPECT_EQ(after.h2d.duplex_factor.points(), model.h2d.duplex_factor.points());
    EXPECT_EQ(after.channels.compute, model.channels.compute);
    EXPECT_FALSE(after.transfer_overlap_threshold);
}

TEST(DeviceModelWriter, keeps_a_changed_value) {
    auto model = installed();
    model.gaps.event = 1234ns;
    const auto after = parse_device_model(device_model_json(model, {}, "x"), "written");
    EXPECT_EQ(after.gaps.event, 1234ns);
}

TEST(DeviceModelWriter, keeps_what_a_file_need_not_have) {
    auto model = installed();
    model.channels.by_connections = {{1, {0}, {1}, {2}}, {32, {0, 1}, {2, 3}, {4}}};
    model.copy_service = CopyService::fifo_by_readiness;
    model.memset.pieces.clear();
    model.d2d.pieces = {{Bytes{0}, 700ns, Bandwidth{3e12}}, {Bytes{1 << 24}, 0ns, Bandwidth{2e12}}};
    const auto after = parse_device_model(device_model_json(model, {}, "x"), "written");
    EXPECT_EQ(after.channels.by_connections, model.channels.by_connections);
    EXPECT_EQ(after.copy_service, CopyService::fifo_by_readiness);
    ASSERT_EQ(after.d2d.pieces.size(), 2U);
    EXPECT_EQ(after.d2d.pieces[0].latency, 700ns);
    EXPECT_EQ(after.d2d.pieces[1].from, Bytes{1 << 24});
    EXPECT_EQ(after.d2d.pieces[1].bandwidth.bytes_per_s(), 2e12);
    EXPECT_TRUE(after.memset.pieces.empty());
}

TEST(DeviceModelWriter, refuses_orders_of_service_and_rows_that_make_no_sense) {
    const auto with = [](const std::string& name, const std::string& value) {
        auto text = device_model_json(installed(), {}, "x");
        const auto at = text.find("\"value\":", text.find("\"" + name + "\""));
        const auto end = text.find(",\"source\"", at);
        return text.replace(at, end - at, "\"value\":" + value);
    };
    const auto message = [&](const std::string& name, const std::string& value) -> std::string {
        try {
            parse_device_model(with(name, value), "x.json");
        } catch (const ModelFileError& error) {
            return error.what();
        }
        return "no error";
    };
    EXPECT_THAT(message("copy_engine.service", "\"random\""),
                HasSubstr("unknown order of service 'random'; known are: drain, fifo-by-issue"));
    const std::string row = R"({"connections":2,"compute_ids":[0],"h2d_ids":[1],"d2h_ids":[2]})";
    EXPECT_THAT(message("channels.by_connections", "[" + row + "," + row + "]"),
                HasSubstr("must rise"));
    EXPECT_THAT(message("channels.by_connections",
                        R"([{"connections":2,"compute_ids":[],"h2d_ids":[1],"d2h_ids":[2]}])"),
                HasSubstr("needs a number of connections and channels"));
}

TEST(DeviceModelWriter, writes_what_was_observed_beside_the_parameters) {
    auto notes = some_notes();
    Estimate one;
    one.value = 1000;
    one.low = 900;
    one.high = 1200;
    one.residual = 50;
    one.points = 7;
    auto two = one;
    two.value = 2000;
    notes.observations.push_back({"host.stream_create_ns", {{0, one}}, "probe x"});
    notes.observations.push_back({"host.launch_ns_by_bytes", {{8, one}, {4096, two}}, "probe y"});
    const auto text = device_model_json(installed(), notes, "x");
    EXPECT_THAT(text, HasSubstr(R"("host.stream_create_ns": {"value":1000.0,"source":"probe x",)"
                                R"("points":7,"residual":50.0,"interval_90":[900.0,1200.0]})"));
    EXPECT_THAT(text, HasSubstr(R"("value":[[8.0,1000.0],[4096.0,2000.0]])"));
    EXPECT_THAT(text, HasSubstr(R"("valid":[8.0,4096.0])"));
    EXPECT_NO_THROW(parse_device_model(text, "written"));
}

TEST(DeviceModelWriter, says_how_sure_a_measured_parameter_is_and_marks_defaults) {
    const auto text = device_model_json(installed(), some_notes(), "nvidia-h200");
    EXPECT_THAT(text,
                HasSubstr(R"("source":"probe copies, traced","points":9,"residual":0.0123457,)"
                          R"("interval_90":[2500.0,2700.0],"valid":[4.0,1024.0])"));
    EXPECT_THAT(text, HasSubstr(R"x("default: not measured by calibrate (nvidia-h200)")x"));
    EXPECT_THAT(text, HasSubstr(R"("kept":8,"of":9)"));
}

TEST(DeviceModelWriter, wrote_on_an_h200_what_can_be_predicted_with) {
    const auto model =
        load_device_model(std::string{OVERCAST_SOURCE_DIR} + "/docs/calibration/h200.json");
    EXPECT_EQ(model.device_names, std::vector<std::string>{"NVIDIA H200"});
    EXPECT_EQ(model.channels.compute.size(), 8U);
    // PCIe of the fifth generation, 16 lanes: 63 GB/s less what the protocol takes; machines differ
    // by 2 %.
    EXPECT_NEAR(model.h2d.bandwidth.bytes_per_s(), 55.5e9, 1.5e9);
    EXPECT_EQ(model.channels.by_connections.size(), 4U);
    EXPECT_EQ(model.copy_service, CopyService::drain);
    EXPECT_FALSE(model.d2d.pieces.empty());  // what fits the L2 is faster
    EXPECT_EQ(model.inline_copies.pageable_limit, Bytes{65536});
}

TEST(DeviceModelWriter, refuses_a_note_on_nothing) {
    DeviceModelNotes notes;
    notes.parameters["h2d.latency"] = {"misspelt", {}};
    EXPECT_THROW(device_model_json(installed(), notes, "x"), ModelFileError);
}

}  // namespace
}  // namespace overcast
