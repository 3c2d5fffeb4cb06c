// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "core/behavior/State.h"
#include "tests/harness/SceneText.h"

namespace named_systems_test {

using namespace sofa;
using namespace sofa::core;

namespace {

/// Where the points of a beam are that bends for five steps under its weight.
Vector<Vec3> bent(const std::string& solver)
{
    test::SceneText s("<EulerImplicitSolver/>" + solver +
                      "<RegularGridTopology n='3 3 6' min='0 0 0' max='1 1 4'/><MechanicalObject/>"
                      "<UniformMass totalMass='2'/><FixedProjectiveConstraint indices='0-8'/>"
                      "<HexahedronFEMForceField youngModulus='20000' poissonRatio='0.3'/>");
    REQUIRE(s.good);
    s.step(5);
    return s.root->get<State<Vec3Types>>(Search::Local)->positions();
}

}  // namespace

TEST_CASE("A beam moves in the same way whichever ordering, system and solver a scene names")
{
    const std::string krylov = " iterations='500' tolerance='1e-26'";
    const std::string named =
        GENERATE_COPY(as<std::string>{}, "<NaturalOrderingMethod name='o'/><SparseLDLSolver orderingMethod='@o'/>",
                      "<AMDOrderingMethod name='o'/><SparseLDLSolver orderingMethod='@o'/>",
                      "<RCMOrderingMethod name='o'/><SparseLDLSolver orderingMethod='@o'/>",
                      "<MetisOrderingMethod name='o'/><SparseLDLSolver orderingMethod='@o'/>",
                      "<COLAMDOrderingMethod name='o'/><EigenSparseLU orderingMethod='@o'/>", "<EigenSparseQR/>",
                      "<EigenSimplicialLLT/>", "<MatrixLinearSystem name='s'/><SparseLDLSolver linearSystem='@s'/>",
                      "<ConstantSparsityPatternSystem name='s'/><SparseLDLSolver linearSystem='@s'/>",
                      "<MatrixFreeSystem name='s'/><CGLinearSolver linearSystem='@s' threshold='0'" + krylov + "/>",
                      "<PreconditionedMatrixFreeSystem name='s' assemblingRate='3'/><PCGLinearSolver linearSystem='@s' "
                      "preconditioner='@f'" +
                          krylov + "/><SparseLDLSolver name='f'/>",
                      "<PrecomputedMatrixSystem name='s'/><PCGLinearSolver preconditioner='@f'" + krylov +
                          "/><PrecomputedWarpPreconditioner name='f' linearSystem='@s'/>");
    INFO(named);
    const Vector<Vec3> expected = bent("<SparseLDLSolver/>"), found = bent(named);
    REQUIRE(found.size() == expected.size());
    // The end sinks by some millimetres: rounding is 1e-16 of the size times the condition of the matrix, below 1e5.
    CHECK(expected.back()[1] < 1. - 1e-3);
    for (std::size_t i = 0; i < found.size(); ++i) CHECK(norm(found[i] - expected[i]) < 1e-10);
}

}  // namespace named_systems_test
