// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/HexahedronCompositeFEMForceFieldAndMass.h"

#include <catch2/catch.hpp>
#include <filesystem>

#include "components/fem/HexahedronCompositeFEMMapping.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "tests/components/fem/StretchedBox.h"
#include "tests/harness/MappingCheck.h"
#include "tests/harness/MassCheck.h"
#include "tests/harness/Paths.h"
#include "tests/harness/TestGraph.h"

namespace composite_hexahedra_test {

using namespace sofa::core;
using namespace sofa::component;
using namespace sofa::test;

namespace {

using Field = HexahedronCompositeFEMForceFieldAndMass;

/// A ball with a ring in it in a sparse grid, with points in the finer cells.
std::shared_ptr<Node> ball(const std::string& field, const std::string& root = "", const std::string& mapping = "")
{
    const std::string share = std::filesystem::path(sourceDirectory()) / "share/mesh/";
    return loadSceneText("<Node name='root' gravity='0 0 0' dt='0.01' " + root +
                             "><EulerImplicitSolver/><CGLinearSolver iterations='300' tolerance='1e-12' "
                             "threshold='1e-24'/><SparseGridMultipleTopology name='grid' fileTopologies='" +
                             share + "sphere.obj " + share +
                             "torus.obj' stiffnessCoefs='1 5' n='3 3 3' nbVirtualFinerLevels='2' "
                             "finestConnectivity='0' exact='1'/><MechanicalObject name='state'/>" +
                             field +
                             "<Node name='points'><MechanicalObject name='state' position='0.1 0.2 0.3  -0.6 0.4 0.2  "
                             "0.5 -0.5 0  0.02 0.7 -0.3'/><HexahedronCompositeFEMMapping name='mapping' " +
                             mapping + "/></Node></Node>",
                         "ball.scn");
}

std::string composite(const std::string& more = "")
{
    return "<HexahedronCompositeFEMForceFieldAndMass name='fem' nbVirtualFinerLevels='2' youngModulus='100' "
           "poissonRatio='0.3' density='2' " +
           more + "/>";
}

}  // namespace

HARNESS_MASS("HexahedronCompositeFEMForceFieldAndMass")
{
    Node root;
    root.d_gravity.setValue({0.3, -9.81, 1.});
    addState<Vec3Types>(root, coordinates<Vec3Types>(cubePoints()));
    auto& t = root.create<TestTopology>();
    t.points = 8;
    t.hexahedronList = cubeHexahedron();
    auto& m = addComponent(root, "HexahedronCompositeFEMForceFieldAndMass", {{"density", "5"}, {"youngModulus", "0"}});
    REQUIRE(initialise(root));
    checkMass(m, {.totalMass = 5.});
}

HARNESS_FORCE_FIELD("HexahedronCompositeFEMForceFieldAndMass") { checkUnrotated<Field>("small", false); }

TEST_CASE("Composite hexahedra have the mass of their finer cells and obey the laws of force fields", "[fem]")
{
    auto scene = ball(composite("method='small'"));
    Simulation sim(scene);
    REQUIRE(sim.init());
    auto& field = *scene->get<Field>();
    checkForceField(field);
    auto other = ball(
        "<NonUniformHexahedronFEMForceFieldAndMass nbVirtualFinerLevels='2' youngModulus='100' poissonRatio='0.3' "
        "density='2'/>");
    other->removeChild(*other->children().front());
    Simulation plain(other);
    REQUIRE(plain.init());
    auto& fill = *other->get<NonUniformHexahedronFEMForceFieldAndMass>();
    double a = 0., b = 0.;
    for (Index i = 0; i < field.state().size(); ++i) {
        a += field.pointMass(i);
        b += fill.pointMass(i);
    }
    CHECK(a == Approx(b));
}

HARNESS_MAPPING("HexahedronCompositeFEMMapping")
{
    for (const char* method : {"method='large'", "method='polar'", "method='small' completeInterpolation='1'",
                               "method='large' finestToCoarse='1' useRamification='0'"}) {
        INFO(method);
        auto scene = ball(composite(method));
        Simulation sim(scene);
        REQUIRE(sim.init());
        auto& mapping = *scene->children().front()->get<HexahedronCompositeFEMMapping>();
        checkMapping(mapping, {.displacement = 0.1, .translates = true, .exactGeometricStiffness = false});
        // At rest every point is where it was given.
        sim.reset();
        CHECK(norm(mapping.output().positions()[1] - Vec3{-0.6, 0.4, 0.2}) < 1e-12);
    }
}

TEST_CASE("Points in composite hexahedra turn with the body", "[fem]")
{
    auto scene = ball(composite("method='polar'"));
    Simulation sim(scene);
    REQUIRE(sim.init());
    auto& mapping = *scene->children().front()->get<HexahedronCompositeFEMMapping>();
    const Vector<Vec3> before = mapping.output().positions();
    Vector<Vec3> x = mapping.input().positions(), out(before.size());
    for (Vec3& p : x) p = someRotation() * p + Vec3{1., 2., 3.};
    mapping.apply(out, x);
    for (std::size_t i = 0; i < out.size(); ++i)
        CHECK(norm(out[i] - (someRotation() * before[i] + Vec3{1., 2., 3.})) < 1e-12);
}

TEST_CASE("Mistakes of composite hexahedra are told", "[fem]")
{
    const auto fails = [](const std::string& field, const std::string& mapping, const std::string& text) {
        auto scene = ball(field, "", mapping);
        MessageCapture messages;
        Simulation sim(scene);
        CHECK_FALSE(sim.init());
        CHECK(messages.has(Severity::Error, text));
    };
    fails(composite("printLog='0'"), "forceField='@../state'", "forceField");
    fails("<UniformMass/>", "", "it needs a HexahedronCompositeFEMForceFieldAndMass");
    fails("<HexahedronCompositeFEMForceFieldAndMass/>", "", "nbVirtualFinerLevels");
    fails("<HexahedronCompositeFEMForceFieldAndMass nbVirtualFinerLevels='3'/>", "", "nbVirtualFinerLevels is 3");
}

}  // namespace composite_hexahedra_test
