// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <array>

#include "core/io/MeshData.h"
#include "core/io/TextScanner.h"

namespace sofa::core::io {

/// A triangulation with what its file says about neighbours.
struct TrianMesh
{
    MeshData mesh;
    /// Triangle beyond the side that lies opposite of each corner; −1: the side is on the border. Empty in files of the
    /// second kind.
    Vector<std::array<int, 3>> neighbours;
};

/// Which of the two kinds of files it is.
enum class TrianKind
{
    First,   ///< a number of points, "x y z" each; a number of triangles, "a b c n1 n2 n3" each
    Second,  ///< 13 lines of material, then lists with a word and a number before each: points, normals, triangles
    Auto     ///< First if the file starts with a number
};

/// Reads a triangulation in the text form that SOFA's MeshTrianLoader takes. Vertices count from 0. Normals are kept if
/// there is one for each point. \throws MeshError
TrianMesh parseTrian(const SourceText& source, TrianKind kind = TrianKind::Auto);

}  // namespace sofa::core::io
