// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/objectmodel/Engine.h"

namespace sofa::component {

using namespace sofa::core;

/// Loader of sphere lists (.sph): centres and radii. Centres are scaled, rotated, then translated; radii stay as they
/// are in the file. Like every loader it is an engine: the file is read when its Data are first used, at init at the
/// latest.
class SphereLoader : public Engine
{
public:
    static std::string_view typeLabel() { return "sphere loader"; }

    Input<FileName> d_filename{this, {.name = "filename", .help = "File to read", .required = true}};
    Output<Vector<Vec3>> d_position{this,
                                    {.name = "position", .help = "Centres of the spheres, transformed", .unit = "m"}};
    Output<Vector<double>> d_listRadius{this, {.name = "listRadius", .help = "Radii of the spheres", .unit = "m"}};
    Input<Vec3> d_scale{
        this, {.name = "scale", .help = "Scale of the centres along x, y and z", .unit = "1"}, Vec3{1., 1., 1.}};
    Input<Vec3> d_rotation{
        this, {.name = "rotation", .help = "Rotation about x, then y, then z, applied after the scale", .unit = "deg"}};
    Input<Vec3> d_translation{this, {.name = "translation", .help = "Translation, applied last", .unit = "m"}};

    SphereLoader();
    void init() override { run(); }
    BoundingBox boundingBox() const override;

protected:
    void doUpdate() override;
};

}  // namespace sofa::component
