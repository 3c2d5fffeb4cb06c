// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <string>

#include "core/io/MeshData.h"

namespace meshgen {

/// What the command `tetrahedra` asks for; numbers as text, which the component reads.
struct FillingOptions
{
    std::string surface, file;
    std::string size, minSize, grading, steps;  ///< empty: the default of the component
};

/// The tetrahedra inside of a surface, and its triangles, made by the component MeshFromSurface of the plugin Netgen.
/// Throws std::runtime_error; where there is no such plugin the text says how to get it.
sofa::core::io::MeshData fillSurface(const FillingOptions& options);

}  // namespace meshgen
