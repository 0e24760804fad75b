// Several traces or folders on one command line.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace overcast {

/// Calls `work` for each. An Error of the only input passes through; of several inputs each failure
/// is printed and the others still count. Gives the exit status: success, or that of the last
/// failure.
int for_each_input(const std::vector<std::string>& inputs,
                   const std::function<void(const std::string&)>& work);

}  // namespace overcast
