// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/BaseMapping.h"
#include "core/behavior/BaseState.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

using namespace sofa::core;

/// A mapping that maps nothing, between states of any types: J = 0. Its output has no degrees of freedom that a solver
/// computes; it stays where it is, or where somebody else puts it, such as a controller or a script.
class VoidMapping final : public BaseMapping, public TopologyFollower
{
public:
    Link<BaseState> l_input{this, {"input", "State above; default: that of the parent node, if there is one"}};
    Link<BaseState> l_output{this, {"output", "State that no solver moves; default: that of the node"}};

    VoidMapping();
    void init() override;
    PointLists pointLists() override { return noLists(); }
    std::vector<BaseState*> inputs() const override;
    std::vector<BaseState*> outputs() const override { return {l_output.get()}; }
    /// Positions stay; other vectors of positions (free positions, ...) become the present ones.
    void apply(const MechanicalParams& mp, const MultiVecCoordId& out, const MultiVecCoordId& in) override;
    /// Velocities stay; other vectors (displacements, ...) become zero.
    void applyJ(const MechanicalParams& mp, const MultiVecDerivId& out, const MultiVecDerivId& in) override;
    void applyJT(const MechanicalParams&, const MultiVecDerivId&, const MultiVecDerivId&) override {}
    const BaseJacobian* jacobian(std::size_t, std::size_t) const override { return nullptr; }
};

}  // namespace sofa::component
