// Kernel names as their authors wrote them.
#pragma once

#include <string>

namespace overcast {

/// "_Z5scalePfi" → "scale(float*, int)"; what is no mangled name stays as it is.
std::string demangled(const std::string& name);

}  // namespace overcast
