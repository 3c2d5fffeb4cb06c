// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/topology/BezierContainer.h"

#include <algorithm>

#include "core/factory/Registry.h"
#include "core/mesh/Adjacency.h"

namespace sofa::component {

void BezierTetrahedronSetTopologyContainer::prepare()
{
    if (!d_edgeControlPoints.value().empty() || d_position.value().empty()) return;
    const Vector<Tetrahedron>& cells = tetrahedra();
    Vector<Vec3> points = d_position.value();
    const auto corners = static_cast<Index>(points.size());
    for (const Tetrahedron& t : cells)
        if (*std::ranges::max_element(t) >= corners) return;  // init() of the base says so
    const Vector<Edge>& all = edges();
    Vector<Index> control(all.size());
    points.reserve(corners + all.size());
    for (std::size_t e = 0; e < all.size(); ++e) {
        if (std::max(all[e][0], all[e][1]) >= corners) return;
        control[e] = static_cast<Index>(points.size());
        points.push_back((points[all[e][0]] + points[all[e][1]]) * 0.5);
    }
    d_position.unlink();
    d_position.setValue(std::move(points));
    d_edgeControlPoints.setValue(std::move(control));
    d_edgeControlPoints.setIsSet(false);
}

void BezierTetrahedronSetTopologyContainer::init()
{
    TetrahedronSetTopologyContainer::init();
    if (!isValid()) return;
    if (!hasPositions()) return fail("it needs positions: control points are put in the middle of edges");
    const Vector<Index>& control = d_edgeControlPoints.value();
    if (control.size() != edges().size())
        return fail("edgeControlPoints has " + std::to_string(control.size()) + " numbers for " +
                    std::to_string(edges().size()) + " edges");
    for (std::size_t e = 0; e < control.size(); ++e)
        if (control[e] >= nbPoints())
            return fail("the control point " + std::to_string(control[e]) + " of edge " + std::to_string(e) +
                        " does not exist: there are " + std::to_string(nbPoints()) + " points");
}

const Vector<BezierTetrahedron>& BezierTetrahedronSetTopologyContainer::bezierTetrahedra() const
{
    const Vector<Tetrahedron>& cells = tetrahedra();
    const Vector<Edge>& all = edges();
    if (m_madeAt == revision() && m_elements.size() == cells.size()) return m_elements;
    const Vector<Index>& control = d_edgeControlPoints.value();
    ElementFinder<2> finder(all.size());
    for (std::size_t e = 0; e < all.size(); ++e) finder.insert(all[e], static_cast<Index>(e));
    m_elements.resize(cells.size());
    for (std::size_t t = 0; t < cells.size(); ++t) {
        std::ranges::copy(cells[t], m_elements[t].begin());
        for (std::size_t k = 0; k < bezierEdges.size(); ++k) {
            const Index e = finder.find({cells[t][bezierEdges[k][0]], cells[t][bezierEdges[k][1]]});
            m_elements[t][4 + k] = e < control.size() ? control[e] : InvalidIndex;
        }
    }
    m_madeAt = revision();
    return m_elements;
}

namespace {

const RegisterComponent registered =
    RegisterComponent("BezierTetrahedronSetTopologyContainer", "Topology", "Sofa.Component.Topology.Container.Dynamic")
        .help("Topology of quadratic Bézier tetrahedra: tetrahedra with control points on their edges")
        .example("component/topology/BezierTetrahedronSetTopologyContainer.scn")
        .add<BezierTetrahedronSetTopologyContainer>();

}  // namespace

}  // namespace sofa::component
