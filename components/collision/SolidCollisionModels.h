// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/collision/MeshCollisionModels.h"
#include "core/behavior/ForceField.h"

namespace sofa::component {

using namespace sofa::core;

/// Shapes of the models below.
CollisionShape capsuleShape();
CollisionShape cylinderShape();
CollisionShape boxShape();

/// Solids that frames carry, one for each. A plugin's solid says what it is in bodyIn() and its shape in shape().
class FrameCollisionModel : public CollisionModel
{
public:
    static std::string_view staticTemplateName() { return Rigid3Types::name(); }
    static bool canCreate(const Node* node, const ComponentDescription& desc, std::string& why)
    {
        return stateHasType<Rigid3Types>(node, desc, "mstate", why);
    }
    void init() override;
    BaseState& state() const override { return *m_state; }
    std::span<const Index> vertices(Index i) const override { return {&m_frames[i], 1}; }
    geometry::ConvexBody body(Index i) const override { return m_bodies[i]; }
    double turn(Index i) const override;
    geometry::ConvexBody bodyAt(Index i, double t) const override;
    PrimitivePoint carriedBack(Index i, double t, const Vec3& p) const override;

protected:
    /// The solid of a frame. Throws std::runtime_error if its sizes are not valid.
    virtual geometry::ConvexBody bodyIn(Index i, const RigidCoord3& frame) const = 0;
    void updatePrimitives() override;
    Index primitiveCount() const override { return static_cast<Index>(m_frames.size()); }
    geometry::Aabb bounds(Index i) const override;
    geometry::ConvexBody presentBody(Index i) const override;
    /// Entry i of a list, or a default where it has none. Throws std::runtime_error unless it is finite and ≥ 0.
    static double sizeOf(const Data<Vector<double>>& list, Index i, const Data<double>& otherwise);

private:
    /// Rotation vector of a frame over the motion.
    Vec3 rotation(Index i) const;
    RigidCoord3 frameAt(Index i, double t) const;

    State<Rigid3Types>* m_state = nullptr;
    Vector<Index> m_frames;
    Vector<geometry::ConvexBody> m_bodies;
};

/// Capsules around the y axes of frames: everything within the radius of a segment of the given height.
class RigidCapsuleCollisionModel final : public FrameCollisionModel
{
public:
    Data<Vector<double>> d_radii{
        this,
        {.name = "radii", .help = "Radius of each capsule; those that are not given get defaultRadius", .unit = "m"}};
    Data<Vector<double>> d_heights{this,
                                   {.name = "heights",
                                    .help = "Length of the axis of each capsule, without its round ends; those that "
                                            "are not given get defaultHeight",
                                    .unit = "m"}};
    Data<double> d_defaultRadius{
        this, {.name = "defaultRadius", .help = "Radius where 'radii' gives none", .unit = "m"}, 0.5};
    Data<double> d_defaultHeight{
        this, {.name = "defaultHeight", .help = "Height where 'heights' gives none", .unit = "m"}, 2.};

    /// SOFA has the misspelt name.
    RigidCapsuleCollisionModel() { addAlias(d_defaultHeight, "dafaultHeight"); }
    CollisionShape shape() const override { return capsuleShape(); }
    double radius(Index i) const override { return body(i).radius; }

protected:
    geometry::ConvexBody bodyIn(Index i, const RigidCoord3& frame) const override;
};

/// Capsules around the edges of a mesh.
class EdgeCapsuleCollisionModel final : public ModelOnMesh
{
public:
    Data<Vector<double>> d_listCapsuleRadii{this,
                                            {.name = "listCapsuleRadii",
                                             .help = "Radius of each capsule; those that are not given get "
                                                     "defaultRadius",
                                             .unit = "m"}};
    Data<double> d_defaultRadius{
        this, {.name = "defaultRadius", .help = "Radius where listCapsuleRadii gives none", .unit = "m"}, 0.5};

    EdgeCapsuleCollisionModel() { addAlias(d_listCapsuleRadii, "radii"); }
    void init() override { initOn("Vec3", "topology with edges"); }
    CollisionShape shape() const override { return capsuleShape(); }
    std::span<const Index> vertices(Index i) const override { return l_topology->edges()[i]; }
    double radius(Index i) const override { return m_radii[i]; }
    ElementLists elementLists() override;
    /// Capsules that share an end do not collide.
    bool canCollide(Index i, const CollisionModel& other, Index j, double distance) const override;

protected:
    void updatePrimitives() override;
    Index primitiveCount() const override { return static_cast<Index>(m_radii.size()); }

private:
    Vector<double> m_radii;
};

/// Cylinders in the middle of frames, with flat ends.
class CylinderCollisionModel final : public FrameCollisionModel
{
public:
    Data<Vector<double>> d_radii{
        this,
        {.name = "radii", .help = "Radius of each cylinder; those that are not given get defaultRadius", .unit = "m"}};
    Data<Vector<double>> d_heights{this,
                                   {.name = "heights",
                                    .help = "Length of each cylinder; those that are not given get defaultHeight",
                                    .unit = "m"}};
    Data<Vector<Vec3>> d_axes{
        this,
        {.name = "axes",
         .help = "Axis of each cylinder in its frame; those that are not given get defaultLocalAxis",
         .unit = "1"}};
    Data<double> d_defaultRadius{
        this, {.name = "defaultRadius", .help = "Radius where 'radii' gives none", .unit = "m"}, 0.5};
    Data<double> d_defaultHeight{
        this, {.name = "defaultHeight", .help = "Length where 'heights' gives none", .unit = "m"}, 2.};
    Data<Vec3> d_defaultLocalAxis{
        this,
        {.name = "defaultLocalAxis", .help = "Axis where 'axes' gives none; its length does not count", .unit = "1"},
        Vec3{0., 1., 0.}};

    CollisionShape shape() const override { return cylinderShape(); }

protected:
    geometry::ConvexBody bodyIn(Index i, const RigidCoord3& frame) const override;
};

/// Boxes along the axes of frames, with their middle at the frame.
class OBBCollisionModel final : public FrameCollisionModel
{
public:
    Data<Vector<Vec3>> d_extents{
        this,
        {.name = "extents",
         .help = "Half lengths of the sides of each box along x, y and z; those that are not given get defaultExtent",
         .unit = "m"}};
    Data<double> d_defaultExtent{
        this,
        {.name = "defaultExtent", .help = "Half length of all sides where 'extents' gives none", .unit = "m"},
        1.};

    CollisionShape shape() const override { return boxShape(); }

protected:
    geometry::ConvexBody bodyIn(Index i, const RigidCoord3& frame) const override;
};

}  // namespace sofa::component
