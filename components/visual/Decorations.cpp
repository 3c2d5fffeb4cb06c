// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/visual/Decorations.h"

#include "core/factory/Registry.h"

namespace sofa::component {

BoundingBox VisualGrid::boundingBox() const
{
    if (!d_enable.value()) return {};
    const double h = 0.5 * static_cast<double>(d_size.value());
    Vec3 corner = Vec3::filled(h);
    corner[d_plane.value().index()] = 0.;
    BoundingBox box;
    box.include(corner);
    box.include(-corner);
    return box;
}

BoundingBox LineAxis::boundingBox() const
{
    BoundingBox box;
    if (!d_enable.value() || d_infinite.value()) return box;
    for (std::size_t i = 0; i < 3; ++i) {
        if (d_axis.value().find("xyz"[i]) == std::string::npos) continue;
        const Vec3 end = Vec3::unit(i) * (0.5 * static_cast<double>(d_size.value()));
        box.include(end);
        box.include(-end);
    }
    return box;
}

BoundingBox Visual3DText::boundingBox() const
{
    BoundingBox box;
    if (d_enable.value()) box.include(d_position.value());
    return box;
}

namespace {

const char* const drawsOnly = " It draws only in a viewer.";

RegisterComponent decoration(const char* name, const char* module, const char* help)
{
    return RegisterComponent(name, "Visual", module)
        .help(std::string(help) + drawsOnly)
        .example("component/visual/Decorations.scn");
}

const RegisterComponent sceneFrame = decoration("OglSceneFrame", "Sofa.GL.Component.Rendering3D",
                                                "The axes of the scene's frame, drawn in a corner of the view.")
                                         .add<OglSceneFrame>();
const RegisterComponent label =
    decoration("OglLabel", "Sofa.GL.Component.Rendering2D", "Text at a fixed place of the view.").add<OglLabel>();
const RegisterComponent grid =
    decoration("VisualGrid", "Sofa.Component.Visual", "Square grid of lines in a coordinate plane.")
        .alias("OglGrid")
        .add<VisualGrid>();
const RegisterComponent axis = decoration("LineAxis", "Sofa.Component.Visual", "Coordinate axes through the origin.")
                                   .alias("OglLineAxis")
                                   .add<LineAxis>();
const RegisterComponent text =
    decoration("Visual3DText", "Sofa.Component.Visual", "Text at a place in space, facing the viewer.")
        .add<Visual3DText>();
const RegisterComponent box =
    decoration("VisualBoundingBox", "Sofa.Component.Visual", "The bounding box of the node.").add<VisualBoundingBox>();
const RegisterComponent transform =
    decoration("VisualTransform", "Sofa.Component.Visual", "Draws its node in another frame.").add<VisualTransform>();
const RegisterComponent plane =
    decoration("ClipPlane", "Sofa.GL.Component.Rendering3D", "Half space in which nothing of the node is drawn.")
        .add<ClipPlane>();
const RegisterComponent viewport =
    decoration("OglViewport", "Sofa.GL.Component.Rendering2D", "A second view of the scene inside the view.")
        .add<OglViewport>();

}  // namespace

}  // namespace sofa::component
