// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/objectmodel/Quantity.h"

#include <catch2/catch.hpp>

#include "core/behavior/Mass.h"
#include "core/objectmodel/DataNumbers.h"
#include "core/objectmodel/Node.h"
#include "core/objectmodel/Path.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"

namespace quantities_test {

using namespace sofa::core;
using Catch::Matchers::Contains;

// What objects tell beside their Data, and who can read it.

namespace {

const char* const swing =
    "<Node name='root' gravity='0 -10 0' dt='0.01'><EulerImplicitSolver/>"
    "<CGLinearSolver iterations='100' tolerance='1e-12' threshold='1e-12'/><Node name='body'>"
    "<MechanicalObject name='dofs' position='0 0 0  1 0 0'/><UniformMass name='mass' totalMass='2'/>"
    "<FixedProjectiveConstraint name='wall' indices='0'/>"
    "<SpringForceField name='spring' spring='0 1 100 0 1'/></Node></Node>";

NumberList read(const Node& root, const std::string& path)
{
    std::string error;
    BaseData* d = findDataByPath(root, path, error);
    INFO(error);
    REQUIRE(d);
    NumberList out;
    REQUIRE(numbersOf(*d, out));
    return out;
}

}  // namespace

TEST_CASE("quantities follow the steps, and edits between them")
{
    Simulation sim(loadSceneText(swing, "swing.scn"));
    REQUIRE(sim.init());
    const Node& root = sim.root();
    CHECK(read(root, "@/body/mass.kineticEnergy").values == Vector<double>{0.});
    for (int i = 0; i < 5; ++i) sim.step();
    const double kinetic = read(root, "@/body/mass.kineticEnergy").values[0];
    CHECK(kinetic == Approx(0.5 * 1. * 0.5 * 0.5).epsilon(0.02));
    CHECK(read(root, "@/body.kineticEnergy").values[0] == kinetic);
    CHECK(read(root, "@/.energy").values[0] == Approx(kinetic + read(root, "@/body/mass.potentialEnergy").values[0] +
                                                      read(root, "@/body/spring.potentialEnergy").values[0]));
    CHECK(read(root, "@/body/mass.momentum").values.size() == 6);

    // Edits between steps count at once.
    auto* dofs = root.child("body")->component("dofs");
    std::string error;
    REQUIRE(dofs->findData("position")->read("0 0 0  2 0 0", error));
    CHECK(read(root, "@/body/spring.force").values == Vector<double>{100., 0., 0., -100., 0., 0.});
    CHECK(read(root, "@/body/spring.potentialEnergy").values == Vector<double>{50.});
    CHECK(read(root, "@/body/dofs.totalForce").values == Vector<double>{100., -10., 0., -100., -10., 0.});
    CHECK(read(root, "@/body/wall.reaction").values == Vector<double>{-100., 10., 0., 0., 0., 0.});
    sim.reset();
    CHECK(read(root, "@/body/mass.kineticEnergy").values == Vector<double>{0.});
    CHECK(read(root, "@/body/spring.force").values == Vector<double>(6, 0.));
}

TEST_CASE("links of engines lead to quantities, and reading one changes nothing of a run")
{
    const std::string with = std::string(swing).substr(0, std::string(swing).rfind("</Node>")) +
                             "<NormEngine name='size' template='Vec3' input='@/body/dofs.totalForce'/></Node>";
    Simulation plain(loadSceneText(swing, "swing.scn")), linked(loadSceneText(with, "linked.scn"));
    REQUIRE(plain.init());
    REQUIRE(linked.init());
    for (int i = 0; i < 10; ++i) {
        plain.step();
        linked.step();
        const auto sizes = read(linked.root(), "@/size.output").values;
        REQUIRE(sizes.size() == 2);
        CHECK(sizes[0] > 1.);
    }
    CHECK(read(plain.root(), "@/body/dofs.position").values == read(linked.root(), "@/body/dofs.position").values);
    CHECK(read(plain.root(), "@/body/dofs.velocity").values == read(linked.root(), "@/body/dofs.velocity").values);
}

TEST_CASE("quantities that nobody asks for cost nothing, and unknown names say what there is")
{
    Simulation sim(loadSceneText(swing, "swing.scn"));
    REQUIRE(sim.init());
    Component* spring = sim.root().child("body")->component("spring");
    const std::size_t before = spring->data().size();
    CHECK(spring->findData("force") == nullptr);
    CHECK(spring->data().size() == before);
    BaseData* force = spring->findReadable("force");
    REQUIRE(force);
    CHECK(spring->findReadable("force") == force);
    CHECK(force->isReadOnly());
    CHECK_FALSE(force->isSaved());
    CHECK(force->unit() == "N");
    std::string error;
    CHECK(findDataByPath(sim.root(), "@/body/spring.energie", error) == nullptr);
    CHECK_THAT(error, Contains("has no data 'energie'") && Contains("it has force, potentialEnergy"));
}

TEST_CASE("a quantity of an object that cannot tell it is an error for who reads it")
{
    Simulation sim(
        loadSceneText("<Node name='root'><MechanicalObject name='dofs' position='0 0 0'/>"
                      "<VisualModel name='seen' position='0 0 0'/></Node>",
                      "none.scn"));
    REQUIRE(sim.root().component("dofs"));
    std::string error;
    BaseData* early = findDataByPath(sim.root(), "@dofs.totalForce", error);
    REQUIRE(early);
    NumberList out;
    CHECK_THROWS_WITH(numbersOf(*early, out), Contains("is not initialised"));
}

TEST_CASE("forces of constraints hold what they carry")
{
    Simulation sim(
        loadSceneText("<Node name='root' gravity='0 -10 0' dt='0.01'><FreeMotionAnimationLoop/>"
                      "<BlockGaussSeidelConstraintSolver maxIterations='100' tolerance='1e-12'/><Node name='body'>"
                      "<EulerImplicitSolver/><SparseLDLSolver/><MechanicalObject name='dofs' position='0 0 0  1 0 0'/>"
                      "<UniformMass totalMass='6'/><SpringForceField name='spring' spring='0 1 100 0 1'/>"
                      "<LinearSolverConstraintCorrection/><FixedLagrangianConstraint indices='0 1'/></Node></Node>",
                      "held.scn"));
    REQUIRE(sim.init());
    CHECK(read(sim.root(), "@/body/dofs.constraintForce").values == Vector<double>(6, 0.));
    for (int i = 0; i < 3; ++i) sim.step();
    const auto f = read(sim.root(), "@/body/dofs.constraintForce").values;
    REQUIRE(f.size() == 6);
    for (std::size_t i = 0; i < 6; ++i) CHECK(f[i] == Approx(i % 3 == 1 ? 30. : 0.).margin(1e-9));
}

TEST_CASE("a plugin adds a quantity, and withdraws it")
{
    Simulation sim(loadSceneText(swing, "swing.scn"));
    REQUIRE(sim.init());
    Component* mass = sim.root().child("body")->component("mass");
    CHECK(mass->findReadable("doubled") == nullptr);
    {
        const RegisterQuantity doubled({.name = "doubled", .help = "Twice the kinetic energy", .unit = "J"},
                                       [](BaseMass& m) { return 2. * m.kineticEnergy(MechanicalParams()); });
        sim.step();
        CHECK(read(sim.root(), "@/body/mass.doubled").values[0] ==
              2. * read(sim.root(), "@/body/mass.kineticEnergy").values[0]);
        CHECK(read(sim.root(), "@/body/mass.doubled").values[0] > 0.);
    }
    CHECK(quantitiesOf(*mass).size() == 4);
}

}  // namespace quantities_test
