// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/load/EdgePressureForceField.h"

#include <limits>
#include <map>

#include "core/factory/Registry.h"
#include "core/objectmodel/Node.h"

namespace sofa::component {

using core::Edge;
using core::Index;
using core::Vec3;

EdgePressureForceField::EdgePressureForceField()
{
    ignoreAttribute("edgePressureMap", "the forces follow from pressure and the lengths at rest");
}

void EdgePressureForceField::choose()
{
    if (d_edges.value().empty()) return ElementPressure::choose();
    const auto list = d_list.edit();
    list->clear();
    for (const Edge& e : d_edges.value()) {
        const Index i = l_topology->edgeIndex(e[0], e[1]);
        if (i == core::InvalidIndex)
            return fail("edges: the mesh '" + l_topology->pathName() + "' has no edge between the points " +
                        std::to_string(e[0]) + " and " + std::to_string(e[1]));
        list->push_back(i);
    }
}

void EdgePressureForceField::update()
{
    ElementPressure::update();
    m_across.clear();
    m_followed = d_list.value();
    if (isValid() && d_pressure.value() == Vec3()) findAcross();
}

void EdgePressureForceField::findAcross()
{
    const core::Vector<double>& p = d_intensity.value();
    if (p.empty()) return;
    if (p.size() > 1 && p.size() != m_elements.size())
        return fail("p_intensity has " + std::to_string(p.size()) + " values for " + std::to_string(m_elements.size()) +
                    " edges: one for all is expected, or one for each");
    const bool given = d_binormal.isSet();
    const double length = norm(d_binormal.value());
    if (given && !(length > 0.)) return fail("binormal is zero");
    const core::BaseMeshTopology* triangles = l_topology.get();
    if (!given && triangles->triangles().empty()) {
        triangles = nullptr;
        for (core::Node* n : node()->ancestors())
            if (const auto* t = n->get<core::BaseMeshTopology>(core::Search::Local);
                t && !t->triangles().empty() && !triangles)
                triangles = t;
        if (!triangles)
            return fail("p_intensity needs a binormal, or triangles in the mesh or one above; pressure needs neither");
    }
    for (std::size_t i = 0; i < m_elements.size(); ++i) {
        const Edge& e = m_elements[i];
        const Vec3 b = given ? d_binormal.value() / length : Vec3{0., 0., sideOf(e, *triangles)};
        m_across.push_back(b * (0.5 * p[p.size() > 1 ? i : 0] * m_sizes[i]));
    }
}

double EdgePressureForceField::sideOf(const Edge& e, const core::BaseMeshTopology& mesh) const
{
    const Index edge = mesh.edgeIndex(e[0], e[1]);
    const auto around = edge == core::InvalidIndex ? std::span<const Index>() : mesh.trianglesAroundEdge(edge);
    if (around.size() != 1) return 0.;
    const VecCoord& rest = restPoints();
    for (const Index v : mesh.triangles()[around[0]]) {
        if (v == e[0] || v == e[1] || v >= rest.size()) continue;
        const double z = cross(rest[e[1]] - rest[e[0]], rest[v] - rest[e[0]])[2];
        return z > 0. ? 1. : z < 0. ? -1. : 0.;
    }
    return 0.;
}

core::ElementLists EdgePressureForceField::elementLists()
{
    core::ElementLists lists = ElementPressure::elementLists();
    lists.data.emplace_back(&d_intensity, core::ElementData::Kind::Kept);
    return lists;
}

void EdgePressureForceField::followTopology(const core::TopologyChange& change)
{
    if (d_intensity.value().size() > 1 && !change.restores()) {
        // The intensity of an edge goes with it; a new one takes that of its ancestors.
        std::map<Index, double> before;
        for (std::size_t i = 0; i < m_followed.size(); ++i) before[m_followed[i]] = d_intensity.value()[i];
        const auto source = change.source(*l_topology, kind);
        core::Vector<double> now;
        for (const Index e : d_list.value()) {
            const Index old = source.from(e);
            now.push_back(old != core::InvalidIndex
                              ? before.at(old)
                              : core::inherited<double>(source.ancestorsOf(e), [&](Index a) { return before.at(a); }));
        }
        d_intensity.setValue(std::move(now));
    }
    update();
}

Vec3 EdgePressureForceField::cornerForce(std::size_t i, const VecCoord& x) const
{
    if (!follows()) return ElementPressure::cornerForce(i, x);
    const Vec3 across = cross(m_across[i], x[m_elements[i][1]] - x[m_elements[i][0]]);
    const double length = norm(across);
    return length > 0. ? across * (norm(m_across[i]) / length) : Vec3();
}

void EdgePressureForceField::buildStiffness(const core::MechanicalParams&, core::BlockSink& k)
{
    if (!hasStiffness()) return;
    const VecCoord& x = state().positions();
    for (std::size_t i = 0; i < m_across.size(); ++i) {
        const Edge& e = m_elements[i];
        const Vec3 across = cross(m_across[i], x[e[1]] - x[e[0]]);
        const double length = norm(across);
        if (!(length > 0.)) continue;
        const Vec3 n = across / length;
        const core::Mat3 turn =
            (core::Mat3::identity() - outer(n, n)) * core::crossMatrix(m_across[i]) * (norm(m_across[i]) / length);
        for (const Index v : e) {
            k.add(v, e[0], turn * -1.);
            k.add(v, e[1], turn);
        }
    }
}

double EdgePressureForceField::potentialEnergy(const core::MechanicalParams& mp, const VecCoord& x) const
{
    return follows() ? std::numeric_limits<double>::quiet_NaN() : ElementPressure::potentialEnergy(mp, x);
}

static const core::RegisterComponent registeredEdgePressureForceField =
    core::RegisterComponent("EdgePressureForceField", "ForceField", "Sofa.Component.MechanicalLoad")
        .help("A pressure on edges of a mesh")
        .example("component/load/EdgePressureForceField.scn")
        .add<EdgePressureForceField>();

}  // namespace sofa::component
