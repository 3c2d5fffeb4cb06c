// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/topology/BezierTopology.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/mesh/BezierJacobian.h"
#include "core/objectmodel/DataText.h"
#include "core/topology/TopologyTransaction.h"

namespace sofa::core {

namespace {

template <std::size_t N, std::size_t Corners>
Ancestors pointOf(std::span<const double, Corners> alpha, const std::array<Index, N>& element,
                  const std::array<std::array<std::size_t, Corners>, Corners>& controls, const MiddlePoints& middles)
{
    std::array<double, N> b{};
    for (std::size_t i = 0; i < Corners; ++i)
        for (std::size_t j = 0; j < Corners; ++j) {
            const std::size_t k = controls[i][j];
            if (!middles.isMiddle(element[k])) {
                b[k] += alpha[i] * alpha[j];
                continue;
            }
            b[i] += 0.5 * alpha[i] * alpha[j];
            b[j] += 0.5 * alpha[i] * alpha[j];
        }
    Ancestors from;
    for (std::size_t k = 0; k < N; ++k)
        if (!middles.isMiddle(element[k]) && b[k] != 0.) from.push_back({element[k], b[k]});
    return from;
}

template <std::size_t N, std::size_t Corners>
Index controlIn(const std::array<Index, N>& element,
                const std::array<std::array<std::size_t, Corners>, Corners>& controls, Index from, Index to)
{
    const auto local = [&element](Index point) {
        return static_cast<std::size_t>(std::find(element.begin(), element.begin() + Corners - 1, point) -
                                        element.begin());
    };
    return element[controls[local(from)][local(to)]];
}

}  // namespace

Index controlPointOf(const BezierTopology& mesh, Index element, Index from, Index to)
{
    const auto& triangles = mesh.bezierTriangles();
    return triangles.empty() ? controlIn(mesh.bezierTetrahedra()[element], bezierControl, from, to)
                             : controlIn(triangles[element], bezierTriangleControl, from, to);
}

const BezierTopology& bezierTopologyOf(const BaseMeshTopology& t)
{
    const auto* curved = dynamic_cast<const BezierTopology*>(&t);
    if (!curved)
        throw std::runtime_error("the topology '" + t.pathName() + "' (" + t.className() +
                                 ") has no control points on its edges; a BezierTetrahedronSetTopologyContainer has");
    return *curved;
}

const BezierTopology& completeBezierTopologyOf(const BaseMeshTopology& t)
{
    const BezierTopology& curved = bezierTopologyOf(t);
    const bool complete = t.tetrahedra().empty() ? curved.bezierTriangles().size() == t.triangles().size()
                                                 : curved.bezierTetrahedra().size() == t.tetrahedra().size();
    if (!complete) throw std::runtime_error("the elements of '" + t.pathName() + "' lack their control points");
    return curved;
}

Ancestors bezierPoint(std::span<const double, 4> alpha, const BezierTetrahedron& t, const MiddlePoints& middles)
{
    return pointOf(alpha, t, bezierControl, middles);
}

Ancestors bezierPoint(std::span<const double, 3> alpha, const BezierTriangle& t, const MiddlePoints& middles)
{
    return pointOf(alpha, t, bezierTriangleControl, middles);
}

namespace {

/// New numbers of points, such that control points come behind the corners in the order of their edges, and those of
/// `last` at the end; empty if the order is nearly that. Points that are coupled with the same ones then are near each
/// other, as products with matrices want them.
Vector<Index> sortedNumbers(const Vector<Index>& control, std::size_t points, const Vector<Index>& last)
{
    Vector<char> isCorner(points, 1);
    Vector<Index> order, behind;
    std::size_t descents = 0;
    Index before = 0;
    for (const Index c : control) {
        if (c == InvalidIndex) continue;
        isCorner[c] = 0;
        if (std::ranges::binary_search(last, c)) continue;
        if (c < before) ++descents;
        before = c;
        behind.push_back(c);
    }
    if (descents < 16 + behind.size() / 16) return {};
    for (Index v = 0; v < points; ++v)
        if (isCorner[v]) order.push_back(v);
    order.insert(order.end(), behind.begin(), behind.end());
    order.insert(order.end(), last.begin(), last.end());
    Vector<Index> now(points);
    for (Index k = 0; k < points; ++k) now[order[k]] = k;
    return now;
}

}  // namespace

void changeDegrees(StoredTopology& mesh, std::span<const Index> edges)
{
    const BezierTopology& curved = bezierTopologyOf(mesh);
    const Vector<Index>& control = curved.edgeControlPoints();
    Vector<Index> all(edges.begin(), edges.end()), lowered;
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    Vector<Ancestors> raised;
    Vector<Index> raisedEdges;
    for (const Index e : all) {
        if (e >= control.size())
            throw std::runtime_error("there is no edge " + std::to_string(e) + " in '" + mesh.pathName() + "'");
        if (control[e] != InvalidIndex) {
            lowered.push_back(control[e]);
            continue;
        }
        const Edge& ends = mesh.edges()[e];
        raised.push_back({{ends[0], 0.5}, {ends[1], 0.5}});
        raisedEdges.push_back(e);
    }
    if (edges.empty()) return;
    std::ranges::sort(lowered);
    Vector<Index> controlNow = control;
    TopologyTransaction change(mesh);
    if (!raised.empty()) {
        const Index first = change.addPoints(raised);
        for (Index k = 0; k < raisedEdges.size(); ++k) controlNow[raisedEdges[k]] = first + k;
    }
    if (const Vector<Index> now = sortedNumbers(controlNow, mesh.nbPoints(), lowered); !now.empty()) {
        change.renumberPoints(now);
        for (Index& c : lowered) c = now[c];
    }
    if (!lowered.empty()) change.removePoints(std::move(lowered));
    change.commit();
}

std::string foldOf(const std::array<Vec3, 10>& control)
{
    std::array<Vec3, 10> x = control;
    const auto volume6 = [&x] { return dot(x[1] - x[0], cross(x[2] - x[0], x[3] - x[0])); };
    const double size = std::abs(volume6());
    if (volume6() < 0.)
        for (Vec3& p : x) p = -p;
    const LowestJacobian lowest = lowestJacobian(x);
    if (lowest.bound > 0.) return {};
    Vec3 place;
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < 4; ++j) place += control[bezierControl[i][j]] * (lowest.place[i] * lowest.place[j]);
    return "is folded near (" + toText(place) + "): the determinant of its map is " + toText(lowest.value) +
           " there, in a linear element with these corners " + toText(size);
}

}  // namespace sofa::core
