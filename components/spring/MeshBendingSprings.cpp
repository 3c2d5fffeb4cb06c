// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/spring/MeshBendingSprings.h"

#include <algorithm>
#include <utility>

#include "core/factory/Registry.h"
#include "core/objectmodel/DefaultLink.h"
#include "core/topology/ElementsOf.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

using core::Index;
using core::MechanicalParams;
using core::Vector;

MeshBendingSprings::MeshBendingSprings()
{
    m_parameters.track(d_stiffness);
    m_parameters.track(d_damping);
}

void MeshBendingSprings::init()
{
    ForceField::init();
    if (!isValid()) return;
    if (!core::resolveOrNeed(l_topology, *this)) return;
    const bool isEmpty = elementCount(*l_topology, faceType()) == 0;
    if (isEmpty && !core::mayStartEmpty(*this, *l_topology, faces())) return;
    reinit();
}

void MeshBendingSprings::reinit()
{
    m_parameters.changed();
    m_springs.clear();
    m_packed.clear();
    try {
        for (Index e = 0; e < l_topology->edges().size(); ++e) joinAcross(e);
        m_packed.build(packedSprings(m_springs, leastLength), static_cast<Index>(state().size()));
    } catch (const std::runtime_error& e) {
        fail(e);
    }
}

void MeshBendingSprings::followTopology(const core::TopologyChange& change)
{
    if (!followInPlace(change)) reinit();
}

bool MeshBendingSprings::followInPlace(const core::TopologyChange& change)
{
    const core::BaseMeshTopology& t = *l_topology;
    const core::ElementSource source = change.source(pointsOf(state()));
    const Vector<Index> changed = change.touchedElements(t, faceType());
    if (m_parameters.changed() || change.restores() || source.before != m_packed.nbPoints() ||
        4 * changed.size() > elementCount(t, faceType()))
        return false;
    // Which springs there are across an edge, all faces around it decide.
    Vector<Index> points = change.touchedPoints(t);
    addVertices(t, faceType(), changed, points);
    Vector<Index> ring = points;
    addVertices(t, faceType(), elementsAround(t, faceType(), points), ring);
    Vector<LinearSpring> all = std::exchange(m_springs, {});
    for (const Index e : elementsAround(t, core::ElementType::Edges, ring)) joinAcross(e);
    std::erase_if(m_springs, [&](const LinearSpring& s) { return !contains(points, s.m1) && !contains(points, s.m2); });
    m_springs.swap(all);
    const SpringChange springs = followSprings(m_springs, m_packed, all, points, source);
    const auto nbPoints = static_cast<Index>(state().size());
    if (!m_packed.follow([&](Index i) { return packedSpring(m_springs[i], leastLength); }, nbPoints, springs.source,
                         source, springs.touched))
        m_packed.build(packedSprings(m_springs, leastLength), nbPoints);
    return true;
}

void MeshBendingSprings::join(Index a, Index b)
{
    const core::State<core::Vec3Types>& s = state();
    const auto& rest =
        s.read(s.isAllocated(core::vec_id::restPosition) ? core::vec_id::restPosition : core::vec_id::position);
    if (std::max(a, b) >= rest.size())
        throw std::runtime_error("the mesh has a point " + std::to_string(std::max(a, b)) + ", but the state '" +
                                 s.pathName() + "' has only " + std::to_string(rest.size()));
    m_springs.push_back({a, b, d_stiffness.value(), d_damping.value(), norm(rest[a] - rest[b]), false, true});
}

void MeshBendingSprings::addForce(const MechanicalParams&, VecDeriv& f, const VecCoord& x, const VecDeriv& v)
{
    if (m_packed.nbPoints() <= x.size())
        return m_packed.addForce(f, x, v, {d_projectedTangent.value(), d_implicitDamping.value()});
    throw std::runtime_error(pathName() + ": the springs join points of a state of " +
                             std::to_string(m_packed.nbPoints()) + " points, which has " + std::to_string(x.size()));
}

void MeshBendingSprings::addDForce(const MechanicalParams& mp, const core::MultiVecDerivId& df)
{
    core::State<core::Vec3Types>& s = state();
    m_packed.addProduct(*s.write(df.at(s)), s.read(mp.dx.at(s)), mp.stiffnessFactor(d_rayleighStiffness.value()),
                        hasDamping() ? mp.bFactor : 0.);
}

