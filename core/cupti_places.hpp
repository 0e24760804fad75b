// Where CUPTI may lie: the tracer opens it there, `overcast doctor` looks there.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace overcast {

/// "libcupti.so.13" for CUDA 13: only that one has the records that a tracer built for 13 reads.
std::string cupti_soname(std::uint32_t cuda_major);

/// `soname` in the folder of the tracer (may be empty), in CUDA_HOME and CUDA_PATH, in
/// /usr/local/cuda; last by its bare name, for LD_LIBRARY_PATH and the loader's cache.
std::vector<std::string> cupti_places(const std::string& tracer_folder, const std::string& soname);

}  // namespace overcast
