// What CUPTI does not hand out yet.
//
// A buffer with one unfinished record stays with CUPTI, together with every finished record in it.
// A program that keeps its queue full would lose seconds of finished work if it were killed. The
// buffers are ours, and CUPTI fills a record in place: at every flush, what is finished in them is
// written to a file of its own, a small spool that replaces the one before. The launcher reads it
// only where a recording was not closed.
#pragma once

#include "tracer/injection/decoder.hpp"

#include <cupti.h>

#include <cstdint>
#include <span>
#include <string>

namespace overcast::injection {

using NextRecord = CUptiResult (*)(std::uint8_t* buffer, std::size_t valid,
                                   CUpti_Activity** record);

class Snapshot {
public:
    /// `file` is where the snapshot goes.
    Snapshot(std::string file, CallbackNames names, NextRecord next_record);

    /// Replaces the file by what is finished in `buffers`, each of BufferPool::kBytes; removes it
    /// where that is nothing. The buffers must not be given back meanwhile.
    void write(std::span<std::uint8_t* const> buffers);

private:
    std::string file_;
    CallbackNames names_;
    NextRecord next_record_;
    bool exists_ = false;
};

}  // namespace overcast::injection
