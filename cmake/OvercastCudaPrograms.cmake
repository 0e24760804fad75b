# CUDA programs (the validation cases, the test programs of the tracer). Included by each folder that
# has some; needs an nvcc that works with the host compiler, else they are left out with one message.
set(OVERCAST_HAVE_CUDA_PROGRAMS OFF)
if(OVERCAST_HAVE_CUDA)
  # Through the environment: check_language tests nothing where CMAKE_CUDA_COMPILER is set already.
  if(NOT DEFINED ENV{CUDACXX} AND CUDAToolkit_NVCC_EXECUTABLE)
    set(ENV{CUDACXX} "${CUDAToolkit_NVCC_EXECUTABLE}")
  endif()
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES "80-real;90")  # 90 also as PTX, for what comes later
  endif()
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
    if(NOT DEFINED CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
      # CMake 3.25 does not know that nvcc has C++20 since 12.0.
      set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
      set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
    endif()
    set(OVERCAST_HAVE_CUDA_PROGRAMS ON)
  elseif(OVERCAST_CUDA STREQUAL "ON")
    message(FATAL_ERROR "OVERCAST_CUDA is ON, but nvcc is missing or does not work with this host "
                        "compiler. Set CUDACXX and CUDAHOSTCXX, or OVERCAST_CUDA=AUTO to build "
                        "without the CUDA programs.")
  else()
    get_property(overcast_said GLOBAL PROPERTY OVERCAST_CUDA_PROGRAMS_SAID)
    if(NOT overcast_said)
      message(STATUS "nvcc is missing or does not work with this host compiler: the validation "
                     "cases and the programs that check the tracer are left out")
      set_property(GLOBAL PROPERTY OVERCAST_CUDA_PROGRAMS_SAID TRUE)
    endif()
  endif()
endif()

# What every CUDA target here has in common.
function(overcast_set_up_cuda_target name)
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}")
  set_target_properties(${name} PROPERTIES CUDA_STANDARD 20 CUDA_STANDARD_REQUIRED ON
                        CUDA_EXTENSIONS OFF CUDA_RUNTIME_LIBRARY Static UNITY_BUILD OFF)
  target_compile_options(${name} PRIVATE
    "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra,-Wshadow>")
endfunction()

# A program that runs on a machine with nothing but a driver: CUDA runtime and libstdc++ inside.
function(overcast_add_cuda_program name)
  add_executable(${name} ${ARGN})
  overcast_set_up_cuda_target(${name})
  target_link_options(${name} PRIVATE -static-libstdc++ -static-libgcc)
endfunction()

# Objects that several such programs share.
function(overcast_add_cuda_objects name)
  add_library(${name} OBJECT ${ARGN})
  overcast_set_up_cuda_target(${name})
endfunction()

# overcast_join_cuda_sources(LIST NAME): where sources are joined, one that includes those of LIST
# takes their place. CMake before 3.31 joins none of CUDA, and what all of them include takes most of
# the time.
function(overcast_join_cuda_sources list name)
  if(NOT CMAKE_UNITY_BUILD)
    return()
  endif()
  list(TRANSFORM ${list} REPLACE "(.+)" "#include \"\\1\"" OUTPUT_VARIABLE includes)
  list(JOIN includes "\n" content)
  set(joined "${CMAKE_CURRENT_BINARY_DIR}/${name}.cu")
  file(CONFIGURE OUTPUT "${joined}" CONTENT "${content}\n" @ONLY)
  set(${list} "${joined}" PARENT_SCOPE)
endfunction()
