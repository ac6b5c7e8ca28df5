# Installs tiles, then builds and runs tests/tiles/consumer against what was installed.
#
# usage: cmake -D BUILD=... -D FOLDER=... -D TOOLKIT=... -P installed_test.cmake
# BUILD: the build folder of tiles; FOLDER: where to work, emptied first; TOOLKIT: nvcc's folder above bin.
function(run)
  execute_process(COMMAND ${ARGV} OUTPUT_VARIABLE text ERROR_VARIABLE text RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "${command}: ${status}\n${text}")
  endif()
endfunction()

get_filename_component(consumer ${CMAKE_CURRENT_LIST_DIR}/consumer ABSOLUTE)
file(REMOVE_RECURSE ${FOLDER})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${FOLDER}/prefix)
run(${CMAKE_COMMAND} -S ${consumer} -B ${FOLDER}/build -DCMAKE_PREFIX_PATH=${FOLDER}/prefix -DCUDAToolkit_ROOT=${TOOLKIT})
run(${CMAKE_COMMAND} --build ${FOLDER}/build)
run(${FOLDER}/build/from_cpp)
run(${FOLDER}/build/from_c)
