// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/interaction/HapticDevice.h"

namespace sofa::component {

using namespace sofa::core;

/// Direct coupling: the tool is the pose of the device, and the hand gets the force that the scene has on the tool at
/// the end of a step: contacts by penalties, springs, weight; constant until the next step has ended. The delay makes
/// it unstable against all that is stiff: the power that a hand gets when it leaves is not that which it gave.
/// VirtualCoupling and LCPForceFeedback are for that.
class DirectForceFeedback final : public Component, public HapticRendering
{
public:
    using HapticRendering::typeLabel;

    Data<double> d_forceCoef{
        this,
        {.name = "forceCoef", .help = "Factor of the force, where scene and hand differ in size", .unit = "1"},
        1.};

    DirectForceFeedback() : HapticRendering(static_cast<Component*>(this)) {}
    void init() override;
    void prepare() override;
    void publish() override { m_used = m_prepared; }
    void clear() override { m_used = m_prepared = {}; }
    Vec6 wrench(const HapticMotion&) override { return m_used; }

private:
    Tracked<State<Rigid3Types>> m_state;
    Vec6 m_prepared{}, m_used{};
};

}  // namespace sofa::component
