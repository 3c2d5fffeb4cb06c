// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/io/MeshData.h"
#include "core/io/TextScanner.h"

namespace sofa::core::io {

/// Reads a mesh of the pre- and postprocessor GiD in its text form (GiD customization manual, "Postprocess mesh
/// format"); keywords may have any case, lines that start with '#' are passed over:
///
///     MESH ["name"] dimension 2|3 ElemType type Nnode n
///     Coordinates
///       number x y [z]
///     End Coordinates
///     Elements
///       number node ... [material]
///     End Elements
///
/// once or several times; nodes of a block are known in those after it, and in all of them only once. Types are Point,
/// Linear (or Line), Triangle, Quadrilateral, Tetrahedra, Hexahedra, Prism and Pyramid, of first or second order.
/// Second-order edges, triangles and tetrahedra give their midside nodes, others their corners, with a note; spheres
/// and circles are errors. The name of a block becomes the group of its elements (`ranges`), the material a group of
/// cells with that number as tag. Elements are numbered from 0 in the order of the file. \throws MeshError
MeshData parseGid(const SourceText& source);

}  // namespace sofa::core::io
