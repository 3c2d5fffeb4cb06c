// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/BaseOrdering.h"
#include "core/linalg/Factorization.h"
#include "core/visitor/AssembledLinearSolver.h"

namespace sofa::component {

/// Direct solver on the assembled matrix. The symbolic analysis is kept while the pattern of the matrix is the same,
/// the factor while its values are (linear laws, explicit integration).
///
/// Solvers for general matrices may factorise symmetric positive definite ones by L D Lᵀ, several times faster: that
/// needs no pivoting (Golub and Van Loan, Matrix Computations, section 4.2) and gives the same solution up to rounding.
/// The general method takes over as soon as the matrix is not symmetric or a pivot is not clearly positive.
///
/// A singular matrix is an error of the scene (a free body in a static problem, a missing mass): it is reported with
/// the degree of freedom of the vanishing pivot, and the run stops.
class DirectSolver : public core::AssembledLinearSolver
{
public:
    core::Link<core::BaseOrdering> l_ordering{
        this,
        {"orderingMethod",
         "Fill-reducing ordering; default: that of the node, or chosen by the cost of the factorisation"}};
    core::Data<unsigned> d_factorNonZeros{
        this, {.name = "L_nnz", .help = "Numbers stored in the factor of the last matrix", .readOnly = true}, 0};

    explicit DirectSolver(core::FactorizationMethod method);
    void init() override;
    void addCompliance(const core::SparseRows& h, std::span<double> w, double factor) override;
    void apply(std::span<const double> b, std::span<double> x) override;
    void explainFactor(core::Explanation& e) const override;
    void updateCompliance(const core::SparseRows& h, double factor, core::ComplianceCache& cache) override;

    /// What holds the factor of the last matrix, or will hold that of the first one; null before init.
    const core::Factorization* factorization() const { return m_active; }

protected:
    void setMethod(core::FactorizationMethod m) { m_method = m; }
    core::FactorizationMethod method() const { return m_method; }
    /// New solver of the method; a plugin may have one of its own.
    virtual std::unique_ptr<core::Factorization> newFactorization(core::OrderingMethod ordering) const
    {
        return core::makeFactorization(m_method, ordering);
    }
    /// Called with a matrix of a new pattern, before its analysis; may set another method and then renew().
    virtual void choose(const core::BlockCsrMatrix&) {}
    /// Called when the matrix of a new pattern has been factorised, or another method had to take over.
    virtual void noteFactorization(const core::BlockCsrMatrix&) {}
    /// Whether the L D Lᵀ of positive definite matrices holds the factor although the method is another.
    bool usesDefinite() const { return m_active && m_active == m_definite.get(); }
    /// Drops the factor and makes the solvers of the methods anew.
    void renew();
    /// What holds the factor from now on, in place of what factorises here.
    void use(core::Factorization& f) { m_active = &f; }
    /// The order that the scene names, or automatic.
    core::OrderingMethod ordering() const { return m_order; }
    /// Tells that a matrix is nearly singular, with its first such unknown and the bodies that nothing holds; throws
    /// where there are no solutions.
    void judge(core::FactorizationStatus status, const core::SystemAssembly& a) const;
    /// Whether positive definite matrices go to the supernodal L D Lᵀ whatever the method.
    void tryDefiniteFirst(bool b) { m_tryDefinite = b; }
    void prepare(core::SystemOperator& a) override;
    bool readsUpperTriangle() const override { return !m_definite && m_general && m_general->readsUpperTriangle(); }

private:
    core::FactorizationStatus factorize(const core::BlockCsrMatrix& a);

    core::FactorizationMethod m_method;
    core::OrderingMethod m_order = core::OrderingMethod::automatic;
    bool m_tryDefinite = false;
    std::unique_ptr<core::Factorization> m_general, m_definite;
    core::Factorization* m_active = nullptr;  ///< the one that holds the factor
    core::Vector<double> m_factorized;        ///< values of the matrix of that factor; empty if they were not kept
    std::size_t m_watched = 0;                ///< a number of the matrix that changed last time, or that of none
    double m_watchedValue = 0.;
};

}  // namespace sofa::component
