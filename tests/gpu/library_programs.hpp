// What overcast-library-streams does to a chunk of data, by a library of the CUDA Toolkit.
#pragma once

#include <cuda_runtime.h>

#include <functional>
#include <map>
#include <memory>
#include <string>

namespace overcast::library {

inline constexpr int kChunks = 16;

class Program {
public:
    Program() = default;
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;
    virtual ~Program() = default;

    /// A chunk is copied to the device, worked on and copied back in a stream, which is number
    /// `index` of those that are used.
    virtual void play(int chunk, int index, cudaStream_t stream) = 0;
};

/// By name, each for up to so many streams.
const std::map<std::string, std::function<std::unique_ptr<Program>(int streams)>>& programs();

}  // namespace overcast::library
