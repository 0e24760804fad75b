#include "formats/format_table.hpp"

#include "core/error.hpp"
#include "formats/byte_source.hpp"
#include "formats/chrome_trace_reader.hpp"
#include "formats/json_scan.hpp"
#include "formats/nsys_sqlite_reader.hpp"
#include "formats/nvprof_csv_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

namespace overcast {
namespace {

bool is_json(std::string_view start, const std::filesystem::path&) {
    const auto first = std::find_if_not(start.begin(), start.end(), is_json_space);
    return first != start.end() && (*first == '{' || *first == '[');
}

bool is_nsys(std::string_view start, const std::filesystem::path& file) {
    return is_sqlite(start) || is_nsys_report(file);
}

/// A database is read in any order, so from the file itself.
Trace read_nsys(const std::filesystem::path& file, ByteSource& /*text*/) {
    if (is_nsys_report(file)) {
        refuse_nsys_report(file);
    }
    return read_nsys_sqlite(file);
}

constexpr std::array kFormats{
    TraceFormat{.name = "Chrome/Kineto JSON (.json, .json.gz)",
                .recognise = is_json,
                .read = [](const std::filesystem::path& file,
                           ByteSource& text) { return read_chrome_trace(text, file.string()); }},
    TraceFormat{.name = "Nsight Systems export (.sqlite)", .recognise = is_nsys, .read = read_nsys},
    TraceFormat{.name = "nvprof CSV (.csv)",
                .recognise = [](std::string_view start,
                                const std::filesystem::path&) { return is_nvprof_csv(start); },
                .read = [](const std::filesystem::path& file,
                           ByteSource& text) { return read_nvprof_csv(text, file.string()); }},
};

/// Gives what was looked at once more, then the rest: a pipe cannot be opened twice.
class ReplayedSource : public ByteSource {
public:
    explicit ReplayedSource(const std::filesystem::path& file)
        : source_{open_byte_source(file)}, start_(kLookedAt, '\0') {
        start_.resize(source_->read(start_));
    }

    [[nodiscard]] std::string_view start() const { return start_; }

    std::size_t read(std::span<char> to) override {
        const auto count = std::min(to.size(), start_.size() - replayed_);
        std::copy_n(start_.data() + replayed_, count, to.data());
        replayed_ += count;
        return count + source_->read(to.subspan(count));
    }

private:
    static constexpr std::size_t kLookedAt = 4096;

    std::unique_ptr<ByteSource> source_;
    std::string start_;
    std::size_t replayed_ = 0;
};

}  // namespace

std::span<const TraceFormat> trace_formats() { return kFormats; }

Trace read_trace(const std::filesystem::path& file) {
    ReplayedSource text{file};
    if (text.start().empty()) {
        throw TraceFormatError(
            fmt::format("{} is empty: was the recording interrupted?", file.string()));
    }
    std::string known;
    for (const auto& format : trace_formats()) {
        if (format.recognise(text.start(), file)) {
            return format.read(file, text);
        }
        known += fmt::format("{}{}", known.empty() ? "" : ", ", format.name);
    }
    throw TraceFormatError(
        fmt::format("{} is not a trace: expected {}, as `overcast trace`, PyTorch's profiler, nsys "
                    "export --type "
                    "sqlite or nvprof --print-gpu-trace --csv writes it",
                    file.string(), known));
}

}  // namespace overcast
