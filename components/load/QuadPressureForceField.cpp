// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/load/QuadPressureForceField.h"

#include "core/factory/Registry.h"

namespace sofa::component {

QuadPressureForceField::QuadPressureForceField()
{
    ignoreAttribute("quadPressureMap", "the forces follow from pressure and the areas at rest");
}

static const core::RegisterComponent registeredQuadPressureForceField =
    core::RegisterComponent("QuadPressureForceField", "ForceField", "Sofa.Component.MechanicalLoad")
        .help("A pressure on quads of a mesh")
        .example("component/load/QuadPressureForceField.scn")
        .add<QuadPressureForceField>();

}  // namespace sofa::component
