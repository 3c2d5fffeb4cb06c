// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/collision/MeshCollisionModels.h"
#include "core/behavior/ForceField.h"
#include "core/collision/CollisionModel.h"

namespace sofa::component {

using namespace sofa::core;

/// A sphere around each point or frame of the state of the node.
template <class DataTypes>
class SphereCollisionModel final : public CollisionModel
{
public:
    Data<Vector<double>> d_listRadius{
        this,
        {.name = "listRadius", .help = "Radius of each sphere; those that are not given get 'radius'", .unit = "m"}};
    Data<double> d_radius{this, {.name = "radius", .help = "Radius where listRadius gives none", .unit = "m"}, 1.};

    SphereCollisionModel()
    {
        addAlias(d_listRadius, "radiusList");
        this->ignoreAttribute("showImpostors", "how round spheres look is a matter of the viewer");
    }
    static std::string_view staticTemplateName() { return DataTypes::name(); }
    static bool canCreate(const Node* node, const ComponentDescription& desc, std::string& why)
    {
        return stateHasType<DataTypes>(node, desc, "mstate", why);
    }
    void init() override;
    CollisionShape shape() const override { return CollisionShape::Sphere; }
    BaseState& state() const override { return *m_state; }
    std::span<const Index> vertices(Index i) const override { return {&m_points[i], 1}; }
    double radius(Index i) const override { return m_radii[i]; }
    PointLists pointLists() override;

protected:
    void updatePrimitives() override;
    Index primitiveCount() const override { return static_cast<Index>(m_points.size()); }

private:
    State<DataTypes>* m_state = nullptr;
    Vector<Index> m_points;
    Vector<double> m_radii;
};

}  // namespace sofa::component
