// What people call a kernel.
#pragma once

#include <string>

namespace overcast {

/// "scale<float>" for "void scale<float>(float*, int)".
std::string function_name(std::string name);

}  // namespace overcast
