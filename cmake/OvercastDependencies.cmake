# Every outside library, from the distribution. A missing one is named with the package that has it.
set(overcast_missing "")

macro(overcast_require name package)
  if(NOT ${name}_FOUND)
    find_package(${name} ${ARGN} QUIET)
  endif()
  if(NOT ${name}_FOUND)
    list(APPEND overcast_missing "  ${name} (package ${package})")
  endif()
endmacro()

overcast_require(Boost libboost-program-options-dev COMPONENTS program_options)
overcast_require(Eigen3 libeigen3-dev NO_MODULE)
overcast_require(fmt libfmt-dev)
overcast_require(nlohmann_json nlohmann-json3-dev)
overcast_require(simdjson libsimdjson-dev)
overcast_require(SQLite3 libsqlite3-dev)
overcast_require(ZLIB zlib1g-dev)
overcast_require(Threads libc6-dev)
if(BUILD_TESTING)
  overcast_require(GTest "libgtest-dev and libgmock-dev")
endif()
if(OVERCAST_BENCHMARKS)
  overcast_require(benchmark libbenchmark-dev)
endif()

if(overcast_missing)
  list(JOIN overcast_missing "\n" overcast_missing_text)
  message(FATAL_ERROR "These libraries are missing:\n${overcast_missing_text}\n"
                      "Install them with: tools/install-dependencies.sh")
endif()

# The CUDA Toolkit is optional: without it the tracer's injected part and the CUDA programs are left
# out, and everything else is built.
set(OVERCAST_HAVE_CUDA OFF)
if(NOT OVERCAST_CUDA STREQUAL "OFF")
  find_package(CUDAToolkit 12.0 QUIET)
  if(CUDAToolkit_FOUND)
    find_path(OVERCAST_CUPTI_INCLUDE_DIR cupti.h
      HINTS ${CUDAToolkit_INCLUDE_DIRS} ${CUDAToolkit_LIBRARY_ROOT}/extras/CUPTI/include
            ${CUDAToolkit_TARGET_DIR}/../../extras/CUPTI/include)
  endif()
  if(CUDAToolkit_FOUND AND OVERCAST_CUPTI_INCLUDE_DIR)
    set(OVERCAST_HAVE_CUDA ON)
  endif()
endif()
if(OVERCAST_HAVE_CUDA AND OVERCAST_BUNDLE_CUPTI)
  find_library(OVERCAST_CUPTI_LIBRARY cupti REQUIRED
    HINTS ${CUDAToolkit_LIBRARY_DIR} ${CUDAToolkit_LIBRARY_ROOT}/extras/CUPTI/lib64)
endif()
if(OVERCAST_HAVE_CUDA)
  message(STATUS "CUDA Toolkit ${CUDAToolkit_VERSION} with CUPTI: the tracer is built")
elseif(OVERCAST_CUDA STREQUAL "ON")
  message(FATAL_ERROR "OVERCAST_CUDA is ON, but no CUDA Toolkit with CUPTI headers was found. "
                      "Set CUDAToolkit_ROOT, or OVERCAST_CUDA=OFF to build without the tracer.")
else()
  message(STATUS "No CUDA Toolkit: the tracer's injected part and the CUDA programs are left out")
endif()
