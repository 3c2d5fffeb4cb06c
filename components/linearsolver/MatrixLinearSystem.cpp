// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/linearsolver/KrylovLinearSolver.h"
#include "components/linearsolver/MatrixTemplates.h"
#include "core/factory/Registry.h"
#include "core/visitor/LinearSystem.h"

namespace sofa::component {

using namespace core;

namespace {

/// SOFA's options that have no effect here, because assembly always works so.
class MatrixLinearSystem : public LinearSystem
{
public:
    MatrixLinearSystem()
    {
        ignoreAttribute("checkIndices", "indices are always checked");
        ignoreAttribute("parallelAssemblyIndependentMatrices", "threads are set for the whole program (--threads)");
        ignoreAttribute("enableAssembly", "the matrix is assembled at each solve");
        ignoreAttribute("factorizationInvalidation",
                        "the symbolic factorisation is kept while the pattern is the same");
    }
};

/// The pattern is cached until the structure of the scene changes, here as in MatrixLinearSystem.
class ConstantSparsityPatternSystem final : public MatrixLinearSystem
{
};

const RegisterComponent registeredMatrixFreeSystem =
    RegisterComponent("MatrixFreeSystem", "LinearSystem", "Sofa.Component.LinearSolver.Iterative")
        .help("System of an iterative solver that multiplies without a matrix")
        .example("component/linearsolver/MatrixLinearSystem.scn")
        .add<MatrixFreeSystem>(matrixTemplates(true));
const RegisterComponent registeredMatrixLinearSystem =
    RegisterComponent("MatrixLinearSystem", "LinearSystem", "Sofa.Component.LinearSystem")
        .help("Assembles the matrix of a linear solver, with mapped contributions; its pattern is cached")
        .alias("TypedMatrixLinearSystem")
        .example("component/linearsolver/MatrixLinearSystem.scn")
        .add<MatrixLinearSystem>(matrixTemplates(false));
const RegisterComponent registeredConstantSparsityPatternSystem =
    RegisterComponent("ConstantSparsityPatternSystem", "LinearSystem", "Sofa.Component.LinearSystem")
        .help("Assembles the matrix of a linear solver on a pattern that is computed once")
        .example("component/linearsolver/MatrixLinearSystem.scn")
        .add<ConstantSparsityPatternSystem>(matrixTemplates(false));

}  // namespace

}  // namespace sofa::component
