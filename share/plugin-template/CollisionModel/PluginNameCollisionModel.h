// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/collision/SolidCollisionModels.h"

namespace sofa::component {

/// Shape of the model below.
core::CollisionShape pluginNameShape();

/// Ellipsoids along the axes of frames, with their middle at the frame: |(x / a, y / b, z / c)| ≤ 1.
///
/// Its form is a support function, from which nearest points, boxes, rays and images follow; so do contacts with
/// other solids, points, lines, tetrahedra and rays, with any intersection method. Contacts with spheres and triangles
/// have a test of its own, which registers beside the class.
///
/// This is the shape that the template starts with: replace it by yours, here and in the test.
class PluginNameCollisionModel : public FrameCollisionModel
{
public:
    core::Data<core::Vec3> d_radii{
        this,
        {.name = "radii", .help = "Half lengths a, b, c along the axes", .unit = "m", .range = core::Range::positive()},
        core::Vec3{1., 1., 1.}};

    core::CollisionShape shape() const override { return pluginNameShape(); }

protected:
    core::geometry::ConvexBody bodyIn(core::Index i, const core::RigidCoord3& frame) const override;

private:
    /// Farthest along d: D² d / |D d|, D being the diagonal matrix of the radii.
    class Form final : public core::geometry::ConvexForm
    {
    public:
        explicit Form(const PluginNameCollisionModel& model) : m_model(model) {}
        core::Vec3 support(const core::Vec3& d) const override;
        double reach() const override;

    private:
        const PluginNameCollisionModel& m_model;
    };
    Form m_form{*this};
};

}  // namespace sofa::component
