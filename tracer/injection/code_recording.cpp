#include "tracer/injection/code_recording.hpp"

#include "tracer/code/cubin.hpp"

namespace overcast::injection {
namespace {

/// Its number; 0 of nothing.
std::uint32_t text_of(const KernelPass& pass, SpoolWriter& spool) {
    return pass.empty() ? 0 : spool.intern(to_text(pass));
}

}  // namespace

void CodeRecording::add_module(std::span<const std::byte> module) {
    auto kernels = kernels_of_module(module);
    const std::lock_guard lock{mutex_};
    unreported_.merge(kernels);
}

void CodeRecording::report(SpoolWriter& spool) {
    const std::lock_guard lock{mutex_};
    for (auto each = unreported_.begin(); each != unreported_.end();) {
        const auto number = spool.number_of(each->first);
        if (!number) {
            ++each;
            continue;
        }
        const auto& code = each->second;
        auto record = spool::Code::from(code);
        record.name = *number;
        record.pass = text_of(code.pass, spool);
        record.start = text_of(code.start, spool);
        record.end = text_of(code.end, spool);
        spool.append(record);
        each = unreported_.erase(each);
    }
}

}  // namespace overcast::injection
