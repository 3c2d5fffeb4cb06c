// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/odesolver/RayleighDampedSolver.h"
#include "core/visitor/StateVectors.h"
#include "core/visitor/SystemAssembly.h"

namespace sofa::component {

/// Explicit central differences (leap-frog) with Rayleigh damping C = r_M M − r_K K, K = ∂f/∂x (Wriggers, Computational
/// Contact Mechanics, 2002, p. 275). Velocities are those between the steps, v = (x_n − x_{n−1})/h:
///
///     (M + h/2 C) (v' − v) = h (f(x, v) − C v),      x' = x + h v'
///
/// which is (M + h/2 C) x_{n+1} = h² f + h/2 C x_{n−1} + M (2 x_n − x_{n−1}). Second order in the positions; stable for
/// h ω < 2. The velocity at the start is that at the time of x₀: the first step changes it by half of that, to v at
/// h/2. In SOFA and Vega it is that half a step before, v = (x₀ − x_{−1})/h, an error of first order for who gives
/// v(0).
///
/// With mass damping alone (SOFA) the factors of M cancel, v' = (1 − h r_M/2)/(1 + h r_M/2) v + h M⁻¹ f/(1 + h r_M/2),
/// so that diagonal masses need no linear solver. With stiffness damping (Vega: CentralDifferencesSparse) C is that of
/// the positions at every k-th step, k = tangentialDampingMode, or that of the first step always (0): then the matrix
/// is factorised once. That is cheap, but wrong where the body turns by much.
class CentralDifferenceSolver : public RayleighDampedSolver
{
public:
    core::Data<unsigned> d_tangentialDampingMode{
        this,
        {.name = "tangentialDampingMode",
         .help = "The stiffness in the damping matrix is taken anew every this many steps; 0: that of the first step "
                 "is kept. Other values than 1 need a direct linear solver"},
        1};
    core::Data<core::Options> d_startVelocity{
        this,
        {.name = "startVelocity",
         .help =
             "The velocity at the start is that at this time, or that half a step before, as in SOFA and Vega; auto: "
             "now, before with compatibility=\"sofa\""},
        core::Options({"auto", "now", "before"})};
    core::Link<core::LinearSolver> l_linearSolver{
        this,
        {"linearSolver",
         "Linear solver for stiffness damping, and masses that are not diagonal; default: that of the node"}};

    CentralDifferenceSolver() { ignoreAttribute("threadSafeVisitor", "visitors are always safe here"); }

    void init() override;
    void reset() override;
    void archive(core::Archive& a) override;
    void solve(double dt, const core::MultiVecCoordId& x, const core::MultiVecDerivId& v) override;
    double velocityIntegrationFactor(double dt) const override { return dt; }
    double positionIntegrationFactor(double dt) const override { return dt * dt; }
    int couplingRank() const override { return 2; }

private:
    struct Step;
    bool startsNow() const;
    core::SystemAssembly m_damping;                 ///< C
    core::KeptCoord m_dampedAt{*this, "dampedAt"};  ///< positions at which C was built
    core::Vector<double> m_in, m_out;
    std::uint64_t m_steps = 0;  ///< since the start
    double m_builtDt = 0.;      ///< time step of the system in the linear solver; 0 if there is none
};

}  // namespace sofa::component
