// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/topology/BezierContainer.h"

#include <algorithm>
#include <utility>

#include "core/factory/Registry.h"

namespace sofa::component {

template <class Base, class Element>
bool BezierContainer<Base, Element>::checkDegrees()
{
    const Vector<Index>& degrees = d_degrees.value();
    const std::size_t count = edges().size();
    if (degrees.size() != 1 && degrees.size() != count) {
        fail("degrees has " + std::to_string(degrees.size()) + " numbers for " + std::to_string(count) + " edges");
        return false;
    }
    const auto wrong = std::ranges::find_if(degrees, [](Index d) { return d != 1 && d != 2; });
    if (wrong == degrees.end()) return true;
    fail("degrees: edges are of degree 1 or 2, not " + std::to_string(*wrong));
    return false;
}

template <class Base, class Element>
void BezierContainer<Base, Element>::prepare()
{
    if (!d_edgeControlPoints.value().empty() || d_position.value().empty() || !checkDegrees()) return;
    const auto take = [this](Vector<Index> control) {
        d_edgeControlPoints.setValue(std::move(control));
        d_edgeControlPoints.setIsSet(false);
    };
    // What they were linked to is gone: they have their control points already.
    if (d_position.value() == m_madePositions) return take(m_madeControl);
    const auto& cells = this->cells();
    Vector<Vec3> points = d_position.value();
    const auto corners = static_cast<Index>(points.size());
    for (const auto& t : cells)
        if (*std::ranges::max_element(t) >= corners) return;  // init() of the base says so
    const Vector<Edge>& all = edges();
    const Vector<Index>& degrees = d_degrees.value();
    Vector<Index> control(all.size(), InvalidIndex);
    for (const Edge& e : all)
        if (std::max(e[0], e[1]) >= corners) return;
    try {
        takeMidsideNodes(points, control);
    } catch (const std::exception& e) {
        return fail(std::string("highOrderEdgePositions: ") + e.what());
    }
    points.reserve(corners + all.size());
    for (std::size_t e = 0; e < all.size(); ++e) {
        if (control[e] != InvalidIndex || degrees[std::min(e, degrees.size() - 1)] == 1) continue;
        control[e] = static_cast<Index>(points.size());
        points.push_back((points[all[e][0]] + points[all[e][1]]) * 0.5);
    }
    m_madePositions = points;
    m_madeControl = control;
    d_position.unlink();
    d_position.setValue(std::move(points));
    take(std::move(control));
}

template <class Base, class Element>
void BezierContainer<Base, Element>::takeMidsideNodes(Vector<Vec3>& points, Vector<Index>& control) const
{
    const Vector<std::array<Index, 4>>& nodes = d_highOrderEdgePositions.value();
    if (nodes.empty()) return;
    if (!d_edges.isSet()) throw std::runtime_error("its edges are numbers of those of the loader: link \"edges\", too");
    const Vector<Edge>& all = edges();
    const Vector<Vec3> places = points;
    for (const auto& [node, edge, first, second] : nodes) {
        if (node >= places.size() || edge >= all.size())
            throw std::runtime_error("there is no point " + std::to_string(node) + " or no edge " +
                                     std::to_string(edge));
        if (first != second) throw std::runtime_error("a node is not in the middle of its edge: its weights differ");
        if (control[edge] != InvalidIndex)
            throw std::runtime_error("edge " + std::to_string(edge) + " has two midside nodes");
        control[edge] = node;
        const Vec3 chord = (places[all[edge][0]] + places[all[edge][1]]) * 0.5;
        points[node] = places[node] * 2. - chord;
    }
}

template <class Base, class Element>
void BezierContainer<Base, Element>::checkShapes()
{
    Vector<Vec3> memory;
    const Vector<Vec3>& x = middlePoints().extended(d_position.value(), memory);
    const Vector<BezierTetrahedron>& elements = bezierTetrahedra();
    std::size_t folded = 0;
    std::string text;
    for (std::size_t e = 0; e < elements.size(); ++e) {
        std::array<Vec3, 10> control;
        for (std::size_t k = 0; k < 10; ++k) control[k] = x[elements[e][k]];
        const std::string fold = foldOf(control);
        if (!fold.empty() && ++folded <= 3) text += "\n    element " + std::to_string(e) + ' ' + fold;
    }
    if (folded > 0)
        fail("positions: " + std::to_string(folded) + (folded == 1 ? " element is" : " elements are") +
             " folded, so that integrals over them mean nothing:" + text);
}

template <class Base, class Element>
void BezierContainer<Base, Element>::init()
{
    // Positions that are linked again are those of the corners, or of midside nodes: their control points are to be
    // made.
    if (d_position.parent() && !d_edgeControlPoints.isSet() && !d_edgeControlPoints.value().empty()) {
        d_edgeControlPoints.setValue({});
        d_edgeControlPoints.setIsSet(false);
        prepare();
    }
    Base::init();
    if (!isValid()) return;
    if (!hasPositions()) return fail("it needs positions: control points are put in the middle of edges");
    const Vector<Index>& control = d_edgeControlPoints.value();
    if (control.size() != edges().size())
        return fail("edgeControlPoints has " + std::to_string(control.size()) + " numbers for " +
                    std::to_string(edges().size()) + " edges");
    for (std::size_t e = 0; e < control.size(); ++e)
        if (control[e] >= nbPoints() && control[e] != InvalidIndex)
            return fail("the control point " + std::to_string(control[e]) + " of edge " + std::to_string(e) +
                        " does not exist: there are " + std::to_string(nbPoints()) + " points");
    for (const auto& t : cells())
        for (const auto& [a, b] : sides())
            if (edgeIndex(t[a], t[b]) == InvalidIndex)
                return fail("edges lacks that of the points " + std::to_string(t[a]) + " and " + std::to_string(t[b]) +
                            ", which an element has");
    Vector<Index> owners(nbPoints(), InvalidIndex);
    for (Index e = 0; e < control.size(); ++e)
        if (control[e] != InvalidIndex) owners[control[e]] = e;
    d_pointEdges.setValue(std::move(owners));
    m_edgesOfCells.clear();
    findDegrees();
    if constexpr (isSolid) checkShapes();
}

template <class Base, class Element>
void BezierContainer<Base, Element>::findDegrees()
{
    Vector<Index> control(edges().size(), InvalidIndex), degrees(edges().size(), 1);
    const Vector<Index>& owners = d_pointEdges.value();
    for (Index p = 0; p < owners.size(); ++p) {
        if (owners[p] >= control.size()) continue;
        control[owners[p]] = p;
        degrees[owners[p]] = 2;
    }
    for (const auto& [data, now] : {std::pair{&d_edgeControlPoints, &control}, {&d_degrees, &degrees}}) {
        if (data->value() == *now) continue;  // what did not change is still what undoInit() may take back
        const bool isSet = data->isSet();
        data->setValue(std::move(*now));
        data->setIsSet(isSet);
    }
    m_isMade = false;
}

template <class Base, class Element>
void BezierContainer<Base, Element>::makeElements() const
{
    if (!isValid()) return m_elements.clear();  // nothing fits together
    const auto& cells = this->cells();
    if (m_isMade && m_elements.size() == cells.size()) return;
    if (m_edgesOfCells.size() != cells.size()) {
        m_edgesOfCells.resize(cells.size());
        for (std::size_t t = 0; t < cells.size(); ++t)
            for (std::size_t k = 0; k < sides().size(); ++k)
                m_edgesOfCells[t][k] = edgeIndex(cells[t][sides()[k][0]], cells[t][sides()[k][1]]);
    }
    const Vector<Edge>& all = edges();
    Vector<Index> control = d_edgeControlPoints.value();
    m_middles.first = nbPoints();
    m_middles.ends.clear();
    for (std::size_t e = 0; e < control.size(); ++e) {
        if (control[e] != InvalidIndex) continue;
        control[e] = m_middles.first + static_cast<Index>(m_middles.ends.size());
        m_middles.ends.push_back(all[e]);
    }
    m_elements.resize(cells.size());
    for (std::size_t t = 0; t < cells.size(); ++t) {
        std::ranges::copy(cells[t], m_elements[t].begin());
        for (std::size_t k = 0; k < sides().size(); ++k) m_elements[t][cornerCount + k] = control[m_edgesOfCells[t][k]];
    }
    m_isMade = true;
}

template <class Base, class Element>
const MiddlePoints& BezierContainer<Base, Element>::middlePoints() const
{
    makeElements();
    return m_middles;
}

// --- Changes of degree ----------------------------------------------------------------------------------------------

template <class Base, class Element>
std::string BezierContainer<Base, Element>::refusal(const TopologyStep& step) const
{
    if (std::ranges::count(step.topologies, this) == 0) return {};
    if (step.kind == TopologyStep::Kind::Move) return "rest shapes of its elements are straight: points do not move";
    return step.type == ElementType::Points ? "" : "the control points of its edges do not follow changes of elements";
}

template <class Base, class Element>
TopologyFollower::PointLists BezierContainer<Base, Element>::pointLists()
{
    return {{{{this, {ElementType::Points}}, {{&d_pointEdges}}}}};
}

template <class Base, class Element>
void BezierContainer<Base, Element>::followTopology(const TopologyChange& change)
{
    findDegrees();
    if (change.restores()) return;
    const ElementSource points = change.source(*this, ElementType::Points);
    if (points.ancestors.empty()) return;
    const Vector<Index> now = points.inverse();
    Vector<Index> owners = d_pointEdges.value();
    for (const auto& [point, ancestors] : points.ancestors) {
        if (ancestors.size() != 2 || ancestors[0].weight != 0.5) continue;
        const Index e = edgeIndex(now[ancestors[0].index], now[ancestors[1].index]);
        if (e != InvalidIndex && d_edgeControlPoints.value()[e] == InvalidIndex) owners[point] = e;
    }
    d_pointEdges.setValue(std::move(owners));
    findDegrees();
}

template class BezierContainer<TetrahedronSetTopologyContainer, BezierTetrahedron>;
template class BezierContainer<TriangleSetTopologyContainer, BezierTriangle>;

namespace {

const RegisterComponent registeredBezierTriangleSetTopologyContainer =
    RegisterComponent("BezierTriangleSetTopologyContainer", "Topology", "Sofa.Component.Topology.Container.Dynamic")
        .help("Topology of Bézier triangles of degree 1 and 2: triangles with control points on their edges")
        .example("component/topology/BezierTriangleSetTopologyContainer.scn")
        .add<BezierTriangleSetTopologyContainer>();
const RegisterComponent registeredBezierTetrahedronSetTopologyContainer =
    RegisterComponent("BezierTetrahedronSetTopologyContainer", "Topology", "Sofa.Component.Topology.Container.Dynamic")
        .help("Topology of Bézier tetrahedra of degree 1 and 2: tetrahedra with control points on their edges")
        .example("component/topology/BezierTetrahedronSetTopologyContainer.scn")
        .add<BezierTetrahedronSetTopologyContainer>();

}  // namespace

}  // namespace sofa::component
