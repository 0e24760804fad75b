#include "formats/chrome_trace_writer.hpp"
#include "formats/format_table.hpp"
#include "tracer/launcher/launcher.hpp"

namespace overcast {

int run_traced(const TraceOptions& options) {
    return run_traced(options, [](const Trace& trace, const std::filesystem::path& file) {
        write_chrome_trace(trace, file);
    });
}

int run_counted(const CountOptions& options) {
    return run_counted(
        options, [](const std::filesystem::path& file) { return read_trace(file); },
        [](const Trace& trace, const std::filesystem::path& file) {
            write_chrome_trace(trace, file);
        });
}

}  // namespace overcast
