// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/collision/CubeCollisionModel.h"

#include "core/behavior/StateLookup.h"
#include "core/factory/Registry.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

CollisionShape CubeCollisionModel::shape() const
{
    static const CollisionShape shape = registerCollisionShape({.name = "box", .plural = "boxes", .surface = false});
    return shape;
}

void CubeCollisionModel::init() { m_state = findMechanicalState<BaseState>(*node(), Search::Up); }

BaseState& CubeCollisionModel::state() const
{
    if (!m_state) throw std::runtime_error(pathName() + ": there is no state in its node");
    return *m_state;
}

void CubeCollisionModel::updatePrimitives()
{
    m_modelBoxes.clear();
    for (CollisionModel* model : node()->getAll<CollisionModel>(Search::Local)) {
        if (model == this || model->shape() == shape() || !model->isValid()) continue;
        model->update();
        m_modelBoxes.push_back(model->box());
    }
}

void CubeCollisionModel::drawPrimitives(DrawTool& tool)
{
    auto boxes = tool.scratch<BoundingBox>();
    for (const geometry::Aabb& b : m_modelBoxes)
        if (b.valid()) boxes.push_back({b.lower, b.upper});
    tool.boxEdges(boxes, plainStyle(d_color.value()));
}

static const RegisterComponent registeredCubeCollisionModel =
    RegisterComponent("CubeCollisionModel", "CollisionModel", "Sofa.Component.Collision.Geometry")
        .help("Boxes of the other collision models of a node, along the axes; they collide with nothing themselves")
        .example("component/collision/Solids.scn")
        .add<CubeCollisionModel>();

}  // namespace sofa::component
