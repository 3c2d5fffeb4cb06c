// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <limits>

#include "components/odesolver/RayleighDampedSolver.h"
#include "core/behavior/Converging.h"

namespace sofa::component {

/// What implicit integrators have in common: Rayleigh damping D = r_M M + r_K K, decay of velocities, the linear solver
/// and Newton's method for the nonlinear equation of a step.
class ImplicitIntegrator : public RayleighDampedSolver, public core::Converging
{
public:
    core::Data<double> d_velocityDamping{
        this,
        {.name = "vdamping",
         .help = "Velocities are multiplied by exp(-dt vdamping) at the end of the step",
         .unit = "1/s",
         .range = core::Range::nonNegative()},
        0.};
    core::Data<unsigned> d_maxIterations{
        this,
        {.name = "maxIterations",
         .help = "Largest number of Newton iterations of a step; 1: one linear solve (linearly implicit), as in SOFA",
         .range = core::Range::closed(1., 1e6),
         .group = "Newton"},
        1};
    core::Data<double> d_epsilon{this,
                                 {.name = "epsilon",
                                  .help = "Newton's method stops when the residual is below this fraction of that of "
                                          "the first iteration",
                                  .unit = "1",
                                  .range = core::Range::nonNegative(),
                                  .group = "Newton"},
                                 1e-6};
    core::Data<bool> d_requireConvergence{
        this,
        {.name = "requireConvergence",
         .help = "With several Newton iterations: a run with a step that ended above epsilon fails",
         .group = "Newton"},
        true};
    core::Data<unsigned> d_unconvergedSteps{
        this,
        {.name = "unconvergedSteps",
         .help = "Number of steps so far whose Newton iterations (maxIterations > 1) ended above epsilon",
         .group = "Newton",
         .readOnly = true,
         .saved = false},
        0};
    core::Data<unsigned> d_iterations{
        this,
        {.name = "iterations", .help = "Number of linear solves of the last step", .group = "Newton", .readOnly = true},
        0};
    core::Data<double> d_lastResidual{
        this,
        {.name = "lastResidual",
         .help = "Residual at the end of the Newton iterations of the last step, as a fraction of that of the first, "
                 "with which epsilon is compared; nan where it is not computed (one linear solve)",
         .unit = "1",
         .group = "Newton",
         .readOnly = true,
         .saved = false},
        std::numeric_limits<double>::quiet_NaN()};
    core::Link<core::LinearSolver> l_linearSolver{this, {"linearSolver", "Linear solver; default: that of the node"}};

    ImplicitIntegrator();
    /// Finds the linear solver; subclasses return if !isValid() afterwards.
    void init() override;
    double velocityIntegrationFactor(double) const override { return 1.; }
    double positionIntegrationFactor(double dt) const override { return dt; }
    bool isImplicit() const override { return true; }
    void reset() override { d_unconvergedSteps.setValue(0); }
    bool converged() const override { return !d_requireConvergence.value() || d_unconvergedSteps.value() == 0; }
    std::string failure() const override;

protected:
    /// Counts a step whose last residual was this fraction of its first, and tells the first one, unless the last
    /// correction [m] was no more than rounding: a body at rest has nothing to converge from.
    void countUnconverged(double fraction, double correction);
};

/// Norms of the residuals of a Newton iteration: tells when they have fallen below a fraction of the first.
class NewtonStop
{
public:
    explicit NewtonStop(double epsilon) : m_epsilon(epsilon) {}
    /// The last norm as a fraction of the first.
    double fraction() const { return m_first > 0. ? m_last / m_first : 0.; }
    /// Takes the norm of the next residual; true if it is small enough (or zero), never for the first unless it is
    /// zero.
    bool reached(double norm)
    {
        m_last = norm;
        if (m_first < 0.) {
            m_first = norm;
            return norm == 0.;
        }
        return norm < m_epsilon * m_first || norm == 0.;
    }

private:
    double m_epsilon, m_first = -1., m_last = -1.;
};

}  // namespace sofa::component
