# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
#
# Tests from folders; there is no CMakeLists.txt below tests/.
#
# - tests/<layer>/<folder>/**.cpp make one executable tests_<layer>_<folder>. Layer `core` links sofa_core only;
#   any other layer links the components too. Files directly in tests/<layer>/ make tests_<layer>.
#   tests/applications/gl links sofa_gl, where that is built; tests/applications/qt and tests/applications/modeler are
#   QtTest classes (below).
# - tests/harness/main.cpp is the one compiled Catch2 main; tests/harness/*.cpp are helpers every test may use.
# - Each Catch2 test case is one CTest test. Its labels are those of its tags that SOFA_TEST_LABELS names,
#   or `unit`. The cases are listed when ctest starts, by the executables themselves (tests/harness/main.cpp).
# - tests/fuzz/*.cpp make fuzz_input: damaged scenes and meshes, a few hundred with label `input`, many with
#   label `nightly`.
# - tests/scripts/*.py are tests run with python3; exit status 77 means skipped. Lines `# label: oracle, input`,
#   `# timeout: 60` (seconds) and `# serial: yes` among the first 20 set their properties.
find_package(Catch2 2.13 REQUIRED)
find_program(SOFA_PYTHON python3 HINTS /usr/bin NO_CACHE REQUIRED)

set(SOFA_TEST_LABELS oracle input nightly scenes)
set(tests "${CMAKE_SOURCE_DIR}/tests")

file(GLOB harness CONFIGURE_DEPENDS "${tests}/harness/*.cpp")
list(REMOVE_ITEM harness "${tests}/harness/main.cpp")

# The part that plugins use too, installed as Sofa::harness: conformance checks, and scenes in miniature.
set(installed_harness Numerics ForceFieldCheck MassCheck MappingCheck TestGraph)
list(TRANSFORM installed_harness PREPEND "${tests}/harness/")
list(TRANSFORM installed_harness APPEND .cpp OUTPUT_VARIABLE installed_sources)
list(TRANSFORM installed_harness APPEND .h OUTPUT_VARIABLE installed_headers)
list(REMOVE_ITEM harness ${installed_sources})
add_library(sofa_harness STATIC ${installed_sources})
target_link_libraries(sofa_harness PUBLIC sofa_core Catch2::Catch2)
target_compile_options(sofa_harness PRIVATE $<$<CONFIG:Release>:-O1>)
set_target_properties(sofa_harness PROPERTIES EXPORT_NAME harness)
install(TARGETS sofa_harness EXPORT SofaHarnessTargets ARCHIVE DESTINATION lib)
install(EXPORT SofaHarnessTargets NAMESPACE Sofa:: DESTINATION lib/cmake/Sofa)
install(FILES ${installed_headers} DESTINATION include/sofa/tests/harness)

add_library(test_harness STATIC ${harness})
target_link_libraries(test_harness PUBLIC sofa_harness sofa_core sofa_dependencies Catch2::Catch2)
set_source_files_properties("${tests}/harness/Paths.cpp" PROPERTIES SKIP_PRECOMPILE_HEADERS ON
  COMPILE_DEFINITIONS "SOFA_SOURCE_DIR=\"${CMAKE_SOURCE_DIR}\";SOFA_BUILD_DIR=\"${CMAKE_BINARY_DIR}\"")
sofa_precompile(test_harness <catch2/catch.hpp> ${SOFA_STANDARD_HEADERS})

# The tests themselves are optimised for the time it takes to compile them: what they measure is in the libraries.
target_compile_options(test_harness PUBLIC $<$<CONFIG:Release>:-O1>)

add_library(test_main STATIC "${tests}/harness/main.cpp")
set_source_files_properties("${tests}/harness/main.cpp" PROPERTIES COMPILE_OPTIONS -O0)
target_link_libraries(test_main PUBLIC test_harness)

