# Flags every room shares, and the one function that declares a room.
#
# tilescope_room(NAME SOURCES... [DEPENDS ROOM...] [LINK LIBRARY...]) makes the static library tilescope_NAME. DEPENDS
# names the rooms to its left (docs/ARCHITECTURE.md); scripts/check_includes.py holds the #include lines to the same.

add_library(tilescope_flags INTERFACE)
target_include_directories(tilescope_flags INTERFACE ${CMAKE_SOURCE_DIR})
# -ffp-contract=off: an emulated mul then add must never become a fused one.
target_compile_options(tilescope_flags INTERFACE -Wall -Wextra -Werror -Wno-unknown-pragmas -ffp-contract=off)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 reports false positives of these two inside the standard library at -O3.
  target_compile_options(tilescope_flags INTERFACE -Wno-maybe-uninitialized -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow)
elseif(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # The stable_sort of GCC 12's library uses what the same library calls deprecated.
  target_compile_options(tilescope_flags INTERFACE -Wno-deprecated-declarations)
endif()

set(TILESCOPE_SANITIZE "" CACHE STRING "Comma-separated sanitizers: address,undefined or thread")
if(TILESCOPE_SANITIZE)
  add_compile_options(-fsanitize=${TILESCOPE_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${TILESCOPE_SANITIZE})
  if(TILESCOPE_SANITIZE MATCHES "undefined")
    add_compile_options(-fno-sanitize-recover=undefined)
  endif()
endif()

find_program(TILESCOPE_CCACHE ccache)
if(TILESCOPE_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${TILESCOPE_CCACHE})
endif()

function(tilescope_room name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;DEPENDS;LINK" ${ARGN})
  add_library(tilescope_${name} STATIC ${ROOM_SOURCES})
  target_link_libraries(tilescope_${name} PUBLIC tilescope_flags ${ROOM_LINK})
  foreach(room IN LISTS ROOM_DEPENDS)
    target_link_libraries(tilescope_${name} PUBLIC tilescope_${room})
  endforeach()
endfunction()

# tilescope_source_dir(SOURCES...): TILESCOPE_SOURCE_DIR for those that name it. The others stay free of this checkout's
# path, so that a compiler cache can serve them to any checkout.
function(tilescope_source_dir)
  foreach(source IN LISTS ARGN)
    get_filename_component(path ${source} ABSOLUTE)
    if(NOT EXISTS ${path}) # made by the build
      continue()
    endif()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
    file(STRINGS ${path} uses REGEX TILESCOPE_SOURCE_DIR LIMIT_COUNT 1)
    if(uses)
      set_property(SOURCE ${source} APPEND PROPERTY COMPILE_DEFINITIONS TILESCOPE_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
    endif()
  endforeach()
endfunction()

# tilescope_test(NAME SOURCES... LINK LIBRARY... [LABELS LABEL...]): a GoogleTest program, its cases known to ctest one by
# one. Labels that scripts/test knows: "threads" for what is worth a thread sanitizer, "slow" for what sanitizers skip.
include(GoogleTest)
add_custom_target(threaded_tests)
function(tilescope_test name)
  cmake_parse_arguments(TEST "" "" "SOURCES;LINK;LABELS" ${ARGN})
  add_executable(${name} ${TEST_SOURCES})
  target_link_libraries(${name} PRIVATE tilescope_flags ${TEST_LINK} GTest::gtest GTest::gtest_main)
  tilescope_source_dir(${TEST_SOURCES})
  set(labels "")
  if(TEST_LABELS)
    set(labels LABELS "${TEST_LABELS}")
  endif()
  if("threads" IN_LIST TEST_LABELS)
    add_dependencies(threaded_tests ${name})
  endif()
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 900 ${labels})
endfunction()
