// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/spring/TriangleHinges.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/objectmodel/DefaultLink.h"
#include "core/topology/ElementsOf.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

using core::Index;
using core::Triangle;
using core::Vec3;

TriangleHinges::TriangleHinges()
{
    ignoreAttribute("edgeInfo", "it was internal data of the component");
    m_parameters.track(d_bendingStiffness);
}

void TriangleHinges::init()
{
    Base::init();
    if (!isValid()) return;
    if (!core::resolveOrNeed(l_topology, *this)) return;
    if (l_topology->triangles().empty() && !core::mayStartEmpty(*this, *l_topology, "triangles")) return;
    tryBuild();
}

void TriangleHinges::reinit()
{
    if (isValid() && l_state && l_topology) tryBuild();
}

void TriangleHinges::tryBuild()
{
    try {
        build();
    } catch (const std::runtime_error& e) {
        fail(e);
    }
}

void TriangleHinges::build()
{
    const core::BaseMeshTopology& t = *l_topology;
    m_parameters.changed();
    m_triangles = t.triangles();
    m_revision = t.revision();
    m_hinges.clear();
    for (const Triangle& c : m_triangles)
        for (const Index v : c)
            if (v >= state().size())
                throw std::runtime_error("the mesh has a point " + std::to_string(v) + ", but the state '" +
                                         state().pathName() + "' has only " + std::to_string(state().size()));
    m_hinges.resize(t.edges().size());
    for (Index i = 0; i < m_hinges.size(); ++i) buildHinge(i);
}

void TriangleHinges::buildHinge(Index edge)
{
    const core::BaseMeshTopology& t = *l_topology;
    Hinge& s = m_hinges[edge] = {};
    const core::Edge& e = t.edges()[edge];
    const core::Vector<Index> around = facesOn(t, core::ElementType::Triangles, edge);
    if (around.size() != 2) return;
    const auto opposite = [&e](const Triangle& c) {
        for (const Index v : c)
            if (v != e[0] && v != e[1]) return v;
        return c[0];
    };
    s.points = {opposite(t.triangles()[around[0]]), opposite(t.triangles()[around[1]]), e[0], e[1]};
    const auto id =
        state().isAllocated(core::vec_id::restPosition) ? core::vec_id::restPosition : core::vec_id::position;
    const VecCoord& x = state().read(id);
    if (!weigh(x[s.points[0]], x[s.points[1]], x[s.points[2]], x[s.points[3]], s)) {
        s = {};
    } else if (!std::isfinite(s.stiffness) || !std::isfinite(s.weights[2])) {
        throw std::runtime_error("a triangle at the edge of the points " + std::to_string(e[0]) + " and " +
                                 std::to_string(e[1]) + " has no area at rest");
    }
}

core::Vector<TriangleHinges::Hinge> TriangleHinges::hinges() const
{
    core::Vector<Hinge> all;
    std::ranges::copy_if(m_hinges, std::back_inserter(all), [](const Hinge& s) { return s.stiffness != 0.; });
    return all;
}

void TriangleHinges::followTopology(const core::TopologyChange& change)
{
    if (!followInPlace(change)) reinit();
}

bool TriangleHinges::followInPlace(const core::TopologyChange& change)
{
    const auto* mesh = dynamic_cast<const core::StoredTopology*>(l_topology.get());
    const auto* edges = mesh ? mesh->list(core::ElementType::Edges) : nullptr;
    // Edges that follow from the triangles may have other numbers anywhere, unless they are kept.
    if (!isValid() || m_parameters.changed() || change.restores() || !edges || !edges->isEdited() ||
        m_triangles.empty())
        return false;
    const core::Vector<Index> points = change.touchedPoints(*mesh),
                              triangles = change.touchedElements(*mesh, core::ElementType::Triangles);
    if (2 * points.size() > mesh->nbPoints()) return false;
    m_triangles.resize(mesh->triangles().size());
    for (const Index c : triangles) m_triangles[c] = mesh->triangles()[c];
    core::Vector<Index> ends = points;
    addVertices(*mesh, core::ElementType::Triangles, triangles, ends);
    m_revision = l_topology->revision();
    m_hinges.resize(edges->size());
    for (const Index e : elementsAround(*mesh, core::ElementType::Edges, ends)) buildHinge(e);
    return true;
}

void TriangleHinges::addProduct(core::Vector<Vec3>& out, const core::Vector<Vec3>& v, double factor) const
{
    for (const Hinge& s : m_hinges) {
        if (s.stiffness == 0.) continue;
        const auto& [a, b, c, d] = s.points;
        const Vec3 r = v[a] * s.weights[0] + v[b] * s.weights[1] + v[c] * s.weights[2] + v[d] * s.weights[3];
        const Vec3 force = r * (-factor * s.stiffness);
        for (std::size_t k = 0; k < 4; ++k) out[s.points[k]] += force * s.weights[k];
    }
}

void TriangleHinges::addForce(const core::MechanicalParams&, VecDeriv& f, const VecCoord& x, const VecDeriv&)
{
    if (!isValid()) return;
    const std::size_t now = l_topology->revision();
    if (now == 0 || now != m_revision) {
        if (l_topology->triangles() == m_triangles)
            m_revision = now;
        else
            tryBuild();
    }
    addProduct(f, x, 1.);
}

void TriangleHinges::addDForce(const core::MechanicalParams& mp, const core::MultiVecDerivId& df)
{
    const double k = mp.stiffnessFactor(d_rayleighStiffness.value());
    if (k == 0. || !isValid()) return;
    core::State<core::Vec3Types>& s = state();
    addProduct(*s.write(df.at(s)), s.read(mp.dx.at(s)), k);
}

void TriangleHinges::buildStiffness(const core::MechanicalParams&, core::BlockSink& k)
{
    if (!isValid()) return;
    for (const Hinge& s : m_hinges)
        for (std::size_t i = 0; i < 4 && s.stiffness != 0.; ++i)
            for (std::size_t j = 0; j < 4; ++j)
                k.addIdentity(s.points[i], s.points[j], -s.stiffness * s.weights[i] * s.weights[j], 3);
}

double TriangleHinges::potentialEnergy(const core::MechanicalParams&, const VecCoord& x) const
{
    double energy = 0.;
    for (const Hinge& s : m_hinges) {
        Vec3 r;
        for (std::size_t k = 0; k < 4; ++k) r += x[s.points[k]] * s.weights[k];
        energy += 0.5 * s.stiffness * norm2(r);
    }
    return energy;
}

void TriangleHinges::draw(core::DrawTool& tool)
{
    if (!tool.shows(core::DisplayFlags::ForceFields) || !l_state) return;
    auto pairs = tool.scratch<core::Edge>();
    for (const Hinge& s : m_hinges)
        if (s.stiffness != 0.) pairs.push_back({s.points[0], s.points[1]});
    core::drawEdges(tool, pairs, state().positions(), core::Color(0.f, 1.f, 0.f));
}

}  // namespace sofa::component
