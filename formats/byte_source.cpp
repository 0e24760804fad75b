#include "formats/byte_source.hpp"

#include "core/error.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace overcast {
namespace {

constexpr std::size_t kCompressedChunk = std::size_t{256} << 10;

// A trace compresses 10 to 40 times. Deflate can reach 1032, which only a hostile file does.
constexpr std::uint64_t kLargestExpansion = 250;
constexpr std::uint64_t kExpansionGrace = std::uint64_t{64} << 20;

class FileSource : public ByteSource {
public:
    explicit FileSource(const std::filesystem::path& file) : name_{file.string()} {
        std::error_code ignored;
        if (std::filesystem::is_directory(file, ignored)) {
            throw TraceFormatError(
                fmt::format("{} is a directory: give one trace file in it", name_));
        }
        file_.reset(std::fopen(name_.c_str(), "rb"));
        if (!file_) {
            throw TraceFormatError(fmt::format("cannot open {}: {}", name_, std::strerror(errno)));
        }
        std::setvbuf(file_.get(), nullptr, _IONBF, 0);
    }

    std::size_t read(std::span<char> to) override {
        // What was looked at to tell the format comes first.
        const auto kept = std::min(to.size(), peeked_.size() - peeked_used_);
        std::copy_n(peeked_.data() + peeked_used_, kept, to.data());
        peeked_used_ += kept;
        return kept + read_file(to.subspan(kept));
    }

    std::string_view peek(std::size_t count) {
        peeked_.resize(count);
        peeked_.resize(read_file(peeked_));
        return peeked_;
    }

private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };

    std::size_t read_file(std::span<char> to) {
        if (to.empty()) {
            return 0;
        }
        const auto count = std::fread(to.data(), 1, to.size(), file_.get());
        if (std::ferror(file_.get()) != 0) {
            throw TraceFormatError(fmt::format("cannot read {}: {}", name_, std::strerror(errno)));
        }
        return count;
    }

    std::string name_;
    std::unique_ptr<std::FILE, Close> file_;
    std::string peeked_;
    std::size_t peeked_used_ = 0;
};

class GzipSource : public ByteSource {
public:
    GzipSource(std::unique_ptr<ByteSource> compressed, std::string_view name)
        : compressed_{std::move(compressed)}, name_{name}, input_(kCompressedChunk) {
        constexpr int kGzipOnly = 16 + MAX_WBITS;
        if (inflateInit2(&stream_, kGzipOnly) != Z_OK) {
            throw TraceFormatError(fmt::format("{}: no memory to decompress it", name_));
        }
    }
    GzipSource(const GzipSource&) = delete;
    GzipSource& operator=(const GzipSource&) = delete;
    ~GzipSource() override { inflateEnd(&stream_); }

    std::size_t read(std::span<char> to) override {
        std::size_t done = 0;
        while (done < to.size() && more_input()) {
            const auto part = std::min<std::size_t>(to.size() - done, kExpansionGrace);
            stream_.next_out = reinterpret_cast<Bytef*>(to.data() + done);
            stream_.avail_out = static_cast<uInt>(part);
            const auto result = inflate(&stream_, Z_NO_FLUSH);
            const auto produced = part - stream_.avail_out;
            done += produced;
            produced_ += produced;
            check(result);
        }
        return done;
    }

private:
    /// False at the end of the file, which must fall between two members.
    bool more_input() {
        if (stream_.avail_in == 0) {
            const auto count = compressed_->read(input_);
            consumed_ += count;
            stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
            stream_.avail_in = static_cast<uInt>(count);
        }
        if (stream_.avail_in == 0 && inside_member_ && !output_pending_) {
            fail("the compressed data ends too early: the file is truncated");
        }
        if (stream_.avail_in != 0 && !inside_member_) {
            inflateReset(&stream_);
            inside_member_ = true;
        }
        return inside_member_;
    }

    void check(int result) {
        output_pending_ = stream_.avail_out == 0;
        if (result == Z_STREAM_END) {
            inside_member_ = false;
        } else if (result == Z_MEM_ERROR) {
            fail("no memory to decompress it");
        } else if (result != Z_OK && result != Z_BUF_ERROR) {
            fail(fmt::format("the compressed data is damaged ({})",
                             stream_.msg != nullptr ? stream_.msg : "unexpected end"));
        }
        if (produced_ > kExpansionGrace && produced_ / kLargestExpansion > position()) {
            fail(
                fmt::format("it expands to more than {} times its size, which no trace does: the "
                            "file is damaged or hostile",
                            kLargestExpansion));
        }
    }

    [[nodiscard]] std::uint64_t position() const { return consumed_ - stream_.avail_in; }

    [[noreturn]] void fail(std::string_view reason) const {
        throw TraceFormatError(
            fmt::format("{}: byte {} of the compressed file: {}", name_, position(), reason));
    }

    std::unique_ptr<ByteSource> compressed_;
    std::string name_;
    std::vector<char> input_;
    z_stream stream_{};
    std::uint64_t consumed_ = 0;
    std::uint64_t produced_ = 0;
    bool inside_member_ = true;
    bool output_pending_ = false;
};

}  // namespace

std::size_t MemorySource::read(std::span<char> to) {
    const auto count = std::min(to.size(), rest_.size());
    std::copy_n(rest_.data(), count, to.data());
    rest_.remove_prefix(count);
    return count;
}

std::unique_ptr<ByteSource> open_byte_source(const std::filesystem::path& file) {
    constexpr std::string_view kGzipMagic = "\x1f\x8b";
    auto source = std::make_unique<FileSource>(file);
    if (source->peek(kGzipMagic.size()) == kGzipMagic) {
        return gunzip(std::move(source), file.string());
    }
    return source;
}

std::unique_ptr<ByteSource> gunzip(std::unique_ptr<ByteSource> compressed, std::string_view name) {
    return std::make_unique<GzipSource>(std::move(compressed), name);
}

}  // namespace overcast
