// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/mapping/CatmullRomSplineMapping.h"

#include <limits>

#include "core/factory/Registry.h"
#include "core/objectmodel/Node.h"
#include "core/topology/StoredTopology.h"

namespace sofa::component {

template <class In, class Out>
void CatmullRomSplineMapping<In, Out>::init()
{
    if (!this->findStates()) return;
    std::string error;
    if (!l_topology.resolve(error)) return this->fail("topology: " + error);
    if (!l_topology) l_topology.set(this->input().node()->template get<BaseMeshTopology>(Search::Up));
    if (!l_topology)
        return this->fail("it needs a topology with the edges of the curves beside '" + this->input().pathName() +
                          "' or above");
    m_inputs = this->input().size();
    const Vector<Edge>& edges = l_topology->edges();
    for (std::size_t i = 0; i < edges.size(); ++i)
        for (const Index v : edges[i])
            if (v >= m_inputs)
                return this->fail("edge " + std::to_string(i) + " of '" + l_topology->pathName() + "' has point " +
                                  std::to_string(v) + ", but '" + this->input().pathName() + "' has " +
                                  std::to_string(m_inputs));
    const Index level = d_splittingLevel.value();
    if (level > s_maxLevel || edges.size() > (std::numeric_limits<int>::max() - m_inputs) >> level)
        return this->fail("SplittingLevel " + toText(level) + " makes too many points; expected " +
                          std::to_string(s_maxLevel) + " at most, and 2^31 points");
    split();
    this->output().resize(static_cast<Index>(m_points.size()));
    fillTopology();
    if (!this->isValid()) return;
    this->invalidateJacobian();
    Base::init();
}

template <class In, class Out>
void CatmullRomSplineMapping<In, Out>::split()
{
    m_points.clear();
    for (Index i = 0; i < m_inputs; ++i) m_points.push_back({{i, i, i, i}, {1., 0., 0., 0.}});
    const Index pieces = 1u << d_splittingLevel.value();
    // The neighbour of a point other than one; the point itself where there is none.
    const auto beyond = [this](Index point, Index other) {
        const Vector<Index> around = l_topology->verticesAroundVertex(point);
        if (around.size() < 2) return point;
        return around[0] == other ? around[1] : around[0];
    };
    for (const Edge& e : l_topology->edges()) {
        const std::array<Index, 4> from{beyond(e[0], e[1]), e[0], e[1], beyond(e[1], e[0])};
        for (Index k = 1; k < pieces; ++k) {
            const double t = static_cast<double>(k) / pieces, t2 = t * t, t3 = t2 * t;
            m_points.push_back({from,
                                {0.5 * (-t3 + 2. * t2 - t), 0.5 * (3. * t3 - 5. * t2 + 2.),
                                 0.5 * (-3. * t3 + 4. * t2 + t), 0.5 * (t3 - t2)}});
        }
    }
}

template <class In, class Out>
void CatmullRomSplineMapping<In, Out>::fillTopology()
{
    auto* to = this->output().node()->template get<StoredTopology>(Search::Local);
    if (!to || to == l_topology.get()) return;
    if (!to->template list<Edge>("edges"))
        return this->fail("the topology '" + to->pathName() +
                          "' beside the output holds no edges; expected one that "
                          "does, such as an EdgeSetTopologyContainer, or none");
    const Index pieces = 1u << d_splittingLevel.value();
    Vector<Edge> edges;
    Index next = m_inputs;
    for (const Edge& e : l_topology->edges()) {
        Index last = e[0];
        for (Index k = 1; k < pieces; ++k) {
            edges.push_back({last, next});
            last = next++;
        }
        edges.push_back({last, e[1]});
    }
    to->clear(static_cast<Index>(m_points.size()));
    to->setElements("edges", std::move(edges));
}

template <class In, class Out>
void CatmullRomSplineMapping<In, Out>::apply(OutVecCoord& out, const InVecCoord& in)
{
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        typename Out::Coord x;
        for (std::size_t k = 0; k < 4; ++k) x += in[m_points[i].from[k]] * m_points[i].weight[k];
        out[i] = x;
    }
}

template <class In, class Out>
void CatmullRomSplineMapping<In, Out>::buildJacobian(JacobianMatrix& j, const InVecCoord&)
{
    j.clear();
    for (const Point& p : m_points) {
        j.appendRow();
        // Each point of the input once.
        for (std::size_t k = 0; k < 4; ++k) {
            double weight = 0.;
            bool known = false;
            for (std::size_t n = 0; n < 4; ++n) {
                if (p.from[n] != p.from[k]) continue;
                known = known || n < k;
                weight += p.weight[n];
            }
            if (!known && weight != 0.) j.append(p.from[k], Mat<Out::derivSize, In::derivSize>::identity() * weight);
        }
    }
}

template <class In, class Out>
void CatmullRomSplineMapping<In, Out>::appendLinks(Vector<Vec3>& ends) const
{
    for (Index i = m_inputs; i < m_points.size() && i < this->output().size(); ++i)
        for (const Index from : {m_points[i].from[1], m_points[i].from[2]}) {
            if (from >= this->input().size()) continue;
            ends.push_back(this->input().pointPosition(from));
            ends.push_back(this->output().pointPosition(i));
        }
}

static const RegisterComponent registeredCatmullRomSplineMapping =
    RegisterComponent("CatmullRomSplineMapping", "Mapping", "SofaMiscMapping")
        .help("Smooth curves through the points of a mesh of edges")
        .example("component/mapping/CatmullRomSplineMapping.scn")
        .add<CatmullRomSplineMapping, Types<Vec3Types, Vec3Types>>();

}  // namespace sofa::component
