// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/spring/MeshBendingSprings.h"

#include <algorithm>

#include "core/factory/Registry.h"
#include "core/objectmodel/DefaultLink.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

using core::Index;
using core::MechanicalParams;

void MeshBendingSprings::init()
{
    ForceField::init();
    if (!isValid()) return;
    if (!core::resolveOrNeed(l_topology, *this)) return;
    if (faceCount() == 0 && !core::mayStartEmpty(*this, *l_topology, faces())) return;
    reinit();
}

void MeshBendingSprings::reinit()
{
    m_springs.clear();
    m_packed.clear();
    try {
        joinPoints();
        m_packed.build(packedSprings(m_springs, 1e-4), static_cast<Index>(state().size()));
    } catch (const std::runtime_error& e) {
        fail(e);
    }
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

namespace {

/// Place of an edge in a face, for the numbering of core/mesh/SubElements.h.
template <std::size_t N>
std::size_t placeOf(Index edge, const std::array<Index, N>& edgesOfFace)
{
    return static_cast<std::size_t>(std::find(edgesOfFace.begin(), edgesOfFace.end(), edge) - edgesOfFace.begin());
}

}  // namespace

void TriangularBendingSprings::joinPoints()
{
    const core::BaseMeshTopology& t = *l_topology;
    for (Index e = 0; e < t.edges().size(); ++e) {
        const auto shell = t.trianglesAroundEdge(e);
        if (shell.size() != 2) continue;
        // Edge i of a triangle is opposite to its vertex i.
        join(t.triangles()[shell[1]][placeOf(e, t.edgesInTriangle(shell[1]))],
             t.triangles()[shell[0]][placeOf(e, t.edgesInTriangle(shell[0]))]);
    }
}

void QuadularBendingSprings::joinPoints()
{
    const core::BaseMeshTopology& t = *l_topology;
    for (Index e = 0; e < t.edges().size(); ++e) {
        const auto shell = t.quadsAroundEdge(e);
        if (shell.size() != 2) continue;
        // Edge i of a quad joins its vertices i+1 and i+2; vertices i and i+3 are next to them.
        const auto& a = t.quads()[shell[1]];
        const auto& b = t.quads()[shell[0]];
        const std::size_t i = placeOf(e, t.edgesInQuad(shell[1])), j = placeOf(e, t.edgesInQuad(shell[0]));
        join(a[i], b[(j + 3) % 4]);
        join(a[(i + 3) % 4], b[j]);
    }
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
