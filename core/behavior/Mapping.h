// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/BaseMapping.h"
#include "core/behavior/ForceField.h"

namespace sofa::core {

/// Mapping from one state to one state. A subclass states the map and its Jacobian blocks; the products are derived.
template <class In, class Out>
class Mapping : public BaseMapping
{
public:
    using InCoord = typename In::Coord;
    using InDeriv = typename In::Deriv;
    using InVecCoord = typename In::VecCoord;
    using InVecDeriv = typename In::VecDeriv;
    using OutCoord = typename Out::Coord;
    using OutDeriv = typename Out::Deriv;
    using OutVecCoord = typename Out::VecCoord;
    using OutVecDeriv = typename Out::VecDeriv;
    using JacobianMatrix = Jacobian<Out::derivSize, In::derivSize>;

    Link<State<In>> l_input{this, {"input", "State that is followed; default: that of the parent node"}};
    Link<State<Out>> l_output{this, {"output", "State that follows; default: that of the node"}};

    Mapping();
    static std::string staticTemplateName() { return std::string(In::name()) + ',' + std::string(Out::name()); }
    static bool canCreate(const Node* node, const ComponentDescription& desc, std::string& why);

    /// Finds the states and maps the initial positions. A subclass that overrides it sets up its data first (states()
    /// are found by findStates), then calls this.
    void setDeclared(std::string_view name, std::string_view text) override;
    void init() override;
    std::vector<BaseState*> inputs() const override { return {l_input.get()}; }
    std::vector<BaseState*> outputs() const override { return {l_output.get()}; }
    State<In>& input() const { return *l_input.get(); }
    State<Out>& output() const { return *l_output.get(); }

    // --- Written by subclasses --------------------------------------------------------------------------------------
    /// x_out = 𝒥(x_in). `out` has the output's size.
    virtual void apply(OutVecCoord& out, const InVecCoord& in) = 0;
    /// Blocks of J at the positions of the last apply. Called after each apply unless isLinear(), then once.
    virtual void buildJacobian(JacobianMatrix& j, const InVecCoord& in) = 0;
    /// Adds the geometric stiffness blocks (∂(Jᵀ f)/∂x_in) for output forces f at the positions of the last apply,
    /// where hasGeometricStiffness().
    virtual void buildGeometricStiffness(BlockSink&, const OutVecDeriv& /*f*/, const InVecCoord& /*in*/) {}

    // --- Derived ----------------------------------------------------------------------------------------------------
    void apply(const MechanicalParams& mp, const MultiVecCoordId& out, const MultiVecCoordId& in) override;
    void applyJ(const MechanicalParams& mp, const MultiVecDerivId& out, const MultiVecDerivId& in) override;
    void applyJT(const MechanicalParams& mp, const MultiVecDerivId& in, const MultiVecDerivId& out) override;
    void buildGeometricStiffness(const MechanicalParams& mp, MatrixAccumulator& k) override;
    const BaseJacobian* jacobian(std::size_t, std::size_t) const override { return &m_jacobian; }
    const JacobianMatrix& jacobian() const { return m_jacobian; }
    /// The Jacobian is rebuilt at the next apply: call it when what it depends on, other than positions, changed.
    void invalidateJacobian() { m_jacobianBuilt = false; }

protected:
    /// Resolves the links or takes the states of the parent node and of the node; false, with the failure reported, if
    /// there is none.
    bool findStates();

private:
    JacobianMatrix m_jacobian;
    bool m_jacobianBuilt = false;
};

}  // namespace sofa::core
