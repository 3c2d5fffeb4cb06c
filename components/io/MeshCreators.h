// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/topology/MeshLoader.h"

namespace sofa::component {

using namespace sofa::core;

/// Points at equal distances on the line from 0 0 0 to 1 0 0, with an edge between each and the next. The mesh is then
/// transformed as that of a file.
class StringMeshCreator : public MeshLoader
{
public:
    Input<Index> d_resolution{
        this, {.name = "resolution", .help = "Number of points", .unit = "1", .range = Range::atLeast(2.)}, 2};

    StringMeshCreator() : MeshLoader(Source::Computation) {}

protected:
    io::MeshData makeMesh(const io::MeshReadOptions& options) override;
};

/// Grid of points on the unit square from 0 0 0 to 1 1 0: point (i, j) has the index i + nx j. Its cells are quads, or
/// two triangles each, which are divided along the diagonal that the pattern says; each edge is there once, in the
/// order of its points. The mesh is then transformed as that of a file.
class GridMeshCreator : public MeshLoader
{
public:
    Input<Vec<2, int>> d_resolution{
        this,
        {.name = "resolution", .help = "Numbers of points along x and y", .unit = "1", .range = Range::atLeast(2.)},
        Vec<2, int>{2, 2}};
    Input<int> d_trianglePattern{this,
                                 {.name = "trianglePattern",
                                  .help = "0: quads; triangles: 1: diagonals of both directions in turn, 2: all "
                                          "diagonals upward from left to right, 3: all downward",
                                  .range = Range::closed(0., 3.)},
                                 2};

    GridMeshCreator() : MeshLoader(Source::Computation) {}

protected:
    io::MeshData makeMesh(const io::MeshReadOptions& options) override;
};

}  // namespace sofa::component
