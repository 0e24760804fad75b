# overcast_module(NAME [DEPENDS folder…] [LIBRARIES target…])
#
# One static library per folder, from every .cpp in it, with a test program from every *_test.cpp.
# Sources are globbed: adding a thing is one file.
function(overcast_module name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LIBRARIES" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  foreach(dependency IN LISTS ARG_DEPENDS)
    list(APPEND linked overcast_${dependency})
  endforeach()

  if(sources)
    add_library(overcast_${name} STATIC ${sources})
    set(scope PUBLIC)
  else()
    add_library(overcast_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(overcast_${name} ${scope} "${PROJECT_SOURCE_DIR}")
  target_link_libraries(overcast_${name} ${scope} overcast_build_flags ${linked} ${ARG_LIBRARIES})

  if(BUILD_TESTING AND tests)
    add_executable(overcast_${name}_tests ${tests})
    target_link_libraries(overcast_${name}_tests PRIVATE overcast_${name} GTest::gtest
                          GTest::gmock GTest::gtest_main)
    target_compile_definitions(overcast_${name}_tests PRIVATE
      OVERCAST_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    add_test(NAME ${name} COMMAND overcast_${name}_tests)
  endif()
endfunction()
