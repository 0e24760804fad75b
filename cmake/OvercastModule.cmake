# overcast_module(NAME [DEPENDS folder…] [LIBRARIES target…])
#
# One static library per folder, from every .cpp in it, with a test program from every *_test.cpp.
# Sources are globbed: adding a thing is one file. A subfolder with a CMakeLists.txt of its own is
# left to it.
function(overcast_module name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LIBRARIES" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.hpp")
  file(GLOB_RECURSE own_lists "${CMAKE_CURRENT_SOURCE_DIR}/*/CMakeLists.txt")
  foreach(own_list IN LISTS own_lists)
    get_filename_component(subfolder "${own_list}" DIRECTORY)
    list(FILTER sources EXCLUDE REGEX "^${subfolder}/")
    list(FILTER headers EXCLUDE REGEX "^${subfolder}/")
  endforeach()
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

  overcast_check_headers(overcast_${name} ${headers})

  if(BUILD_TESTING AND tests)
    add_executable(overcast_${name}_tests ${tests})
    target_link_libraries(overcast_${name}_tests PRIVATE overcast_${name} GTest::gtest
                          GTest::gmock GTest::gtest_main)
    target_compile_definitions(overcast_${name}_tests PRIVATE
      OVERCAST_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    add_test(NAME ${name} COMMAND overcast_${name}_tests)
  endif()
endfunction()

# overcast_check_headers(TARGET header…)
#
# Compiles each header by itself with the flags of TARGET: a header includes what it uses.
function(overcast_check_headers target)
  if(NOT OVERCAST_CHECK_HEADERS OR NOT ARGN)
    return()
  endif()
  set(units "")
  foreach(header IN LISTS ARGN)
    cmake_path(RELATIVE_PATH header BASE_DIRECTORY "${PROJECT_SOURCE_DIR}")
    set(unit "${PROJECT_BINARY_DIR}/headers/${header}.cpp")
    file(CONFIGURE OUTPUT "${unit}" CONTENT "#include \"${header}\"\n" @ONLY)
    list(APPEND units "${unit}")
  endforeach()
  add_library(${target}_headers OBJECT ${units})
  target_link_libraries(${target}_headers PRIVATE ${target})
endfunction()
