#include "core/spool.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>

namespace overcast::spool {
namespace {

struct FrameHeader {
    std::uint32_t bytes = 0;
    Tag tag{};
    std::uint16_t zero = 0;
};

/// No text of a program is longer; a larger frame means that the file is damaged.
constexpr std::uint32_t kMaxFrame = 64U << 20U;
constexpr std::size_t kReadBlock = 4U << 20U;

void append(std::vector<char>& out, const void* bytes, std::size_t count) {
    const auto* first = static_cast<const char*>(bytes);
    out.insert(out.end(), first, first + count);
}

template <typename Plain>
std::optional<Record> decode_plain(std::string_view payload) {
    if (payload.size() != sizeof(Plain)) {
        return std::nullopt;
    }
    Plain record;
    std::memcpy(&record, payload.data(), sizeof record);
    return record;
}

std::optional<Record> decode_text(std::string_view payload) {
    Text text;
    if (payload.size() < sizeof text.id) {
        return std::nullopt;
    }
    std::memcpy(&text.id, payload.data(), sizeof text.id);
    text.text = payload.substr(sizeof text.id);
    return text;
}

std::optional<Record> decode_information(std::string_view payload) {
    const auto separator = payload.find('\0');
    if (separator == std::string_view::npos) {
        return std::nullopt;
    }
    return Information{payload.substr(0, separator), payload.substr(separator + 1)};
}

std::optional<Record> decode(Tag tag, std::string_view payload) {
    switch (tag) {
        case Tag::text: return decode_text(payload);
        case Tag::information: return decode_information(payload);
        case Tag::process: return decode_plain<Process>(payload);
        case Tag::api_call: return decode_plain<Api>(payload);
        case Tag::kernel: return decode_plain<Kernel>(payload);
        case Tag::copy: return decode_plain<Copy>(payload);
        case Tag::memset: return decode_plain<Memset>(payload);
        case Tag::copy_addresses: return decode_plain<CopyAddresses>(payload);
        case Tag::synchronisation: return decode_plain<Synchronisation>(payload);
        case Tag::event_recording: return decode_plain<EventRecording>(payload);
        case Tag::stream: return decode_plain<Stream>(payload);
        case Tag::context: return decode_plain<Context>(payload);
        case Tag::device: return decode_plain<Device>(payload);
        case Tag::link: return decode_plain<Link>(payload);
        case Tag::memory_operation: return decode_plain<MemoryOperation>(payload);
        case Tag::overhead: return decode_plain<Overhead>(payload);
        case Tag::marker: return decode_plain<Marker>(payload);
        case Tag::quality: return decode_plain<Quality>(payload);
        case Tag::end: return decode_plain<End>(payload);
        case Tag::counted_launch: return decode_plain<CountedLaunch>(payload);
        case Tag::launch_total: return decode_plain<LaunchTotal>(payload);
        case Tag::code: return decode_plain<Code>(payload);
    }
    return std::nullopt;
}

}  // namespace

Code Code::from(const KernelCode& code) {
    Code record;
    const std::array first{code.instructions, code.cycles, code.memory_waits, code.global_bytes,
                           code.barriers};
    const auto bits = [](double value) { return std::bit_cast<std::uint64_t>(value); };
    std::ranges::transform(first, record.values, bits);
    std::ranges::transform(code.cycles_of, record.values + first.size(), bits);
    return record;
}

KernelCode Code::code() const {
    std::array<double, std::size(decltype(values){})> read{};
    std::ranges::transform(values, read.begin(),
                           [](std::uint64_t bits) { return std::bit_cast<double>(bits); });
    KernelCode result;
    result.instructions = read[0];
    result.cycles = read[1];
    result.memory_waits = read[2];
    result.global_bytes = read[3];
    result.barriers = read[4];
    std::copy_n(read.begin() + 5, kCodeUnits, result.cycles_of.begin());
    return result;
}

void encode_frame(std::vector<char>& out, Tag tag, const void* payload, std::size_t bytes) {
    const FrameHeader header{static_cast<std::uint32_t>(bytes), tag, 0};
    append(out, &header, sizeof header);
    append(out, payload, bytes);
}

void encode_header(std::vector<char>& out) {
    append(out, kMagic.data(), kMagic.size());
    append(out, &kVersion, sizeof kVersion);
}

void encode(std::vector<char>& out, const Text& text) {
    const FrameHeader header{static_cast<std::uint32_t>(sizeof text.id + text.text.size()),
                             Tag::text, 0};
    append(out, &header, sizeof header);
    append(out, &text.id, sizeof text.id);
    append(out, text.text.data(), text.text.size());
}

void encode(std::vector<char>& out, const Information& information) {
    const auto bytes = information.key.size() + 1 + information.value.size();
    const FrameHeader header{static_cast<std::uint32_t>(bytes), Tag::information, 0};
    append(out, &header, sizeof header);
    append(out, information.key.data(), information.key.size());
    out.push_back('\0');
    append(out, information.value.data(), information.value.size());
}

Reader::Reader(const std::filesystem::path& file) : file_{file}, input_{file, std::ios::binary} {
    if (!input_) {
        throw Error("cannot open the spool file " + file.string());
    }
    std::uint32_t version = 0;
    if (!fill(kMagic.size() + sizeof version) ||
        std::string_view(buffer_.data(), kMagic.size()) != kMagic) {
        throw Error(file.string() + " is not a spool file of the tracer");
    }
    std::memcpy(&version, buffer_.data() + kMagic.size(), sizeof version);
    if (version != kVersion) {
        throw Error(file.string() +
                    " was written by another version of the tracer (spool version " +
                    std::to_string(version) + ", expected " + std::to_string(kVersion) +
                    "): the overcast command and libovercast-tracer.so must be of one build");
    }
    position_ = kMagic.size() + sizeof version;
}

bool Reader::fill(std::size_t bytes) {
    if (buffer_.size() - position_ >= bytes) {
        return true;
    }
    buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(position_));
    position_ = 0;
    while (buffer_.size() < bytes && input_) {
        const auto had = buffer_.size();
        buffer_.resize(had + kReadBlock);
        input_.read(buffer_.data() + had, static_cast<std::streamsize>(kReadBlock));
        buffer_.resize(had + static_cast<std::size_t>(input_.gcount()));
    }
    return buffer_.size() >= bytes;
}

std::optional<Record> Reader::next() {
    FrameHeader header;
    if (!fill(sizeof header)) {
        bytes_cut_ = buffer_.size() - position_;
        return std::nullopt;
    }
    std::memcpy(&header, buffer_.data() + position_, sizeof header);
    if (header.bytes > kMaxFrame) {
        throw Error("the spool file " + file_.string() + " is damaged: a record of " +
                    std::to_string(header.bytes) + " bytes");
    }
    if (!fill(sizeof header + header.bytes)) {
        bytes_cut_ = buffer_.size() - position_;
        return std::nullopt;
    }
    auto record = decode(
        header.tag, std::string_view(buffer_.data() + position_ + sizeof header, header.bytes));
    if (!record) {
        throw Error("the spool file " + file_.string() + " is damaged: a record with tag " +
                    std::to_string(static_cast<unsigned>(header.tag)) + " of " +
                    std::to_string(header.bytes) + " bytes");
    }
    position_ += sizeof header + header.bytes;
    return record;
}

}  // namespace overcast::spool
