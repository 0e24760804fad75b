#include "formats/byte_sink.hpp"

#include "core/error.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

namespace overcast {
namespace {

class FileSink : public ByteSink {
public:
    explicit FileSink(const std::filesystem::path& file) : file_{file}, writing_{file} {
        // A device or a pipe cannot be replaced by renaming: it is written as it is.
        std::error_code ignored;
        const auto status = std::filesystem::status(file, ignored);
        if (std::filesystem::is_directory(status)) {
            throw Error(fmt::format("cannot write {}: it is a directory", file.string()));
        }
        replaces_ = !std::filesystem::exists(status) || std::filesystem::is_regular_file(status);
        if (replaces_) {
            writing_ += fmt::format(".{}.part", ::getpid());
        }
        handle_ = std::fopen(writing_.c_str(), "wb");
        if (handle_ == nullptr) {
            fail();
        }
    }
    FileSink(const FileSink&) = delete;
    FileSink& operator=(const FileSink&) = delete;
    ~FileSink() override {
        if (handle_ != nullptr) {
            std::fclose(handle_);
            discard();
        }
    }

    void write(std::string_view text) override {
        if (std::fwrite(text.data(), 1, text.size(), handle_) != text.size()) {
            fail();
        }
    }

    void finish() override {
        const auto closed = std::fclose(handle_);
        handle_ = nullptr;
        if (closed != 0 || (replaces_ && std::rename(writing_.c_str(), file_.c_str()) != 0)) {
            const auto reason = errno;
            discard();
            errno = reason;
            fail();
        }
    }

private:
    [[noreturn]] void fail() const {
        throw Error(fmt::format("cannot write {}: {}", file_.string(), std::strerror(errno)));
    }
    void discard() const {
        if (replaces_) {
            std::remove(writing_.c_str());
        }
    }

    std::filesystem::path file_;
    std::filesystem::path writing_;
    std::FILE* handle_ = nullptr;
    bool replaces_ = true;
};

class GzipSink : public ByteSink {
public:
    explicit GzipSink(std::unique_ptr<ByteSink> file) : file_{std::move(file)} {
        constexpr int kGzip = 16 + MAX_WBITS;
        constexpr int kDefaultMemory = 8;
        if (deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzip, kDefaultMemory,
                         Z_DEFAULT_STRATEGY) != Z_OK) {
            throw Error("no memory to compress a trace");
        }
    }
    GzipSink(const GzipSink&) = delete;
    GzipSink& operator=(const GzipSink&) = delete;
    ~GzipSink() override { deflateEnd(&stream_); }

    void write(std::string_view text) override {
        constexpr std::size_t kMost = std::size_t{1} << 30;
        for (; !text.empty(); text.remove_prefix(std::min(text.size(), kMost))) {
            compress(text.substr(0, kMost), Z_NO_FLUSH);
        }
    }

    void finish() override {
        compress({}, Z_FINISH);
        file_->finish();
    }

private:
    void compress(std::string_view text, int flush) {
        // zlib does not change what next_in points to.
        stream_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(text.data()));
        stream_.avail_in = static_cast<uInt>(text.size());
        do {
            stream_.next_out = reinterpret_cast<Bytef*>(output_.data());
            stream_.avail_out = static_cast<uInt>(output_.size());
            deflate(&stream_, flush);
            file_->write({output_.data(), output_.size() - stream_.avail_out});
        } while (stream_.avail_out == 0);
    }

    std::unique_ptr<ByteSink> file_;
    z_stream stream_{};
    std::array<char, std::size_t{64} << 10> output_{};
};

}  // namespace

std::unique_ptr<ByteSink> create_byte_sink(const std::filesystem::path& file) {
    auto sink = std::make_unique<FileSink>(file);
    if (file.extension() == ".gz") {
        return std::make_unique<GzipSink>(std::move(sink));
    }
    return sink;
}

void StreamSink::write(std::string_view text) {
    stream_.write(text.data(), static_cast<std::streamsize>(text.size()));
}

void StreamSink::finish() {
    stream_.flush();
    if (!stream_) {
        throw Error("cannot write the trace: the stream it goes to has failed");
    }
}

}  // namespace overcast
