// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/engine/BoxROI.h"

#include <algorithm>

#include "core/factory/Registry.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

template <class D>
BoxROI<D>::BoxROI()
{
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
    if (!usesOriented()) return !m_boxes.empty();
    for (const Vec<10>& b : d_orientedBox.value()) try {
            m_oriented.emplace_back(b);
        } catch (const std::runtime_error& e) {
            this->fail(std::string("orientedBox: ") + e.what());
        }
    return !m_boxes.empty() || !m_oriented.empty();
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
    for (const OrientedBox& b : m_oriented)
        for (const Vec3& p : b.corners()) all.include(p);
    return all;
}

template <class D>
void BoxROI<D>::drawRegion(DrawTool& tool) const
{
    const Color color(1.f, 0.4f, 0.4f);
    const auto size = std::max(this->d_drawSize.value(), 1.f);
    tool.boxEdges(m_boxes, plainStyle(color, size));
    OrientedBox::draw(tool, m_oriented, color, size);
}

namespace {

const RegisterComponent registeredBoxROI =
    RegisterComponent("BoxROI", "Engine", "Sofa.Component.Engine.Select")
        .help("Selects the points, edges, triangles, quads, tetrahedra and hexahedra inside boxes")
        .example("component/engine/BoxROI.scn")
        .add<BoxROI, Vec3Types, Vec2Types, Vec1Types, Rigid3Types, Vec6Types>();

}  // namespace

}  // namespace sofa::component
