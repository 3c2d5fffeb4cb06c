// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/collision/SphereCollisionModel.h"

#include <cmath>

#include "core/behavior/ForceField.h"
#include "core/behavior/StateLookup.h"
#include "core/factory/Registry.h"

namespace sofa::component {

template <class DataTypes>
void SphereCollisionModel<DataTypes>::init()
{
    m_state = findMechanicalState<State<DataTypes>>(*node(), Search::Up);
    if (!m_state)
        return fail("needs a state of the centres (MechanicalObject template=\"" + std::string(DataTypes::name()) +
                    "\") in its node");
    const Vector<double>& radii = d_listRadius.value();
    for (std::size_t i = 0; i < radii.size(); ++i)
        if (!(radii[i] >= 0.) || !std::isfinite(radii[i]))
            return fail("the radius of sphere " + std::to_string(i) + " is " + toText(radii[i]));
    if (!(d_radius.value() >= 0.)) return fail("radius is " + d_radius.text());
    updatePrimitives();
}

template <class DataTypes>
TopologyFollower::PointLists SphereCollisionModel<DataTypes>::pointLists()
{
    Vector<double> radii = d_listRadius.value();
    if (radii.empty()) return noLists();
    // Those that are not given must not become those of others.
    if (radii.size() < m_state->size()) {
        radii.resize(m_state->size(), d_radius.value());
        d_listRadius.setValue(std::move(radii));
    }
    return {{{pointsOf(state()), {{&d_listRadius}}}}};
}

template <class DataTypes>
void SphereCollisionModel<DataTypes>::updatePrimitives()
{
    const std::size_t n = m_state->size(), known = m_points.size();
    if (known != n) {
        m_points.resize(n);
        for (std::size_t i = known; i < n; ++i) m_points[i] = static_cast<Index>(i);
    }
    const Vector<double>& radii = d_listRadius.value();
    m_radii.resize(n);
    for (std::size_t i = 0; i < n; ++i) m_radii[i] = i < radii.size() ? radii[i] : d_radius.value();
}

static const RegisterComponent registeredSphereCollisionModel =
    RegisterComponent("SphereCollisionModel", "CollisionModel", "Sofa.Component.Collision.Geometry")
        .help("Spheres around the points or frames of a state, for collision detection")
        .example("component/collision/Spheres.scn")
        .add<SphereCollisionModel, Vec3Types, Rigid3Types>();

}  // namespace sofa::component
