// One function for every alternative of a variant, from one lambda each.
#pragma once

namespace overcast {

/// Lets std::visit take one lambda per alternative: where a new alternative is not handled, the
/// visit fails to compile.
template <typename... Cases>
struct Overloaded : Cases... {
    using Cases::operator()...;
};
template <typename... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;  // clang 16 does not deduce this by itself

}  // namespace overcast
