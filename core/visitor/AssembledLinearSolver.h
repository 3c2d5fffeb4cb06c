// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/linalg/Factorization.h"
#include "core/visitor/SystemOperator.h"

namespace sofa::core {

/// Solver that needs the assembled matrix. Subclasses factorise and solve flat arrays.
class AssembledLinearSolver : public LinearSolver
{
public:
    Link<LinearSystem> l_linearSystem{
        this,
        {"linearSystem", "Linear system that assembles the matrix; default: that of the node, or one of its own"}};

    void init() override;
    void setSystem(const SolverScope& scope, const MechanicalParams& mp) override;
    void solve(const MultiVecDerivId& x, const MultiVecDerivId& rhs) override;
    LinearSystem& system() const { return *l_linearSystem.get(); }
    void explain(Explanation& e) const override;
    /// What it made of its matrix: factorisation, levels, memory.
    virtual void explainFactor(Explanation&) const {}

    /// Takes an operator, that of another solver for preconditioners; it must stay until the next one.
    void update(SystemOperator& a);
    /// x = A⁻¹ b of the last operator, for flat vectors.
    virtual void apply(std::span<const double> b, std::span<double> x) = 0;
    /// Whether a preconditioner wants the matrix, and not only its diagonal.
    virtual bool needsMatrix() const { return true; }
    /// The next update() repeats one that was made before the checkpoint that has just been loaded: what it took from
    /// the scene then, beside the matrix, is to be taken from the archive.
    virtual void restoring() {}

    /// Of the last setSystem or update; nullptr before the first.
    const SystemOperator* source() const { return m_source; }
    /// W += factor H A⁻¹ Hᵀ with its matrix; H has rows over its scalars, W is row-major, H.size() squared. By one
    /// solve for each row unless the solver has something better.
    virtual void addCompliance(const SparseRows& h, std::span<double> w, double factor);
    /// factor H A⁻¹ Hᵀ in cache.values(), bitwise what addCompliance adds to zeros; rows that the cache has from before
    /// are not solved again while matrixVersion() and the factor are the same. Without a way to solve for single rows:
    /// W is kept while all of H is the same.
    virtual void updateCompliance(const SparseRows& h, double factor, ComplianceCache& cache);

    /// Number that changes whenever solutions may be others than before; no two solvers of the program have the same. 0
    /// before the first matrix. A matrix whose structure and bits are those of the last one keeps it, in solvers that
    /// keep their factor (DirectSolver).
    std::uint64_t matrixVersion() const { return m_version; }

protected:
    /// The operator is new: take from it what solves need. Solvers that keep their factor because the matrix is bitwise
    /// the last one call sameMatrix().
    virtual void prepare(SystemOperator& a) = 0;
    /// Whether the upper triangle of the matrix does.
    virtual bool readsUpperTriangle() const { return false; }
    /// Whether symbolic work on a matrix must be redone: its pattern is not that of the last call.
    bool isNewPattern(const BlockCsrMatrix& m, const SystemAssembly& a);
    void sameMatrix() { m_same = true; }

private:
    std::shared_ptr<LinearSystem> m_own;
    MatrixOperator m_operator;  ///< of its own system
    Vector<double> m_b, m_x;
    const SystemOperator* m_source = nullptr;
    std::pair<const BlockCsrMatrix*, std::uint64_t> m_pattern{};
    std::uint64_t m_version = 0;
    bool m_same = false;
};

}  // namespace sofa::core
