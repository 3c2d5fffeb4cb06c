// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <limits>

#include "core/objectmodel/Component.h"

namespace sofa::component {

/// Residual function r(x) of a nonlinear system, as Newton's method needs it. Norms are squared.
class NonlinearFunction
{
public:
    virtual ~NonlinearFunction() = default;
    /// Evaluates r at the present guess.
    virtual void evaluate() = 0;
    /// |r|² of the last evaluation.
    virtual double squaredResidual() = 0;
    /// Sets up ∂r/∂x at the present guess.
    virtual void computeGradient() = 0;
    /// Solves for the correction dx.
    virtual void solveLinearEquation() = 0;
    /// Work f·dx of the forces of the last evaluation along the correction [J], where r = −f is the gradient of an
    /// energy or like one; NaN otherwise.
    virtual double work() { return std::numeric_limits<double>::quiet_NaN(); }
    /// Weight [1/s²] of the mass M that the gradients from now on have beside ∂r/∂x; and dxᵀ M dx [kg m²], NaN where
    /// there is no such thing.
    virtual void setDamping(double /*weight*/) {}
    virtual double inertia() { return std::numeric_limits<double>::quiet_NaN(); }
    /// x += alpha dx
    virtual void updateGuess(double alpha) = 0;
    /// |dx|² and |x|²
    virtual double squaredCorrection() = 0;
    virtual double squaredGuess() = 0;
    /// Keeps the present guess, and goes back to it.
    virtual void keepGuess() = 0;
    virtual void restoreGuess() = 0;
};

/// Newton–Raphson method with backtracking (Nocedal and Wright, Numerical Optimization, ch. 11), shared by the static
/// and nonlinear implicit integrators.
///
/// An iteration solves J dx = −r and, with maxNbIterationsLineSearch > 1, tries the steps 1, c, c², ...
/// (c = lineSearchCoefficient). For an equilibrium a step is long enough before the work f·dx of the forces along it
/// has turned to more than 0.9 of what it was against it: the energy has a minimum not far behind (Matthies and Strang,
/// The solution of nonlinear finite element equations, Int. J. Num. Meth. Eng. 14, 1979). |r| need not fall: that of a
/// slender body grows by orders while it bends, and steps that keep it down lead nowhere. Equations that belong to no
/// energy, and scenes with compatibility="sofa", want |r| to decrease, as SOFA does. After that many trials the
/// shortest step is kept, or, of the latter, the full one is taken all the same.
///
/// With globalization="trustRegion" an iteration solves (J + λ M) dx = −r, M the mass: the minimum of the energy's
/// model among steps of one length |dx|_M (Nocedal and Wright, ch. 4.3). λ grows until f·dx > 0 and the energy, the
/// trapezoidal rule over the forces at both ends, falls by a tenth of what the model says, and shrinks to zero where
/// the model is good. It goes past limit points and from unstable equilibria to stable ones, where K is indefinite and
/// a step of Newton's method leads uphill.
///
/// It stops at the first of the criteria whose threshold is above zero: |r| against the last, the first, or an absolute
/// norm; |dx| absolute or against |x|.
class NewtonRaphsonSolver : public core::Component
{
public:
    static std::string_view typeLabel() { return "Newton-Raphson solver"; }

