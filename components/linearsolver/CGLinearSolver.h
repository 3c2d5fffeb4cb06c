// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/linearsolver/KrylovLinearSolver.h"
#include "core/linalg/ConjugateGradients.h"

namespace sofa::component {

/// Conjugate gradient method (Hestenes and Stiefel 1952) for symmetric positive definite systems, without
/// preconditioner.
///
/// Stops at the first of: `iterations` done; |r| ≤ tolerance · |b|; √(pᵀAp) ≤ threshold · √(p₀ᵀAp₀) for the search
/// directions p. With the root's compatibility="sofa" the last is SOFA's pᵀAp ≤ threshold (from the second iteration
/// on, or from the second solve on), which ends solves with small numbers, as those of light bodies, at once. Solves
/// that run out of iterations are counted; the first of a run is told. With template GraphScattered the scene asks for
/// products without a matrix; the product is then taken with the cached block matrix where that is cheaper (it is the
/// same sum up to rounding), unless `assembly` says otherwise. The other way round, a matrix that nobody else can see
/// (there is no component for the linear system) is not assembled where products are as fast without one: see
/// core/visitor/SystemOperator.h.
class CGLinearSolver final : public KrylovLinearSolver
{
public:
    core::Data<double> d_tolerance{
        this,
        {.name = "tolerance",
         .help = "Stop when the residual is below this fraction of the right-hand side, |r| <= tolerance |b|",
         .unit = "1",
         .range = core::Range::nonNegative()},
        1e-5};
    core::Data<double> d_threshold{this,
                                   {.name = "threshold",
                                    .help = "Stop when the energy norm of the search direction is below this "
                                            "fraction of that of the first; with compatibility=\"sofa\" when its "
                                            "square is below this [kg m^2/s^2]",
                                    .unit = "1"},
                                   1e-5};
    core::Data<bool> d_warmStart{
        this, {.name = "warmStart", .help = "Start from the previous solution instead of zero"}, false};
    core::Data<core::Options> d_assembly{this,
                                         {.name = "assembly",
                                          .help = "Whether the matrix is assembled: auto (as the template says, or "
                                                  "otherwise where that is cheaper), always, never"},
                                         core::Options({"auto", "always", "never"})};
    core::Data<unsigned> d_unconvergedSolves{this,
                                             {.name = "unconvergedSolves",
                                              .help = "Number of solves so far that ended above the tolerance",
                                              .readOnly = true,
                                              .saved = false},
                                             0};

    CGLinearSolver();
    void init() override;
    void reset() override;
    void archive(core::Archive& a) override;
    void setSystem(const core::SolverScope& scope, const core::MechanicalParams& mp) override;

private:
    void iterate(const core::MultiVecDerivId& x, const core::MultiVecDerivId& rhs) override;
    void forget() override;
    Next next(const Progress& now) override;
    bool accepts(const Progress& now, double curvature) override;
    /// Counts a solve that ended with |r|/|b| = error, and tells the first one of a run.
    void countUnconverged(double error, const std::string& reason);

    core::ConjugateGradients m_method;
    core::Vector<double> m_x;  ///< the last solution, in the form of the operator
    bool m_firstSolve = true;
    // Of the present solve:
    double m_normB = 0., m_firstCurvature = 0.;
};

}  // namespace sofa::component
