# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
#
# The precompiled headers, in this one place: standard headers only. Ours cost about 0.2 s in a file that includes
# core/behavior/ForceField.h, much less than rebuilding everything whenever one of them is edited. The angle
# brackets keep absolute paths out of the precompiled header, so that the compiler cache works across checkouts.
option(SOFA_PCH "Use precompiled headers (off: checks that every file includes what it uses)" ON)

set(SOFA_STANDARD_HEADERS
    <algorithm> <array> <cmath> <cstddef> <cstdint> <filesystem> <functional> <fstream> <iostream> <limits> <map>
    <memory> <numeric> <optional> <set> <span> <sstream> <stdexcept> <string> <string_view> <tuple> <type_traits>
    <utility> <variant> <vector>)

# sofa_precompile(target headers...): gives a target its precompiled header.
# sofa_precompile(target REUSE_FROM other): gives it that of a target compiled with the same options.
function(sofa_precompile target)
  if(SOFA_PCH)
    if("${ARGV1}" STREQUAL REUSE_FROM)
      target_precompile_headers(${target} REUSE_FROM ${ARGV2})
    else()
      target_precompile_headers(${target} PRIVATE ${ARGN})
    endif()
  endif()
endfunction()
