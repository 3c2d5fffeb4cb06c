// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include "core/behavior/ConstraintLaw.h"
#include "core/behavior/ConstraintMatrix.h"
#include "core/linalg/ComplianceMatrix.h"

namespace sofa::core {

/// What one state feels of the constraints of a step, in copies: the rows that touch it and all that are coupled with
/// these, δ = δ_free + W λ with their laws. It is solved for other free positions of the state, in any thread and
/// while the scene goes on (Saupin, Duriez and Cotin, Contact model for haptic medical simulations, ISBMS 2008).
class ConstraintSnapshot
{
public:
    struct Settings
    {
        double tolerance = 1e-6;  ///< of the largest |W_gg Δλ_g| of a sweep, in the units of the violations
        int maxIterations = 100;
        /// No sweep begins later.
        std::optional<std::chrono::steady_clock::time_point> deadline;
    };

    /// Adds a group of rows with its law; W and δ_free are set when all are there.
    void add(std::unique_ptr<ConstraintLaw> law);
    /// `w`: row-major, rows() squared. `force`: to start from. `tolerance`: that of the solver, of violations.
    void setSystem(std::span<const double> w, std::span<const double> dFree, std::span<const double> force,
                   double tolerance);
    /// H of the state, with the rows numbered as here. `scale`: what δ changes by for a change 1 of H dx.
    void setJacobian(ConstraintMatrix::Part jacobian, double scale);

    /// What acts on any point acts on the first one.
    void moveToFirstPoint();

    int rows() const { return m_starts.back(); }
    double tolerance() const { return m_tolerance; }
    const ConstraintMatrix::Part& jacobian() const { return m_jacobian; }
    /// λ of each row, from the last solution.
    const Vector<double>& force() const { return m_force; }
    /// Finds λ, from that of the last time, for a state that is `dx` away from the free positions; derivSize numbers
    /// for each point, missing ones are 0. Sweeps of Gauss-Seidel; their number. It takes no memory.
    int solve(std::span<const double> dx, const Settings& s);
    /// f += Hᵀλ at the points for which `f` has numbers.
    void addForce(std::span<double> f) const;

private:
    std::vector<std::unique_ptr<ConstraintLaw>> m_laws;
    Vector<int> m_starts{0};
    ComplianceMatrix m_w;
    Vector<double> m_dFree, m_force, m_moved, m_d, m_before;
    ConstraintMatrix::Part m_jacobian;
    double m_scale = 1., m_tolerance = 0.;
};

}  // namespace sofa::core
