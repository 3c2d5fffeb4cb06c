// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/load/Gravity.h"

#include "core/factory/Registry.h"
#include "core/objectmodel/Node.h"

namespace sofa::component {

Gravity::Gravity() { d_listening.setDefault(true); }

void Gravity::init() { node()->overrideGravity(d_gravity.value()); }

void Gravity::reinit() { init(); }

void Gravity::cleanup()
{
    if (node()) node()->overrideGravity(std::nullopt);
}

void Gravity::handleEvent(const core::Event& e)
{
    if (dynamic_cast<const core::AnimateBeginEvent*>(&e)) init();
}

static const core::RegisterComponent registeredGravity =
    core::RegisterComponent("Gravity", "ContextObject", "Sofa.Component.MechanicalLoad")
        .help("Gravity of a node and of what is below it")
        .example("component/load/Gravity.scn")
        .add<Gravity>();

}  // namespace sofa::component
