#include "workload/signatures.hpp"

#include <optional>
#include <unordered_map>

namespace overcast {
namespace {

enum class Tag : std::uint8_t { copy, memset, kernel };

struct Signature {
    std::uint64_t amount = 0;  ///< bytes, or index of the kernel or its name
    Tag tag{};
    CopyKind kind{};
    MemoryKind source{};
    MemoryKind destination{};

    bool operator==(const Signature&) const = default;
};

struct SignatureHash {
    std::size_t operator()(const Signature& signature) const {
        const auto small = (static_cast<std::uint64_t>(signature.tag) << 24U) |
                           (static_cast<std::uint64_t>(signature.kind) << 16U) |
                           (static_cast<std::uint64_t>(signature.source) << 8U) |
                           static_cast<std::uint64_t>(signature.destination);
        auto hash = (signature.amount ^ (small << 32U)) * 0x9E3779B97F4A7C15ULL;
        return static_cast<std::size_t>(hash ^ (hash >> 29U));
    }
};

class Interner {
public:
    std::uint32_t intern(const Signature& signature) {
        if (last_ != nullptr && last_->first == signature) {
            return last_->second;
        }
        last_ = &*ids_.try_emplace(signature, static_cast<std::uint32_t>(ids_.size())).first;
        return last_->second;
    }

private:
    std::unordered_map<Signature, std::uint32_t, SignatureHash> ids_;
    const std::pair<const Signature, std::uint32_t>* last_ = nullptr;  // nodes do not move
};

std::optional<Signature> signature_of(const Action& action) {
    if (const auto* copy = std::get_if<Copy>(&action)) {
        return Signature{copy->bytes.count(), Tag::copy, copy->kind, copy->source,
                         copy->destination};
    }
    if (const auto* memset = std::get_if<Memset>(&action)) {
        return Signature{memset->bytes.count(), Tag::memset, {}, {}, {}};
    }
    if (const auto* launch = std::get_if<KernelLaunch>(&action)) {
        return Signature{number(launch->kernel), Tag::kernel, {}, {}, {}};
    }
    return std::nullopt;
}

Signature without_size(Signature signature, const Workload& workload) {
    signature.amount = signature.tag == Tag::kernel
                           ? std::uint64_t{number(workload.kernels[signature.amount].name)}
                           : 0;
    return signature;
}

}  // namespace

std::vector<WorkItem> work_items(const Workload& workload) {
    std::vector<WorkItem> items;
    items.reserve(workload.operations.size());
    Interner symbols;
    Interner families;
    for (std::size_t i = 0; i < workload.operations.size(); ++i) {
        if (const auto signature = signature_of(workload.operations[i].action)) {
            items.push_back({static_cast<std::uint32_t>(i), symbols.intern(*signature),
                             families.intern(without_size(*signature, workload))});
        }
    }
    return items;
}

}  // namespace overcast
