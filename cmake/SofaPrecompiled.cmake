# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
#
# The precompiled headers, in this one place. A header of ours belongs here only when most files include it
# and it rarely changes: editing it rebuilds everything. The angle brackets keep absolute paths out of the
# precompiled header, so that the compiler cache works across checkouts.
option(SOFA_PCH "Use precompiled headers (off: checks that every file includes what it uses)" ON)

set(SOFA_STANDARD_HEADERS
    <algorithm> <array> <cmath> <cstddef> <cstdint> <filesystem> <functional> <fstream> <iostream> <limits> <map>
    <memory> <numeric> <optional> <set> <span> <sstream> <stdexcept> <string> <string_view> <tuple> <type_traits>
    <utility> <variant> <vector>)

# Ours, for every library and the tests; and those that components include besides.
set(SOFA_PROJECT_HEADERS <core/math/DataTypes.h> <core/objectmodel/Data.h> <core/objectmodel/Link.h>
                         <core/objectmodel/Component.h>)
set(SOFA_COMPONENT_HEADERS <core/objectmodel/Node.h> <core/factory/Registry.h> <core/behavior/ForceField.h>
                           <core/behavior/Mass.h>)

# sofa_precompile(target headers...): gives a target its precompiled header.
function(sofa_precompile target)
  if(SOFA_PCH)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()
