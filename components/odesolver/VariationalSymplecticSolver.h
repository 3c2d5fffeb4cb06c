// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/odesolver/RayleighDampedSolver.h"
#include "core/io/LineFile.h"
#include "core/objectmodel/OutputFileName.h"
#include "core/visitor/StateVectors.h"

namespace sofa::component {

/// Variational integrator of the midpoint rule (Kharevych et al., Geometric, Variational Integrators for Computer
/// Animation, SCA 2006, section 5): it conserves momenta exactly and the energy up to bounded oscillations, also of
/// nonlinear systems. The unknown is the displacement r to the middle of the step, the momentum p = M v is kept:
///
///     (D − K) (r' − r) = f(x + r) + (2/h) p − D r       repeated (Newton's method)
///     v' = (2/h) r,   p' = M v' + (h/2) f(x + r),   x' = x + h v'
///
/// with D = 4/h² (1 + h r_M) M − 4 r_K/h K and K = ∂f/∂x at x + r, until |r' − r| ≤ newtonError |x| or `steps` times.
/// The right-hand side vanishes at the solution: a linear solver that takes a part of K only, such as one for
/// symmetric matrices, slows the iterations down, and does not change what they come to. Rayleigh damping enters D
/// only, as in SOFA. The explicit form is symplectic Euler, v' = M⁻¹ (p + h f(x)) − h r_M v, x' = x + h v', p' = M v'.
///
/// The Hamiltonian is ½ p'ᵀ M⁻¹ p' plus the potential energy, which is summed up from the work −2 f·r of each step
/// (useIncrementalPotentialEnergy), or that of the force fields at the present positions.
class VariationalSymplecticSolver : public RayleighDampedSolver
{
public:
    core::Data<double> d_newtonError{this,
                                     {.name = "newtonError",
                                      .help = "Newton's method stops when the change of the positions is below this "
                                              "fraction of the norm of all positions",
                                      .unit = "1",
                                      .range = core::Range::nonNegative()},
                                     0.01};
    core::Data<unsigned> d_steps{this,
                                 {.name = "steps",
                                  .help = "Largest number of Newton iterations; at least one is done",
                                  .range = core::Range::nonNegative()},
                                 5};
    core::Data<bool> d_explicit{
        this, {.name = "explicitIntegration", .help = "Symplectic Euler instead of the implicit midpoint rule"}, false};
    core::Data<bool> d_computeHamiltonian{
        this, {.name = "computeHamiltonian", .help = "Compute the energy at each implicit step"}, true};
    core::Data<double> d_hamiltonianEnergy{this,
                                           {.name = "hamiltonianEnergy",
                                            .help = "Kinetic and potential energy after the last step, if asked for",
                                            .unit = "J",
                                            .readOnly = true},
                                           0.};
    core::Data<bool> d_useIncrementalPotentialEnergy{
        this,
        {.name = "useIncrementalPotentialEnergy",
         .help = "Sum up the work of the forces instead of asking the force fields for their potential energy"},
        true};
    core::Data<bool> d_saveEnergyInFile{
        this,
        {.name = "saveEnergyInFile", .help = "Write time and energies of each step as a table to \"file\""},
        false};
    core::Data<core::OutputFileName> d_file{
        this, {.name = "file", .help = "File for the energies: comma-separated values, one line a step"}};
    core::Link<core::LinearSolver> l_linearSolver{this, {"linearSolver", "Linear solver; default: that of the node"}};

    VariationalSymplecticSolver();
    void init() override;
    void reset() override;
    void archive(core::Archive& a) override;
    void solve(double dt, const core::MultiVecCoordId& x, const core::MultiVecDerivId& v) override;
    /// As in SOFA: constraint solvers do not correct this integrator.
    double velocityIntegrationFactor(double) const override { return 0.; }
    double positionIntegrationFactor(double) const override { return 0.; }
    bool isImplicit() const override { return !d_explicit.value(); }
    int couplingRank() const override { return d_explicit.value() ? 1 : 11; }

private:
    struct Step;
    core::KeptDeriv m_momentum{*this, "momentum"};
    bool m_started = false;   ///< the states hold the momentum of the last step
    double m_potential = 0.;  ///< summed up [J]
    core::LineFile m_energies;
};

}  // namespace sofa::component
