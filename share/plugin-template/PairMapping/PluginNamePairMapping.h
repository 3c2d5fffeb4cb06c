// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/BaseMapping.h"
#include "core/behavior/State.h"

namespace sofa::component {

/// Points between those of two states: x = (1 − w) a + w b, the weight w being the same for all.
///
/// It is linear: J_a = (1 − w) I, J_b = w I; v = J_a v_a + J_b v_b, f_a += J_aᵀ f, f_b += J_bᵀ f.
///
/// This is the law that the template starts with: replace it by yours, here and in the test.
class PluginNamePairMapping : public core::BaseMapping
{
public:
    using State = core::State<core::Vec3Types>;

    core::Link<State> l_input1{this, {"input1", "State of the points a"}};
    core::Link<State> l_input2{this, {"input2", "State of the points b"}};
    core::Link<State> l_output{this, {"output", "State of the points between them; default: that of the node"}};
    core::Data<double> d_weight{
        this,
        {.name = "weight", .help = "Weight of the points b", .unit = "1", .range = core::Range::closed(0., 1.)},
        0.5};

    void init() override;
    std::vector<core::BaseState*> inputs() const override { return {l_input1.get(), l_input2.get()}; }
    std::vector<core::BaseState*> outputs() const override { return {l_output.get()}; }
    void apply(const core::MechanicalParams& mp, const core::MultiVecCoordId& out,
               const core::MultiVecCoordId& in) override;
    void applyJ(const core::MechanicalParams& mp, const core::MultiVecDerivId& out,
                const core::MultiVecDerivId& in) override;
    void applyJT(const core::MechanicalParams& mp, const core::MultiVecDerivId& in,
                 const core::MultiVecDerivId& out) override;
    const core::BaseJacobian* jacobian(std::size_t, std::size_t input) const override { return &m_jacobians[input]; }

private:
    std::array<State*, 2> states() const { return {l_input1.get(), l_input2.get()}; }
    std::array<core::Jacobian<3, 3>, 2> m_jacobians;
};

}  // namespace sofa::component
