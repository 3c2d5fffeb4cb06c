// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "PluginNameFollower.h"

#include "core/factory/Registry.h"
#include "core/objectmodel/DefaultLink.h"

namespace sofa::component {

using namespace sofa::core;

void PluginNameFollower::init()
{
    ForceField::init();
    if (!isValid() || !resolveOrNeed(l_topology, *this)) return;
    const std::size_t given = d_strength.value().size(), triangles = l_topology->triangles().size();
    if (given != 1 && given != triangles)
        return fail("strength has " + std::to_string(given) + " values; it takes one, or one for each of the " +
                    std::to_string(triangles) + " triangles");
    weighAll();
}

double PluginNameFollower::weightOf(Index point) const
{
    const Vector<Vec3>& rest = state().read(vec_id::restPosition);
    const Vector<double>& strength = d_strength.value();
    double weight = 0.;
    for (const Index t : l_topology->trianglesAroundVertex(point)) {
        const Triangle& v = l_topology->triangles()[t];
        const double area = 0.5 * norm(cross(rest[v[1]] - rest[v[0]], rest[v[2]] - rest[v[0]]));
        weight += strength[strength.size() == 1 ? 0 : t] * area / 3.;
    }
    return weight;
}

void PluginNameFollower::weighAll()
{
    m_weights.resize(state().size());
    for (Index i = 0; i < m_weights.size(); ++i) m_weights[i] = weightOf(i);
}

void PluginNameFollower::followTopology(const TopologyChange& change)
{
    // The mesh as it was some time before: a reset, or a change that is taken back.
    if (change.restores()) return weighAll();
    // The points that stay keep their weights, under their new numbers ...
    const TopologyChange::Source points = change.source(pointsOf(state()));
    const auto undo = points.update(m_weights, 1, [](const Vector<double>&, Index, Index) { return 0.; });
    change.ifTakenBack([this, undo] { undo(m_weights); });
    // ... but for those on which triangles came or went.
    for (const Index i : change.touchedPoints(*l_topology)) {
        const double before = m_weights[i];
        m_weights[i] = weightOf(i);
        change.ifTakenBack([this, i, before] { m_weights[i] = before; });
    }
}

void PluginNameFollower::addForce(const MechanicalParams&, VecDeriv& f, const VecCoord& x, const VecDeriv&)
{
    const Vector<Vec3>& rest = state().read(vec_id::restPosition);
    for (std::size_t i = 0; i < m_weights.size(); ++i) f[i] -= (x[i] - rest[i]) * m_weights[i];
}

void PluginNameFollower::buildStiffness(const MechanicalParams&, BlockSink& k)
{
    for (Index i = 0; i < m_weights.size(); ++i) k.addIdentity(i, i, -m_weights[i], 3);
}

double PluginNameFollower::potentialEnergy(const MechanicalParams&, const VecCoord& x) const
{
    const Vector<Vec3>& rest = state().read(vec_id::restPosition);
    double energy = 0.;
    for (std::size_t i = 0; i < m_weights.size(); ++i) energy += 0.5 * m_weights[i] * norm2(x[i] - rest[i]);
    return energy;
}

static const RegisterComponent registered =
    RegisterComponent("PluginNameFollower", "ForceField", "PluginName")
        .help("Holds the points of a surface to where they are at rest, also while its triangles come and go")
        .example("PluginName.scn")
        .add<PluginNameFollower>();

}  // namespace sofa::component
