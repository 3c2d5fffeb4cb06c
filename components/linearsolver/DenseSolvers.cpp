// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <utility>

#include "components/linearsolver/DirectSolver.h"
#include "components/linearsolver/MatrixTemplates.h"
#include "core/factory/Registry.h"
#include "core/linalg/DenseSvd.h"

namespace sofa::component {

using namespace core;

namespace {

/// L Lᵀ of the dense matrix, which must be symmetric and positive definite: n³/3 operations and n² numbers for n
/// unknowns. For small systems and for comparison; SparseLDLSolver does the same for sparse matrices.
class CholeskySolver final : public DirectSolver
{
public:
    CholeskySolver() : DirectSolver(FactorizationMethod::denseCholesky) {}
};

/// Singular value decomposition of the dense matrix: x = Σ v (u·b)/σ over the singular values that count
/// (core/linalg/DenseSvd.h). Takes any matrix: of a singular one, the rigid motions of a free body for example are left
/// out. Some 10 n³ operations for n unknowns.
class SVDLinearSolver final : public DirectSolver
{
public:
    Data<double> d_minSingularValue{
        this,
        {.name = "minSingularValue",
         .help =
             "Singular values up to this fraction of the largest one count as zero; with compatibility=\"sofa\" those "
             "up to this number in the unit of the matrix",
         .unit = "1",
         .range = Range::nonNegative()},
        1e-6};
    Data<double> d_conditionNumber{this,
                                   {.name = "conditionNumber",
                                    .help = "Largest by smallest singular value of the last matrix",
                                    .unit = "1",
                                    .readOnly = true,
                                    .saved = false},
                                   0.};
    Data<unsigned> d_rank{this,
                          {.name = "rank",
                           .help = "Singular values of the last matrix that count; smaller than the number of unknowns "
                                   "where the matrix is singular",
                           .readOnly = true,
                           .saved = false},
                          0};
    Data<Vector<double>> d_singularValues{this,
                                          {.name = "singularValues",
                                           .help = "Singular values of the last matrix, decreasing, in its unit: that "
                                                   "of a mass where the unknowns are velocities or accelerations",
                                           .unit = "kg",
                                           .group = "Analysis",
                                           .readOnly = true,
                                           .saved = false}};

    SVDLinearSolver() : DirectSolver(FactorizationMethod::denseSvd) { ignoreAttribute("verbose", "use printLog"); }

    void init() override
    {
        DirectSolver::init();
        m_told = -1;
    }
    void explainFactor(Explanation& e) const override
    {
        DirectSolver::explainFactor(e);
        e.add("rank", toText(d_rank.value()) + ", condition number " + d_conditionNumber.text());
    }

protected:
    std::unique_ptr<Factorization> newFactorization(OrderingMethod) const override
    {
        auto svd = std::make_unique<DenseSvd>();
        svd->setSmallest(d_minSingularValue.value(), compatibility() == Compatibility::Sofa);
        return svd;
    }
    void prepare(SystemOperator& from) override
    {
        DirectSolver::prepare(from);
        const auto* svd = dynamic_cast<const DenseSvd*>(factorization());
        const int rank = svd->rank();
        const auto values = svd->singularValues();
        d_rank.setValue(static_cast<unsigned>(rank));
        d_conditionNumber.setValue(svd->conditionNumber());
        d_singularValues.edit()->assign(values.begin(), values.end());
        if (std::exchange(m_told, rank) != rank && rank < static_cast<int>(values.size()))
            msgWarning() << "the system matrix has rank " << rank << " of " << values.size()
                         << ": solutions leave out what nothing holds (first at "
                         << from.layout().describe(svd->report().zeroPivotRows.front()) << ')';
        if (d_printLog.value()) msgInfo() << "rank " << rank << ", condition number " << svd->conditionNumber();
    }

private:
    int m_told = -1;  ///< rank of the last matrix
};

const char* const denseModule = "Sofa.Component.LinearSolver.Direct";
const char* const denseExample = "component/linearsolver/SVDLinearSolver.scn";

const RegisterComponent registeredCholeskySolver =
    RegisterComponent("CholeskySolver", "LinearSolver", denseModule)
        .help("Direct solver: dense Cholesky factorisation of the assembled positive definite matrix")
        .example(denseExample)
        .add<CholeskySolver>(matrixTemplates(false));
const RegisterComponent registeredSVDLinearSolver =
    RegisterComponent("SVDLinearSolver", "LinearSolver", denseModule)
        .help(
            "Direct solver: singular value decomposition of the dense matrix, even if it is singular; tells its rank "
            "and condition number")
        .example(denseExample)
        .add<SVDLinearSolver>(matrixTemplates(false));

}  // namespace

}  // namespace sofa::component
