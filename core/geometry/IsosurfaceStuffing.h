// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstdint>

#include "core/geometry/Aabb.h"
#include "core/mesh/Elements.h"
#include "core/parallel/Parallel.h"

namespace sofa::core::geometry {

struct StuffingOptions
{
    Aabb box;            ///< what the lattice covers, and a margin
    double cell = 0.;    ///< edge of its cubes
    bool snap = false;   ///< move points of the lattice that are near to the surface onto it
    bool split = false;  ///< cut tetrahedra at the surface; otherwise those with a corner inside stay whole
    /// How near: the part of a long or short edge of the lattice that lies on the same side.
    double alphaLong = 0.24999, alphaShort = 0.42978;
};

struct StuffedMesh
{
    enum Kind : std::uint8_t
    {
        Lattice,  ///< a point of the lattice
        Snapped,  ///< one that was moved onto the surface
        Cut       ///< a cut of an edge of the lattice with the surface
    };
    Vector<Vec3> points;
    Vector<Kind> kinds;  ///< of the points
    Vector<Tetrahedron> tetrahedra;
};

/// Tetrahedra of good shape that fill the set where f > 0: F. Labelle, J. R. Shewchuk, "Isosurface stuffing: fast
/// tetrahedral meshes with good dihedral angles", ACM Transactions on Graphics 26 (2007), without grading.
///
/// The lattice is body-centred cubic: the corners of cubes around the middle of the box, then their centres, x fastest.
/// With `snap` and `split` and the default parts all dihedral angles lie between 10.7° and 164.8°, whatever f is; with
/// alphaLong = 0.21509 and alphaShort = 0.35900 between 8.9° and 158.8°. Points come in the order of the lattice, then
/// the cuts; those without a tetrahedron are left out.
///
/// `f` is called by several threads; it is continuous, and infinite nowhere. \throws std::runtime_error if the cells
/// are not positive
StuffedMesh stuffIsosurface(FunctionRef<double(const Vec3&)> f, const StuffingOptions& options);

/// Number of tetrahedra of the lattice.
double latticeSize(const StuffingOptions& options);

}  // namespace sofa::core::geometry