# sofa_test_executable(name library sources...)
function(sofa_test_executable name library)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE test_main test_harness ${library})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
  sofa_precompile(${name} REUSE_FROM test_harness)
  sofa_unity(${name} ${ARGN})
  # Places in messages of tests, whose files are included by full paths: the same in all checkouts, as the compiler's
  # cache needs it.
  target_compile_options(${name} PRIVATE "-fmacro-prefix-map=${CMAKE_SOURCE_DIR}/=")
  set_property(GLOBAL APPEND PROPERTY SOFA_TEST_EXECUTABLES ${name})
  # Files with tests labelled `input`, and what is beside them for tests to share.
  set(input "")
  set(shared "")
  foreach(source IN LISTS ARGN)
    file(STRINGS "${source}" tagged REGEX "\\[input\\]" LIMIT_COUNT 1)
    file(STRINGS "${source}" cases REGEX "TEST_CASE" LIMIT_COUNT 1)
    if(tagged)
      list(APPEND input "${source}")
    elseif(NOT cases)
      list(APPEND shared "${source}")
    endif()
  endforeach()
  if(input)
    string(REPLACE ";" "_" libraries "${library}")
    set_property(GLOBAL APPEND PROPERTY SOFA_INPUT_SOURCES_${libraries} ${input} ${shared})
  endif()
endfunction()

file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE "${tests}" "${tests}/*.cpp")
list(FILTER sources EXCLUDE REGEX "^(harness|scripts|data|benchmarks|fuzz|applications/qt|applications/modeler)/")
list(SORT sources)
set(groups "")
foreach(source IN LISTS sources)
  if(source MATCHES "^([^/]+)/([^/]+)/")
    set(group "tests_${CMAKE_MATCH_1}_${CMAKE_MATCH_2}")
  else()
    string(REGEX REPLACE "/.*" "" layer "${source}")
    set(group "tests_${layer}")
  endif()
  list(APPEND groups ${group})
  list(APPEND sources_of_${group} "${tests}/${source}")
endforeach()
list(REMOVE_DUPLICATES groups)
foreach(group IN LISTS groups)
  if(group STREQUAL "tests_applications_gl")
    if(TARGET sofa_gl)
      sofa_test_executable(${group} "sofa_gl;sofa_components" ${sources_of_${group}})
    endif()
  elseif(group STREQUAL "tests_applications_panels")
    # Widgets without a window: Qt draws them into memory.
    find_package(Qt6 6.4 QUIET COMPONENTS Test)
    if(TARGET sofa_qt AND TARGET Qt6::Test)
      sofa_test_executable(${group} "sofa_qt;sofa_components;Qt6::Test" ${sources_of_${group}})
      set_target_properties(${group} PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)
    endif()
  elseif(group MATCHES "^tests_core(_|$)")
    sofa_test_executable(${group} sofa_core ${sources_of_${group}})
  else()
    sofa_test_executable(${group} sofa_components ${sources_of_${group}})
  endif()
endforeach()

# Tests of windows: QtTest, with real windows, clicks and keys in an X server of their own. One CTest test for each class;
# a file is called as its class. tests/applications/qt/WindowMain.cpp is the main program of all of them.
find_package(Qt6 6.4 QUIET COMPONENTS Test)
find_program(SOFA_XVFB_RUN xvfb-run)
mark_as_advanced(SOFA_XVFB_RUN)

# sofa_window_test(name executable class label environment)
function(sofa_window_test name executable class label environment)
  add_test(NAME "${name}" COMMAND "${SOFA_XVFB_RUN}" -a -s "-screen 0 3840x2160x24" "$<TARGET_FILE:${executable}>" ${class})
  set_tests_properties("${name}" PROPERTIES LABELS ${label} TIMEOUT 300
    ENVIRONMENT "QT_QPA_PLATFORM=xcb;LIBGL_ALWAYS_SOFTWARE=1;${environment}")
endfunction()

