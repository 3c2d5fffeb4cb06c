// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <memory>

#include "core/behavior/Jacobian.h"
#include "core/behavior/MatrixAccumulator.h"
#include "core/behavior/MechanicalParams.h"
#include "core/math/Quat.h"

namespace sofa::core {

/// Makes output states follow input states: x_out = 𝒥(x_in), v_out = J v_in, and carries forces back, f_in += Jᵀ f_out.
class BaseMapping : public Component
{
public:
    static std::string_view typeLabel() { return "mapping"; }

    BaseMapping();
    ~BaseMapping() override;

    Data<bool> d_mapForces{this, {.name = "mapForces", .help = "Carry forces from the output to the input"}, true};
    Data<bool> d_mapConstraints{
        this, {.name = "mapConstraints", .help = "Carry constraints from the output to the input"}, true};
    Data<bool> d_mapMasses{this, {.name = "mapMasses", .help = "Carry masses from the output to the input"}, true};
    Data<bool> d_mapMatrices{
        this,
        {.name = "mapMatrices",
         .help = "Stiffness and mass of what acts on the output are part of linear systems; where a scene does not "
                 "give it, as mapForces says"},
        false};
    Data<bool> d_applyRestPosition{
        this, {.name = "applyRestPosition", .help = "At init, map the rest position of the input too"}, false};
    Data<bool> d_checkJacobian{
        this,
        {.name = "checkJacobian", .help = "At each step compare J with finite differences and report deviations"},
        false};

    virtual std::vector<BaseState*> inputs() const = 0;
    virtual std::vector<BaseState*> outputs() const = 0;

    /// x_out = 𝒥(x_in); also brings the Jacobian up to date.
    virtual void apply(const MechanicalParams& mp, const MultiVecCoordId& out, const MultiVecCoordId& in) = 0;
    /// v_out = J v_in
    virtual void applyJ(const MechanicalParams& mp, const MultiVecDerivId& out, const MultiVecDerivId& in) = 0;
    /// f_in += Jᵀ f_out
    virtual void applyJT(const MechanicalParams& mp, const MultiVecDerivId& in, const MultiVecDerivId& out) = 0;
    /// f_out −= M J̇ v_in: what masses on the outputs resist where velocities turn on the way, centrifugal and Coriolis
    /// forces. Mappings leave it out unless they say so, as SOFA's do. The velocities are mp.v.
    virtual void addInertialForces(const MechanicalParams&, const MultiVecDerivId& /*f*/) {}
    /// df_in += kFactor (∂Jᵀ/∂x_in · f_out) dx_in: the product of the geometric stiffness. The forces are mp.f, the
    /// displacement mp.dx. Its blocks are built once for the products at the same positions and forces.
    void applyDJT(const MechanicalParams& mp, const MultiVecDerivId& df);
    /// Adds the blocks of the geometric stiffness for the output forces mp.f to the inputs' matrix.
    virtual void buildGeometricStiffness(const MechanicalParams&, MatrixAccumulator&) {}
    virtual bool isLinear() const { return true; }
    /// Whether buildGeometricStiffness adds anything.
    virtual bool hasGeometricStiffness() const { return !isLinear(); }
    /// Where a point or frame of the output is fixed in one of the input: its number there (InvalidIndex: nowhere), and
    /// its place and its turn in that frame. In a point there are none.
    struct Fixture
    {
        Index in = InvalidIndex;
        Vec3 place{};
        Quat turn{};
    };
    /// Whether fixture() says for all points of the output where they are fixed in those of the one input, for good.
    virtual bool hasFixtures() const { return false; }
    virtual Fixture fixture(Index /*out*/) const { return {}; }
    /// Whether input and output have the same points, with the same numbers: they come and go together.
    virtual bool sharesPoints() const { return false; }

    /// Jacobian block row of one output with respect to one input, as of the last apply; nullptr if they are not
    /// coupled.
    virtual const BaseJacobian* jacobian(std::size_t output, std::size_t input) const = 0;

    /// False when the outputs are only shown (not mechanical), or nothing is carried back: then solvers do not visit
    /// them.
    bool isMechanical() const { return m_mechanical; }
    void setMechanical(bool on) { m_mechanical = on; }
    bool carriesForces() const { return m_mechanical && d_mapForces.value(); }
    bool carriesMasses() const { return m_mechanical && d_mapMasses.value(); }
    /// Whether linear systems, assembled or not, have the stiffness and mass of what acts on the outputs. Without them
    /// those forces act as they were at the last computation of forces.
    bool carriesMatrices() const { return carriesForces() && (!d_mapMatrices.isSet() || d_mapMatrices.value()); }

    /// Appends lines that show which points follow which: pairs of positions.
    virtual void appendLinks(Vector<Vec3>& /*ends*/) const {}

protected:
    bool m_mechanical = true;

private:
    class KeptStiffness;
    std::unique_ptr<KeptStiffness> m_stiffness;
};

}  // namespace sofa::core
