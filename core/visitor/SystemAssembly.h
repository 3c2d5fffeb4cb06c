// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/linalg/BlockAssembler.h"
#include "core/log/Explanation.h"
#include "core/visitor/FactoredProducts.h"
#include "core/visitor/SystemLayout.h"

namespace sofa::core {

/// Assembles A = m M + b B + k K over the independent states of a scope, with the contributions of mapped states
/// carried up, Jᵀ K J, and the geometric stiffness of nonlinear mappings.
///
/// Force fields write blocks into sinks; a sink of a mapped state multiplies each block by the Jacobian blocks of its
/// row and column and passes the products on, so that mapped matrices need no storage and the assembler's record stays
/// valid. In a steady state nothing is searched or allocated.
class SystemAssembly
{
public:
    struct Options
    {
        bool mass = true, stiffness = true, damping = true, geometricStiffness = true, mapped = true,
             constraints = true;
        /// The contributions of mapped states are kept as factors (addFactoredProduct) instead of going into the
        /// matrix.
        bool factored = false;
        /// Only blocks that couple a point with itself.
        bool diagonalOnly = false;
        friend bool operator==(const Options&, const Options&) = default;
    };
    SystemAssembly();
    ~SystemAssembly();

    /// Assembles the system of a scope at the state of the last force computation; factors and vectors come from `mp`.
    void assemble(const SolverScope& scope, const MechanicalParams& mp, const Options& options);
    void assemble(const SolverScope& scope, const MechanicalParams& mp) { assemble(scope, mp, Options()); }

    /// Where isUpper(), its values come with complete(): before, it is but a pattern.
    const BlockCsrMatrix& matrix() const { return m_assembler.matrix(); }
    /// See BlockAssembler.
    void setUpperOnly(bool on) { m_assembler.setUpperOnly(on); }
    bool isUpper() const { return m_assembler.isUpper(); }
    const BlockCsrMatrix& stored() const { return m_assembler.stored(); }
    void pack() { m_assembler.pack(); }
    void complete() { m_assembler.complete(); }
    std::span<double> values() { return m_assembler.values(); }
    /// q += what products with the matrix lack of A p: the contributions that are kept as factors.
    void addFactoredProduct(const Vector<double>& p, Vector<double>& q)
    {
        if (!m_factors.empty()) m_factors.addProduct(p.data(), q.data());
    }
    /// Changes when the pattern does: symbolic factorisations are kept until then.
    std::uint64_t patternVersion() const { return m_assembler.patternVersion(); }
    /// See BlockAssembler.
    bool isSymmetricOffDiagonal() const { return m_assembler.isSymmetricOffDiagonal(); }
    int size() const { return m_layout.size(); }
    /// What is kept beside the matrix (addFactoredProduct).
    const FactoredProducts& factors() const { return m_factors; }
    /// Its unknowns, the numbers of the matrix, and memory.
    void explainSizes(Explanation& e) const;
    const SystemLayout& layout() const { return m_layout; }
    /// Scalars that projective constraints took out.
    const Vector<int>& eliminated() const { return m_eliminated; }
    /// True if the matrix is all there is, and apart from the rows and columns of eliminated() it is the sum of what
    /// masses and force fields gave: no factors beside it, no projections, no points that are held.
    bool isWhole() const { return m_whole; }

    /// Estimate of the block products that mapped matrices cost per block of a mapped force field: the square of the
    /// mean number of Jacobian blocks per row, over all mapped states; 1 if nothing is mapped.
    static double mappedExpansion(const ExecutionPlan& plan);

private:
    class Sinks;

    void sum(const ExecutionPlan& plan, const MechanicalParams& mp);
    void constrain(const ExecutionPlan& plan);
    /// Finds the blocks that the rows of joined points lack; false: there are none.
    bool findFill();

    BlockAssembler m_assembler;
    FactoredProducts m_factors;
    std::unique_ptr<Sinks> m_sinks;
    const ExecutionPlan* m_plan = nullptr;
    std::size_t m_planVersion = 0;
    Options m_options;
    SystemLayout m_layout;
    Vector<int> m_eliminated;
    Vector<std::pair<int, int>> m_joined;  ///< scalars of one value
    Vector<std::pair<int, int>> m_fill;    ///< blocks of zeros, for joined points
    bool m_whole = false;
};

}  // namespace sofa::core
