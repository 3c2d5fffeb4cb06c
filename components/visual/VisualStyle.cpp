// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/visual/VisualStyle.h"

#include "core/factory/Registry.h"

namespace sofa::component {

static const RegisterComponent registeredVisualStyle =
    RegisterComponent("VisualStyle", "Visual", "Sofa.Component.Visual")
        .help("What viewers show of its node and of everything below")
        .example("component/visual/VisualStyle.scn")
        .add<VisualStyle>();

}  // namespace sofa::component
