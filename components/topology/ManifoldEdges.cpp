// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/topology/ManifoldEdges.h"

#include <cmath>

#include "core/factory/Registry.h"
#include "core/objectmodel/Node.h"

namespace sofa::component {

// --- Container ------------------------------------------------------------------------------------------------------

void ManifoldEdgeSetTopologyContainer::init()
{
    EdgeSetTopologyContainer::init();
    if (!isValid()) return;
    for (Index i = 0; i < nbPoints(); ++i)
        if (const std::string fault = faultAt(i); !fault.empty()) return fail("edges: " + fault);
}

std::string ManifoldEdgeSetTopologyContainer::faultAt(Index point) const
{
    const List& all = *list(ElementType::Edges);
    const auto around = all.around(point);
    if (around.size() > 2)
        return "point " + std::to_string(point) + " has " + std::to_string(around.size()) + " edges (" +
               toText(Vector<Index>(around.begin(), around.end())) + "), on a line it has two at most";
    Index others[2] = {InvalidIndex, InvalidIndex};
    for (std::size_t k = 0; k < around.size(); ++k) {
        const auto e = all.element(around[k]);
        if (e[0] == e[1]) return "edge " + std::to_string(around[k]) + " has point " + std::to_string(point) + " twice";
        others[k] = e[0] == point ? e[1] : e[0];
    }
    if (around.size() == 2 && others[0] == others[1])
        return "edges " + std::to_string(around[0]) + " and " + std::to_string(around[1]) + " have the same points";
    return {};
}

void ManifoldEdgeSetTopologyContainer::followTopology(const TopologyChange& change)
{
    if (change.restores() || change.source(*this, ElementType::Edges).same) return;
    for (const Index i : change.touchedPoints(*this))
        if (const std::string fault = faultAt(i); !fault.empty())
            throw std::runtime_error("'" + pathName() + "': after the change " + fault);
}

void ManifoldEdgeSetTopologyContainer::makeLines() const
{
    const std::size_t now = revision();
    if (m_madeAt == now) return;
    const Vector<Edge>& all = edges();
    m_lines.clear();
    m_points.assign(nbPoints(), {});
    m_edges.assign(all.size(), {});
    if (!isValid()) throw std::logic_error(pathName() + ": the edges form no lines");
    const auto otherEdge = [&](Index point, Index edge) {
        const auto around = edgesAroundVertex(point);
        return around.size() < 2 ? InvalidIndex : around[around[0] == edge ? 1 : 0];
    };
    for (Index first = 0; first < all.size(); ++first) {
        if (m_edges[first].line != InvalidIndex) continue;
        // Back to the beginning, or round to this edge.
        Index edge = first, start = all[first][0];
        bool closed = false;
        for (Index e = otherEdge(start, edge); e != InvalidIndex && !closed; e = otherEdge(start, edge)) {
            closed = e == first;
            if (closed) break;
            edge = e;
            start = all[e][0] == start ? all[e][1] : all[e][0];
        }
        if (closed) {
            edge = first;
            start = all[first][0];
        }
        const auto number = static_cast<Index>(m_lines.size());
        Line line;
        line.closed = closed;
        for (Index e = edge, p = start; e != InvalidIndex && m_edges[e].line == InvalidIndex; e = otherEdge(p, e)) {
            m_points[p] = {number, static_cast<Index>(line.points.size())};
            m_edges[e] = {number, static_cast<Index>(line.edges.size())};
            line.points.push_back(p);
            line.edges.push_back(e);
            p = all[e][0] == p ? all[e][1] : all[e][0];
            start = p;
        }
        if (!closed) {
            m_points[start] = {number, static_cast<Index>(line.points.size())};
            line.points.push_back(start);
        }
        m_lines.push_back(std::move(line));
    }
    m_madeAt = now;
}

const Vector<ManifoldEdgeSetTopologyContainer::Line>& ManifoldEdgeSetTopologyContainer::lines() const
{
    makeLines();
    return m_lines;
}

Index ManifoldEdgeSetTopologyContainer::lineOfPoint(Index point) const
{
    makeLines();
    return point < m_points.size() ? m_points[point].line : InvalidIndex;
}

Index ManifoldEdgeSetTopologyContainer::lineOfEdge(Index edge) const
{
    makeLines();
    return edge < m_edges.size() ? m_edges[edge].line : InvalidIndex;
}

namespace {

/// The neighbour of an entry of a list, which is closed or not.
Index beside(const Vector<Index>& list, Index at, bool after, bool closed)
{
    const auto n = static_cast<Index>(list.size());
    if (after) return at + 1 < n ? list[at + 1] : closed ? list.front() : InvalidIndex;
    return at > 0 ? list[at - 1] : closed ? list.back() : InvalidIndex;
}

}  // namespace

Index ManifoldEdgeSetTopologyContainer::pointBeside(Index point, bool after) const
{
    const Index line = lineOfPoint(point);
    if (line == InvalidIndex) return InvalidIndex;
    return beside(m_lines[line].points, m_points[point].at, after, m_lines[line].closed);
}

Index ManifoldEdgeSetTopologyContainer::edgeBeside(Index edge, bool after) const
{
    const Index line = lineOfEdge(edge);
    if (line == InvalidIndex) return InvalidIndex;
    return beside(m_lines[line].edges, m_edges[edge].at, after, m_lines[line].closed);
}

// --- Modifier -------------------------------------------------------------------------------------------------------

void ManifoldEdgeSetTopologyModifier::init()
{
    EdgeSetTopologyModifier::init();
    if (const auto* t = topology(); t && !dynamic_cast<const ManifoldEdgeSetTopologyContainer*>(t))
        fail("the topology of this node, '" + t->pathName() + "' (" + t->className() +
             "), is no ManifoldEdgeSetTopologyContainer");
}

// --- Measures -------------------------------------------------------------------------------------------------------

template <class D>
void ManifoldEdgeSetGeometryAlgorithms<D>::init()
{
    EdgeSetGeometryAlgorithms<D>::init();
    m_container = dynamic_cast<const ManifoldEdgeSetTopologyContainer*>(this->l_topology.get());
    if (this->l_topology && !m_container)
        this->fail("topology: '" + this->l_topology->pathName() + "' (" + this->l_topology->className() +
                   ") is no ManifoldEdgeSetTopologyContainer");
}

template <class D>
const ManifoldEdgeSetTopologyContainer& ManifoldEdgeSetGeometryAlgorithms<D>::container() const
{
    if (!m_container) throw std::logic_error(this->pathName() + ": there are no lines to measure");
    return *m_container;
}

template <class D>
double ManifoldEdgeSetGeometryAlgorithms<D>::lineLength(Index line, At at) const
{
    double sum = 0.;
    for (const Index e : container().lines().at(line).edges) sum += this->edgeLength(e, at);
    return sum;
}

template <class D>
Vec3 ManifoldEdgeSetGeometryAlgorithms<D>::pointOnLine(Index line, double length, At at) const
{
    const auto& l = container().lines().at(line);
    if (const double whole = lineLength(line, at); l.closed && whole > 0.) {
        length = std::fmod(length, whole);
        if (length < 0.) length += whole;
    }
    if (length <= 0.) return this->point(l.points.front(), at);
    for (std::size_t k = 0; k < l.edges.size(); ++k) {
        const Vec3 a = this->point(l.points[k], at), b = this->point(l.points[(k + 1) % l.points.size()], at);
        const double d = norm(b - a);
        if (length <= d) return d > 0. ? a + (b - a) * (length / d) : a;
        length -= d;
    }
    return this->point(l.closed ? l.points.front() : l.points.back(), at);
}

template <class D>
Vec3 ManifoldEdgeSetGeometryAlgorithms<D>::tangent(Index point, At at) const
{
    const Index after = container().nextPoint(point), before = container().previousPoint(point);
    const Vec3 d = this->point(after == InvalidIndex ? point : after, at) -
                   this->point(before == InvalidIndex ? point : before, at);
    const double l = norm(d);
    return l > 0. ? d / l : Vec3();
}

template class ManifoldEdgeSetGeometryAlgorithms<Vec1Types>;
template class ManifoldEdgeSetGeometryAlgorithms<Vec2Types>;
template class ManifoldEdgeSetGeometryAlgorithms<Vec3Types>;
template class ManifoldEdgeSetGeometryAlgorithms<Rigid2Types>;
template class ManifoldEdgeSetGeometryAlgorithms<Rigid3Types>;

namespace {

constexpr const char* manifoldEdgesModule = "ManifoldTopologies";
constexpr const char* manifoldEdgesExample = "component/topology/ManifoldEdgeSetTopologyContainer.scn";

const RegisterComponent registeredManifoldEdgeSetTopologyContainer =
    RegisterComponent("ManifoldEdgeSetTopologyContainer", "Topology", manifoldEdgesModule)
        .help("Topology of edges that form lines")
        .example(manifoldEdgesExample)
        .add<ManifoldEdgeSetTopologyContainer>();
const RegisterComponent registeredManifoldEdgeSetTopologyModifier =
    RegisterComponent("ManifoldEdgeSetTopologyModifier", "TopologyModifier", manifoldEdgesModule)
        .help("Entrance for changes of a topology of lines at run time")
        .example(manifoldEdgesExample)
        .add<ManifoldEdgeSetTopologyModifier>();
const RegisterComponent registeredManifoldEdgeSetGeometryAlgorithms =
    RegisterComponent("ManifoldEdgeSetGeometryAlgorithms", "GeometryAlgorithms", manifoldEdgesModule)
        .help("Measures of a topology of lines")
        .example(manifoldEdgesExample)
        .add<ManifoldEdgeSetGeometryAlgorithms, Vec3Types, Vec2Types, Vec1Types, Rigid3Types, Rigid2Types>();

}  // namespace

}  // namespace sofa::component
