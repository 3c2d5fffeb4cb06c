// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/ForceField.h"
#include "core/collision/CollisionDetection.h"

namespace sofa::component {

using namespace sofa::core;

/// origin + t direction, with t from 0 to `length`; the direction need not be of unit length.
struct CollisionRay
{
    Vec3 origin, direction;
    double length = 0.;

    Vec3 end() const { return origin + direction * length; }
};

/// Shape of rays.
CollisionShape rayShape();

/// Rays that pick: what they hit is recorded by the response "RayContact", which does nothing else.
class BaseRayCollisionModel : public CollisionModel
{
public:
    /// Contacts with another model; primitive1 and point1 are those of the rays, the normal points away from them.
    struct Hits
    {
        const CollisionModel* model;
        Vector<DetectedContact> contacts;
    };

    CollisionShape shape() const override { return rayShape(); }
    virtual CollisionRay ray(Index i) const = 0;
    geometry::ConvexBody body(Index i) const override;

    /// What the rays hit in the present step, in the order of the detection.
    const std::vector<Hits>& hits() const { return m_hits; }
    /// Sets the hits on a model, none to take it out. For the response.
    void setHits(const CollisionModel& model, Vector<DetectedContact> contacts) const;

protected:
    geometry::Aabb bounds(Index i) const override { return body(i).bounds(); }
    void drawPrimitives(DrawTool& tool) override;

private:
    mutable std::vector<Hits> m_hits;  ///< a result of the detection, which sees models as constant
};

/// A ray from each point of a state, or from each frame, in which its direction is then given.
///
/// Directions are set by who owns the rays (setRay), or by the scene; as in SOFA a ray without one, (0, 0, 0), is its
/// origin.
template <class DataTypes>
class RayCollisionModel final : public BaseRayCollisionModel
{
public:
    Data<double> d_defaultLength{this,
                                 {.name = "defaultLength",
                                  .help = "Length of rays that have none of their own, in lengths of their direction",
                                  .unit = "1"},
                                 1.};
    Data<Vector<Vec3>> d_directions{
        this,
        {.name = "directions",
         .help = "Direction of each ray, in its frame if it has one; (0, 0, 0) for those that are not given",
         .unit = "1"}};
    Data<Vector<double>> d_lengths{
        this,
        {.name = "lengths",
         .help = "Length of each ray in lengths of its direction; those that are not given get defaultLength",
         .unit = "1"}};

    RayCollisionModel() { d_contactResponse.setDefault("RayContact"); }
    static std::string_view staticTemplateName() { return DataTypes::name(); }
    static bool canCreate(const Node* node, const ComponentDescription& desc, std::string& why)
    {
        return stateHasType<DataTypes>(node, desc, "mstate", why);
    }
    void init() override;
    BaseState& state() const override { return *m_state; }
    std::span<const Index> vertices(Index i) const override { return {&m_points[i], 1}; }

    CollisionRay ray(Index i) const override;
    /// Moves the origin and sets direction (in world axes) and length of a ray.
    void setRay(Index i, const CollisionRay& ray);
    /// Adds a point (or frame, along the axes) to the state, with its ray; returns its index.
    Index addRay(const CollisionRay& ray);

protected:
    void updatePrimitives() override;
    Index primitiveCount() const override { return static_cast<Index>(m_points.size()); }

private:
    State<DataTypes>* m_state = nullptr;
    Vector<Index> m_points;
};

}  // namespace sofa::component
