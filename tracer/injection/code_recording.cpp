#include "tracer/injection/code_recording.hpp"

#include "tracer/code/cubin.hpp"

namespace overcast::injection {

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
        const auto pass = code.pass.empty() ? 0 : spool.intern(to_text(code.pass));
        spool.append(spool::Code::from(*number, pass, code));
        each = unreported_.erase(each);
    }
}

}  // namespace overcast::injection
