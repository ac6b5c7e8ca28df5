# Flags every room shares, and the one function that declares a room.
#
# tilescope_room(NAME SOURCES... [DEPENDS ROOM...] [LINK LIBRARY...] [HEADERS <HEADER>...] [COLD]) makes the static library
# tilescope_NAME. DEPENDS names the rooms to its left (docs/ARCHITECTURE.md); scripts/check_includes.py holds the #include
# lines to the same. HEADERS names large ones that most of its files include, besides the common ones.

find_package(fmt REQUIRED GLOBAL)
add_library(tilescope_flags INTERFACE)
target_link_libraries(tilescope_flags INTERFACE fmt::fmt) # most rooms print with it; the common headers hold it
target_include_directories(tilescope_flags INTERFACE ${CMAKE_SOURCE_DIR})
# -ffp-contract=off: an emulated mul then add must never become a fused one.
target_compile_options(tilescope_flags INTERFACE -Wall -Wextra -Wno-unknown-pragmas -ffp-contract=off)
# scripts/test asks for it. A compiler that nobody here has seen may warn of more: that is ours to mend, and no reason to
# stop a user's build.
option(TILESCOPE_WARNINGS_ARE_ERRORS "Stop at warnings" OFF)
if(TILESCOPE_WARNINGS_ARE_ERRORS)
  target_compile_options(tilescope_flags INTERFACE -Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 reports false positives of these inside the standard library at -O3.
  target_compile_options(tilescope_flags INTERFACE -Wno-maybe-uninitialized -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow
    -Wno-stringop-overread)
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

# All rooms tell a fuzzer where they went; one way of compiling also means one set of precompiled headers.
if(TILESCOPE_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
  add_link_options(-fsanitize=fuzzer-no-link)
endif()

# A build directory of one's own serves many: what the compiler cache needs to know of precompiled headers.
find_program(TILESCOPE_CCACHE ccache)
if(TILESCOPE_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
    ${TILESCOPE_CCACHE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-fpch-preprocess)
  endif()
endif()

# Half of the time of an ordinary file went into reading the standard library's headers. They are read once for each way
# of compiling: rooms, lane code, tests (bench/README.md has the times). A file still names all that it includes:
# scripts/tidy reads it without this.
set(TILESCOPE_COMMON_HEADERS <algorithm> <array> <bit> <charconv> <cmath> <cstdint> <cstring> <filesystem> <fstream>
  <functional> <map> <memory> <optional> <set> <span> <sstream> <string> <string_view> <tuple> <unordered_map>
  <unordered_set> <utility> <variant> <vector> <fmt/format.h>)
add_library(tilescope_common_headers OBJECT ${CMAKE_SOURCE_DIR}/cmake/common_headers.cpp)
target_link_libraries(tilescope_common_headers PRIVATE tilescope_flags)
target_precompile_headers(tilescope_common_headers PRIVATE ${TILESCOPE_COMMON_HEADERS})

# Rooms that no launch runs through are optimised less: that is quicker to build, and nobody waits for them.
add_library(tilescope_cold_headers OBJECT ${CMAKE_SOURCE_DIR}/cmake/common_headers.cpp)
target_link_libraries(tilescope_cold_headers PRIVATE tilescope_flags)
target_compile_options(tilescope_cold_headers PRIVATE $<$<CONFIG:Release>:-O1>)
target_precompile_headers(tilescope_cold_headers PRIVATE ${TILESCOPE_COMMON_HEADERS})

function(tilescope_room name)
  cmake_parse_arguments(ROOM "COLD" "" "SOURCES;DEPENDS;LINK;HEADERS" ${ARGN})
  add_library(tilescope_${name} STATIC ${ROOM_SOURCES})
  set(headers tilescope_common_headers)
  if(ROOM_COLD)
    target_compile_options(tilescope_${name} PRIVATE $<$<CONFIG:Release>:-O1>)
    set(headers tilescope_cold_headers)
  endif()
  target_link_libraries(tilescope_${name} PUBLIC tilescope_flags ${ROOM_LINK})
  if(ROOM_HEADERS)
    target_precompile_headers(tilescope_${name} PRIVATE ${TILESCOPE_COMMON_HEADERS} ${ROOM_HEADERS})
  else()
    target_precompile_headers(tilescope_${name} REUSE_FROM ${headers})
  endif()
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

# Test programs are built more often than they are run, and what they run long is not in them.
set(TILESCOPE_TEST_OPTIMIZATION -O0)

# tilescope_test(NAME SOURCES... LINK LIBRARY... [LABELS LABEL...]): a GoogleTest program, its cases known to ctest one by
# one. Labels that scripts/test knows: "threads" for what is worth a thread sanitizer, "slow" for what sanitizers skip.
include(GoogleTest)
add_custom_target(threaded_tests)
if(TILESCOPE_TESTS)
  find_package(GTest REQUIRED)
  # A program, for programs and libraries are compiled in different ways.
  add_executable(tilescope_test_headers EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/cmake/common_headers.cpp)
  target_link_libraries(tilescope_test_headers PRIVATE tilescope_flags GTest::gtest)
  target_compile_options(tilescope_test_headers PRIVATE ${TILESCOPE_TEST_OPTIMIZATION})
  target_precompile_headers(tilescope_test_headers PRIVATE ${TILESCOPE_COMMON_HEADERS} <gtest/gtest.h>)
endif()
# tilescope_test_flags(TARGET): how test programs are compiled.
function(tilescope_test_flags name)
  target_compile_options(${name} PRIVATE ${TILESCOPE_TEST_OPTIMIZATION})
  target_precompile_headers(${name} REUSE_FROM tilescope_test_headers)
endfunction()
function(tilescope_test name)
  cmake_parse_arguments(TEST "" "" "SOURCES;LINK;LABELS" ${ARGN})
  add_executable(${name} ${TEST_SOURCES})
  target_link_libraries(${name} PRIVATE tilescope_flags ${TEST_LINK} GTest::gtest GTest::gtest_main)
  tilescope_test_flags(${name})
  tilescope_source_dir(${TEST_SOURCES})
  set(labels "")
  if(TEST_LABELS)
    set(labels LABELS "${TEST_LABELS}")
  endif()
  if("threads" IN_LIST TEST_LABELS)
    add_dependencies(threaded_tests ${name})
  endif()
  if(TILESCOPE_SANITIZE AND "slow" IN_LIST TEST_LABELS) # nothing would run it
    set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
    return()
  endif()
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 900 ${labels})
endfunction()

# Lane code is compiled once per instruction set; TILESCOPE_SIMD_TARGETS limits the list (sanitizer builds take one).
set(TILESCOPE_SIMD_TARGETS "all" CACHE STRING
  "baseline, all that the compiler's architecture knows, or native: the best that this machine runs, and baseline")
set(TILESCOPE_TARGETS baseline)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  if(TILESCOPE_SIMD_TARGETS STREQUAL "all")
    list(APPEND TILESCOPE_TARGETS v3 v4)
  elseif(TILESCOPE_SIMD_TARGETS STREQUAL "native" AND EXISTS /proc/cpuinfo)
    file(STRINGS /proc/cpuinfo processor_flags REGEX "^flags" LIMIT_COUNT 1)
    # can_run() in machine/simd/targets.cpp has the last word on what runs.
    if(processor_flags MATCHES " avx512bw" AND processor_flags MATCHES " avx512vl" AND processor_flags MATCHES " avx512dq")
      list(APPEND TILESCOPE_TARGETS v4)
    elseif(processor_flags MATCHES " avx2" AND processor_flags MATCHES " fma")
      list(APPEND TILESCOPE_TARGETS v3)
    endif()
  endif()
endif()
set(TILESCOPE_TARGET_FLAGS_baseline "")
set(TILESCOPE_TARGET_FLAGS_v3 -march=x86-64-v3)
set(TILESCOPE_TARGET_FLAGS_v4 -march=x86-64-v4 -mprefer-vector-width=512)
# The X-macro over the targets, for those who choose among them.
list(TRANSFORM TILESCOPE_TARGETS REPLACE "(.+)" " X(\\1)" OUTPUT_VARIABLE target_list)
list(JOIN target_list "" target_list)
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/target_list.h
  CONTENT "#define TILESCOPE_TARGET_LIST(X)${target_list}\n")

# tilescope_lane_code(NAME OBJECTS SOURCES... [LINK LIBRARY...]): sources compiled once per target, as the objects of a
# room; OBJECTS is the variable that gets them.
function(tilescope_lane_code name objects)
  cmake_parse_arguments(LANE "" "" "SOURCES;LINK" ${ARGN})
  foreach(target IN LISTS TILESCOPE_TARGETS)
    set(library tilescope_${name}_${target})
    add_library(${library} OBJECT ${LANE_SOURCES})
    target_link_libraries(${library} PRIVATE tilescope_flags ${LANE_LINK})
    target_compile_definitions(${library} PRIVATE TILESCOPE_TARGET=${target})
    # -fno-math-errno and -fno-trapping-math let the compiler turn lane loops into vector code; no result changes.
    target_compile_options(${library} PRIVATE ${TILESCOPE_TARGET_FLAGS_${target}} -fno-math-errno -fno-trapping-math)
    target_precompile_headers(${library} PRIVATE ${TILESCOPE_COMMON_HEADERS})
    list(APPEND made $<TARGET_OBJECTS:${library}>)
  endforeach()
  set(${objects} ${made} PARENT_SCOPE)
endfunction()
