// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/collision/SolidCollisionModels.h"

#include <cmath>

#include "core/behavior/StateLookup.h"
#include "core/factory/Registry.h"

namespace sofa::component {

namespace {

/// `before`, `name` and `after` make its name in messages: no text is put together for sizes that are fine.
double checkedSize(std::string_view before, std::string_view name, std::string_view after, Index i, double value)
{
    if (!(value >= 0.) || !std::isfinite(value))
        throw std::runtime_error(std::string(before).append(name).append(after) + " of solid " + std::to_string(i) +
                                 " is " + toText(value) + ": give a length that is not negative");
    return value;
}

}  // namespace

CollisionShape capsuleShape()
{
    static const CollisionShape shape =
        registerCollisionShape({.name = "capsule", .plural = "capsules", .solid = true});
    return shape;
}

CollisionShape cylinderShape()
{
    static const CollisionShape shape =
        registerCollisionShape({.name = "cylinder", .plural = "cylinders", .solid = true});
    return shape;
}

CollisionShape boxShape()
{
    static const CollisionShape shape =
        registerCollisionShape({.name = "oriented box", .plural = "oriented boxes", .solid = true});
    return shape;
}

// --- Frames --------------------------------------------------------------------------------------------------------

void FrameCollisionModel::init()
{
    m_state = findMechanicalState<State<Rigid3Types>>(*node(), Search::Up);
    if (!m_state) return fail("needs a state of frames (MechanicalObject template=\"Rigid3\") in its node");
    try {
        updatePrimitives();
    } catch (const std::runtime_error& e) {
        fail(e);
    }
}

namespace {

/// Scenes give orientations with few digits.
RigidCoord3 withUnitQuaternion(RigidCoord3 frame)
{
    frame.orientation = frame.orientation.normalized();
    return frame;
}

}  // namespace

geometry::ConvexBody FrameCollisionModel::presentBody(Index i) const
{
    return i < m_state->size() ? bodyIn(i, withUnitQuaternion(m_state->positions()[i])) : body(i);
}

void FrameCollisionModel::updatePrimitives()
{
    const std::size_t n = m_state->size(), known = m_frames.size();
    m_frames.resize(n);
    for (std::size_t i = known; i < n; ++i) m_frames[i] = static_cast<Index>(i);
    m_bodies.resize(n);
    const auto& x = m_state->positions();
    for (std::size_t i = 0; i < n; ++i) m_bodies[i] = bodyIn(static_cast<Index>(i), withUnitQuaternion(x[i]));
}

geometry::Aabb FrameCollisionModel::bounds(Index i) const
{
    geometry::ConvexBody core = m_bodies[i];
    core.radius = 0.;
    return core.bounds();
}

Vec3 FrameCollisionModel::rotation(Index i) const
{
    if (wanted().motion == CollisionMotion::FreeMotion && m_state->isAllocated(vec_id::freePosition)) {
        const Quat begin = m_state->positions()[i].orientation.normalized(),
                   end = m_state->read(vec_id::freePosition)[i].orientation.normalized();
        return (end * begin.inverse()).toRotationVector();
    }
    if (wanted().motion != CollisionMotion::Inertia) return {};
    return Rigid3Types::angular(m_state->velocities()[i]) * wanted().dt;
}

RigidCoord3 FrameCollisionModel::frameAt(Index i, double t) const
{
    return {pointAt(i, t),
            Quat::fromRotationVector(rotation(i) * t) * m_state->positions()[i].orientation.normalized()};
}

double FrameCollisionModel::turn(Index i) const
{
    const geometry::ConvexBody& b = m_bodies[i];
    const Vec3 center = m_state->positions()[i].center;
    double far = 0.;
    for (std::size_t k = 0; k < b.count; ++k) far = std::max(far, norm(b.points[k] - center));
    return norm(rotation(i)) * std::hypot(far, b.cylinderRadius);
}

geometry::ConvexBody FrameCollisionModel::bodyAt(Index i, double t) const
{
    return t == 0. ? m_bodies[i] : bodyIn(i, frameAt(i, t));
}

PrimitivePoint FrameCollisionModel::carriedBack(Index i, double t, const Vec3& p) const
{
    if (t == 0.) return {p, {}};
    const RigidCoord3 now = frameAt(i, t), begin = frameAt(i, 0.);
    return {begin.apply(now.orientation.inverseRotate(p - now.center)), {}};
}

double FrameCollisionModel::sizeOf(const Data<Vector<double>>& list, Index i, const Data<double>& otherwise)
{
    if (i < list.value().size()) return checkedSize("entry of '", list.name(), "'", i, list.value()[i]);
    return checkedSize("'", otherwise.name(), "'", i, otherwise.value());
}

geometry::ConvexBody RigidCapsuleCollisionModel::bodyIn(Index i, const RigidCoord3& frame) const
{
    const Vec3 half = frame.orientation.rotate({0., 0.5 * sizeOf(d_heights, i, d_defaultHeight), 0.});
    const std::array<Vec3, 2> ends{frame.center - half, frame.center + half};
    return geometry::ConvexBody::of(ends, sizeOf(d_radii, i, d_defaultRadius));
}

geometry::ConvexBody CylinderCollisionModel::bodyIn(Index i, const RigidCoord3& frame) const
{
    const Vec3 axis = i < d_axes.value().size() ? d_axes.value()[i] : d_defaultLocalAxis.value();
    const double length = norm(axis);
    if (!(length > 0.) || !std::isfinite(length))
        throw std::runtime_error("the axis of cylinder " + std::to_string(i) + " is " + toText(axis) +
                                 ": give a direction");
    const Vec3 half = frame.orientation.rotate(axis * (0.5 * sizeOf(d_heights, i, d_defaultHeight) / length));
    return geometry::ConvexBody::of(
        geometry::Cylinder{frame.center - half, frame.center + half, sizeOf(d_radii, i, d_defaultRadius)});
}

geometry::ConvexBody OBBCollisionModel::bodyIn(Index i, const RigidCoord3& frame) const
{
    Vec3 h = Vec3::filled(d_defaultExtent.value());
    if (i < d_extents.value().size()) h = d_extents.value()[i];
    for (std::size_t k = 0; k < 3; ++k) checkedSize("a half length of a side", {}, {}, i, h[k]);
    return geometry::ConvexBody::of(geometry::Obb{frame.center, frame.orientation.toMatrix(), h});
}

// --- Capsules around edges -----------------------------------------------------------------------------------------

ElementLists EdgeCapsuleCollisionModel::elementLists()
{
    Vector<double> radii = d_listCapsuleRadii.value();
    if (radii.empty()) return {};
    // Those that are not given must not become those of others.
    if (radii.size() < l_topology->edges().size()) {
        radii.resize(l_topology->edges().size(), d_defaultRadius.value());
        d_listCapsuleRadii.setValue(std::move(radii));
    }
    return {{l_topology.get(), {ElementType::Edges}}, {{&d_listCapsuleRadii}}};
}

void EdgeCapsuleCollisionModel::updatePrimitives()
{
    const auto& edges = l_topology->edges();
    const Index n = m_state->size();
    const Vector<double>& radii = d_listCapsuleRadii.value();
    m_radii.resize(edges.size());
    for (std::size_t e = 0; e < edges.size(); ++e) {
        for (const Index v : edges[e])
            if (v >= n)
                throw std::runtime_error("edge " + std::to_string(e) + " of '" + l_topology->pathName() +
                                         "' has the vertex " + std::to_string(v) + ", but the state has " +
                                         std::to_string(n) + " points");
        m_radii[e] = checkedSize("the radius", {}, {}, static_cast<Index>(e),
                                 e < radii.size() ? radii[e] : d_defaultRadius.value());
    }
}

bool EdgeCapsuleCollisionModel::canCollide(Index i, const CollisionModel& other, Index j, double) const
{
    if (&other == this && i <= j) return false;
    return !sharesVertex(i, other, j);
}

namespace {

const RegisterComponent registeredCapsuleCollisionModel =
    RegisterComponent("CapsuleCollisionModel", "CollisionModel", "CollisionOBBCapsule")
        .help("Capsules, for collision detection: along the y axes of frames, or around the edges of a mesh")
        .example("component/collision/Solids.scn")
        .add<EdgeCapsuleCollisionModel>()
        .add<RigidCapsuleCollisionModel>();
const RegisterComponent registeredCylinderCollisionModel =
    RegisterComponent("CylinderCollisionModel", "CollisionModel", "Sofa.Component.Collision.Geometry")
        .help("Cylinders that frames carry, for collision detection")
        .example("component/collision/Solids.scn")
        .add<CylinderCollisionModel>();
const RegisterComponent registeredOBBCollisionModel =
    RegisterComponent("OBBCollisionModel", "CollisionModel", "CollisionOBBCapsule")
        .help("Boxes that frames carry, for collision detection")
        .example("component/collision/Solids.scn")
        .add<OBBCollisionModel>();

}  // namespace

}  // namespace sofa::component
