// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/topology/BezierSurface.h"

#include <algorithm>
#include <numeric>

#include "core/behavior/BaseState.h"
#include "core/factory/Registry.h"
#include "core/mesh/SubElements.h"
#include "core/objectmodel/Node.h"
#include "core/topology/BezierTopology.h"

namespace sofa::component {

void BezierSurfaceTopologicalMapping::init()
{
    if (divisions() < 1 || divisions() > 64)
        return fail("divisions is " + std::to_string(divisions()) + "; edges have 1 to 64 pieces");
    PointTopologicalMapping::init();
}

/// Triangles; or faces of one element only, in the order of elements and of tetrahedronFaces.
void BezierSurfaceTopologicalMapping::findPatches(const BaseMeshTopology& input)
{
    m_patches.clear();
    const bool flips = d_flipNormals.value();
    if (inputType() == ElementType::Triangles) {
        for (const Triangle& t : input.triangles()) {
            Patch p{static_cast<Index>(m_patches.size()), {0, 1, 2}, t};
            if (flips) p = {p.element, {0, 2, 1}, {t[0], t[2], t[1]}};
            m_patches.push_back(p);
        }
        return;
    }
    const Vector<Tetrahedron>& cells = input.tetrahedra();
    Vector<Triangle> border = borderOf(cells);
    for (Triangle& t : border) t = sortedVertices(t);
    std::ranges::sort(border);
    for (std::size_t f = 0; f < 4 * cells.size(); ++f) {
        const Tetrahedron& t = cells[f / 4];
        if (!std::ranges::binary_search(border, sortedVertices(subElement(t, tetrahedronFaces[f % 4])))) continue;
        Patch p;
        p.element = static_cast<Index>(f / 4);
        std::ranges::copy(tetrahedronFaces[f % 4], p.corners.begin());
        const auto x = [&](std::size_t k) { return input.pointPosition(t[k]); };
        const bool insideOut = input.hasPositions() && dot(x(1) - x(0), cross(x(2) - x(0), x(3) - x(0))) < 0.;
        if (insideOut != flips) std::swap(p.corners[1], p.corners[2]);
        for (std::size_t k = 0; k < 3; ++k) p.points[k] = t[p.corners[k]];
        m_patches.push_back(p);
    }
}

auto BezierSurfaceTopologicalMapping::originOf(Parts parts, std::size_t count) const -> Origin
{
    std::sort(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(count));
    std::array<Index, 3> points{};
    for (std::size_t k = 0; k < count; ++k) points[k] = parts[k].first;
    Origin origin = Origin::ofPoints({points.data(), count});
    if (count > 1) origin.slot = parts[0].second;
    if (count > 2) origin.slot = parts[0].second * (d_divisions.value() + 1) + parts[1].second;
    return origin;
}

auto BezierSurfaceTopologicalMapping::originOf(const Patch& patch, Index i, Index j) const -> Origin
{
    const std::array<Index, 3> parts{i, j, d_divisions.value() - i - j};
    Parts of{};  // those that have one
    std::size_t count = 0;
    for (std::size_t k = 0; k < 3; ++k)
        if (parts[k] > 0) of[count++] = {patch.points[k], parts[k]};
    return originOf(of, count);
}

void BezierSurfaceTopologicalMapping::sortNumbers(Origin& origin) const
{
    const Index n = d_divisions.value(), count = static_cast<Index>(origin.count());
    const Index first = count > 2 ? origin.slot / (n + 1) : count > 1 ? origin.slot : n;
    const Index second = count > 2 ? origin.slot % (n + 1) : n - first;
    origin = originOf(
        {{{origin.numbers[0], first}, {origin.numbers[1], second}, {origin.numbers[2], n - first - second}}}, count);
}

void BezierSurfaceTopologicalMapping::makePoints(const BaseMeshTopology& input)
{
    const BezierTopology& mesh = completeBezierTopologyOf(input);
    const bool isSolid = inputType() == ElementType::Tetrahedra;
    const Index n = d_divisions.value();
    findPatches(input);
    for (const Patch& p : m_patches)
        for (Index i = 0; i <= n; ++i)
            for (Index j = 0; i + j <= n; ++j) {
                std::array<double, 4> alpha{};
                alpha[p.corners[0]] = static_cast<double>(i) / n;
                alpha[p.corners[1]] = static_cast<double>(j) / n;
                alpha[p.corners[2]] = static_cast<double>(n - i - j) / n;
                const MiddlePoints& middles = mesh.middlePoints();
                Ancestors from = isSolid ? bezierPoint(alpha, mesh.bezierTetrahedra()[p.element], middles)
                                         : bezierPoint(std::span<const double, 3>(alpha.data(), 3),
                                                       mesh.bezierTriangles()[p.element], middles);
                addPoint(originOf(p, i, j), {std::move(from), {}});
            }
}

void BezierSurfaceTopologicalMapping::map(const BaseMeshTopology&, StoredTopology& output)
{
    const Index n = d_divisions.value();
    Vector<Triangle> triangles;
    for (const Patch& p : m_patches) {
        const auto at = [&](Index i, Index j) { return pointOf(originOf(p, i, j)); };
        const auto add = [&](const Triangle& t) {
            triangles.push_back(t);
            addElement(p.element);
        };
        // (i, j) counts towards corners 0 and 1, away from corner 2.
        for (Index i = 0; i < n; ++i)
            for (Index j = 0; i + j < n; ++j) {
                add({at(i + 1, j), at(i, j + 1), at(i, j)});
                if (i + j + 1 < n) add({at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)});
            }
    }
    output.setElements("triangles", std::move(triangles));
}

void BezierSurfaceTopologicalMapping::followTopology(const TopologyChange&)
{
    remake();
    Vector<Index> all(mappedPoints().size());
    std::iota(all.begin(), all.end(), Index(0));
    // What has another degree has its points elsewhere.
    const std::vector<BaseState*> states = output()->node()->getAll<BaseState>(Search::Local);
    placePoints(all, states, false);
}

double BezierSurfaceTopologicalMapping::deviation(const Vector<Vec3>& points) const
{
    const auto* mesh = dynamic_cast<const BezierTopology*>(input());
    if (!mesh) return 0.;
    Vector<Vec3> memory;
    const Vector<Vec3>& x = mesh->middlePoints().extended(points, memory);
    double largest = 0.;
    for (const Patch& p : m_patches)
        for (std::size_t k = 0; k < 3; ++k) {
            const Index a = p.points[k], b = p.points[(k + 1) % 3];
            largest = std::max(largest, norm(x[a] - x[controlPointOf(*mesh, p.element, a, b)] * 2. + x[b]));
        }
    const auto n = static_cast<double>(divisions());
    return largest / (3. * n * n);
}

namespace {

const RegisterComponent registeredBezierSurfaceTopologicalMapping =
    RegisterComponent("BezierSurfaceTopologicalMapping", "TopologicalMapping", "Sofa.Component.Topology.Mapping")
        .help("Quadratic Bézier triangles, or the border of tetrahedra, as flat triangles, as fine as wanted")
        .example("component/topology/BezierSurfaceTopologicalMapping.scn")
        .add<BezierSurfaceTopologicalMapping>();

}  // namespace

}  // namespace sofa::component
