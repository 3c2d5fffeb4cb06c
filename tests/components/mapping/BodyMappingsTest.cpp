// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "core/behavior/State.h"
#include "core/objectmodel/Node.h"
#include "tests/harness/MappingCheck.h"
#include "tests/harness/SceneText.h"

namespace body_mappings_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

struct Scene : SceneText
{
    explicit Scene(const std::string& body) : SceneText(body, "0.01", "0 0 0") {}
    BaseMapping& mapping() { return *root->child("out")->get<BaseMapping>(Search::Local); }
    const Vector<Vec3>& x(const std::string& node = "out")
    {
        return root->child(node)->get<State<Vec3Types>>(Search::Local)->positions();
    }
};

const std::string local =
                      "<Node name='local'><MechanicalObject name='state' position='1 0 0  0 2 0  0.5 -0.5 1  0 0 "
                      "-1'/></Node>",
                  bodies =
                      "<Node name='bodies'><MechanicalObject name='state' template='Rigid3' position='1 2 3 0 0 0 "
                      "1  -1 0 2 0 0 0.7071067811865476 0.7071067811865476'/><UniformMass vertexMass='2'/></Node>";

std::string inFrame(const std::string& attributes)
{
    return local + bodies +
           "<Node name='out'><MechanicalObject/><DeformableOnRigidFrameMapping input1='@../local/state' "
           "input2='@../bodies/state' " +
           attributes + "/></Node>";
}

double deviation(const Vector<Vec3>& x, const Vector<Vec3>& y)
{
    REQUIRE(x.size() == y.size());
    double worst = 0.;
    for (std::size_t i = 0; i < x.size(); ++i) worst = std::max(worst, norm(x[i] - y[i]));
    return worst;
}

}  // namespace

HARNESS_MAPPING("DeformableOnRigidFrameMapping")
{
    for (const std::string frames : {"index='1'", "repartition='3 1'"}) {
        Scene exact(inFrame(frames + " geometricStiffness='Exact'"));
        REQUIRE(exact.good);
        checkMapping(exact.mapping());
    }
    for (const std::string kind : {"None", "Stabilized"}) {
        Scene s(inFrame("geometricStiffness='" + kind + "'"));
        REQUIRE(s.good);
        checkMapping(s.mapping(), {.exactGeometricStiffness = false});
    }
}

TEST_CASE("A body in a frame is where the frame puts its points", "[mapping]")
{
    const Vector<Vec3> first{{2, 2, 3}, {1, 4, 3}, {1.5, 1.5, 4}, {1, 2, 2}},
        second{{-1, 1, 2}, {-3, 0, 2}, {-0.5, 0.5, 3}, {-1, 0, 1}};
    Scene all(inFrame(""));
    REQUIRE(all.good);
    CHECK(deviation(all.x(), first) < 1e-14);
    Scene other(inFrame("index='0' indexFromEnd='true'"));
    REQUIRE(other.good);
    CHECK(deviation(other.x(), second) < 1e-14);
    Scene both(inFrame("repartition='2'"));
    REQUIRE(both.good);
    CHECK(deviation(both.x(), {first[0], first[1], second[2], second[3]}) < 1e-14);
}