void MeshBendingSprings::buildStiffness(const MechanicalParams&, core::BlockSink& k) { m_packed.addStiffness(k); }

void MeshBendingSprings::buildDamping(const MechanicalParams&, core::BlockSink& b) { m_packed.addDamping(b); }

double MeshBendingSprings::potentialEnergy(const MechanicalParams&, const VecCoord& x) const
{
    return Law::energy(m_springs, x, x);
}

void TriangularBendingSprings::joinAcross(Index e)
{
    const core::BaseMeshTopology& t = *l_topology;
    const core::Edge& edge = t.edges()[e];
    const Vector<Index> shell = facesOn(t, core::ElementType::Triangles, e);
    if (shell.size() != 2) return;
    const auto opposite = [&](Index triangle) {
        for (const Index p : t.triangles()[triangle])
            if (p != edge[0] && p != edge[1]) return p;
        return edge[0];
    };
    join(opposite(shell[1]), opposite(shell[0]));
}

void QuadularBendingSprings::joinAcross(Index e)
{
    const core::BaseMeshTopology& t = *l_topology;
    const core::Edge& edge = t.edges()[e];
    const auto isSide = [&edge](Index a, Index b) {
        return (a == edge[0] && b == edge[1]) || (a == edge[1] && b == edge[0]);
    };
    struct Side
    {
        const core::Quad* quad;
        std::size_t i;  ///< the edge joins vertices i+1 and i+2; i and i+3 are next to them
    };
    Vector<Side> shell;
    for (const Index q : facesOn(t, core::ElementType::Quads, e)) {
        const core::Quad& v = t.quads()[q];
        for (std::size_t i = 0; i < 4; ++i)
            if (isSide(v[(i + 1) % 4], v[(i + 2) % 4])) shell.push_back({&v, i});
    }
    if (shell.size() != 2) return;
    const core::Quad &a = *shell[1].quad, &b = *shell[0].quad;
    const std::size_t i = shell[1].i, j = shell[0].i;
    join(a[i], b[(j + 3) % 4]);
    join(a[(i + 3) % 4], b[j]);
}

void MeshBendingSprings::draw(core::DrawTool& tool)
{
    if (!tool.shows(core::DisplayFlags::ForceFields) || !showsSprings() || !l_state || !l_topology) return;
    const auto& x = state().positions();
    drawSprings(tool, m_springs, x, core::Color(1.f, 0.f, 0.f), core::Color(0.f, 1.f, 0.f));
    drawFaces(tool, x);
}

void TriangularBendingSprings::drawFaces(core::DrawTool& tool, const core::Vector<core::Vec3>& x) const
{
    const core::Color red(1.f, 0.f, 0.f);
    core::drawElements(tool, core::ElementType::Triangles, l_topology->triangles(), x,
                       {.gap = 0., .faceColors = {&red, 1}, .elementColors = {}, .pointColors = {}});
}

void QuadularBendingSprings::drawFaces(core::DrawTool& tool, const core::Vector<core::Vec3>& x) const
{
    const core::Color red(1.f, 0.f, 0.f);
    core::drawElements(tool, core::ElementType::Quads, l_topology->quads(), x,
                       {.gap = 0., .faceColors = {&red, 1}, .elementColors = {}, .pointColors = {}});
}

static const core::RegisterComponent registeredTriangularBendingSprings =
    core::RegisterComponent("TriangularBendingSprings", "ForceField", "Sofa.Component.SolidMechanics.Spring")
        .help("Springs across the edges of a triangle mesh, which resist bending")
        .example("component/spring/TriangularBendingSprings.scn")
        .add<TriangularBendingSprings>();

static const core::RegisterComponent registeredQuadularBendingSprings =
    core::RegisterComponent("QuadularBendingSprings", "ForceField", "Sofa.Component.SolidMechanics.Spring")
        .help("Springs across the edges of a quad mesh, which resist bending")
        .example("component/spring/QuadularBendingSprings.scn")
        .add<QuadularBendingSprings>();

}  // namespace sofa::component
