#include "formats/chrome_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace overcast {
namespace {

template <typename Value, std::size_t count>
using Words = std::array<std::pair<std::string_view, Value>, count>;

constexpr Words<Category, 10> kCategories{{{"kernel", Category::kernel},
                                           {"gpu_memcpy", Category::gpu_memcpy},
                                           {"gpu_memset", Category::gpu_memset},
                                           {"cuda_runtime", Category::cuda_runtime},
                                           {"cuda_driver", Category::cuda_driver},
                                           {"cuda_sync", Category::cuda_sync},
                                           {"cuda_event", Category::cuda_event},
                                           {"overhead", Category::overhead},
                                           {"user_annotation", Category::user_annotation},
                                           {"overcast_memory", Category::memory}}};

// The first word of each kind is the one that is written.
constexpr Words<MemoryKind, 8> kMemoryKinds{{{"Unknown", MemoryKind::unknown},
                                             {"Pageable", MemoryKind::pageable},
                                             {"Pinned", MemoryKind::pinned},
                                             {"Device", MemoryKind::device},
                                             {"Array", MemoryKind::array},
                                             {"Managed", MemoryKind::managed},
                                             {"Device Static", MemoryKind::device},
                                             {"Managed Static", MemoryKind::managed}}};

// A is an array in device memory.
constexpr Words<CopyKind, 10> kCopyKinds{{{"HtoD", CopyKind::host_to_device},
                                          {"DtoH", CopyKind::device_to_host},
                                          {"DtoD", CopyKind::device_to_device},
                                          {"HtoH", CopyKind::host_to_host},
                                          {"PtoP", CopyKind::peer_to_peer},
                                          {"HtoA", CopyKind::host_to_device},
                                          {"AtoH", CopyKind::device_to_host},
                                          {"AtoA", CopyKind::device_to_device},
                                          {"AtoD", CopyKind::device_to_device},
                                          {"DtoA", CopyKind::device_to_device}}};

constexpr Words<SynchronisationKind, 5> kSynchronisations{
    {{"Event Sync", SynchronisationKind::event},
     {"Stream Wait Event", SynchronisationKind::stream_wait_event},
     {"Stream Sync", SynchronisationKind::stream},
     {"Context Sync", SynchronisationKind::context},
     {"Device Sync", SynchronisationKind::context}}};

constexpr Words<OverheadKind, 11> kOverheads{
    {{"Unknown", OverheadKind::unknown},
     {"Driver Compiler", OverheadKind::driver_compiler},
     {"Buffer Flush", OverheadKind::buffer_flush},
     {"Instrumentation", OverheadKind::instrumentation},
     {"Resource", OverheadKind::resource},
     {"Runtime Triggered Module Loading", OverheadKind::module_loading},
     {"Lazy Function Loading", OverheadKind::lazy_loading},
     {"Command Buffer Full", OverheadKind::command_buffer_full},
     {"Activity Buffer Request", OverheadKind::buffer_request},
     {"CUPTI Buffer Flush", OverheadKind::buffer_flush},
     {"Cupti Buffer Flush", OverheadKind::buffer_flush}}};

constexpr Words<StreamFlag, 4> kStreamFlags{{{"unknown", StreamFlag::unknown},
                                             {"blocking", StreamFlag::blocking},
                                             {"non_blocking", StreamFlag::non_blocking},
                                             {"legacy_default", StreamFlag::legacy_default}}};

template <typename Value, std::size_t count>
std::optional<Value> find_value(const Words<Value, count>& words, std::string_view text) {
    for (const auto& [word, value] : words) {
        if (word == text) {
            return value;
        }
    }
    return std::nullopt;
}

template <typename Value, std::size_t count>
std::string_view find_word(const Words<Value, count>& words, Value wanted) {
    for (const auto& [word, value] : words) {
        if (value == wanted) {
            return word;
        }
    }
    return "?";
}

}  // namespace

std::optional<Category> parse_category(std::string_view text) {
    return find_value(kCategories, text);
}

std::string_view to_string(Category category) { return find_word(kCategories, category); }

std::string_view to_string(MemoryKind kind) { return find_word(kMemoryKinds, kind); }

std::optional<MemoryKind> parse_memory_kind(std::string_view text) {
    return find_value(kMemoryKinds, text);
}

std::string copy_name(const CopyName& copy) {
    return fmt::format("Memcpy {} ({} -> {})", find_word(kCopyKinds, copy.kind),
                       to_string(copy.source), to_string(copy.destination));
}

std::optional<CopyName> parse_copy_name(std::string_view text) {
    constexpr std::string_view kStart = "Memcpy ";
    constexpr std::string_view kArrow = " -> ";
    if (!text.starts_with(kStart)) {
        return std::nullopt;
    }
    text.remove_prefix(kStart.size());
    const auto kind = find_value(kCopyKinds, text.substr(0, text.find(' ')));
    if (!kind) {
        return std::nullopt;
    }
    CopyName copy{.kind = *kind};
    const auto open = text.find('(');
    const auto arrow = text.find(kArrow);
    const auto close = text.rfind(')');
    if (open < arrow && arrow < close && close != std::string_view::npos) {
        const auto behind = arrow + kArrow.size();
        copy.source = parse_memory_kind(text.substr(open + 1, arrow - open - 1))
                          .value_or(MemoryKind::unknown);
        copy.destination =
            parse_memory_kind(text.substr(behind, close - behind)).value_or(MemoryKind::unknown);
    }
    return copy;
}

std::string_view to_string(SynchronisationKind kind) { return find_word(kSynchronisations, kind); }

std::optional<SynchronisationKind> parse_synchronisation_kind(std::string_view text) {
    return find_value(kSynchronisations, text);
}

std::string_view to_string(OverheadKind kind) { return find_word(kOverheads, kind); }

OverheadKind parse_overhead_kind(std::string_view text) {
    return find_value(kOverheads, text).value_or(OverheadKind::unknown);
}

std::uint32_t channel_type_number(ChannelType type) {
    switch (type) {
        case ChannelType::unknown: return 0;
        case ChannelType::compute: return 1;
        case ChannelType::copy: return 2;
    }
    return 0;
}

ChannelType channel_type_of(std::uint32_t number) {
    return number == 1   ? ChannelType::compute
           : number == 2 ? ChannelType::copy
                         : ChannelType::unknown;
}

std::string_view to_string(StreamFlag flag) { return find_word(kStreamFlags, flag); }

StreamFlag parse_stream_flag(std::string_view text) {
    return find_value(kStreamFlags, text).value_or(StreamFlag::unknown);
}

std::string_view without_abi_suffix(std::string_view call) {
    const auto bar = call.rfind("_v");
    if (bar == std::string_view::npos) {
        return call;
    }
    const auto digits = call.substr(bar + 2);
    const bool is_abi = digits.size() >= 4 && std::all_of(digits.begin(), digits.end(), [](char c) {
                            return c >= '0' && c <= '9';
                        });
    return is_abi ? without_abi_suffix(call.substr(0, bar)) : call;
}

}  // namespace overcast
