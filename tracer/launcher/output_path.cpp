#include "tracer/launcher/output_path.hpp"

#include "core/error.hpp"

#include <unistd.h>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <system_error>

namespace overcast {
namespace {

constexpr std::string_view kProcess = "%p";

void replace_all(std::string& text, std::string_view from, const std::string& to) {
    for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
    }
}

/// ".json.gz", ".json", or the last extension.
std::size_t extension_at(const std::string& name) {
    for (const std::string_view known : {".json.gz", ".json"}) {
        if (name.size() > known.size() && name.ends_with(known)) {
            return name.size() - known.size();
        }
    }
    const auto dot = name.rfind('.');
    return dot == std::string::npos || dot == 0 ? name.size() : dot;
}

[[noreturn]] void cannot_write(const std::filesystem::path& file, const std::string& why) {
    throw Error("cannot write the trace " + file.string() + ": " + why +
                "; choose another place with -o");
}

}  // namespace

std::filesystem::path default_output(const std::string& program) {
    auto name = std::filesystem::path(program).filename().string();
    return (name.empty() ? "trace" : name) + ".overcast.json.gz";
}

std::filesystem::path output_for(const std::filesystem::path& pattern, std::uint32_t process,
                                 bool first) {
    auto name = pattern.filename().string();
    const auto id = std::to_string(process);
    if (name.find(kProcess) != std::string::npos) {
        replace_all(name, kProcess, id);
    } else if (!first) {
        name.insert(extension_at(name), "." + id);
    }
    return pattern.parent_path() / name;
}

void check_writable(const std::filesystem::path& pattern) {
    const auto folder = pattern.has_parent_path() ? pattern.parent_path() : ".";
    std::error_code ignored;
    if (!pattern.has_filename() || std::filesystem::is_directory(pattern, ignored)) {
        cannot_write(pattern, "it is a folder");
    }
    if (!std::filesystem::is_directory(folder, ignored)) {
        cannot_write(pattern, "there is no folder " + folder.string());
    }
    if (std::filesystem::exists(pattern, ignored) &&
        !std::filesystem::is_regular_file(pattern, ignored)) {
        cannot_write(pattern, "it is no ordinary file");
    }
    if (std::filesystem::exists(pattern, ignored) && access(pattern.c_str(), W_OK) != 0) {
        cannot_write(pattern, std::strerror(errno));
    }
    auto probe = (folder / ".overcast-XXXXXX").string();
    const int file = mkstemp(probe.data());
    if (file < 0) {
        cannot_write(pattern, std::strerror(errno));
    }
    close(file);
    unlink(probe.c_str());
}

}  // namespace overcast
