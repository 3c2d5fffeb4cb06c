// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/spring/SpringForceField.h"
#include "tests/components/topology/ChangingStrip.h"

namespace spring_followers_test {

using namespace sofa;
using namespace sofa::core;
using namespace sofa::test;

TEST_CASE("Springs with polynomial forces and ellipsoids go with their points")
{
    const std::string frame =
        "<Node name='f'><MechanicalObject name='x' template='Rigid3' position='1 0.5 0 0 0 0 "
        "1'/><UniformMass vertexMass='1 1 1 0 0 0 1 0 0 0 1'/></Node><InteractionEllipsoidForceField object1='@x' "
        "object2='@f/x' vradius='2 1 1'/>";
    checkFollows(frame, frame);
    const std::string ellipsoid = "<EllipsoidForceField center='1 0.5 0' vradius='2 1 1'/>";
    checkFollows(ellipsoid, ellipsoid);
    const std::string polynomials = "<PolynomialRestShapeSpringsForceField polynomialDegree=";
    checkFollows(polynomials + "'2' polynomialStiffness='10 20'/>", polynomials + "'2' polynomialStiffness='10 20'/>");
    checkFollows(polynomials + "'1 3 2' polynomialStiffness='10  20 1 2  30 4' points='0 5 2' initialLength='1 2 3'/>",
                 polynomials + "'3 2' polynomialStiffness='20 1 2  30 4' points='0 2' initialLength='2 3'/>");
    const std::string pairs = "<PolynomialSpringsForceField computeZeroLength='0' firstObjectPoints=";
    checkFollows(pairs +
                     "'0 5 4' secondObjectPoints='3 1 2' zeroLength='1 0.7 0.8' polynomialDegree='1 2 1' "
                     "polynomialStiffness='10  20 1  30'/>",
                 pairs +
                     "'0 4' secondObjectPoints='1 2' zeroLength='0.7 0.8' polynomialDegree='2 1' "
                     "polynomialStiffness='20 1  30'/>");
}

TEST_CASE("Pressures on surfaces go with their triangles")
{
    checkFollows("<SurfacePressureForceField pressure='7'/>", "<SurfacePressureForceField pressure='7'/>");
    checkFollows("<SurfacePressureForceField pressure='7' triangleIndices='0 3 1'/>",
                 "<SurfacePressureForceField pressure='7' triangleIndices='0 1'/>");
    checkFollows("<SurfacePressureForceField pressure='7' triangleIndices='0'/>", "");
}

TEST_CASE("Triangular springs follow their triangles")
{
    // As before, with a new triangle that has an area.
    const auto change = [](Run& r) {
        removeElements(r.mesh(), ElementType::Triangles, {0});
        TopologyTransaction t(r.mesh());
        const Index p = t.addPoints({{{1, 0.7}, {2, 0.7}, {4, -0.4}}});
        t.add(ElementType::Triangles, std::array<Index, 3>{1, 2, p});
        t.commit();
    };
    for (const std::string type : {"Quadratic", "Biquadratic"}) {
        const std::string springs = "<Triangular" + type + "SpringsForceField youngModulus=";
        checkFollows(springs + "'100'/>", springs + "'100'/>", change);
        checkFollows(springs + "'10 20 30 40'/>", springs + "'40 20 30 10'/>", change);
    }
}

TEST_CASE("Springs that are edited before a change of the mesh have the new values after it")
{
    const auto scene = [](const std::string& stiffness) {
        return "<Node name='root' dt='0.01'><Node name='body'><EulerImplicitSolver/><CGLinearSolver iterations='50' "
               "tolerance='1e-12' threshold='1e-20'/><TriangleSetTopologyContainer name='mesh' position='0 0 0  1 0 0  "
               "0 1 0  1 1 0  2 0 0  2 1 0' triangles='0 1 2  1 3 2  1 4 3  4 5 3'/><TriangleSetTopologyModifier/>"
               "<MechanicalObject name='x'/><UniformMass vertexMass='1'/><SpringForceField name='s' indices1='0 1' "
               "indices2='1 2' lengths='0.5' stiffness='" +
               stiffness + "'/></Node></Node>";
    };
    const bool isList = GENERATE(false, true);
    Run run(scene("10 20"));
    const Run other(scene("70 20"));
    run.steps(1);
    run.simulation->reset();
    auto& springs = *run.body().get<component::SpringForceField<Vec3Types>>(Search::Local);
    if (isList)
        springs.d_stiffness.edit()[0] = 70.;
    else
        springs.d_springs.edit()[0].ks = 70.;
    removeElements(run.mesh(), ElementType::Triangles, {3});
    run.steps(3);
    for (int k = 0; k < 3; ++k) other.simulation->step();
    CHECK(springs.d_stiffness.value()[0] == 70.);
    for (Index v = 0; v < 3; ++v) CHECK(norm(run.state().positions()[v] - other.state().positions()[v]) < 1e-12);
}

}  // namespace spring_followers_test
