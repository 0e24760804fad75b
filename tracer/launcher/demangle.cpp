#include "tracer/launcher/demangle.hpp"

#include <cxxabi.h>
#include <cstdlib>
#include <memory>

namespace overcast {

std::string demangled(const std::string& name) {
    if (!name.starts_with("_Z")) {
        return name;  // a C function named "f" is not the type "float"
    }
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> text{
        abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free};
    return status == 0 && text ? text.get() : name;
}

}  // namespace overcast
