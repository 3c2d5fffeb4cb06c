// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/visual/CoordinateSystem.h"

#include "core/factory/Registry.h"
#include "core/objectmodel/Event.h"
#include "core/objectmodel/Node.h"

namespace sofa::component {

void CoordinateSystem::init()
{
    for (const auto& c : node()->components()) {
        if (c.get() != this && dynamic_cast<const CoordinateSystem*>(c.get()))
            return fail("its node has another frame, '" + c->name() + "'; put one of them into a node below");
        if (c->className() == "Gravity")
            return fail("'" + c->name() + "' sets the gravity of this node; put it into the node above");
    }
    turnGravity();
}

void CoordinateSystem::turnGravity()
{
    if (!isValid()) return;
    node()->overrideGravity(std::nullopt);
    if (d_orientation.value() == Vec3()) return;
    node()->overrideGravity(Quat::fromRotationVector(d_orientation.value()).inverse().rotate(node()->gravity()));
}

void CoordinateSystem::cleanup()
{
    if (node()) node()->overrideGravity(std::nullopt);
}

void CoordinateSystem::handleEvent(const Event& e)
{
    if (dynamic_cast<const AnimateBeginEvent*>(&e)) turnGravity();
}

void CoordinateSystem::draw(DrawTool& tool)
{
    if (!d_enable.value()) return;
    tool.scope().frame = RigidCoord3{d_origin.value(), Quat::fromRotationVector(d_orientation.value())};
    tool.scope().frameBelow = true;
}

static const RegisterComponent registeredCoordinateSystem =
    RegisterComponent("CoordinateSystem", "ContextObject", "Sofa.Component.SceneUtility")
        .help("A frame for a node and what is below it")
        .example("component/visual/CoordinateSystem.scn")
        .add<CoordinateSystem>();

}  // namespace sofa::component
