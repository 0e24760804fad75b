# Switches a user may set. Everything that needs CUDA is AUTO: built where the toolkit is found.
option(BUILD_TESTING "Build the tests" ON)
option(OVERCAST_BENCHMARKS "Build the benchmarks in bench/" ON)
option(OVERCAST_WARNINGS_AS_ERRORS "Treat compiler warnings as errors" OFF)
set(OVERCAST_CUDA AUTO CACHE STRING "Build the parts that need the CUDA Toolkit: AUTO, ON or OFF")
set_property(CACHE OVERCAST_CUDA PROPERTY STRINGS AUTO ON OFF)
set(OVERCAST_SANITIZE "" CACHE STRING "Sanitizers for every target, e.g. address,undefined")

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
endif()
