# The portable preset: programs that run on a machine without our packages.
#
# Archives are preferred to shared libraries, fmt is compiled in, libstdc++ is linked in, and what
# the distribution has only as a shared library (simdjson) is installed beside, with all that it
# needs save glibc.
if(NOT OVERCAST_PORTABLE)
  return()
endif()

set(Boost_USE_STATIC_LIBS ON)
set(ZLIB_USE_STATIC_LIBS ON)
find_library(SQLite3_LIBRARY NAMES libsqlite3.a sqlite3)

find_path(OVERCAST_FMT_INCLUDE_DIR fmt/format.h)
if(OVERCAST_FMT_INCLUDE_DIR)
  add_library(fmt::fmt INTERFACE IMPORTED)
  target_include_directories(fmt::fmt SYSTEM INTERFACE "${OVERCAST_FMT_INCLUDE_DIR}")
  target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY=1)
  set(fmt_FOUND TRUE)
endif()

# --exclude-libs: the libstdc++ linked in stays ours alone; a shared library beside has its own.
# --disable-new-dtags: the run path also serves what a library beside needs in turn.
add_link_options(-static-libstdc++ -static-libgcc
                 "LINKER:--exclude-libs,libstdc++.a:libsupc++.a:libgcc.a:libgcc_eh.a"
                 "LINKER:--disable-new-dtags")
