// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/factory/Registry.h"
#include "core/interaction/HapticDevice.h"

namespace sofa::component {

using namespace core;

namespace {

/// No force: a device that only moves a tool.
class NullForceFeedback final : public Component, public HapticRendering
{
public:
    using HapticRendering::typeLabel;
    NullForceFeedback() : HapticRendering(static_cast<Component*>(this)) {}
    Vec6 wrench(const HapticMotion&) override { return {}; }
};

const RegisterComponent registeredNullForceFeedback =
    RegisterComponent("NullForceFeedback", "HapticRendering", "Sofa.Component.Haptics")
        .help("No force: the device only moves a tool")
        .example("component/haptics/NullForceFeedback.scn")
        .add<NullForceFeedback>()
        .alias("NullForceFeedbackT");

}  // namespace

}  // namespace sofa::component
