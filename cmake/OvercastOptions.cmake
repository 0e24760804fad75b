# Switches a user may set. Everything that needs CUDA is AUTO: built where the toolkit is found.
option(BUILD_TESTING "Build the tests" ON)
option(OVERCAST_BENCHMARKS "Build the benchmarks in bench/" ON)
option(OVERCAST_WARNINGS_AS_ERRORS "Treat compiler warnings as errors" OFF)
option(OVERCAST_CHECK_HEADERS "Compile every header by itself" OFF)
option(OVERCAST_PORTABLE "Install a folder that needs nothing but glibc on the machine it runs on" OFF)
option(OVERCAST_BUNDLE_CUPTI "Copy the toolkit's libcupti into the installed lib/ folder" OFF)
set(OVERCAST_CUDA AUTO CACHE STRING "Build the parts that need the CUDA Toolkit: AUTO, ON or OFF")
set_property(CACHE OVERCAST_CUDA PROPERTY STRINGS AUTO ON OFF)
set(OVERCAST_SANITIZE "" CACHE STRING "Sanitizers for every target, e.g. address,undefined")

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
endif()

# ccache makes a second build cheap; nothing depends on it.
find_program(OVERCAST_CCACHE ccache)
if(OVERCAST_CCACHE)
  foreach(language IN ITEMS C CXX)
    if(NOT DEFINED CMAKE_${language}_COMPILER_LAUNCHER)
      set(CMAKE_${language}_COMPILER_LAUNCHER "${OVERCAST_CCACHE}")
    endif()
  endforeach()
endif()
