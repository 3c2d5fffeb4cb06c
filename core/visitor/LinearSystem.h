// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/linalg/Factorization.h"
#include "core/visitor/SystemAssembly.h"

namespace sofa::core {

/// Component that owns the matrix of a linear solver. Solvers make one when the scene has none.
class LinearSystem : public Component
{
public:
    static std::string_view typeLabel() { return "linear system"; }

    Data<bool> d_assembleStiffness{
        this, {.name = "assembleStiffness", .help = "Take the stiffness of force fields into the matrix"}, true};
    Data<bool> d_assembleMass{this, {.name = "assembleMass", .help = "Take the masses into the matrix"}, true};
    Data<bool> d_assembleDamping{
        this, {.name = "assembleDamping", .help = "Take the damping of force fields into the matrix"}, true};
    Data<bool> d_assembleGeometricStiffness{
        this,
        {.name = "assembleGeometricStiffness",
         .help = "Take the geometric stiffness of nonlinear mappings into the matrix"},
        true};
    Data<bool> d_applyProjectiveConstraints{
        this,
        {.name = "applyProjectiveConstraints",
         .help = "Eliminate the degrees of freedom that projective constraints fix"},
        true};
    Data<bool> d_applyMappedComponents{
        this,
        {.name = "applyMappedComponents", .help = "Carry matrices of mapped states up through their mappings"},
        true};
    Data<Vec2> d_matrixSize{
        this, {.name = "matrixSize", .help = "Rows and columns of the last matrix", .unit = "1", .readOnly = true}};

    /// Assembles the matrix of the solver's scope; `factored` leaves the contributions of mapped states out of it
    /// (SystemAssembly::addFactoredProduct).
    void assemble(Node& scope, const MechanicalParams& mp, bool factored = false);
    const SystemAssembly& assembly() const { return m_assembly; }
    SystemAssembly& assembly() { return m_assembly; }

private:
    SystemAssembly m_assembly;
};

/// Solver that needs the assembled matrix. Subclasses factorise and solve flat arrays.
class AssembledLinearSolver : public LinearSolver
{
public:
    Link<LinearSystem> l_linearSystem{
        this,
        {"linearSystem", "Linear system that assembles the matrix; default: that of the node, or one of its own"}};

    void init() override;
    void setSystem(Node& scope, const MechanicalParams& mp) override;
    void solve(const MultiVecDerivId& x, const MultiVecDerivId& rhs) override;
    LinearSystem& system() const { return *l_linearSystem.get(); }
    void explain(Explanation& e) const override;
    /// What it made of its matrix: factorisation, levels, memory.
    virtual void explainFactor(Explanation&) const {}

    /// The two halves of a solve with a matrix that another solver assembled: for preconditioners.
    void update(const SystemAssembly& a);
    void apply(const SystemAssembly& a, const double* b, double* x) { solveFlat(a, b, x); }
    /// The next update() repeats one that was made before the checkpoint that has just been loaded: what it took from
    /// the scene then, beside the matrix, is to be taken from the archive.
    virtual void restoring() {}

    /// Matrix of the last setSystem or update; nullptr before the first.
    const SystemAssembly* source() const { return m_source; }
    /// W += factor H A⁻¹ Hᵀ with that matrix; H has rows over its scalars, W is row-major, H.size() squared. By one
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
    /// The matrix is new: factorise it. `patternChanged` tells whether symbolic work must be redone. Solvers that keep
    /// their factor because the matrix is bitwise the last one call sameMatrix().
    virtual void prepare(const SystemAssembly& a, bool patternChanged) = 0;
    /// Whether `prepare` takes a.stored() instead of a.matrix(): the blocks left of the diagonal then need not be
    /// assembled.
    virtual bool readsUpperTriangle() const { return false; }
    /// x = A⁻¹ b, for arrays of a.size() scalars.
    virtual void solveFlat(const SystemAssembly& a, const double* b, double* x) = 0;
    void sameMatrix() { m_same = true; }

private:
    std::shared_ptr<LinearSystem> m_own;
    Vector<double> m_b, m_x;
    const SystemAssembly* m_source = nullptr;  ///< of the last matrix
    std::uint64_t m_pattern = 0;
    bool m_isUpper = false;  ///< the last matrix lacked the blocks left of the diagonal
    std::uint64_t m_version = 0;
    bool m_same = false;
};

}  // namespace sofa::core
