# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.

# sofa_add_plugin(NAME SOURCES...)
#
# Adds the plugin NAME: a library lib<NAME>.so that runSofa loads with `-l` or a scene with
# <RequiredPlugin name="NAME"/>. Its components register themselves when it is loaded. It is compiled with the
# framework's floating-point rules, so that results do not depend on which library a law lives in.
function(sofa_add_plugin name)
  if(NOT ARGN)
    message(FATAL_ERROR "sofa_add_plugin(${name}): no source files given")
  endif()
  add_library(${name} SHARED ${ARGN})
  target_link_libraries(${name} PUBLIC Sofa::components Sofa::core)
  target_include_directories(${name} PUBLIC "${CMAKE_CURRENT_SOURCE_DIR}")
  target_compile_options(${name} PRIVATE -Wall -Wextra -ffp-contract=off -fno-math-errno)
  set_target_properties(${name} PROPERTIES CXX_EXTENSIONS OFF LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
  install(TARGETS ${name} LIBRARY DESTINATION lib)
endfunction()

# sofa_add_plugin_test(NAME SOURCES...)
#
# Adds the test program NAMETest of the plugin NAME, and the test NAMETest: Catch2, and the conformance checks of
# Sofa::harness ("tests/harness/ForceFieldCheck.h", MassCheck.h, MappingCheck.h, TestGraph.h). One of the sources
# defines CATCH_CONFIG_MAIN.
function(sofa_add_plugin_test name)
  if(NOT TARGET Sofa::harness)
    message(FATAL_ERROR "sofa_add_plugin_test(${name}): there is no Sofa::harness: it needs Catch2 2.13, and a framework "
                        "that was built with its tests")
  endif()
  add_executable(${name}Test ${ARGN})
  target_link_libraries(${name}Test PRIVATE ${name} Sofa::harness)
  # Catch2's main takes a while to optimise.
  target_compile_options(${name}Test PRIVATE -O0 -ffp-contract=off)
  add_test(NAME ${name}Test COMMAND ${name}Test)
endfunction()
