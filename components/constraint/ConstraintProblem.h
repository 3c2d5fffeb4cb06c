// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <vector>

#include "core/behavior/ConstraintLaw.h"
#include "core/linalg/ComplianceMatrix.h"

namespace sofa::component {

/// Products with a compliance W that is not built, by rows.
class ComplianceProducts
{
public:
    virtual ~ComplianceProducts() = default;
    /// d += (W λ) of `n` rows.
    virtual void addProduct(int first, int n, double* d) const = 0;
    /// λ += change, for `n` rows; λ is zero at first.
    virtual void changeForce(int first, int n, const double* change) = 0;
    /// The forces to start from as SOFA's contact solver gives them, before any change: what they move at a point of a
    /// body without coupling counts from the first change of a force at that point on.
    virtual void startFrom(const core::Vector<double>& force) = 0;
    /// W itself, for what needs its entries; begin(starts) was called.
    virtual void build(core::ComplianceMatrix& w) const = 0;
    /// The island of each group, as of ComplianceMatrix::islands; none: all groups are one.
    virtual core::Vector<int> islands() const { return {}; }
};

/// Find forces λ that obey every law with the violations δ = δ_free + W λ.
///
/// W is either `w`, or behind `products`, with only the diagonal blocks of the groups in `w`.
struct ConstraintProblem
{
    struct Group
    {
        core::ConstraintLaw* law;
        int first;  ///< row
    };
    int size = 0;
    core::ComplianceMatrix w;
    ComplianceProducts* products = nullptr;  ///< compliance that is not built
    core::Vector<double> dFree;              ///< violations without constraint forces
    core::Vector<double> force;
    std::vector<Group> groups;

    /// Begins with these laws, no forces, no violations, and the pattern of W without couplings.
    void begin(std::span<core::ConstraintLaw* const> laws, ComplianceProducts* unbuilt = nullptr);
    core::ComplianceBlock block(const Group& g) const { return {w.diagonal(index(g)), w.stride(index(g))}; }
    /// W with all entries; an unbuilt one is built at the first call.
    const core::ComplianceMatrix& entries();
    double diagonal(const Group& g, int row) const { return block(g)(row, row); }
    /// Says that the forces of a group have changed from `before`: an unbuilt W must know.
    void changed(const Group& g, const double* before);
    /// Says that all forces were zero, or `before`.
    void allChanged(const core::Vector<double>* before = nullptr);
    /// d = δ of the rows of a group at the present forces; `d` has room for them.
    void violation(const Group& g, double* d) const;
    /// All violations at the present forces.
    core::Vector<double> violations() const;

private:
    core::ComplianceMatrix m_built;
    bool m_isBuilt = false;

    std::size_t index(const Group& g) const { return static_cast<std::size_t>(&g - groups.data()); }
};

/// When the iterations stop. SOFA's rules: an update's error is the length of W_gg Δλ_g, row by row; the sum over all
/// groups must be below the tolerance (times the number of rows with `scaleTolerance`), or with `allVerified` each
/// row's error below the tolerance.
struct ConstraintSettings
{
    double tolerance = 1e-3;
    /// If positive, each row's error must be below this part of the largest that a law makes by itself from no force;
    /// the tolerance and its rules do not count then.
    double relativeTolerance = 0.;
    int maxIterations = 1000;
    bool scaleTolerance = true;
    /// Of the rows that `scaleTolerance` multiplies by, only those that have a force at the beginning of a sweep count
    /// (at least one): rows that do nothing do not make the tolerance coarse.
    bool onlyActing = false;
    bool allVerified = false;
    double overrelaxation = 1.;  ///< λ ← sor λ_new + (1 − sor) λ_old after each sweep
    /// Find all forces at once (InteriorPoint) where sweeps take long.
    bool interior = false;
};

struct ConstraintOutcome
{
    double error = 0.;  ///< of the last sweep
    int iterations = 0;
    bool converged = true;
    core::Vector<double> errors;  ///< of each sweep
    /// Jacobi only: the sweeps led to nothing better than the start; the forces are those of sweep `best`, 0: of the
    /// start.
    bool diverged = false;
    int best = 0;
};

/// Projected block Gauss–Seidel: sweeps over the groups in their order.
ConstraintOutcome solveGaussSeidel(ConstraintProblem& p, const ConstraintSettings& s);

/// Nonsmooth nonlinear conjugate gradients on the sweeps of Gauss–Seidel (Silcowitz-Hansen, Niebe and Erleben, A
/// nonsmooth nonlinear conjugate gradient method for interactive contact force problems, The Visual Computer 26, 2010).
ConstraintOutcome solveNncg(ConstraintProblem& p, const ConstraintSettings& s);

struct JacobiSettings
{
    /// Scale violations by factor · min(1, 1.8 / ρ(D⁻¹ W)), ρ the spectral radius and D what the laws divide by: the
    /// blocks of W that belong to bilateral groups, the diagonal elsewhere. Linear problems then converge.
    bool spectralCorrection = false;
    double spectralFactor = 1.;
    bool conjugateResidue = false;  ///< add β Δλ of the sweep before, β = min(1, (i / maxIterations)^exponent)
    double conjugateExponent = 10.;
};

/// Jacobi sweeps with relaxation and momentum (Francu and Moldoveanu, An improved Jacobi solver for particle
/// simulation, VRIPHYS 2014). Without relaxation they diverge where ρ(D⁻¹ W) > 2, that is, where many rows act on the
/// same points. Forces that did not converge are those of the sweep from which the next one would have changed the
/// violations least.
ConstraintOutcome solveJacobi(ConstraintProblem& p, const ConstraintSettings& s, const JacobiSettings& j);

/// How far the forces are from a solution: the largest length of W_gg Δλ_g over all groups, Δλ_g being the change that
/// the law of the group would still make. In the units of the violations; zero exactly at solutions.
double complementarityResidual(const ConstraintProblem& p);

}  // namespace sofa::component
