// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <catch2/catch.hpp>

#include "core/io/MeshData.h"
#include "core/io/VegFormat.h"

/// What tests write and read back.
namespace sofa::test {

/// Points, of which one has coordinates that take all digits, and elements of every kind but polylines.
inline core::io::MeshData elementsOfAllKinds()
{
    core::io::MeshData m;
    m.positions = {
        {0.1, 1. / 3., -2e-300}, {1e22, 5, 6}, {7, 8, 9}, {1, 2, 3}, {4, 4, 4}, {5, 5, 5}, {6, 6, 6}, {7, 7, 7}};
    m.points = {2};
    m.edges = {{0, 1}};
    m.triangles = {{0, 1, 2}};
    m.quads = {{0, 1, 2, 3}};
    m.tetrahedra = {{3, 1, 2, 0}, {4, 1, 2, 0}};
    m.hexahedra = {{0, 1, 2, 3, 4, 5, 6, 7}};
    m.prisms = {{0, 1, 2, 3, 4, 5}};
    m.pyramids = {{0, 1, 2, 3, 4}};
    return m;
}

inline void checkSameElements(const core::io::MeshData& a, const core::io::MeshData& b)
{
    CHECK(a.positions == b.positions);
    CHECK(a.points == b.points);
    CHECK(a.edges == b.edges);
    CHECK(a.triangles == b.triangles);
    CHECK(a.quads == b.quads);
    CHECK(a.tetrahedra == b.tetrahedra);
    CHECK(a.hexahedra == b.hexahedra);
    CHECK(a.prisms == b.prisms);
    CHECK(a.pyramids == b.pyramids);
}

inline void checkSame(const core::io::VegMesh& a, const core::io::VegMesh& b)
{
    CHECK(a.positions == b.positions);
    CHECK(a.tetrahedra == b.tetrahedra);
    CHECK(a.hexahedra == b.hexahedra);
    CHECK(a.materials == b.materials);
    CHECK(a.sets == b.sets);
    CHECK(a.regions == b.regions);
    CHECK(a.elementMaterial == b.elementMaterial);
}

}  // namespace sofa::test
