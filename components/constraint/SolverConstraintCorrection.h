// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/constraint/LocalCompliance.h"
#include "core/behavior/ConstraintCorrection.h"
#include "core/topology/TopologyChange.h"
#include "core/visitor/AssembledLinearSolver.h"

namespace sofa::component {

/// Compliance through the linear solver of the body: W += c H A⁻¹ Hᵀ with the matrix A of the last step of the
/// integrator, dx = A⁻¹ Hᵀ λ by one more solve. Direct solvers use their factorisation (only the part that the rows of
/// H touch); iterative ones solve once for each row.
///
/// With direct solvers the compliance is kept from step to step (core/linalg/ComplianceCache.h): linear bodies and
/// rigid ones have the same matrix in every step, so that constraints whose rows stay cost nothing but the comparison.
class SolverConstraintCorrection : public core::ConstraintCorrection, public core::TopologyFollower
{
public:
    core::Link<core::LinearSolver> l_linearSolver{
        this, {"linearSolver", "Linear solver whose matrix gives the compliance; default: that of the node"}};
    core::Link<core::OdeSolver> l_odeSolver{
        this, {"ODESolver", "Integrator whose factors are used; default: that of the node or above"}};
    core::Data<double> d_regularizationTerm{
        this,
        {.name = "regularizationTerm",
         .help = "Compliance added to each row that acts on the body: this times the identity",
         .unit = "m/(N s)",
         .range = core::Range::nonNegative()},
        0.};
    core::Data<bool> d_cacheCompliance{
        this,
        {.name = "cacheCompliance",
         .help = "Keep the compliance from step to step: while the matrix is bitwise the same, only rows that are new "
                 "are solved for. Results are bitwise the same without; direct solvers only"},
        true};

    void init() override;
    PointLists pointLists() override;
    /// Forgets what it keeps from step to step.
    void followTopology(const core::TopologyChange&) override { clearCaches(); }
    void addCompliance(const core::ConstraintParams& p, const core::ConstraintMatrix& h,
                       core::ComplianceMatrix& w) override;
    void computeMotion(const core::ConstraintParams& p, const core::ConstraintMatrix& h, std::span<const double> lambda,
                       core::VecDerivId dx) override;
    /// Builds the compliance between the rows that touch the body only.
    void beginProducts(const core::ConstraintParams& p, const core::ConstraintMatrix& h) override;
    void addBlock(int first, int n, double* w) const override { m_products.addBlock(first, n, w); }
    void addProduct(int first, int n, double* d) const override { m_products.addProduct(first, n, d); }
    void changeForce(int first, int n, const double* change) override { m_products.changeForce(first, n, change); }
    void startFrom(std::span<const double> force) override { m_products.startFrom(force); }
    double positionFactor(const core::ConstraintParams& p) const override;
    double velocityFactor(const core::ConstraintParams& p) const override;

    /// What is kept, with the numbers of rows that were asked for and computed (also in the log, printLog).
    /// Of the constraints by position, or by velocity.
    const core::ComplianceCache& complianceCache(
        core::ConstraintOrder order = core::ConstraintOrder::positionAndVelocity) const
    {
        return m_caches[order == core::ConstraintOrder::velocity ? 1 : 0];
    }

protected:
    /// What its solvers act on.
    core::SolverScope scope() const;
    /// Multiplies the factors of the integrator.
    virtual double factor() const { return 1.; }

    /// Rows that touch the body, compressed over the scalars of the solver's system.
    struct Rows
    {
        core::Vector<int> global;  ///< index of each row in H
        core::Vector<int> ptr, columns;
        core::Vector<double> values;
    };
    /// m_rows, and their compliance without the regularisation; from the cache if `keep`. It is valid until the next
    /// call.
    std::span<const double> computeCompliance(const core::ConstraintParams& p, const core::ConstraintMatrix& h,
                                              bool keep);
    /// The same with the regularisation.
    virtual std::span<const double> regularCompliance(const core::ConstraintParams& p, const core::ConstraintMatrix& h);
    /// w with the regularisation, in m_w if there is one.
    std::span<const double> regularized(std::span<const double> w);
    core::ComplianceCache& cache(const core::ConstraintParams& p)
    {
        return m_caches[p.order == core::ConstraintOrder::velocity ? 1 : 0];
    }
    void clearCaches();
    void reportCache(const core::ComplianceCache& cache);

    Rows m_rows;
    core::Vector<double> m_w;
    LocalCompliance m_products;

private:
    /// The flat vectors of the linear solver.
    const core::SystemLayout& layout();
    void collectRows(const core::ConstraintMatrix& h);
    /// x = A⁻¹ b for the flat scalars of the system, by whichever solver there is.
    void solve(std::span<const double> b, std::span<double> x);

    core::SystemLayout m_layout;                                               ///< of a solver without a matrix
    std::vector<std::pair<const core::ConstraintMatrix::Part*, int>> m_parts;  ///< of the body, with their offsets
    core::Vector<double> m_b, m_x;
    core::ComplianceCache m_caches[2];
};

/// For the state of one node.
class LinearSolverConstraintCorrection final : public SolverConstraintCorrection
{
public:
    core::Link<core::BaseState> l_state{this, {"mstate", "State that is moved; default: that of the node"}};

    LinearSolverConstraintCorrection()
    {
        ignoreAttribute("wire_optimization", "solves visit only what the rows touch, in any order of the points");
    }

    void init() override;
    std::string templateName() const override { return l_state ? l_state->templateName() : std::string(); }
    std::vector<core::BaseState*> states() const override { return {l_state.get()}; }
};

/// For every independent state of the linear solver's node and below.
class GenericConstraintCorrection final : public SolverConstraintCorrection
{
public:
    core::Data<double> d_complianceFactor{this,
                                          {.name = "complianceFactor",
                                           .help = "Factor of the compliance and of the motion that follows from it",
                                           .unit = "1",
                                           .range = core::Range::nonNegative()},
                                          1.};
    std::vector<core::BaseState*> states() const override;

protected:
    double factor() const override { return d_complianceFactor.value(); }
};

}  // namespace sofa::component
