// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/linearsolver/KrylovLinearSolver.h"
#include "components/linearsolver/MultigridPreconditioner.h"
#include "core/linalg/ConjugateGradients.h"

namespace sofa::component {

/// Conjugate gradient method with a preconditioner M⁻¹ (Shewchuk, "An introduction to the conjugate gradient method
/// without the agonizing pain", 1994, B3). Starts from the solution before; stops after `iterations`, or when r·M⁻¹r ≤
/// tolerance · b·b.
///
/// The matrix is assembled, unless nobody reads it: without a preconditioner, and without a linear system of the scene,
/// the product of a force field that multiplies with the whole matrix serves instead (ForceFieldOperator).
///
/// Any solver with an assembled matrix can precondition: JacobiPreconditioner, BlockJacobiPreconditioner,
/// SSORPreconditioner, MultigridPreconditioner, or a direct solver, whose factor then serves for `assemblingRate`
/// solves.
///
/// Where the scene has none, a large system that is not solved after a hundred iterations gets a
/// MultigridPreconditioner, in that solve and from then on (`automaticPreconditioner`). How many iterations plain
/// conjugate gradients need says best whether it pays: the mass in the matrix of a small time step may leave nothing to
/// do. The criterion to stop remains the residual.
class PCGLinearSolver final : public KrylovLinearSolver
{
public:
    core::Data<double> d_tolerance{this,
                                   {.name = "tolerance",
                                    .help = "Stop when r.M^-1 r is below this fraction of b.b; without preconditioner "
                                            "that is the square of |r|/|b|",
                                    .unit = "1",
                                    .range = core::Range::nonNegative()},
                                   1e-5};
    core::Data<bool> d_usePreconditioner{this, {.name = "use_precond", .help = "Use the preconditioner"}, true};
    core::Data<bool> d_automatic{
        this,
        {.name = "automaticPreconditioner",
         .help = "Without a preconditioner, take one by multigrid as soon as a solve of at least 10,000 unknowns with "
                 "an assembled matrix is not done after 100 iterations; not with compatibility=\"sofa\""},
        true};
    core::Data<unsigned> d_assemblingRate{
        this,
        {.name = "assemblingRate",
         .help =
             "The preconditioner is updated at every assemblingRate-th solve; a PreconditionedMatrixFreeSystem of the "
             "node takes precedence"},
        1};
    core::Link<core::AssembledLinearSolver> l_preconditioner{
        this,
        {"preconditioner", "Solver that approximates the inverse; default: the preconditioner of the node, if any"}};

    PCGLinearSolver();
    void init() override;
    void reset() override;
    void archive(core::Archive& a) override;
    void setSystem(const core::SolverScope& scope, const core::MechanicalParams& mp) override;
    void explain(core::Explanation& e) const override;

private:
    void iterate(const core::MultiVecDerivId& x, const core::MultiVecDerivId& rhs) override;
    void forget() override { m_x.clear(); }
    /// What became of the multigrid preconditioner that is not of the scene.
    enum class Multigrid : unsigned char
    {
        Waiting,
        Taken,
        Refused  ///< the matrix is not positive definite
    };
    /// That of the scene, or the automatic one if it was taken; null if there is none.
    core::AssembledLinearSolver* preconditioner() const;
    /// Solves for which an update of the preconditioner serves.
    unsigned assemblingRate() const;
    /// Whether the automatic one should be taken, `iterations` into a solve.
    bool needsMultigrid(unsigned iterations);
    void takeMultigrid();
    core::LinearSystem* systemOfNode() const override;
    Next next(const Progress& now) override;
    bool accepts(const Progress& now, double curvature) override;
    const core::Vector<double>& precondition(const core::Vector<double>& r) override;
    /// Multigrid that cannot be made is refused, with a warning; other preconditioners throw.
    void updatePreconditioner();

    std::shared_ptr<MultigridPreconditioner> m_multigrid;
    Multigrid m_multigridState = Multigrid::Waiting;
    unsigned m_age = 0;                     ///< solves since the preconditioner was updated; 0: never
    int m_preconditionedSize = 0;           ///< of the matrix of that update
    core::Vector<double> m_preconditioned;  ///< its values, for checkpoints; empty if each solve updates
    bool m_isRestored = false;              ///< by a checkpoint: the preconditioner is to be made of these values
    core::ConjugateGradients m_method;
    core::Vector<double> m_x;  ///< the solution, kept for the next start, in the form of the operator
    core::Vector<double> m_z;  ///< preconditioned residual, in the form of the operator
    core::Vector<double> m_flatResidual, m_flatZ;
    double m_normB = 0.;  ///< b · b of the present solve
};

/// Linear system that says how often the preconditioner of a PCGLinearSolver is updated.
class PreconditionedMatrixFreeSystem final : public core::LinearSystem
{
public:
    core::Data<unsigned> d_assemblingRate{
        this, {.name = "assemblingRate", .help = "The preconditioner is updated at every assemblingRate-th solve"}, 1};
    PreconditionedMatrixFreeSystem() { addAlias(d_assemblingRate, "update_step"); }
};

}  // namespace sofa::component
