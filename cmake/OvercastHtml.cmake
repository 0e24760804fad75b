# The page that `--html` fills: markup, style and scripts of report/html, with Apache ECharts from the
# npm registry inside, put together at build time and embedded in the program.
#
# Sets OVERCAST_HAVE_HTML, and OVERCAST_PAGE_TEMPLATE to the file that is made.
set(OVERCAST_HAVE_HTML OFF)
if(NOT OVERCAST_HTML STREQUAL "OFF")
  find_program(OVERCAST_NODE node)
  find_program(OVERCAST_NPM npm)
  if(OVERCAST_NODE AND OVERCAST_NPM)
    set(OVERCAST_HAVE_HTML ON)
  elseif(OVERCAST_HTML STREQUAL "ON")
    message(FATAL_ERROR "OVERCAST_HTML is ON, but node or npm is missing. Install them with: "
                        "tools/install-dependencies.sh, or set OVERCAST_HTML=OFF to build without "
                        "--html.")
  else()
    message(STATUS "No node or no npm: --html is left out")
  endif()
endif()
if(NOT OVERCAST_HAVE_HTML)
  return()
endif()
enable_language(ASM)  # embeds the page

set(html_source "${PROJECT_SOURCE_DIR}/report/html")
set(html_build "${PROJECT_BINARY_DIR}/html")
set(echarts "${html_build}/echarts.min.js")
set(OVERCAST_PAGE_TEMPLATE "${html_build}/page.html")

# Fetched once for each lock file.
add_custom_command(OUTPUT "${echarts}"
  COMMAND "${CMAKE_COMMAND}" -D "NPM=${OVERCAST_NPM}" -D "SOURCE=${html_source}"
          -D "BUILD=${html_build}" -P "${PROJECT_SOURCE_DIR}/cmake/FetchECharts.cmake"
  DEPENDS "${html_source}/package.json" "${html_source}/package-lock.json" "${html_source}/.npmrc"
          "${PROJECT_SOURCE_DIR}/cmake/FetchECharts.cmake"
  COMMENT "Fetching Apache ECharts from the npm registry"
  VERBATIM)

file(GLOB html_parts CONFIGURE_DEPENDS "${html_source}/*.js" "${html_source}/sections/*.js"
     "${html_source}/*.html" "${html_source}/*.css" "${html_source}/*.mjs")
add_custom_command(OUTPUT "${OVERCAST_PAGE_TEMPLATE}"
  COMMAND "${OVERCAST_NODE}" "${html_source}/assemble.mjs" "${echarts}" "${OVERCAST_PAGE_TEMPLATE}"
  DEPENDS ${html_parts} "${echarts}"
  COMMENT "Putting the HTML page together"
  VERBATIM)
add_custom_target(overcast_page DEPENDS "${OVERCAST_PAGE_TEMPLATE}")
