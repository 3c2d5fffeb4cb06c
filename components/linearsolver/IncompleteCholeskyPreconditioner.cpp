// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/linearsolver/MatrixTemplates.h"
#include "components/linearsolver/Preconditioner.h"
#include "core/factory/Registry.h"
#include "core/linalg/IncompleteCholesky.h"
#include "core/log/Timer.h"

namespace sofa::component {

using namespace core;

namespace {

/// z = (L Lᵀ)⁻¹ r with the incomplete Cholesky factor L of A, block by block (core/linalg/IncompleteCholesky.h).
class IncompleteCholeskyPreconditioner final : public Preconditioner
{
public:
    Data<double> d_shift{this,
                         {.name = "shift",
                          .help = "By how much of itself the diagonal of the last matrix was increased for the factor "
                                  "to exist; 0 where it exists without",
                          .unit = "1",
                          .readOnly = true,
                          .saved = false}};

    void apply(std::span<const double> r, std::span<double> z) override { m_factor.apply(r, z); }
    void explainFactor(Explanation& e) const override
    {
        e.add("factorisation", "incomplete Cholesky without fill, " + toText(m_factor.nonZeros()) + " numbers");
        if (m_factor.shift() > 0.) e.add("shift", toText(m_factor.shift()) + " of the diagonal");
        e.addMemory(m_factor.nonZeros() * sizeof(double));
    }

protected:
    void prepare(SystemOperator& a) override
    {
        ScopedTimer t("Factorize");
        try {
            m_factor.factorize(a.assemble().matrix());
        } catch (const std::runtime_error& e) {
            refuse(std::string(e.what()) + ". Is every body held, or given a mass?");
        }
        d_shift.setValue(m_factor.shift());
    }

private:
    IncompleteCholesky m_factor;
};

const RegisterComponent registeredIncompleteCholeskyPreconditioner =
    RegisterComponent("IncompleteCholeskyPreconditioner", "LinearSolver", Preconditioner::module)
        .help("Preconditioner for PCGLinearSolver: incomplete Cholesky factorisation of the matrix, without fill")
        .example("component/linearsolver/IncompleteCholeskyPreconditioner.scn")
        .add<IncompleteCholeskyPreconditioner>(matrixTemplates(false));

}  // namespace

}  // namespace sofa::component
