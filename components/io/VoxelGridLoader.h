// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/mesh/Elements.h"
#include "core/objectmodel/Engine.h"

namespace sofa::component {

using namespace sofa::core;

/// Loader of voxels, one byte each without any structure (.raw): hexahedra, or points, where voxels are taken. A voxel
/// is taken if its value is one of dataValue; if there are none, if it is none of bgValue.
///
/// Voxel (i, j, k) has the number i + nx (j + ny k) and the corner (i, j, k) voxelSize; points that several hexahedra
/// share are there once. Hexahedra and points are in the order of the grid.
class VoxelGridLoader : public Engine
{
public:
    static std::string_view typeLabel() { return "voxel grid loader"; }

    Input<FileName> d_filename{this, {.name = "filename", .help = "File to read (.raw)", .required = true}};
    Output<Vector<Vec3>> d_position{this, output("position", "Corners of the hexahedra, or those of the voxels", "m")};
    Output<Vector<Hexahedron>> d_hexahedra{this, output("hexahedra", "Voxels that are taken")};
    Input<Vec3> d_voxelSize{this, input("voxelSize", "Size of a voxel along x, y and z", "m", Range::positive()),
                            Vec3{1., 1., 1.}};
    Input<Vec<3, int>> d_resolution{
        this, input("resolution", "Numbers of voxels along x, y and z", "1", Range::nonNegative())};
    Input<Vec<6, int>> d_roi{
        this, input("ROI", "Voxels that are looked at: the first along x, y and z, and the last; cut to the grid", "1"),
        Vec<6, int>{0, 0, 0, 65535, 65535, 65535}};
    Input<int> d_header{this, input("header", "Bytes before the first voxel", "1", Range::nonNegative()), 0};
    Output<Vector<Index>> d_idxInRegularGrid{this,
                                             output("idxInRegularGrid", "Number in the grid of each voxel taken")};
    Input<Vector<int>> d_bgValue{this, input("bgValue", "Values of voxels that are not taken")};
    Input<Vector<int>> d_dataValue{this, input("dataValue", "Values of the only voxels that are taken")};
    Input<bool> d_generateHexa{
        this, input("generateHexa", "Make a hexahedron of each voxel, else a point at its first corner"), true};

    VoxelGridLoader();
    void init() override { run(); }
    BoundingBox boundingBox() const override;

protected:
    void doUpdate() override;

private:
    void load();
};

}  // namespace sofa::component
