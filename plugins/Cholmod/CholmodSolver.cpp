// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "CholmodFactorization.h"
#include "components/linearsolver/DirectSolver.h"
#include "components/linearsolver/MatrixTemplates.h"
#include "core/factory/Registry.h"

namespace cholmod {

using namespace sofa::core;

/// Direct solver for symmetric positive definite matrices by CHOLMOD.
class CholmodSolver final : public sofa::component::DirectSolver
{
public:
    Data<Options> d_code{
        this,
        {.name = "code",
         .help =
             "automatic (by the operations for each number of the factor), simplicial (L D L') or supernodal (L L')"},
        Options({"automatic", "simplicial", "supernodal"})};

    CholmodSolver() : DirectSolver(FactorizationMethod::supernodalLdlt) {}

protected:
    std::unique_ptr<Factorization> newFactorization(OrderingMethod ordering) const override
    {
        return makeFactorization(static_cast<Code>(d_code.value().index()), ordering);
    }
};

const RegisterComponent registered =
    RegisterComponent("CholmodSolver", "LinearSolver", "Cholmod")
        .help("Direct solver: Cholesky factorisation of the assembled positive definite matrix by CHOLMOD")
        .example("CholmodSolver.scn")
        .add<CholmodSolver>(sofa::component::matrixTemplates(false));

}  // namespace cholmod
