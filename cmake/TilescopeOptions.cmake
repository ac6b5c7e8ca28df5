# Flags every room shares, and the one function that declares a room.
#
# tilescope_room(NAME SOURCES... [DEPENDS ROOM...] [LINK LIBRARY...] [AT_ONCE N] [COLD]) makes the static library
# tilescope_NAME. DEPENDS names the rooms to its left (docs/internals/architecture.md); scripts/check_includes.py holds the #include
# lines to the same. AT_ONCE: how many of its files are compiled as one.

find_package(fmt REQUIRED GLOBAL)
add_library(tilescope_flags INTERFACE)
target_link_libraries(tilescope_flags INTERFACE fmt::fmt) # most rooms print with it
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
set(TILESCOPE_SANITIZE_ROOMS "" CACHE STRING
  "The rooms that are compiled with them, besides the tests; empty: all. The others are as in a build without, and so are their objects in a compiler cache")
set(sanitizer_options -fsanitize=${TILESCOPE_SANITIZE} -fno-omit-frame-pointer)
if(TILESCOPE_SANITIZE)
  if(TILESCOPE_SANITIZE MATCHES "undefined")
    list(APPEND sanitizer_options -fno-sanitize-recover=undefined)
  endif()
  add_link_options(-fsanitize=${TILESCOPE_SANITIZE})
  if(NOT TILESCOPE_SANITIZE_ROOMS)
    add_compile_options(${sanitizer_options})
  endif()
endif()
# tilescope_sanitize(TARGET ROOM): TARGET is compiled with the sanitizers where only some rooms are, and ROOM is one.
function(tilescope_sanitize target room)
  if(TILESCOPE_SANITIZE_ROOMS AND (room STREQUAL "tests" OR room IN_LIST TILESCOPE_SANITIZE_ROOMS))
    target_compile_options(${target} PRIVATE ${sanitizer_options} -O1 -g1)
  endif()
endfunction()

# All rooms tell a fuzzer where they went.
if(TILESCOPE_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
  add_link_options(-fsanitize=fuzzer-no-link)
endif()

# The quickest linker that is there.
find_program(TILESCOPE_MOLD mold)
if(TILESCOPE_MOLD)
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_LINK_OPTIONS -fuse-ld=mold)
  check_cxx_source_compiles("int main() { return 0; }" TILESCOPE_LINKS_WITH_MOLD)
  unset(CMAKE_REQUIRED_LINK_OPTIONS)
  if(TILESCOPE_LINKS_WITH_MOLD)
    add_link_options(-fuse-ld=mold)
  endif()
endif()

# A compiler cache serves every checkout: paths below this one count as relative to it, and no object names it.
find_program(TILESCOPE_CCACHE ccache)
if(TILESCOPE_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
    CCACHE_SLOPPINESS=time_macros,include_file_mtime,include_file_ctime ${TILESCOPE_CCACHE})
endif()
add_compile_options(-ffile-prefix-map=${CMAKE_SOURCE_DIR}=.)

