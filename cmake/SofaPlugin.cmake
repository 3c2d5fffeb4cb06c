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
