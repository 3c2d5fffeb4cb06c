// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/linalg/KrylovControl.h"
#include "core/visitor/SystemOperator.h"

namespace sofa::component {

/// The system of a solver that multiplies without a matrix where that is cheaper (core/visitor/SystemOperator.h):
/// CGLinearSolver and MinResLinearSolver. Direct solvers assemble a matrix all the same.
class MatrixFreeSystem final : public core::LinearSystem
{
public:
    MatrixFreeSystem()
    {
        ignoreAttribute("enableAssembly", "the operator is chosen at each solve");
        ignoreAttribute("factorizationInvalidation", "there is no factorisation");
    }
};

/// What solvers by a Krylov method have in common: they take products with the operator of their system
/// (core/visitor/SystemOperator.h), and decide as its KrylovControl when it is enough.
class KrylovLinearSolver : public core::LinearSolver, protected core::KrylovControl
{
public:
    core::Data<unsigned> d_iterations{
        this, {.name = "iterations", .help = "Largest number of iterations", .range = core::Range::nonNegative()}, 25};
    core::Data<unsigned> d_lastIterations{
        this, {.name = "lastIterations", .help = "Iterations of the last solve", .readOnly = true}, 0};
    core::Data<double> d_lastResidual{this,
                                      {.name = "lastResidual",
                                       .help = "|r|/|b| at the end of the last solve",
                                       .unit = "1",
                                       .readOnly = true,
                                       .saved = false},
                                      0.};
    core::Data<core::Vector<double>> d_graph{
        this,
        {.name = "graph",
         .help = "What is compared with the tolerance, at each iteration of the last solve",
         .unit = "1",
         .group = "Analysis",
         .readOnly = true,
         .saved = false}};
    core::Link<core::LinearSystem> l_linearSystem{
        this,
        {"linearSystem", "Linear system that assembles the matrix; default: that of the node, or one of its own"}};

    KrylovLinearSolver();
    void init() override;
    /// A right-hand side of zero has the solution zero, without an operator.
    void solve(const core::MultiVecDerivId& x, const core::MultiVecDerivId& rhs) final;
    bool addProduct(core::VecDerivId f, const core::MultiVecDerivId& v, double factor) override;
    void explain(core::Explanation& e) const override;

protected:
    /// Solves with a right-hand side that is not zero.
    virtual void iterate(const core::MultiVecDerivId& x, const core::MultiVecDerivId& rhs) = 0;
    /// The last solution is zero: it is not what the next solve is to start from.
    virtual void forget() {}
    /// The linear system of the node that is taken where the scene names none.
    virtual core::LinearSystem* systemOfNode() const { return node()->get<core::LinearSystem>(core::Search::Local); }
    /// Whether nobody else reads the matrix.
    bool isSystemOwn() const { return l_linearSystem.get() == m_own.get(); }
    /// Whether the scene asks for products without a matrix: by the template, or by the linear system.
    bool wantsNoMatrix() const;
    /// What the tolerance is compared with, after each iteration; for `graph`.
    void noteError(double error) { m_errors.push_back(error); }
    /// Tells the log and the Data how a solve ended, with |r|/|b|.
    void noteEnd(unsigned iterations, double residual);

    core::OperatorChoice m_operator;
    const char* m_reason = "nothing";  ///< for which the present solve ended

private:
    std::shared_ptr<core::LinearSystem> m_own;
    core::Vector<double> m_errors;  ///< of the present solve
};

}  // namespace sofa::component