# sofa_window_tests(executable library prefix label sources...): the classes of these files, but for bases
# (*WindowTest.cpp).
function(sofa_window_tests executable library prefix label)
  add_executable(${executable} ${ARGN})
  target_link_libraries(${executable} PRIVATE ${library} Qt6::Test)
  target_compile_options(${executable} PRIVATE -O0)
  set_target_properties(${executable} PROPERTIES AUTOMOC ON RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
  if(SOFA_XVFB_RUN)
    foreach(source IN LISTS ARGN)
      cmake_path(GET source STEM class)
      if(source MATCHES "Test\\.cpp$" AND NOT source MATCHES "WindowTest\\.cpp$")
        sofa_window_test("${prefix}: ${class}" ${executable} ${class} ${label} "")
      endif()
    endforeach()
  endif()
endfunction()

if(TARGET sofa_qt AND TARGET Qt6::Test)
  if(NOT SOFA_XVFB_RUN)
    sofa_left_out("The tests of windows are not run: xvfb-run was not found")
  endif()
  file(GLOB qt_sources CONFIGURE_DEPENDS "${tests}/applications/qt/*.cpp" "${tests}/applications/qt/*.h")
  sofa_window_tests(tests_qt sofa_qt window window ${qt_sources})
  file(GLOB modeler_sources CONFIGURE_DEPENDS "${tests}/applications/modeler/*.cpp" "${tests}/applications/modeler/*.h")
  list(APPEND modeler_sources "${tests}/applications/qt/WindowMain.cpp" "${tests}/applications/qt/WindowMain.h"
    "${tests}/harness/Paths.cpp")
  sofa_window_tests(tests_modeler sofa_modeler modeler window ${modeler_sources})
  if(SOFA_XVFB_RUN)
    sofa_window_test("window: ScreenTest, twice the size" tests_qt ScreenTest window QT_SCALE_FACTOR=2)
    sofa_window_test("window: ScreenTest, German" tests_qt ScreenTest window SOFA_TEST_LANGUAGE=de)
  endif()
endif()

# Plugins that tests load: one library of each tests/data/plugins/*.cpp, in tests/plugins/ of the build folder.
file(GLOB test_plugins CONFIGURE_DEPENDS "${tests}/data/plugins/*.cpp")
foreach(source IN LISTS test_plugins)
  cmake_path(GET source STEM LAST_ONLY name)
  add_library(${name} MODULE "${source}")
  target_link_libraries(${name} PRIVATE sofa_core)
  set_target_properties(${name} PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests/plugins")
  foreach(user tests_core_factory tests_modeler)
    if(TARGET ${user})
      add_dependencies(${user} ${name})
    endif()
  endforeach()
endforeach()

# Benchmarks: one program of each tests/benchmarks/*.cpp, in benchmarks/ of the build folder; not built by default,
# `ninja benchmarks` builds them all.
add_custom_target(benchmarks)
file(GLOB benchmark_sources CONFIGURE_DEPENDS "${tests}/benchmarks/*.cpp")
if(NOT TARGET sofa_modeler)
  list(FILTER benchmark_sources EXCLUDE REGEX "modeler_bench")
endif()
foreach(source IN LISTS benchmark_sources)
  cmake_path(GET source STEM LAST_ONLY name)
  add_executable(${name} EXCLUDE_FROM_ALL "${source}")
  target_link_libraries(${name} PRIVATE sofa_components sofa_core)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/benchmarks")
  add_dependencies(benchmarks ${name})
endforeach()
if(TARGET sofa_modeler)
  target_link_libraries(modeler_bench PRIVATE sofa_modeler)
endif()
if(TARGET sofa_gl)
  target_link_libraries(drawing_bench PRIVATE sofa_gl)
  target_compile_definitions(drawing_bench PRIVATE SOFA_HAS_GL)
endif()

# AMGCL (headers only, not in Debian 12) is a peer to compare with: -DAMGCL_INCLUDE_DIR=... says where it is.
find_path(AMGCL_INCLUDE_DIR amgcl/amg.hpp DOC "Folder that has amgcl/amg.hpp, for multigrid_bench")
mark_as_advanced(AMGCL_INCLUDE_DIR)
if(AMGCL_INCLUDE_DIR)
  find_package(OpenMP QUIET)
  target_include_directories(multigrid_bench SYSTEM PRIVATE "${AMGCL_INCLUDE_DIR}")
  target_compile_definitions(multigrid_bench PRIVATE SOFA_HAS_AMGCL AMGCL_NO_BOOST)
  if(OpenMP_CXX_FOUND)
    target_link_libraries(multigrid_bench PRIVATE OpenMP::OpenMP_CXX)
  endif()
endif()

# Damaged input, and the corpus of the fuzzer, which is guided by coverage (preset fuzz, tools/fuzz).
add_library(fuzz_targets STATIC "${tests}/fuzz/FuzzTargets.cpp")
target_link_libraries(fuzz_targets PUBLIC test_harness sofa_components)
sofa_precompile(fuzz_targets REUSE_FROM test_harness)
if(TARGET sofa_gl)
  # The readers of images alone.
  set(image_readers Image.cpp ImageTga.cpp ImageTiff.cpp)
  find_package(PNG REQUIRED)
  find_package(JPEG REQUIRED)
  find_package(TIFF REQUIRED)
  list(TRANSFORM image_readers PREPEND "${CMAKE_SOURCE_DIR}/applications/gl/")
  target_sources(fuzz_targets PRIVATE ${image_readers})
  target_link_libraries(fuzz_targets PRIVATE PNG::PNG JPEG::JPEG TIFF::TIFF)
  set_source_files_properties("${tests}/fuzz/FuzzTargets.cpp" PROPERTIES COMPILE_DEFINITIONS SOFA_HAS_IMAGES
    SKIP_PRECOMPILE_HEADERS ON)
endif()
add_executable(fuzz_input "${tests}/fuzz/fuzz_input.cpp" "${tests}/fuzz/Mutator.cpp")
add_executable(fuzz_corpus "${tests}/fuzz/fuzz_corpus.cpp")
foreach(program fuzz_input fuzz_corpus)
  target_link_libraries(${program} PRIVATE fuzz_targets)
  set_target_properties(${program} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
  sofa_precompile(${program} REUSE_FROM test_harness)
  set_property(GLOBAL APPEND PROPERTY SOFA_INPUT_TESTS ${program})
endforeach()
if(SOFA_FUZZ)
  add_executable(fuzz_coverage EXCLUDE_FROM_ALL "${tests}/fuzz/fuzz_coverage.cpp" "${tests}/fuzz/Mutator.cpp")
  target_link_libraries(fuzz_coverage PRIVATE fuzz_targets)
  target_link_options(fuzz_coverage PRIVATE -fsanitize=fuzzer)
  set_target_properties(fuzz_coverage PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
endif()
add_test(NAME "fuzz: corpus of all targets" COMMAND fuzz_corpus)
set_tests_properties("fuzz: corpus of all targets" PROPERTIES LABELS input TIMEOUT 300)
add_test(NAME "fuzz: damaged scenes and meshes" COMMAND fuzz_input --cases 300)
set_tests_properties("fuzz: damaged scenes and meshes" PROPERTIES LABELS input TIMEOUT 300)
add_test(NAME "fuzz: damaged scenes and meshes, many" COMMAND fuzz_input --first 300 --cases 50000)
set_tests_properties("fuzz: damaged scenes and meshes, many" PROPERTIES LABELS nightly TIMEOUT 7200)

# Script tests.
file(GLOB scripts CONFIGURE_DEPENDS "${tests}/scripts/*.py")
foreach(script IN LISTS scripts)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${script}")
  cmake_path(GET script STEM name)
  set(test "scripts: ${name}")
  add_test(NAME "${test}" COMMAND "${SOFA_PYTHON}" "${script}")
  set(labels unit)
  set(timeout 300)
  set(serial OFF)
  file(STRINGS "${script}" header LIMIT_COUNT 20 REGEX "^# (label|timeout|serial): ")
  foreach(line IN LISTS header)
    if(line MATCHES "^# label: *(.+)$")
      string(REGEX REPLACE "[ ,]+" ";" labels "${CMAKE_MATCH_1}")
    elseif(line MATCHES "^# timeout: *([0-9]+)")
      set(timeout ${CMAKE_MATCH_1})
    elseif(line MATCHES "^# serial: *yes")
      set(serial ON)
    endif()
  endforeach()
  set(environment "SOFA_BUILD_DIR=${CMAKE_BINARY_DIR}" "SOFA_SOURCE_DIR=${CMAKE_SOURCE_DIR}"
                  "RUNSOFA=${CMAKE_BINARY_DIR}/bin/runSofa" "PYTHONPATH=${tests}/harness" PYTHONDONTWRITEBYTECODE=1)
  set_tests_properties("${test}" PROPERTIES LABELS "${labels}" TIMEOUT ${timeout} RUN_SERIAL ${serial}
                       SKIP_RETURN_CODE 77 ENVIRONMENT "${environment}")
  if("input" IN_LIST labels AND TARGET runSofa)
    set_property(GLOBAL APPEND PROPERTY SOFA_INPUT_TESTS runSofa)
  endif()
endforeach()

# `input_tests`: what the tests labelled `input` need, for the sanitizer build. Its Catch2 tests are one program for each
# library, of the files that have them, instead of all files of a dozen programs.
add_custom_target(input_tests)
get_property(input_tests GLOBAL PROPERTY SOFA_INPUT_TESTS)
list(REMOVE_DUPLICATES input_tests)
if(CMAKE_BUILD_TYPE STREQUAL "Asan")
  foreach(library sofa_core sofa_components)
    get_property(input_sources GLOBAL PROPERTY SOFA_INPUT_SOURCES_${library})
    sofa_test_executable(tests_input_${library} ${library} ${input_sources})
    list(APPEND input_tests tests_input_${library})
  endforeach()
endif()
add_dependencies(input_tests ${input_tests})

# Discovery at the start of ctest: each executable writes its cases as CTest commands, again only when it changed.
get_property(executables GLOBAL PROPERTY SOFA_TEST_EXECUTABLES)
string(REPLACE ";" "," label_list "${SOFA_TEST_LABELS}")
file(WRITE "${CMAKE_BINARY_DIR}/tests/discover.cmake" "
foreach(name ${executables})
  set(executable \"${CMAKE_BINARY_DIR}/tests/\${name}\")
  set(list \"\${executable}.cases.cmake\")
  if(NOT EXISTS \"\${executable}\")
    add_test(\"\${name} (not built)\" \"\${executable}\")
    set_tests_properties(\"\${name} (not built)\" PROPERTIES LABELS unit)
    continue()
  endif()
  if(\"\${executable}\" IS_NEWER_THAN \"\${list}\")
    execute_process(COMMAND \"\${executable}\" --list-for-ctest \"\${list}\" ${label_list}
                    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT status EQUAL 0)
      file(REMOVE \"\${list}\")
      message(\"\${name} cannot list its test cases: \${output}\")
      add_test(\"\${name} (cannot list its cases)\" \"\${executable}\" --list-for-ctest \"\${list}\" ${label_list})
      set_tests_properties(\"\${name} (cannot list its cases)\" PROPERTIES LABELS unit)
      continue()
    endif()
  endif()
  include(\"\${list}\")
endforeach()
")
set_property(DIRECTORY "${CMAKE_SOURCE_DIR}" APPEND PROPERTY TEST_INCLUDE_FILES "${CMAKE_BINARY_DIR}/tests/discover.cmake")
