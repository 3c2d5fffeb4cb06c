// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/engine/PairBoxROI.h"

#include <algorithm>

#include "core/factory/Registry.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

namespace {

BoundingBox boxOf(const Vec6& corners)
{
    BoundingBox box;
    box.include({corners[0], corners[1], corners[2]});
    box.include({corners[3], corners[4], corners[5]});
    return box;
}

bool inside(const BoundingBox& box, const Vec3& p)
{
    for (std::size_t i = 0; i < 3; ++i)
        if (!(p[i] >= box.low[i] && p[i] <= box.high[i])) return false;
    return true;
}

}  // namespace

template <class D>
PairBoxROI<D>::PairBoxROI()
{
    this->addAlias(this->d_position, "rest_position");
    this->addAlias(this->d_pointsInROI, "pointsInBox");
    this->ignoreAttribute("meshPosition", "the positions are those of \"position\"");
}

template <class D>
void PairBoxROI<D>::init()
{
    if (d_inclusiveBox.value() == Vec6() || d_includedBox.value() == Vec6())
        return this->fail("it needs two boxes: give inclusiveBox and includedBox");
    BaseROI<D>::init();
}

template <class D>
bool PairBoxROI<D>::prepareRegion()
{
    m_outer = boxOf(d_inclusiveBox.value());
    m_inner = boxOf(d_includedBox.value());
    return true;
}

template <class D>
bool PairBoxROI<D>::contains(const Vec3& p) const
{
    return inside(m_outer, p) && !inside(m_inner, p);
}

template <class D>
std::string PairBoxROI<D>::describeRegion() const
{
    return "the box inclusiveBox=\"" + d_inclusiveBox.text() + "\" without includedBox=\"" + d_includedBox.text() + '"';
}

template <class D>
void PairBoxROI<D>::draw(DrawTool& tool)
{
    BaseROI<D>::draw(tool);
    if (tool.shows(DisplayFlags::BehaviorModels) && !this->d_drawROI.value())
        drawBoxes(tool, d_drawInclusiveBox.value(), d_drawIncludedBox.value());
}

template <class D>
void PairBoxROI<D>::drawBoxes(DrawTool& tool, bool outer, bool inner) const
{
    auto boxes = tool.scratch<BoundingBox>();
    if (outer) boxes.push_back(m_outer);
    if (inner) boxes.push_back(m_inner);
    tool.boxEdges(boxes, plainStyle(Color(1.f, 0.4f, 0.4f), std::max(this->d_drawSize.value(), 1.f)));
}

namespace {

const RegisterComponent registeredPairBoxROI =
    RegisterComponent("PairBoxROI", "Engine", "Sofa.Component.Engine.Select")
        .help("Selects the points and elements in a box along the axes that are not in a second one")
        .example("component/engine/PairBoxROI.scn")
        .add<PairBoxROI, Vec3Types, Rigid3Types, Vec6Types>();

}  // namespace

}  // namespace sofa::component
