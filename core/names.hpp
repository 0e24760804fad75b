// Interned strings: a million operations share a few dozen names.
#pragma once

#include "core/ids.hpp"

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace overcast {

/// Maps text to a small id and back. Ids count up from 0 in order of first use.
class NameTable {
public:
    NameTable() = default;
    NameTable(const NameTable& other);
    NameTable& operator=(const NameTable& other);
    NameTable(NameTable&&) noexcept = default;
    NameTable& operator=(NameTable&&) noexcept = default;
    ~NameTable() = default;

    NameId intern(std::string_view text);
    [[nodiscard]] std::string_view operator[](NameId id) const { return texts_[index(id)]; }
    [[nodiscard]] std::size_t size() const { return texts_.size(); }

private:
    std::deque<std::string> texts_;  // stable addresses: the map's keys point into it
    std::unordered_map<std::string_view, NameId> ids_;
};

}  // namespace overcast
