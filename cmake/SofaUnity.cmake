# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
#
# Files of one folder are compiled together, eight at a time: headers and templates that they share are compiled once,
# which takes less than half of the time. Whoever edits one file often configures with -DSOFA_UNITY=OFF.
option(SOFA_UNITY "Compile files of a folder together (off: each by itself)" ON)

# sofa_unity(target sources...): compiles these sources of a target so. A new file moves others to another batch only in
# its own folder. Names in anonymous namespaces must differ within a folder.
function(sofa_unity target)
  if(NOT SOFA_UNITY)
    return()
  endif()
  foreach(source IN LISTS ARGN)
    cmake_path(GET source PARENT_PATH folder)
    file(RELATIVE_PATH folder "${CMAKE_SOURCE_DIR}" "${folder}")
    string(MAKE_C_IDENTIFIER "${folder}" folder)
    list(APPEND folder_${folder} "${source}")
    list(LENGTH folder_${folder} number)
    math(EXPR batch "(${number} - 1) / 8")
    set_property(SOURCE "${source}" PROPERTY UNITY_GROUP "${folder}_${batch}")
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # Names in anonymous namespaces of files that are included in a batch: g++ calls them those of a header, clang finds that
  # local ones of other files shadow them.
  target_compile_options(${target} PRIVATE $<IF:$<CXX_COMPILER_ID:GNU>,-Wno-subobject-linkage,-Wno-shadow>)
endfunction()
