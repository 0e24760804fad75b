// Which record of an event a wait is for: the last one before it, by whichever thread.
#pragma once

#include <cstdint>
#include <mutex>
#include <unordered_map>

namespace overcast::injection {

/// Every method may be called from any thread.
class EventBook {
public:
    struct Entry {
        std::uint32_t event = 0;   ///< its number, from 1 on
        std::uint64_t record = 0;  ///< of its last record, from 1 on; 0: it was never recorded
    };

    /// The event with this handle is recorded. Returns its entry, with the new record.
    Entry record(std::uint64_t handle) {
        const std::lock_guard lock{mutex_};
        auto& entry = entry_of(handle);
        entry.record = ++records_;
        return entry;
    }
    /// What a wait for it that begins now waits for.
    Entry find(std::uint64_t handle) {
        const std::lock_guard lock{mutex_};
        return entry_of(handle);
    }
    /// Its handle may become another one's.
    void forget(std::uint64_t handle) {
        const std::lock_guard lock{mutex_};
        entries_.erase(handle);
    }

private:
    Entry& entry_of(std::uint64_t handle) {
        auto& entry = entries_[handle];
        if (entry.event == 0) {
            entry.event = ++events_;
        }
        return entry;
    }

    std::mutex mutex_;
    std::unordered_map<std::uint64_t, Entry> entries_;
    std::uint32_t events_ = 0;
    std::uint64_t records_ = 0;
};

}  // namespace overcast::injection