TEST_CASE("Springs between a body in a moving frame and another conserve momentum", "[mapping]")
{
    // What acts on a point of the body acts on its frame as a whole.
    Scene s(
        "<EulerImplicitSolver/><SparseLDLSolver/><Node name='local'><MechanicalObject name='state' position='1 0 0 "
        " 0 1 0'/><UniformMass totalMass='0.1'/><RestShapeSpringsForceField stiffness='50'/></Node>"
        "<Node name='bodies'><MechanicalObject name='state' template='Rigid3' position='0 0 0 0 0 0 1' velocity='1 "
        "0 0 0 0 3'/><UniformMass vertexMass='2 1 [1 0 0,0 1 0,0 0 1]'/></Node>"
        "<Node name='free'><MechanicalObject name='state' position='2 1 1'/><UniformMass totalMass='3'/></Node>"
        "<Node name='out'><MechanicalObject name='state'/><DeformableOnRigidFrameMapping "
        "input1='@../local/state' input2='@../bodies/state' geometricStiffness='Exact'/></Node>"
        "<SpringForceField object1='@out/state' object2='@free/state' spring='0 0 80 0 1  1 0 40 0 1'/>");
    REQUIRE(s.good);
    const auto& body = *s.root->child("bodies")->get<State<Rigid3Types>>(Search::Local);
    const auto& free = *s.root->child("free")->get<State<Vec3Types>>(Search::Local);
    for (int i = 0; i < 30; ++i) s.simulation->step();
    CHECK(norm(Rigid3Types::linear(body.velocities()[0]) * 2. + free.velocities()[0] * 3. - Vec3(2, 0, 0)) < 1e-11);
    CHECK(norm(free.velocities()[0]) > 1.);
    CHECK(norm(s.x("local")[0] - Vec3(1, 0, 0)) > 0.1);
}

HARNESS_MAPPING("CenterOfMassMapping")
{
    for (const std::string type : {"Rigid3", "Vec3"}) {
        Scene s((type == "Vec3"
                     ? "<MeshTopology position='1 0 0  0 2 0' edges='0 1'/><MechanicalObject/>"
                       "<DiagonalMass vertexMass='1 3'/>"
                     : std::string("<MechanicalObject template='Rigid3' position='1 0 0 0 0 0 1  0 2 0 0 0.6 "
                                   "0 0.8'/><UniformMass vertexMass='2'/>")) +
                "<Node name='out'><MechanicalObject/><CenterOfMassMapping/></Node>");
        REQUIRE(s.good);
        CHECK(deviation(s.x(), {type == "Vec3" ? Vec3(0.25, 1.5, 0) : Vec3(0.5, 1, 0)}) < 1e-15);
        checkMapping(s.mapping(), {.translates = true});
    }
}
HARNESS_MAPPING("CenterOfMassMultiMapping")
{
    for (const std::string out : {"Vec3", "Rigid3"}) {
        Scene s(bodies +
                "<Node name='more'><MechanicalObject name='state' template='Rigid3' position='9 0 0 0 0 0 "
                "1'/><UniformMass vertexMass='4'/></Node><Node name='out'><MechanicalObject template='" +
                out + "'/><CenterOfMassMultiMapping input='@../bodies/state @../more/state'/></Node>");
        REQUIRE(s.good);
        if (out == "Vec3") CHECK(deviation(s.x(), {{4.5, 0.5, 1.25}}) < 1e-15);
        checkMapping(s.mapping(), {.translates = true});
    }
}
HARNESS_MAPPING("CenterOfMassMulti2Mapping")
{
    Scene s(bodies +
            "<Node name='points'><MechanicalObject name='state' position='1 0 0  3 2 0'/><UniformMass "
            "totalMass='4'/></Node><Node name='out'><MechanicalObject/><CenterOfMassMulti2Mapping "
            "input1='@../points/state' input2='@../bodies/state'/></Node>");
    REQUIRE(s.good);
    CHECK(deviation(s.x(), {{1, 1, 1.25}}) < 1e-15);
    checkMapping(s.mapping(), {.translates = true});
}

TEST_CASE("What mappings of bodies lack is an error that says so", "[mapping]")
{
    const auto said = [](const std::string& scene) {
        MessageCapture log;
        CHECK_FALSE(Scene(scene).good);
        return log.text();
    };
    CHECK_THAT(said(inFrame("index='2'")), Catch::Contains("frame 2 does not exist: input2 has 2 frames"));
    CHECK_THAT(said(inFrame("repartition='1 1 1 1'")), Catch::Contains("frame 2 does not exist"));
    CHECK_THAT(said("<MechanicalObject/><Node name='out'><MechanicalObject/><CenterOfMassMapping/></Node>"),
               Catch::Contains("there is no mass beside the state"));
}

}  // namespace body_mappings_test
