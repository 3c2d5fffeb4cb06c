// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/factory/Registry.h"
#include "core/linalg/BlockTridiagonal.h"
#include "core/log/Timer.h"
#include "core/visitor/AssembledLinearSolver.h"

namespace sofa::component {

using namespace core;

namespace {

/// Direct solver for block tridiagonal matrices, of blocks of 6 × 6 scalars: frames that are numbered along a line, as
/// those of beams are. Equations and source: core/linalg/BlockTridiagonal.h.
///
/// Couplings of blocks that are not neighbours are left out of the matrix, as SOFA does, and reported.
class BTDLinearSolver final : public AssembledLinearSolver
{
public:
    BTDLinearSolver()
    {
        ignoreAttribute("verbose", "use printLog");
        ignoreAttribute("showProblem", "use printLog");
        ignoreAttribute("blockSize", "it is 6");
        for (const char* partial : {"subpartSolve", "verification"})
            ignoreAttribute(partial, "solutions are always those of the whole system");
        for (const char* unused : {"bandWidth", "tolerance", "threshold"})
            ignoreAttribute(unused, "the method is direct");
        for (const char* unused :
             {"nbThreads", "taskSchedulerType", "parallelInverseProduct", "factorizationInvalidation"})
            ignoreAttribute(unused, "threads are set for the whole program (--threads)");
    }
    void apply(std::span<const double> b, std::span<double> x) override
    {
        if (!b.empty()) m_matrix.solve(b, x);
    }

protected:
    void prepare(SystemOperator& from) override
    {
        const SystemAssembly& a = from.assemble();
        ScopedTimer t("Factorize");
        const auto outside = m_matrix.assign(a.matrix());
        if (isNewPattern(a.matrix(), a)) m_reported = false;
        if (outside && !m_reported) {
            m_reported = true;
            msgWarning() << "the matrix couples " << a.layout().describe(outside->row) << " with "
                         << a.layout().describe(outside->column)
                         << ", whose blocks of six are not neighbours: such couplings are left out, and solutions are "
                            "not those of the whole matrix. Number the points along the line, or take another direct "
                            "solver (SparseLDLSolver)";
        }
        if (a.size() > 0 && !m_matrix.factorize())
            throw std::runtime_error(pathName() + " (" + className() + "): the system matrix is singular at " +
                                     a.layout().describe(m_matrix.failedRow()) +
                                     ". Is every body held, or given a mass?");
    }

private:
    BlockTridiagonal m_matrix{6};
    bool m_reported = false;  ///< the couplings of the present pattern
};

const RegisterComponent registeredBTDLinearSolver =
    RegisterComponent("BTDLinearSolver", "LinearSolver", "Sofa.Component.LinearSolver.Direct")
        .help("Direct solver for chains of frames: the assembled matrix is block tridiagonal, with blocks of 6 x 6")
        .example("component/linearsolver/BTDLinearSolver.scn")
        .add<BTDLinearSolver>({"BTDMatrix6d", "BTDMatrix6", "BTDMatrix6f", "BTDMatrix", "BTDMatrixd", "BTDMatrixf"});

}  // namespace

}  // namespace sofa::component
