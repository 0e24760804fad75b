#include "core/names.hpp"

namespace overcast {

NameTable::NameTable(const NameTable& other) {
    for (const auto& text : other.texts_) {
        intern(text);
    }
}

NameTable& NameTable::operator=(const NameTable& other) {
    if (this != &other) {
        NameTable copy{other};
        *this = std::move(copy);
    }
    return *this;
}

NameId NameTable::intern(std::string_view text) {
    if (const auto found = ids_.find(text); found != ids_.end()) {
        return found->second;
    }
    const auto id = static_cast<NameId>(texts_.size());
    texts_.emplace_back(text);
    ids_.emplace(texts_.back(), id);
    return id;
}

}  // namespace overcast
