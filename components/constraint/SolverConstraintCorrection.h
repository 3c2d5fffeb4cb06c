// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/constraint/LocalCompliance.h"
#include "core/behavior/ConstraintCorrection.h"
#include "core/visitor/LinearSystem.h"

namespace sofa::component {

/// Compliance through the linear solver of the body: W += c H A⁻¹ Hᵀ with the matrix A of the last step of the
/// integrator, dx = A⁻¹ Hᵀ λ by one more solve. Direct solvers use their factorisation (only the part that the rows of
/// H touch); iterative ones solve once for each row.
class SolverConstraintCorrection : public core::ConstraintCorrection
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

    void init() override;
    void addCompliance(const core::ConstraintParams& p, const core::ConstraintMatrix& h, std::span<double> w) override;
    void computeMotion(const core::ConstraintParams& p, const core::ConstraintMatrix& h, std::span<const double> lambda,
                       core::VecDerivId dx) override;
    /// Builds the compliance between the rows that touch the body only.
    void beginProducts(const core::ConstraintParams& p, const core::ConstraintMatrix& h) override;
    void addBlock(int first, int n, double* w) const override { m_products.addBlock(first, n, w); }
    void addProduct(int first, int n, double* d) const override { m_products.addProduct(first, n, d); }
    void changeForce(int first, int n, const double* change) override { m_products.changeForce(first, n, change); }
    double positionFactor(const core::ConstraintParams& p) const override;
    double velocityFactor(const core::ConstraintParams& p) const override;

protected:
    /// Multiplies the factors of the integrator.
    virtual double factor() const { return 1.; }

    /// Rows that touch the body, compressed over the scalars of the solver's system.
    struct Rows
    {
        core::Vector<int> global;  ///< index of each row in H
        core::Vector<int> ptr, columns;
        core::Vector<double> values;
    };
    struct Place
    {
        core::BaseState* state;
        int offset;
    };
    /// m_rows, and their compliance in m_w without the regularisation.
    void computeCompliance(const core::ConstraintParams& p, const core::ConstraintMatrix& h);
    /// Adds the regularisation to m_w.
    void regularize();
    /// Compliance of m_rows to the scene's.
    void scatter(const core::ConstraintMatrix& h, std::span<double> w) const;

    Rows m_rows;
    core::Vector<double> m_w;
    LocalCompliance m_products;

private:
    std::vector<Place> places(int& size) const;
    void collectRows(const core::ConstraintMatrix& h, const std::vector<Place>& layout);
    const core::SystemAssembly& matrix(const core::AssembledLinearSolver& s) const;
    /// x = A⁻¹ b for the flat scalars of the system, by whichever solver there is.
    void solve(const std::vector<Place>& layout, const core::Vector<double>& b, core::Vector<double>& x);

    core::Vector<double> m_b, m_x;
};

/// For the state of one node.
class LinearSolverConstraintCorrection final : public SolverConstraintCorrection
{
public:
    core::Data<bool> d_wireOptimization{this,
                                        {.name = "wire_optimization",
                                         .help = "Accepted for SOFA's scenes; solves visit only what the rows touch",
                                         .displayed = false},
                                        false};
    core::Link<core::BaseState> l_state{this, {"mstate", "State that is moved; default: that of the node"}};

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
