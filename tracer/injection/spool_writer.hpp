// Appends records to the spool file of this process.
#pragma once

#include "core/spool.hpp"

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace overcast::injection {

/// Collects records in memory; flush() writes them out. Every method may be called from any thread.
/// Application threads only append: writing to the disk is left to the thread that flushes.
class SpoolWriter {
public:
    SpoolWriter();
    SpoolWriter(const SpoolWriter&) = delete;
    SpoolWriter& operator=(const SpoolWriter&) = delete;
    ~SpoolWriter();

    /// Creates `file`. False (with errno set) if that fails; nothing is recorded then.
    bool open(const std::string& file);

    /// Takes memory for a busy second ahead of it.
    void reserve();

    template <typename Record>
    void append(const Record& record) {
        const std::lock_guard lock{pending_mutex_};
        spool::encode(pending_, record);
    }

    /// The number of `text` in the spool, appending it at its first use; 0 for no text.
    std::uint32_t intern(std::string_view text);
    std::uint32_t intern(const char* text) {
        return text == nullptr ? 0 : intern(std::string_view{text});
    }

    /// Its number, if it is in the spool.
    [[nodiscard]] std::optional<std::uint32_t> number_of(const std::string& text);

    /// Writes out everything appended so far. False if the disk refused: the spool is closed then,
    /// and the file keeps what it has.
    bool flush();

    /// For the child of a fork: the file belongs to the parent.
    void abandon();

private:
    std::mutex pending_mutex_;
    std::vector<char> pending_;
    std::unordered_map<std::string, std::uint32_t> texts_;

    std::mutex file_mutex_;
    std::vector<char> writing_;
    int file_ = -1;
};

}  // namespace overcast::injection
