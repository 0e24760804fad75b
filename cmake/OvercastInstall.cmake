# cmake --install and cpack: bin/, lib/ and share/ work from wherever they are put, since programs
# look for their libraries and data relative to themselves.
install(DIRECTORY "${PROJECT_SOURCE_DIR}/model/devices/" DESTINATION share/overcast/devices
        FILES_MATCHING PATTERN "*.json")
install(FILES LICENSE README.md DESTINATION share/doc/overcast)

# overcast: the command. overcast-cases: the CUDA programs that the accuracy is measured with.
# overcast-probes: what `overcast calibrate` measures with.
foreach(program IN ITEMS overcast overcast-cases overcast-probes)
  if(TARGET ${program})
    install(TARGETS ${program} RUNTIME_DEPENDENCY_SET overcast_libraries DESTINATION bin)
  endif()
endforeach()
# Completions and man pages, which the command writes from its own help texts.
set(shell_files "${PROJECT_BINARY_DIR}/share")
add_custom_command(OUTPUT "${shell_files}/man/man1/overcast.1"
  COMMAND "${PROJECT_SOURCE_DIR}/tools/shell_files.sh" $<TARGET_FILE:overcast> "${shell_files}"
  DEPENDS overcast "${PROJECT_SOURCE_DIR}/tools/shell_files.sh"
  COMMENT "Writing completions and man pages" VERBATIM)
add_custom_target(shell-files ALL DEPENDS "${shell_files}/man/man1/overcast.1")
install(DIRECTORY "${shell_files}/" DESTINATION share)

if(TARGET overcast-tracer)
  install(TARGETS overcast-tracer RUNTIME_DEPENDENCY_SET overcast_libraries LIBRARY DESTINATION lib)
endif()

# What a user runs, without tests and benchmarks.
add_custom_target(programs)
foreach(program IN ITEMS overcast overcast-cases overcast-probes overcast-tracer shell-files)
  if(TARGET ${program})
    add_dependencies(programs ${program})
  endif()
endforeach()

if(OVERCAST_PORTABLE)
  # Left to the host: glibc with its loader, and the driver.
  install(RUNTIME_DEPENDENCY_SET overcast_libraries
    PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|dl|rt|pthread|resolv)\\.so" "^lib(cuda|nvidia-ml)\\.so"
    DESTINATION lib)
endif()
if(OVERCAST_CUPTI_LIBRARY)
  file(REAL_PATH "${OVERCAST_CUPTI_LIBRARY}" cupti_file)
  install(FILES "${cupti_file}" DESTINATION lib RENAME libcupti.so.${CUDAToolkit_VERSION_MAJOR})
endif()

set(CPACK_GENERATOR TGZ)
set(CPACK_PACKAGE_VENDOR "Overcast")
set(CPACK_PACKAGE_FILE_NAME
    "overcast-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
include(CPack)
