#include "advise/words.hpp"

#include "core/overloaded.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace overcast {
namespace {

std::string_view direction(CopyKind kind) {
    switch (kind) {
        case CopyKind::host_to_device: return "H2D";
        case CopyKind::device_to_host: return "D2H";
        case CopyKind::device_to_device: return "D2D";
        case CopyKind::host_to_host: return "H2H";
        case CopyKind::peer_to_peer: return "P2P";
    }
    return "copy";
}

/// Where the bracket that the text ends with was opened; the text's end where it ends otherwise.
std::size_t opening_of_last(std::string_view text, char open, char close) {
    if (!text.ends_with(close)) {
        return text.size();
    }
    std::size_t depth = 0;
    for (auto i = text.size(); i-- > 0;) {
        depth += text[i] == close ? 1U : 0U;
        if (text[i] == open && --depth == 0) {
            return i;
        }
    }
    return text.size();
}

/// "void ns::scale<float>(float*, int)" → "scale": what a reader looks for.
std::string_view bare_name(std::string_view kernel) {
    const auto whole = kernel;
    kernel = kernel.substr(0, opening_of_last(kernel, '(', ')'));
    kernel = kernel.substr(0, opening_of_last(kernel, '<', '>'));
    const auto start = kernel.find_last_of(": ");
    kernel = start == std::string_view::npos ? kernel : kernel.substr(start + 1);
    return kernel.empty() ? whole : kernel;
}

std::string significant(double value, const char* unit) {
    const int decimals = value >= 100 ? 0 : value >= 10 ? 1 : 2;
    return fmt::format("{:.{}f} {}", value, decimals, unit);
}

}  // namespace

std::string operation_in_words(const Workload& workload, std::uint32_t index_of) {
    const auto& operation = workload.operations[index_of];
    const auto call = [&] {
        return std::string{index(operation.name) < workload.names.size()
                               ? workload.names[operation.name]
                               : "call"};
    };
    return std::visit(Overloaded{
                          [](const Copy& copy) {
                              return fmt::format("{} {}", direction(copy.kind),
                                                 bytes_in_words(copy.bytes.count()));
                          },
                          [](const Memset& memset) {
                              return fmt::format("memset {}", bytes_in_words(memset.bytes.count()));
                          },
                          [&](const KernelLaunch& launch) {
                              const auto name =
                                  workload.names[workload.kernels[index(launch.kernel)].name];
                              return fmt::format("kernel {}", bare_name(name));
                          },
                          [](const HostFunction&) { return std::string{"host function"}; },
                          [&](const auto&) { return call(); },
                      },
                      operation.action);
}

std::string stream_in_words(const Workload& workload, StreamIndex stream) {
    const auto& recorded = workload.streams[index(stream)].recorded;
    return fmt::format("stream {}", recorded ? number(*recorded) : number(stream));
}

std::string time_in_words(Duration time) {
    const auto ns = static_cast<double>(time.count());
    const auto size = std::abs(ns);
    if (size >= 1e9) {
        return significant(ns / 1e9, "s");
    }
    if (size >= 1e6) {
        return significant(ns / 1e6, "ms");
    }
    return size >= 1e3 ? significant(ns / 1e3, "us") : fmt::format("{} ns", time.count());
}

std::string bytes_in_words(std::uint64_t bytes) {
    constexpr std::array kUnits{"B", "KiB", "MiB", "GiB", "TiB"};
    auto value = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (value >= 1024 && unit + 1 < kUnits.size()) {
        value /= 1024;
        ++unit;
    }
    const bool whole =
        value >= 100 || value == static_cast<double>(static_cast<std::uint64_t>(value));
    return fmt::format("{:.{}f} {}", value, whole ? 0 : 1, kUnits[unit]);
}

std::string number_in_words(std::uint64_t count, const std::string& noun,
                            const std::string& plural) {
    if (count == 1) {
        return "1 " + noun;
    }
    return fmt::format("{} {}", count, plural.empty() ? noun + 's' : plural);
}

}  // namespace overcast
