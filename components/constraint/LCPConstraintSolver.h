// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <map>
#include <optional>

#include "components/constraint/LagrangianSolver.h"
#include "components/constraint/UnbuiltCompliance.h"

namespace sofa::component {

struct LcpSettings
{
    double tolerance = 1e-3;
    double relativeTolerance = 0.;  ///< if positive, it counts, with solutions at once: ConstraintSettings
    int maxIterations = 1000;
    /// Of all contacts; 0: tangential forces are zero. Not given: that of each.
    std::optional<double> friction = 0.6;
    double minCompliance = 0.;  ///< contacts whose normal compliance is not above it get no force (0: all do)
    double maxForce = 0.;       ///< contacts whose normal force reaches it get none in the end (0: no bound)
};

struct LcpOutcome : ConstraintOutcome
{
    int tooStiff = 0, tooStrong = 0;  ///< contacts that minCompliance and maxForce left out
};

/// Gauss–Seidel sweeps over contacts, from the forces in `p`: Signorini's law with Coulomb's of one coefficient for
/// groups of three rows, Signorini's for one row, whatever friction their laws have (Duriez, Andriot and Kheddar,
/// Signorini's contact model for deformable objects in haptic simulations, IROS 2004). Groups that are no contacts
/// follow their own law.
///
/// The error of a contact is |W_gg Δλ_g|; the sum over contacts must be below the tolerance times the number of
/// contacts plus one; without friction and with a built W below the tolerance itself (SOFA's rules).
LcpOutcome solveLcp(ConstraintProblem& p, const LcpSettings& s);

/// Contacts as a linear complementarity problem (`mu` = 0) or a nonlinear one with Coulomb friction, by Gauss–Seidel,
/// starting from the forces of the same contacts in the last step.
class LCPConstraintSolver final : public LagrangianSolver
{
public:
    core::Data<bool> d_initialGuess{
        this,
        {.name = "initial_guess", .help = "Start from the forces that the same contacts had in the last step"},
        true};
    core::Data<bool> d_buildLcp{
        this,
        {.name = "build_lcp",
         .help = "Build the compliance matrix of the scene; otherwise each body applies its own, row by row"},
        true};
    core::Data<double> d_mu{
        this,
        {.name = "mu",
         .help = "Coefficient of friction of all contacts, whatever theirs is. Not given: theirs; with "
                 "compatibility=\"sofa\" 0.6",
         .unit = "1",
         .range = core::Range::nonNegative()},
        0.6};
    core::Data<double> d_minW{this,
                              {.name = "minW",
                               .help = "Contacts with a normal compliance not above this get no force; 0: no bound",
                               .unit = "m/(N s)",
                               .range = core::Range::nonNegative()},
                              0.};
    core::Data<double> d_maxF{this,
                              {.name = "maxF",
                               .help = "Contacts whose normal force reaches this get no force; 0: no bound",
                               .unit = "N s",
                               .range = core::Range::nonNegative()},
                              0.};

    LCPConstraintSolver();
    void reset() override;
    void archive(core::Archive& a) override;

protected:
    void buildCompliance(const core::ConstraintParams& p, ConstraintProblem& problem) override;
    ConstraintOutcome solveProblem(ConstraintProblem& problem) override;
    ComplianceProducts* products() override { return d_buildLcp.value() ? nullptr : &m_compliance; }
    double residual(const ConstraintProblem& problem) const override;
    /// With the friction of this solver.
    std::unique_ptr<core::ConstraintLaw> copyOf(core::ConstraintLaw& law) const override;

private:
    using Contact = std::pair<const core::BaseLagrangianConstraint*, std::int64_t>;
    LcpSettings settings() const;

    UnbuiltCompliance m_compliance;
    std::map<Contact, std::array<double, 3>> m_forces;  ///< of the last step; looked up only, never walked through
    bool m_reported = false;
};

}  // namespace sofa::component
