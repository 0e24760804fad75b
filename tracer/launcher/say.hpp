// What the command has to say beside the program that it runs.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <utility>

namespace overcast {

/// A line on standard error.
template <typename... Values>
void say(fmt::format_string<Values...> text, Values&&... values) {
    fmt::print(stderr, "overcast: {}\n", fmt::format(text, std::forward<Values>(values)...));
}

}  // namespace overcast
