// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/spring/FastTriangularBendingSprings.h"

#include <algorithm>
#include <cmath>

#include "core/factory/Registry.h"
#include "core/objectmodel/DefaultLink.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

using core::Index;
using core::Triangle;
using core::Vec3;

FastTriangularBendingSprings::FastTriangularBendingSprings()
{
    ignoreAttribute("edgeInfo", "it was internal data of the component");
}

void FastTriangularBendingSprings::init()
{
    Base::init();
    if (!isValid()) return;
    if (!core::resolveOrNeed(l_topology, *this)) return;
    if (l_topology->triangles().empty() && !core::mayStartEmpty(*this, *l_topology, "triangles")) return;
    tryBuild();
}

void FastTriangularBendingSprings::reinit()
{
    if (isValid() && l_state && l_topology) tryBuild();
}

void FastTriangularBendingSprings::tryBuild()
{
    try {
        build();
    } catch (const std::runtime_error& e) {
        fail(e.what());
    }
}

void FastTriangularBendingSprings::build()
{
    const core::BaseMeshTopology& t = *l_topology;
    m_triangles = t.triangles();
    m_revision = t.revision();
    m_springs.clear();
    const auto id =
        state().isAllocated(core::vec_id::restPosition) ? core::vec_id::restPosition : core::vec_id::position;
    const VecCoord& x = state().read(id);
    for (const Triangle& c : m_triangles)
        for (const Index v : c)
            if (v >= x.size())
                throw std::runtime_error("the mesh has a point " + std::to_string(v) + ", but the state '" +
                                         state().pathName() + "' has only " + std::to_string(x.size()));
    const auto opposite = [](const Triangle& c, const core::Edge& e) {
        for (const Index v : c)
            if (v != e[0] && v != e[1]) return v;
        return c[0];
    };
    const double shortest = d_minDistValidity.value() * d_minDistValidity.value();
    const auto& edges = t.edges();
    for (Index i = 0; i < edges.size(); ++i) {
        const auto around = t.trianglesAroundEdge(i);
        if (around.size() != 2) continue;
        const core::Edge& e = edges[i];
        Spring s;
        s.points = {opposite(m_triangles[around[0]], e), opposite(m_triangles[around[1]], e), e[0], e[1]};
        const Vec3 &a = x[s.points[0]], &b = x[s.points[1]], &c = x[s.points[2]], &d = x[s.points[3]];
        const double length = norm(c - d);
        if (!(norm2(b - a) > shortest) || !(length * length > shortest)) continue;
        // Twice the areas of A C D, B D C, C B A, D A B; the first two over the edge are the heights.
        const double na = norm(cross(a - c, a - d)), nb = norm(cross(b - d, b - c)), nc = norm(cross(c - b, c - a)),
                     nd = norm(cross(d - a, d - b));
        const double ha = na / length, hb = nb / length;
        s.weights = {nb / (na + nb), na / (na + nb), -nd / (nc + nd), -nc / (nc + nd)};
        s.stiffness = 2. / 3. * (ha + hb) / (ha * ha * hb * hb) * length * d_bendingStiffness.value();
        if (!std::isfinite(s.stiffness) || !std::isfinite(s.weights[2]))
            throw std::runtime_error("a triangle at the edge of the points " + std::to_string(e[0]) + " and " +
                                     std::to_string(e[1]) + " has no area at rest");
        m_springs.push_back(s);
    }
}

void FastTriangularBendingSprings::addProduct(core::Vector<Vec3>& out, const core::Vector<Vec3>& v, double factor) const
{
    for (const Spring& s : m_springs) {
        const auto& [a, b, c, d] = s.points;
        const Vec3 r = v[a] * s.weights[0] + v[b] * s.weights[1] + v[c] * s.weights[2] + v[d] * s.weights[3];
        const Vec3 force = r * (-factor * s.stiffness);
        for (std::size_t k = 0; k < 4; ++k) out[s.points[k]] += force * s.weights[k];
    }
}

void FastTriangularBendingSprings::addForce(const core::MechanicalParams&, VecDeriv& f, const VecCoord& x,
                                            const VecDeriv&)
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

void FastTriangularBendingSprings::addDForce(const core::MechanicalParams& mp, const core::MultiVecDerivId& df)
{
    const double k = mp.stiffnessFactor(d_rayleighStiffness.value());
    if (k == 0. || !isValid()) return;
    core::State<core::Vec3Types>& s = state();
    addProduct(*s.write(df.at(s)), s.read(mp.dx.at(s)), k);
}

void FastTriangularBendingSprings::buildStiffness(const core::MechanicalParams&, core::BlockSink& k)
{
    if (!isValid()) return;
    for (const Spring& s : m_springs)
        for (std::size_t i = 0; i < 4; ++i)
            for (std::size_t j = 0; j < 4; ++j)
                k.addIdentity(s.points[i], s.points[j], -s.stiffness * s.weights[i] * s.weights[j], 3);
}

double FastTriangularBendingSprings::potentialEnergy(const core::MechanicalParams&, const VecCoord& x) const
{
    double energy = 0.;
    for (const Spring& s : m_springs) {
        Vec3 r;
        for (std::size_t k = 0; k < 4; ++k) r += x[s.points[k]] * s.weights[k];
        energy += 0.5 * s.stiffness * norm2(r);
    }
    return energy;
}

void FastTriangularBendingSprings::draw(core::DrawTool& tool)
{
    if (!tool.shows(core::DisplayFlags::ForceFields) || !l_state) return;
    auto pairs = tool.scratch<core::Edge>();
    for (const Spring& s : m_springs) pairs.push_back({s.points[0], s.points[1]});
    core::drawEdges(tool, pairs, state().positions(), core::Color(0.f, 1.f, 0.f));
}

static const core::RegisterComponent registeredFastTriangularBendingSprings =
    core::RegisterComponent("FastTriangularBendingSprings", "ForceField", "Sofa.Component.SolidMechanics.Spring")
        .help("Linear bending stiffness of a surface of triangles, at each edge between two of them")
        .example("component/spring/FastTriangularBendingSprings.scn")
        .add<FastTriangularBendingSprings>();

}  // namespace sofa::component
