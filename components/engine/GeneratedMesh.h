// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <stdexcept>
#include <string>

#include "core/objectmodel/DataText.h"

/// What engines that make meshes share.
namespace sofa::component {

/// Largest number of points or elements that an engine makes of a few numbers of a scene.
inline constexpr double largestMesh = 5e7;

/// Throws std::runtime_error, with the names of the Data that say how many there are, if a mesh would be too large.
inline void requireMeshSize(const std::string& data, double elements)
{
    if (!(elements <= largestMesh))
        throw std::runtime_error(data + ": the mesh would have " + core::toText(elements) +
                                 " elements; at most 50000000 are made");
}

}  // namespace sofa::component