# tilescope_unity(TARGET [GROUP NAME] [AT_ONCE N] SOURCES...): compiles SOURCES of TARGET as unity builds of AT_ONCE files. Most of
# an ordinary file's time goes into the library's headers, which are read once for many files then (bench/README.md). So the
# files of one group share their unnamed namespaces: two functions need two names. Sources that are objects, or that the
# build generates, are compiled alone; with TILESCOPE_UNITY off, all are. compile_commands.json lists real sources only then:
# editors and clang-tidy read build/editor (cmake --preset editor).
option(TILESCOPE_UNITY "Compile several files of a directory at once" ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(TILESCOPE_UNITY)
  set(CMAKE_EXPORT_COMPILE_COMMANDS OFF)
endif()
function(tilescope_unity target)
  cmake_parse_arguments(UNITY "" "AT_ONCE;GROUP" "SOURCES" ${ARGN})
  if(NOT UNITY_AT_ONCE)
    set(UNITY_AT_ONCE 8)
  endif()
  if(NOT UNITY_GROUP)
    set(UNITY_GROUP ${target})
  endif()
  if(NOT TILESCOPE_UNITY OR UNITY_AT_ONCE EQUAL 1)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  set(count 0)
  foreach(source IN LISTS UNITY_SOURCES)
    if(source MATCHES "^\\$<" OR source MATCHES "^${CMAKE_BINARY_DIR}/")
      continue()
    endif()
    math(EXPR number "${count} / ${UNITY_AT_ONCE}")
    set_property(SOURCE ${source} PROPERTY UNITY_GROUP ${UNITY_GROUP}_${number})
    math(EXPR count "${count} + 1")
  endforeach()
endfunction()

# What several programs and libraries of an installation are made of is one library, libtilescope-core.so, where this is on:
# the program, three releases of the CUDA runtime and the C++ library would each hold a copy of it otherwise. Off, each
# stands alone, which is quicker to build again.
option(TILESCOPE_SHARED_CORE "One library for what program and runtimes have in common, as packages have it" OFF)
# tilescope_front(TARGET FOLDER): TARGET is installed to FOLDER and takes the rooms from that library. Comes before the
# target's other libraries, so that the linker looks there first. Libraries of others lie in own/, in packages that bring them.
function(tilescope_front target folder)
  if(NOT TILESCOPE_SHARED_CORE)
    return()
  endif()
  target_link_libraries(${target} PRIVATE tilescope_core)
  target_link_options(${target} PRIVATE -Wl,--as-needed)
  set(way $ORIGIN)
  if(NOT folder STREQUAL "lib/tilescope")
    file(RELATIVE_PATH up /${folder} /lib/tilescope)
    string(APPEND way /${up})
  endif()
  set_target_properties(${target} PROPERTIES INSTALL_RPATH "${way};${way}/own")
endfunction()

# Rooms that no launch runs through (COLD) are optimised less: that is quicker to build, and nobody waits for them.
function(tilescope_room name)
  cmake_parse_arguments(ROOM "COLD" "AT_ONCE" "SOURCES;DEPENDS;LINK" ${ARGN})
  add_library(tilescope_${name} STATIC ${ROOM_SOURCES})
  tilescope_unity(tilescope_${name} GROUP ${name} AT_ONCE ${ROOM_AT_ONCE} SOURCES ${ROOM_SOURCES})
  set_property(GLOBAL APPEND PROPERTY TILESCOPE_ROOM_LIBRARIES tilescope_${name})
  if(ROOM_COLD)
    target_compile_options(tilescope_${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
  tilescope_sanitize(tilescope_${name} ${name})
  target_link_libraries(tilescope_${name} PUBLIC tilescope_flags ${ROOM_LINK})
  foreach(room IN LISTS ROOM_DEPENDS)
    target_link_libraries(tilescope_${name} PUBLIC tilescope_${room})
  endforeach()
endfunction()

# Where this checkout and this build lie, for tests (tests/places.h): in one small file, so that all others are the same in
# every checkout.
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/places.cpp @ONLY CONTENT
"#include \"tests/places.h\"
namespace tilescope {
const char* const kSourceDirectory = \"@CMAKE_SOURCE_DIR@\";
const char* const kBuildDirectory = \"@CMAKE_BINARY_DIR@\";
} // namespace tilescope
")
add_library(tilescope_places STATIC EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/generated/places.cpp)
target_include_directories(tilescope_places PUBLIC ${CMAKE_SOURCE_DIR})

# Test programs are built more often than they are run, and what most of them run long is not in them.
set(TILESCOPE_TEST_OPTIMIZATION -O0 CACHE STRING "How test programs are optimised that are not LONG")

# tilescope_test(NAME SOURCES... LINK LIBRARY... [LABELS LABEL...] [SLOW_CASES FILTER] [AT_ONCE N] [LONG] [COST N]): a GoogleTest
# program. ctest runs all its cases in one process, as one test of the program's name; cases that FILTER (as --gtest_filter)
# selects, and all cases of a program with the label "slow", are tests of their own. Labels that scripts/test knows: "threads"
# runs under the thread sanitizer; "slow" marks whole programs, which sanitizers skip; "lanes" marks lane code and floating
# point, which every release build runs because the compiler and its optimization could break it. LONG: the test's own code
# takes the time (an oracle), so it is optimized. COST: tests with a higher cost start earlier, so that no long one runs alone
# at the end.
include(GoogleTest)
add_custom_target(threaded_tests)
add_custom_target(lane_tests)
option(TILESCOPE_UNIT_TESTS "Also the tests that are neither slow nor of lane code" ON)
if(TILESCOPE_TESTS)
  find_package(GTest REQUIRED)
endif()
# tilescope_test_flags(TARGET [LONG]): how test programs are compiled.
function(tilescope_test_flags name)
  cmake_parse_arguments(FLAGS "LONG" "" "" ${ARGN})
  if(FLAGS_LONG)
    target_compile_options(${name} PRIVATE -O1)
  else()
    target_compile_options(${name} PRIVATE ${TILESCOPE_TEST_OPTIMIZATION})
  endif()
  tilescope_sanitize(${name} tests)
  target_link_libraries(${name} PRIVATE tilescope_places)
endfunction()
function(tilescope_test name)
  cmake_parse_arguments(TEST "LONG" "AT_ONCE;COST;SLOW_CASES" "SOURCES;LINK;LABELS" ${ARGN})
  add_executable(${name} ${TEST_SOURCES})
  tilescope_unity(${name} AT_ONCE ${TEST_AT_ONCE} SOURCES ${TEST_SOURCES})
  target_link_libraries(${name} PRIVATE tilescope_flags ${TEST_LINK} GTest::gtest GTest::gtest_main)
  set(long "")
  if(TEST_LONG)
    set(long LONG)
  endif()
  tilescope_test_flags(${name} ${long})
  if("threads" IN_LIST TEST_LABELS)
    add_dependencies(threaded_tests ${name})
  endif()
  if("lanes" IN_LIST TEST_LABELS)
    add_dependencies(lane_tests ${name})
  endif()
  if((TILESCOPE_SANITIZE AND "slow" IN_LIST TEST_LABELS) OR (NOT TILESCOPE_UNIT_TESTS AND NOT TEST_LABELS MATCHES "slow|lanes"))
    set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
    return()
  endif()
  if("slow" IN_LIST TEST_LABELS)
    tilescope_slow_cases(${name} "*" ${TEST_LABELS})
    return()
  endif()
  set(filter "*")
  if(TEST_SLOW_CASES)
    set(filter "-${TEST_SLOW_CASES}")
    if(NOT TILESCOPE_SANITIZE)
      tilescope_slow_cases(${name} "${TEST_SLOW_CASES}" ${TEST_LABELS} slow)
    endif()
  endif()
  tilescope_cases_at_once(${name} ${name} "${filter}" LABELS "${TEST_LABELS}" COST "${TEST_COST}")
endfunction()

# Each case of this program that the filter selects, as a test of its own, for tests/selection.txt.
function(tilescope_slow_cases program filter)
  set_property(GLOBAL APPEND PROPERTY TILESCOPE_SLOW_TESTS ${program})
  gtest_discover_tests(${program} TEST_FILTER "${filter}" DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 900 LABELS "${ARGN}")
endfunction()

# All cases that the filter selects, in one process.
function(tilescope_cases_at_once test program filter)
  cmake_parse_arguments(CASES "" "COST" "LABELS;ENVIRONMENT" ${ARGN})
  add_test(NAME ${test} COMMAND ${program} --gtest_brief=1 "--gtest_filter=${filter}")
  set_tests_properties(${test} PROPERTIES TIMEOUT 1800 FAIL_REGULAR_EXPRESSION "PASSED  . 0 tests" LABELS "${CASES_LABELS}" ENVIRONMENT "${CASES_ENVIRONMENT}")
  if(CASES_COST)
    set_tests_properties(${test} PROPERTIES COST ${CASES_COST})
  endif()
endfunction()

# Lane code is compiled once per instruction set; TILESCOPE_SIMD_TARGETS limits the list.
set(TILESCOPE_SIMD_TARGETS "all" CACHE STRING
  "baseline; all that the compiler's architecture knows; runnable: all that this machine runs; native: the best of these alone")
set(TILESCOPE_TARGETS baseline)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  if(TILESCOPE_SIMD_TARGETS STREQUAL "all")
    list(APPEND TILESCOPE_TARGETS v3 v4)
  elseif(TILESCOPE_SIMD_TARGETS MATCHES "^(native|runnable)$" AND EXISTS /proc/cpuinfo)
    file(STRINGS /proc/cpuinfo processor_flags REGEX "^flags" LIMIT_COUNT 1)
    # can_run() in machine/simd/targets.cpp has the last word on what runs.
    if(processor_flags MATCHES " avx2" AND processor_flags MATCHES " fma")
      list(APPEND TILESCOPE_TARGETS v3)
    endif()
    if(processor_flags MATCHES " avx512bw" AND processor_flags MATCHES " avx512vl" AND processor_flags MATCHES " avx512dq")
      list(APPEND TILESCOPE_TARGETS v4)
    endif()
    if(TILESCOPE_SIMD_TARGETS STREQUAL "native")
      list(GET TILESCOPE_TARGETS -1 TILESCOPE_TARGETS)
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
    list(APPEND made $<TARGET_OBJECTS:${library}>)
  endforeach()
  set(${objects} ${made} PARENT_SCOPE)
endfunction()
