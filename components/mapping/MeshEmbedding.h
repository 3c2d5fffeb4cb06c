// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/io/InterpolationFile.h"
#include "core/io/VegFormat.h"
#include "core/topology/BaseMeshTopology.h"

namespace sofa::component {

using namespace sofa::core;

/// Embeds points [m] in the tetrahedra or cubes of a volumetric mesh: each takes the element that contains it, else the
/// one whose centre is nearest, where the weights extrapolate; Vega generates weights by the same rule. The search is
/// that of the barycentric mapping (BarycentricWeights).
///
/// With zeroThreshold > 0 [m], points that are farther than that from every vertex of their element get weights of 0:
/// interpolated displacements leave them where they are.
/// \throws std::runtime_error if the mesh has no element or a position is not finite
io::InterpolationWeights embedPoints(const io::VegMesh& mesh, const Vector<Vec3>& points, double zeroThreshold = 0.);

/// The same in the volumes of a topology with these vertices, or else in its triangles and quads. \throws
/// std::runtime_error also where points lie in elements with different numbers of vertices, which a file of weights
/// cannot have
io::InterpolationWeights embedPoints(const BaseMeshTopology& topology, const Vector<Vec3>& vertices,
                                     const Vector<Vec3>& points, double zeroThreshold = 0.);

}  // namespace sofa::component
