// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/Solvers.h"

namespace sofa::component {

/// A time step in groups, one after the other, such as first the heat and then the mechanics: those of the integrators
/// that carry a tag of the loop. A group sees where the groups before it have led in this step.
///
/// Each group begins with its collisions and ends with the events of the end of an integration, as a step of
/// DefaultAnimationLoop. Of several tags of the loop that an integrator or a collision pipeline carries, the first in
/// the order counts; a pipeline that carries none belongs to the first group. Integrators that carry none do not move,
/// and a message says so.
class MultiTagAnimationLoop final : public core::AnimationLoop
{
public:
    core::Data<core::Vector<std::string>> d_order{
        this,
        {.name = "order",
         .help = "The tags of the loop in the order of the groups; default: that in which the integrators stand in the "
                 "scene"}};
    core::Link<core::Node> l_targetNode{this, {"targetNode", "Node that is animated; default: the node of the loop"}};

    MultiTagAnimationLoop()
    {
        ignoreAttribute("computeBoundingBox", "bounding boxes are computed when something asks for them");
    }

    void bwdInit() override;
    void step(double dt) override;

private:
    core::Node& target() const { return l_targetNode ? *l_targetNode : *node(); }
    /// Place of the group to which a component belongs; the number of groups if to none.
    std::size_t groupOf(const core::Component& c) const;

    core::Vector<std::string> m_groups;  ///< their tags
};

}  // namespace sofa::component
