#include "tests/fuzz/fuzzed_readers.hpp"

#include "core/error.hpp"
#include "core/temporary_folder.hpp"
#include "formats/chrome_trace_writer.hpp"
#include "model/device_model_json.hpp"
#include "tests/fuzz/read_any_bytes.hpp"
#include "tracer/launcher/spool_to_trace.hpp"

#include <array>
#include <cstddef>
#include <fstream>
#include <sstream>

namespace overcast::test {
namespace {

using FaultInText = std::string (*)(std::string_view, std::size_t);

/// The first byte chooses how much text is read at once.
template <FaultInText fault_in>
std::string fault_in_chunks(std::string_view bytes) {
    if (bytes.empty()) {
        return "";
    }
    const auto chunk = std::size_t{static_cast<unsigned char>(bytes.front())} * 16 + 1;
    return fault_in(bytes.substr(1), chunk);
}

std::string fault_in_spool(std::string_view bytes) {
    constexpr std::size_t kChunk = std::size_t{1} << 20;
    static const TemporaryFolder folder;
    const auto file = folder.path() / "fuzz.spool";
    std::ofstream{file, std::ios::binary}.write(bytes.data(),
                                                static_cast<std::streamsize>(bytes.size()));
    try {
        std::ostringstream text;
        StreamSink sink{text};
        write_chrome_trace(read_spool(file).trace, sink);
        return fault_in_reading(text.str(), kChunk);
    } catch (const Error& error) {
        return std::string_view{error.what()}.find(file.string()) != std::string_view::npos
                   ? ""
                   : "the message names no file";
    }
}

std::string fault_in_device_model(std::string_view bytes) {
    constexpr std::string_view kName = "fuzz.json";
    try {
        parse_device_model(bytes, kName);
    } catch (const ModelFileError& error) {
        return std::string_view{error.what()}.find(kName) != std::string_view::npos
                   ? ""
                   : "the message names no file";
    }
    return "";
}

constexpr std::array kReaders{
    FuzzedReader{.name = "json", .fault_in = fault_in_chunks<fault_in_reading>},
    FuzzedReader{.name = "nsys", .fault_in = fault_in_reading_nsys},
    FuzzedReader{.name = "nvprof", .fault_in = fault_in_chunks<fault_in_reading_nvprof>},
    FuzzedReader{.name = "spool", .fault_in = fault_in_spool},
    FuzzedReader{.name = "device_model", .fault_in = fault_in_device_model},
};

}  // namespace

std::span<const FuzzedReader> fuzzed_readers() { return kReaders; }

}  // namespace overcast::test
