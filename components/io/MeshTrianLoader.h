// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/io/TrianFormat.h"
#include "core/topology/MeshLoader.h"

namespace sofa::component {

using namespace sofa::core;

/// Loader of triangulations (.trian) that say which triangles are neighbours. What the reader makes of the format is
/// described in core/io/TrianFormat.h.
class MeshTrianLoader : public MeshLoader
{
public:
    Input<bool> d_trian2{
        this,
        {.name = "trian2", .help = "The file is of the second kind, with material and normals, without neighbours"},
        false};
    Output<Vector<std::array<int, 3>>> d_neighborTable{
        this, output("neighborTable", "Triangle opposite of each corner of each triangle; -1: none")};
    Output<Vector<Vector<Index>>> d_edgesOnBorder{this, output("edgesOnBorder", "Points of the edges on the border")};
    Output<Vector<Index>> d_trianglesOnBorderList{
        this, output("trianglesOnBorderList", "Triangles with an edge on the border")};

protected:
    io::MeshData readFile(const std::string& path, const io::MeshReadOptions& options) override;
    void publish(const io::MeshData& mesh) override;

private:
    Vector<std::array<int, 3>> m_neighbours;  ///< what was read, until it is published
};

}  // namespace sofa::component
