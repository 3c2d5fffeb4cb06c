// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/linearsolver/KrylovLinearSolver.h"
#include "components/linearsolver/MatrixTemplates.h"
#include "core/factory/Registry.h"
#include "core/topology/TopologyChange.h"
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

/// How SOFA multiplies Jᵀ K J for two states that mappings move. Here there is one way for all pairs: the products of a
/// pattern are recorded once and replayed with the Jacobians of each step (core/visitor/SystemAssembly.h), so that
/// scenes which name one give the same matrix.
class MatrixProjectionMethod final : public Component, public TopologyFollower
{
public:
    static std::string_view typeLabel() { return "projection method"; }

    MultiLink<BaseState> l_mechanicalStates{
        this, {"mechanicalStates", "The two states whose matrix is projected; one stands for both"}};

    MatrixProjectionMethod()
    {
        ignoreAttribute("areJacobiansConstant", "each step has its Jacobians; constant ones cost nothing else");
        ignoreAttribute("parallelProduct", "threads are set for the whole program (--threads)");
    }
    PointLists pointLists() override { return noLists(); }
    void init() override
    {
        Component::init();
        std::string error;
        if (!l_mechanicalStates.resolve(error)) return fail("mechanicalStates: " + error);
        if (l_mechanicalStates.get().empty() || l_mechanicalStates.get().size() > 2)
            fail("mechanicalStates: expected one or two states, found " +
                 std::to_string(l_mechanicalStates.get().size()));
    }
};

const RegisterComponent registeredMatrixProjectionMethod =
    RegisterComponent("MatrixProjectionMethod", "LinearSystem", "Sofa.Component.LinearSystem")
        .help("Names a pair of mapped states whose matrix SOFA projects in a way of its own; the result is the same")
        .alias("ConstantSparsityProjectionMethod")
        .example("component/linearsolver/MatrixLinearSystem.scn")
        .add<MatrixProjectionMethod>(matrixTemplates(false));
const RegisterComponent registeredMatrixFreeSystem =
    RegisterComponent("MatrixFreeSystem", "LinearSystem", "Sofa.Component.LinearSolver.Iterative")
        .help("System of an iterative solver that multiplies without a matrix")
        .example("component/linearsolver/MatrixFreeSystem.scn")
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
        .example("component/linearsolver/ConstantSparsityPatternSystem.scn")
        .add<ConstantSparsityPatternSystem>(matrixTemplates(false));

}  // namespace

}  // namespace sofa::component
