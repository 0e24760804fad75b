# One interface target carries the warning flags and the sanitizers.
add_library(overcast_build_flags INTERFACE)
target_compile_options(overcast_build_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
  -Wold-style-cast -Wnon-virtual-dtor -Woverloaded-virtual>)
if(OVERCAST_WARNINGS_AS_ERRORS)
  target_compile_options(overcast_build_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
endif()
if(OVERCAST_SANITIZE)
  # -Og compiles as fast as -O0, and tests run five times as fast.
  target_compile_options(overcast_build_flags INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Og -g1 -fsanitize=${OVERCAST_SANITIZE} -fno-omit-frame-pointer
    -fno-sanitize-recover=all>)
  target_link_options(overcast_build_flags INTERFACE -fsanitize=${OVERCAST_SANITIZE})
endif()
# What every test program links. A test runs for seconds but is compiled everywhere: no optimisation.
add_library(overcast_test_flags INTERFACE)
target_compile_options(overcast_test_flags INTERFACE
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<NOT:$<CONFIG:Debug>>>:-O0>)
target_link_libraries(overcast_test_flags INTERFACE GTest::gtest GTest::gmock GTest::gtest_main)
