// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/engine/PlaneROI.h"

#include <algorithm>

#include "core/factory/Registry.h"

namespace sofa::component {

template <class D>
PlaneROI<D>::PlaneROI()
{
    this->addAlias(this->d_position, "rest_position");
    this->addAlias(this->d_drawROI, "drawBoxes");
    this->addAlias(this->d_drawROI, "isVisible");
}

template <class D>
void PlaneROI<D>::init()
{
    if (d_plane.value().empty())
        return this->fail("there is no plane: give three points of a parallelogram and a depth as \"plane\"");
    BaseROI<D>::init();
}

template <class D>
bool PlaneROI<D>::prepareRegion()
{
    m_boxes.clear();
    for (const Vec<10>& b : d_plane.value()) try {
            m_boxes.emplace_back(b);
        } catch (const std::runtime_error& e) {
            this->fail(std::string("plane: ") + e.what());
        }
    return !m_boxes.empty();
}

template <class D>
bool PlaneROI<D>::contains(const Vec3& p) const
{
    for (std::size_t i = 0; i < m_boxes.size(); ++i)
        if (d_plane.value()[i][9] == 0. ? m_boxes[i].withinDepth(p) : m_boxes[i].contains(p)) return true;
    return false;
}

template <class D>
BoundingBox PlaneROI<D>::boundingBox() const
{
    BoundingBox all;
    if (!this->d_drawROI.value()) return all;
    for (const OrientedBox& b : m_boxes)
        for (const Vec3& p : b.corners()) all.include(p);
    return all;
}

template <class D>
void PlaneROI<D>::drawRegion(DrawTool& tool) const
{
    OrientedBox::draw(tool, m_boxes, Color(1.f, 0.4f, 0.4f), std::max(this->d_drawSize.value(), 1.f));
}

namespace {

const RegisterComponent registeredPlaneROI =
    RegisterComponent("PlaneROI", "Engine", "Sofa.Component.Engine.Select")
        .help("Selects the points, edges, triangles and tetrahedra near parallelograms in space")
        .example("component/engine/PlaneROI.scn")
        .add<PlaneROI, Vec3Types, Rigid3Types>();

}  // namespace

}  // namespace sofa::component