    core::Data<unsigned> d_maxIterations{this,
                                         {.name = "maxNbIterationsNewton",
                                          .help = "Largest number of Newton iterations",
                                          .range = core::Range::nonNegative(),
                                          .group = "Stopping criteria"},
                                         1};
    core::Data<double> d_relativeSuccessive{
        this,
        {.name = "relativeSuccessiveStoppingThreshold",
         .help = "Stop when |r| is below this times the |r| of the iteration before; 0: not tested",
         .unit = "1",
         .range = core::Range::nonNegative(),
         .group = "Stopping criteria"},
        1e-5};
    core::Data<double> d_relativeInitial{this,
                                         {.name = "relativeInitialStoppingThreshold",
                                          .help = "Stop when |r| is below this times the first |r|; 0: not tested",
                                          .unit = "1",
                                          .range = core::Range::nonNegative(),
                                          .group = "Stopping criteria"},
                                         1e-5};
    core::Data<double> d_absoluteResidual{this,
                                          {.name = "absoluteResidualStoppingThreshold",
                                           .help = "Stop when |r| is below this; 0: not tested",
                                           .unit = "N",
                                           .range = core::Range::nonNegative(),
                                           .group = "Stopping criteria"},
                                          1e-5};
    core::Data<double> d_relativeEstimate{this,
                                          {.name = "relativeEstimateDifferenceThreshold",
                                           .help = "Stop when |dx| is below this times |x|; 0: not tested",
                                           .unit = "1",
                                           .range = core::Range::nonNegative(),
                                           .group = "Stopping criteria"},
                                          0.};
    core::Data<double> d_absoluteEstimate{this,
                                          {.name = "absoluteEstimateDifferenceThreshold",
                                           .help = "Stop when |dx| is below this; 0: not tested",
                                           .unit = "m",
                                           .range = core::Range::nonNegative(),
                                           .group = "Stopping criteria"},
                                          0.};
    core::Data<unsigned> d_maxLineSearch{this,
                                         {.name = "maxNbIterationsLineSearch",
                                          .help = "Largest number of trial steps of the line search",
                                          .range = core::Range::nonNegative(),
                                          .group = "Line search"},
                                         1};
    core::Data<core::Options> d_globalization{
        this,
        {.name = "globalization",
         .help = "What keeps steps from leading away: lineSearch shortens them, trustRegion (static equilibrium of "
                 "bodies with mass) turns them down the energy as well, also where the stiffness is indefinite",
         .group = "Line search"},
        core::Options({"lineSearch", "trustRegion"})};
    core::Data<double> d_lineSearchCoefficient{this,
                                               {.name = "lineSearchCoefficient",
                                                .help = "Factor from one trial step to the next",
                                                .unit = "1",
                                                .range = core::Range::open(0., 1.),
                                                .group = "Line search"},
                                               0.5};
    core::Data<bool> d_requireConvergence{
        this,
        {.name = "requireConvergence",
         .help = "A run that ends with a solve that met none of the stopping criteria fails"},
        true};
    core::Data<bool> d_updateStateWhenDiverged{
        this,
        {.name = "updateStateWhenDiverged",
         .help = "Keep the last iterate when the method did not converge, instead of what it started from"},
        true};
    core::Data<std::string> d_status{
        this,
        {.name = "status", .help = "How the last solve ended", .group = "Analysis", .readOnly = true},
        "Undefined"};
    core::Data<core::Vector<double>> d_residualGraph{this,
                                                     {.name = "residualGraph",
                                                      .help = "|r|^2 of each iteration of the last solve",
                                                      .unit = "N^2",
                                                      .group = "Analysis",
                                                      .readOnly = true}};
    core::Data<bool> d_warnWhenLineSearchFails{
        this, {.name = "warnWhenLineSearchFails", .help = "Report when no trial step decreases |r|"}, true};
    core::Data<bool> d_warnWhenDiverge{
        this, {.name = "warnWhenDiverge", .help = "Report when the method did not converge"}, true};

    void reset() override;
    /// Runs the method; returns true if a criterion was met. With `tryAgain`, a caller that has other ways than this
    /// attempt, what does not converge is put back and nothing is reported.
    bool solve(NonlinearFunction& f, bool tryAgain = false);

private:
    bool iterate(NonlinearFunction& f, bool report);
    bool lineSearch(NonlinearFunction& f, double& r2);
    bool trustRegion(NonlinearFunction& f, double& r2);
    bool finish(const char* status);

    double m_damping = 0.;  ///< λ of the trust region
};

}  // namespace sofa::component
