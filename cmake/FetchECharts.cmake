# Run at build time: cmake -D NPM=… -D SOURCE=folder of package.json -D BUILD=folder -P FetchECharts.cmake
# Puts echarts.min.js of the locked version into BUILD; of what npm lays down only that is kept.
set(fetched "${BUILD}/fetched")
file(REMOVE_RECURSE "${fetched}")
file(MAKE_DIRECTORY "${fetched}")
foreach(part IN ITEMS package.json package-lock.json .npmrc)
  file(COPY "${SOURCE}/${part}" DESTINATION "${fetched}")
endforeach()
execute_process(COMMAND "${NPM}" ci --ignore-scripts --loglevel=error
  WORKING_DIRECTORY "${fetched}" OUTPUT_QUIET RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "npm could not fetch Apache ECharts (above: why). Build where it can, or without "
                      "--html: cmake … -DOVERCAST_HTML=OFF")
endif()
file(COPY "${fetched}/node_modules/echarts/dist/echarts.min.js" DESTINATION "${BUILD}")
file(TOUCH "${BUILD}/echarts.min.js")
file(REMOVE_RECURSE "${fetched}")
