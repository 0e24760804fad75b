#include "tracer/injection/snapshot.hpp"

#include "tracer/injection/buffers.hpp"
#include "tracer/injection/process_facts.hpp"

#include <unistd.h>
#include <cstdio>
#include <utility>

namespace overcast::injection {

Snapshot::Snapshot(std::string file, CallbackNames names, NextRecord next_record)
    : file_{std::move(file)}, names_{std::move(names)}, next_record_{next_record} {}

void Snapshot::write(std::span<std::uint8_t* const> buffers) {
    SpoolWriter spool;
    Decoder decoder{spool, names_};
    std::size_t records = 0;
    for (auto* const buffer : buffers) {
        CUpti_Activity* record = nullptr;
        // CUPTI fills buffers from the front; the zeros behind the last record end the search.
        while (next_record_(buffer, BufferPool::kBytes, &record) == CUPTI_SUCCESS) {
            decoder.decode(*record);
            ++records;
        }
    }
    if (records == 0) {
        if (exists_) {
            ::unlink(file_.c_str());
            exists_ = false;
        }
        return;
    }
    spool::Process process;
    process.monotonic_ns = clock_ns(CLOCK_MONOTONIC);
    process.process = static_cast<std::uint32_t>(getpid());
    spool.append(process);
    const auto draft = file_ + ".draft";
    ::unlink(draft.c_str());
    exists_ = spool.open(draft) && spool.flush() && std::rename(draft.c_str(), file_.c_str()) == 0;
}

}  // namespace overcast::injection
