// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "PluginNameCollisionModel.h"

#include <algorithm>

#include "core/collision/CollisionDetection.h"
#include "core/factory/Registry.h"
#include "core/geometry/ConvexContact.h"

namespace sofa::component {

using namespace sofa::core;

CollisionShape pluginNameShape()
{
    static const CollisionShape shape =
        registerCollisionShape({.name = "PluginName ellipsoid", .plural = "PluginName ellipsoids", .solid = true});
    return shape;
}

Vec3 PluginNameCollisionModel::Form::support(const Vec3& d) const
{
    const Vec3& r = *m_model.d_radii;
    const Vec3 scaled{r[0] * d[0], r[1] * d[1], r[2] * d[2]};
    const double length = norm(scaled);
    return Vec3{r[0] * scaled[0], r[1] * scaled[1], r[2] * scaled[2]} / length;
}

double PluginNameCollisionModel::Form::reach() const
{
    const Vec3& r = *m_model.d_radii;
    return std::max({r[0], r[1], r[2]});
}

geometry::ConvexBody PluginNameCollisionModel::bodyIn(Index, const RigidCoord3& frame) const
{
    return geometry::ConvexBody::of(m_form, frame.center, frame.orientation.toMatrix());
}

namespace {

/// An ellipsoid, and a sphere or triangle: the nearest points, of the sphere its centre.
void nearestPoints(const IntersectionMethod& method, const CollisionModel& a, Index i, const CollisionModel& b, Index j,
                   Vector<DetectedContact>& out)
{
    const geometry::Contact c = geometry::coreContact(a.body(i), b.body(j));
    const double more = a.d_contactDistance.value() + b.d_contactDistance.value() + b.radius(j);
    if (c.distance > method.alarmDistance() + more) return;
    const auto id = static_cast<std::int64_t>(i) * b.size() + j;
    out.push_back({i, j, id, c.pointA, c.pointB, c.normal, c.distance - method.contactDistance() - more});
}

const RegisterContactTests tests({{pluginNameShape(), CollisionShape::Sphere, nearestPoints},
                                  {pluginNameShape(), CollisionShape::Triangle, nearestPoints}});

const RegisterComponent registered = RegisterComponent("PluginNameCollisionModel", "CollisionModel", "PluginName")
                                         .help("Ellipsoids that frames carry, for collision detection")
                                         .example("PluginName.scn")
                                         .add<PluginNameCollisionModel>();

}  // namespace

}  // namespace sofa::component
