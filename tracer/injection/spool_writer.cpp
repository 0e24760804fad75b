#include "tracer/injection/spool_writer.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>

namespace overcast::injection {
namespace {

constexpr std::size_t kReserved = 4U
                                  << 20U;  // page faults are taken before the program's first call

}  // namespace

SpoolWriter::SpoolWriter() { spool::encode_header(pending_); }

SpoolWriter::~SpoolWriter() {
    if (file_ >= 0) {
        ::close(file_);
    }
}

bool SpoolWriter::open(const std::string& file) {
    file_ = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
    if (file_ < 0) {
        return false;
    }
    return true;
}

void SpoolWriter::reserve() {
    const std::lock_guard file_lock{file_mutex_};
    const std::lock_guard lock{pending_mutex_};
    // Written to, so that the pages are there before the program's first call.
    for (auto* room : {&pending_, &writing_}) {
        const auto used = room->size();
        room->resize(std::max(used, kReserved));
        room->resize(used);
    }
}

std::uint32_t SpoolWriter::intern(std::string_view text) {
    const std::lock_guard lock{pending_mutex_};
    const auto next = static_cast<std::uint32_t>(texts_.size() + 1);
    const auto [entry, is_new] = texts_.try_emplace(std::string{text}, next);
    if (is_new) {
        spool::encode(pending_, spool::Text{next, entry->first});
    }
    return entry->second;
}

std::optional<std::uint32_t> SpoolWriter::number_of(const std::string& text) {
    const std::lock_guard lock{pending_mutex_};
    const auto found = texts_.find(text);
    return found == texts_.end() ? std::nullopt : std::optional{found->second};
}

bool SpoolWriter::flush() {
    const std::lock_guard file_lock{file_mutex_};
    {
        const std::lock_guard lock{pending_mutex_};
        std::swap(pending_, writing_);
        pending_.clear();
    }
    const char* next = writing_.data();
    std::size_t left = file_ < 0 ? 0 : writing_.size();
    while (left > 0) {
        const auto written = ::write(file_, next, left);
        if (written < 0) {
            if (errno == EINTR) {
                continue;
            }
            ::close(file_);
            file_ = -1;
            return false;
        }
        next += written;
        left -= static_cast<std::size_t>(written);
    }
    writing_.clear();
    return file_ >= 0;
}

void SpoolWriter::abandon() {
    // No lock: the thread that held it may not exist in the child.
    if (file_ >= 0) {
        ::close(file_);
        file_ = -1;
    }
}

}  // namespace overcast::injection
