// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/spring/FaceBendingSprings.h"

#include <algorithm>

#include "core/factory/Registry.h"
#include "core/objectmodel/DefaultLink.h"

namespace sofa::component {

using core::Index;

template <class D>
void FaceBendingSprings<D>::init()
{
    this->findStates();
    if (!this->isValid()) return;
    if (!core::resolveOrNeed(l_topology, *this)) return;
    m_stiffness = this->d_stiffness.value().empty() ? 100. : this->d_stiffness.value().front();
    m_damping = this->d_damping.value().empty() ? 5. : this->d_damping.value().front();
    m_found.clear();
    m_lengths.clear();
    m_initial = true;
    try {
        joinPoints(*l_topology);
    } catch (const std::runtime_error& e) {
        return this->fail(e);
    }
    m_initial = false;
    this->d_springs.setValue(std::move(m_found));
    Base::init();
}

template <class D>
void FaceBendingSprings<D>::followTopology(const core::TopologyChange&)
{
    m_found.clear();
    joinPoints(*l_topology);
    this->setSprings(std::move(m_found));
}

template <class D>
void FaceBendingSprings<D>::join(Index a, Index b)
{
    const core::State<D>& s = this->state1();
    const bool fromRest = !m_initial && s.isAllocated(core::vec_id::restPosition);
    const auto& x = s.read(fromRest ? core::vec_id::restPosition : core::vec_id::position);
    if (std::max(a, b) >= x.size())
        throw std::runtime_error("the mesh has a point " + std::to_string(std::max(a, b)) + ", but the state '" +
                                 s.pathName() + "' has only " + std::to_string(x.size()));
    double length = norm(x[a] - x[b]);
    const std::pair<Index, Index> ends = std::minmax(a, b);
    if (m_initial)
        m_lengths.emplace(ends, length);
    else if (const auto known = m_lengths.find(ends); known != m_lengths.end())
        length = known->second;
    m_found.push_back({a, b, m_stiffness, m_damping, length, false, true});
}

template <class D>
void QuadBendingSprings<D>::joinPoints(const core::BaseMeshTopology& t)
{
    using Pair = std::pair<Index, Index>;
    const auto [first, last] = d_localRange.value();
    std::set<Pair> joined;
    std::map<Pair, Pair> opposite;  // edge → the edge opposite to it in the first quad that has it
    const auto joinOnce = [&, low = first, high = last](Index a, Index b) {
        const auto ia = static_cast<long long>(a), ib = static_cast<long long>(b);
        if (low >= 0 && ia < low && ib < low) return;
        if (high >= 0 && ia > high && ib > high) return;
        if (joined.insert(std::minmax(a, b)).second) this->join(a, b);
    };
    for (const core::Quad& q : t.quads()) {
        for (std::size_t i = 0; i < 4; ++i) {
            Pair edge{q[i], q[(i + 1) % 4]}, far{q[(i + 3) % 4], q[(i + 2) % 4]};
            if (edge.first > edge.second) {
                std::swap(edge.first, edge.second);
                std::swap(far.first, far.second);
            }
            const auto [it, isNew] = opposite.emplace(edge, far);
            if (isNew) continue;
            joinOnce(far.first, it->second.first);
            joinOnce(far.second, it->second.second);
        }
    }
}

template <class D>
void TriangleBendingSprings<D>::joinPoints(const core::BaseMeshTopology& t)
{
    std::map<std::pair<Index, Index>, Index> opposite;  // edge → the vertex opposite to it in the first triangle
    const auto triangle = [&](Index a, Index b, Index c) {
        const Index v[] = {a, b, c};
        for (std::size_t i = 0; i < 3; ++i) {
            const Index far = v[(i + 2) % 3];
            const auto [it, isNew] = opposite.emplace(std::minmax(v[i], v[(i + 1) % 3]), far);
            if (!isNew) this->join(far, it->second);
        }
    };
    for (const core::Triangle& f : t.triangles()) triangle(f[0], f[1], f[2]);
    for (const core::Quad& f : t.quads()) {
        triangle(f[0], f[1], f[2]);
        triangle(f[0], f[2], f[3]);
    }
}

template <class D>
void LineBendingSprings<D>::joinPoints(const core::BaseMeshTopology& t)
{
    std::map<Index, Index> last;  // point → its other neighbour in the last edge that has it
    for (const core::Edge& e : t.edges())
        for (const auto& [point, other] : {std::pair(e[0], e[1]), std::pair(e[1], e[0])}) {
            const auto [it, isNew] = last.try_emplace(point, other);
            if (isNew) continue;
            if (it->second != other) this->join(other, it->second);
            it->second = other;
        }
}

template class FaceBendingSprings<core::Vec2Types>;
template class FaceBendingSprings<core::Vec3Types>;
template class QuadBendingSprings<core::Vec2Types>;
template class QuadBendingSprings<core::Vec3Types>;
template class TriangleBendingSprings<core::Vec2Types>;
template class TriangleBendingSprings<core::Vec3Types>;
template class LineBendingSprings<core::Vec2Types>;
template class LineBendingSprings<core::Vec3Types>;

static const core::RegisterComponent registeredQuadBendingSprings =
    core::RegisterComponent("QuadBendingSprings", "ForceField", "Sofa.Component.SolidMechanics.Spring")
        .help("Springs from quad to quad across their edges, which resist bending")
        .example("component/spring/QuadularBendingSprings.scn")
        .add<QuadBendingSprings, core::Vec3Types, core::Vec2Types>();

static const core::RegisterComponent registeredTriangleBendingSprings =
    core::RegisterComponent("TriangleBendingSprings", "ForceField", "Sofa.Component.SolidMechanics.Spring")
        .help("Springs from triangle to triangle across their edges, which resist bending")
        .example("component/spring/TriangularBendingSprings.scn")
        .add<TriangleBendingSprings, core::Vec3Types, core::Vec2Types>();

static const core::RegisterComponent registeredLineBendingSprings =
    core::RegisterComponent("LineBendingSprings", "ForceField", "SofaMiscForceField")
        .help("Springs from edge to edge across their common points, which resist bending of lines")
        .example("component/mapping/CatmullRomSplineMapping.scn")
        .add<LineBendingSprings, core::Vec3Types, core::Vec2Types>();

}  // namespace sofa::component
