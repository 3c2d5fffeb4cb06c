// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/linearsolver/KeptFactor.h"
#include "components/linearsolver/MatrixTemplates.h"
#include "components/linearsolver/PointRotations.h"
#include "components/linearsolver/Preconditioner.h"
#include "core/factory/Registry.h"

namespace sofa::component {

using namespace core;

namespace {

/// Solves every system with the first matrix: x = A₁⁻¹ b. That is exact for linear laws with a constant time step;
/// other bodies move as if their stiffness were that of the beginning, and stiff ones become unstable where they turn
/// far.
///
/// SOFA keeps the dense inverse, n² numbers for n unknowns, in memory and in a file. The sparse factor gives the same
/// solutions up to rounding, with fewer operations, and is there sooner than the file is read.
class PrecomputedLinearSolver final : public PrecomputedSolver
{
};

/// Preconditioner for PCGLinearSolver from the first matrix alone: z = R A₁⁻¹ Rᵀ r, where R turns the share of each
/// point as the material around it has turned since (PointRotations).
class PrecomputedWarpPreconditioner final : public PrecomputedSolver
{
public:
    Data<bool> d_useRotations{
        this,
        {.name = "use_rotations", .help = "Turn the solution of each point as the material around it turns"},
        true};

    PrecomputedWarpPreconditioner()
    {
        ignoreAttribute("linearSolver", "the first matrix is factorised by L D L'");
        ignoreAttribute("draw_rotations_scale", "force fields show how their elements turn");
    }
    bool isPreconditioner() const override { return true; }
    void init() override
    {
        PrecomputedSolver::init();
        m_rotations.clear();
        m_finder = PointRotations::find(*node());
        if (isValid() && d_useRotations.value() && !m_finder)
            fail(
                "no force field of node '" + node()->pathName() +
                "' or below knows how its points turn (a corotational one does); use_rotations=\"false\" does without");
    }
    void archive(Archive& a) override
    {
        PrecomputedSolver::archive(a);
        m_rotations.archive(a);
    }
    void apply(std::span<const double> b, std::span<double> x) override
    {
        m_turned.resize(b.size());
        m_rotations.turnBack(b, m_turned);
        PrecomputedSolver::apply(m_turned, x);
        m_rotations.turn(x, x);
    }
    // By whole solutions, which are turned; a direct solver would take its factor, which is not.
    // NOLINTBEGIN(bugprone-parent-virtual-call)
    void addCompliance(const SparseRows& h, std::span<double> w, double factor) override
    {
        AssembledLinearSolver::addCompliance(h, w, factor);
    }
    void updateCompliance(const SparseRows& h, double factor, ComplianceCache& cache) override
    {
        AssembledLinearSolver::updateCompliance(h, factor, cache);
    }
    // NOLINTEND(bugprone-parent-virtual-call)
    void restoring() override { m_skip = true; }

protected:
    void begin(SystemOperator& from) override
    {
        if (d_useRotations.value()) m_rotations.begin(*m_finder, from.layout());
    }
    void prepare(SystemOperator& from) override
    {
        PrecomputedSolver::prepare(from);
        if (std::exchange(m_skip, false) || !d_useRotations.value()) return;
        m_rotations.update(*m_finder, from.layout());
    }
    bool keepsSolutions() const override { return !d_useRotations.value(); }

private:
    PointRotations m_rotations;
    const RotationFinder* m_finder = nullptr;
    Vector<double> m_turned;
    bool m_skip = false;  ///< the next update repeats one before a checkpoint
};

/// The system of a preconditioner that is computed once.
class PrecomputedMatrixSystem final : public LinearSystem
{
public:
    PrecomputedMatrixSystem() { ignoreAttribute("enableAssembly", "the matrix is assembled when it is needed"); }
    void init() override { tellUnusedParts("the preconditioner takes the whole matrix"); }
};

const RegisterComponent registeredPrecomputedLinearSolver =
    RegisterComponent("PrecomputedLinearSolver", "LinearSolver", "Sofa.Component.LinearSolver.Direct")
        .help("Solves every system with the factor of the first matrix")
        .example("component/linearsolver/PrecomputedLinearSolver.scn")
        .add<PrecomputedLinearSolver>([] {
            auto names = matrixTemplates(false);
            names.insert(names.begin(), "FullVector");
            return names;
        }());
const RegisterComponent registeredPrecomputedWarpPreconditioner =
    RegisterComponent("PrecomputedWarpPreconditioner", "LinearSolver", Preconditioner::module)
        .help(
            "Preconditioner for PCGLinearSolver: the factor of the first matrix, turned with the material of each "
            "point")
        .example("component/linearsolver/WarpPreconditioner.scn")
        .add<PrecomputedWarpPreconditioner>(matrixTemplates(false));
const RegisterComponent registeredPrecomputedMatrixSystem =
    RegisterComponent("PrecomputedMatrixSystem", "LinearSystem", Preconditioner::module)
        .help("System of a preconditioner that is computed once")
        .example("component/linearsolver/WarpPreconditioner.scn")
        .add<PrecomputedMatrixSystem>(matrixTemplates(false));

}  // namespace

}  // namespace sofa::component
