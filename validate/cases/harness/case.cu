#include "validate/cases/harness/case.hpp"

#include <limits>

namespace overcast::cases {

std::uint64_t Values::operator[](std::string_view name) const {
    const auto found = values_.find(name);
    if (found == values_.end()) {
        throw std::logic_error("the case has no parameter '" + std::string{name} + "'");
    }
    return found->second;
}

std::uint32_t Values::count(std::string_view name) const {
    const std::uint64_t value = (*this)[name];
    if (value > std::numeric_limits<std::uint32_t>::max()) {
        throw OptionError("--" + std::string{name} + " must be less than 4294967296, not " +
                          std::to_string(value));
    }
    return static_cast<std::uint32_t>(value);
}

Values Values::with(std::string_view name, std::uint64_t value) const {
    auto values = values_;
    values[std::string{name}] = value;
    return Values{std::move(values)};
}

}  // namespace overcast::cases
