#include "formats/chrome_trace_writer.hpp"
#include "tracer/launcher/launcher.hpp"

namespace overcast {

int run_traced(const TraceOptions& options) {
    return run_traced(options, [](const Trace& trace, const std::filesystem::path& file) {
        write_chrome_trace(trace, file);
    });
}

}  // namespace overcast
