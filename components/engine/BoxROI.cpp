// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/engine/BoxROI.h"

#include <algorithm>
#include <cmath>

#include "core/factory/Registry.h"
#include "core/topology/SubElements.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

namespace {

Vec3 corner(const Vec<10>& box, std::size_t i) { return {box[3 * i], box[3 * i + 1], box[3 * i + 2]}; }

/// The four corners of the base on one side of an oriented box, then those on the other.
std::array<Vec3, 8> cornersOf(const Vec<10>& box)
{
    const Vec3 p0 = corner(box, 0), p1 = corner(box, 1), p2 = corner(box, 2), p3 = p0 + (p2 - p1);
    const Vec3 half = normalized(cross(p1 - p0, p2 - p0)) * (box[9] / 2.);
    return {p0 - half, p1 - half, p2 - half, p3 - half, p0 + half, p1 + half, p2 + half, p3 + half};
}

}  // namespace

template <class D>
BoxROI<D>::BoxROI()
{
    this->addParameter(d_box);
    this->addParameter(d_orientedBox);
    this->addAlias(this->d_drawROI, "drawBoxes");
    this->addAlias(this->d_quads, "quad");
    this->addAlias(this->d_computeQuads, "computeQuad");
    this->addAlias(this->d_quadsInROI, "quadInROI");
}

template <class D>
void BoxROI<D>::init()
{
    if (!d_box.isSet() && !d_orientedBox.isSet()) d_box.setValue({Vec6{0., 0., 0., 1., 1., 1.}});
    if (!usesOriented() && d_orientedBox.isSet())
        this->msgWarning() << "orientedBox has no effect in " << D::spatialDimensions << "D";
    BaseROI<D>::init();
}

template <class D>
bool BoxROI<D>::prepareRegion()
{
    m_boxes.clear();
    for (const Vec6& b : d_box.value()) {
        BoundingBox box;
        box.include({b[0], b[1], b[2]});
        box.include({b[3], b[4], b[5]});
        m_boxes.push_back(box);
    }
    m_oriented.clear();
    for (const Vec<10>& b : d_orientedBox.value()) {
        if (!usesOriented()) break;
        OrientedBox box;
        box.p0 = corner(b, 0);
        box.p2 = corner(b, 2);
        const Vec3 p1 = corner(b, 1), diagonal = box.p2 - box.p0;
        box.normal = normalized(cross(p1 - box.p0, diagonal));
        if (box.normal == Vec3{}) {
            this->fail("orientedBox: the three points " + toText(b) + " lie on a line and span no box");
            continue;
        }
        const std::array<Vec3, 2> sides{p1 - box.p0, box.p2 - p1};
        for (std::size_t i = 0; i < 2; ++i) {
            box.sideNormals[i] = normalized(cross(sides[i], box.normal));
            box.extents[i] = std::abs(dot(diagonal, box.sideNormals[i]));
        }
        box.halfDepth = std::abs(b[9] / 2.);
        m_oriented.push_back(box);
    }
    return !m_boxes.empty() || !m_oriented.empty();
}

template <class D>
bool BoxROI<D>::OrientedBox::contains(const Vec3& p) const
{
    const Vec3 from0 = p - p0, from2 = p - p2;
    for (std::size_t i = 0; i < 2; ++i)
        if (!(std::abs(dot(from0, sideNormals[i])) <= extents[i] && std::abs(dot(from2, sideNormals[i])) <= extents[i]))
            return false;
    return std::abs(dot(from0, normal)) <= halfDepth;
}

template <class D>
bool BoxROI<D>::contains(const Vec3& p) const
{
    const auto inBox = [&](const BoundingBox& b) {
        for (std::size_t i = 0; i < D::spatialDimensions; ++i)
            if (!(p[i] >= b.low[i] && p[i] <= b.high[i])) return false;
        return true;
    };
    return std::any_of(m_boxes.begin(), m_boxes.end(), inBox) ||
           std::any_of(m_oriented.begin(), m_oriented.end(), [&](const OrientedBox& b) { return b.contains(p); });
}

template <class D>
std::string BoxROI<D>::describeRegion() const
{
    std::string text = "the boxes (";
    text += d_box.value().empty() ? "" : "box=\"" + d_box.text() + '"';
    text += d_box.value().empty() || d_orientedBox.value().empty() ? "" : " ";
    text += d_orientedBox.value().empty() ? "" : "orientedBox=\"" + d_orientedBox.text() + '"';
    return text + ')';
}

template <class D>
BoundingBox BoxROI<D>::boundingBox() const
{
    BoundingBox all;
    if (!this->d_drawROI.value()) return all;
    for (const BoundingBox& b : m_boxes) all.include(b);
    for (const Vec<10>& b : d_orientedBox.value())
        for (const Vec3& p : cornersOf(b)) all.include(p);
    return all;
}

template <class D>
void BoxROI<D>::drawRegion(DrawTool& tool) const
{
    const Color color(1.f, 0.4f, 0.4f);
    const auto size = std::max(this->d_drawSize.value(), 1.f);
    tool.boxEdges(m_boxes, plainStyle(color, size));
    Vector<Vec3> x;
    Vector<Edge> edges;
    for (const Vec<10>& b : d_orientedBox.value()) {
        if (!usesOriented()) break;
        const auto first = static_cast<Index>(x.size());
        for (const Vec3& p : cornersOf(b)) x.push_back(p);
        for (const auto& e : hexahedronEdges) edges.push_back({first + e[0], first + e[1]});
    }
    drawEdges(tool, edges, x, color, size);
}

template class BoxROI<Vec1Types>;
template class BoxROI<Vec2Types>;
template class BoxROI<Vec3Types>;
template class BoxROI<Vec6Types>;
template class BoxROI<Rigid3Types>;

namespace {

const RegisterComponent registered =
    RegisterComponent("BoxROI", "Engine", "Sofa.Component.Engine.Select")
        .help("Selects the points, edges, triangles, quads, tetrahedra and hexahedra inside boxes")
        .example("component/engine/BoxROI.scn")
        .add<BoxROI<Vec3Types>>()
        .add<BoxROI<Vec2Types>>()
        .add<BoxROI<Vec1Types>>()
        .add<BoxROI<Rigid3Types>>()
        .add<BoxROI<Vec6Types>>();

}  // namespace

}  // namespace sofa::component
