// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/linearsolver/MatrixTemplates.h"
#include "components/linearsolver/Preconditioner.h"
#include "core/factory/Registry.h"

namespace sofa::component {

using namespace core;

namespace {

/// z = D⁻¹ r with the diagonal D of A.
class JacobiPreconditioner final : public Preconditioner
{
public:
    bool needsMatrix() const override { return false; }
    void apply(std::span<const double> r, std::span<double> z) override
    {
        for (std::size_t i = 0; i < r.size(); ++i) z[i] = m_inverse[i] * r[i];
    }

protected:
    void prepare(SystemOperator& a) override
    {
        m_inverse.resize(static_cast<std::size_t>(a.layout().size()));
        a.diagonal().getDiagonal(m_inverse);
        for (std::size_t i = 0; i < m_inverse.size(); ++i) {
            if (m_inverse[i] == 0.) singular(a, static_cast<int>(i));
            m_inverse[i] = 1. / m_inverse[i];
        }
    }

private:
    Vector<double> m_inverse;
};

const RegisterComponent registeredJacobiPreconditioner =
    RegisterComponent("JacobiPreconditioner", "LinearSolver", Preconditioner::module)
        .help("Preconditioner for PCGLinearSolver: the inverse diagonal of the matrix")
        .example("component/linearsolver/PCGLinearSolver.scn")
        .add<JacobiPreconditioner>(matrixTemplates(false));

}  // namespace

}  // namespace sofa::component
