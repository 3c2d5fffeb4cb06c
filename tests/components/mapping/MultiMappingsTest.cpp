// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "core/behavior/State.h"
#include "core/objectmodel/Node.h"
#include "core/topology/TopologyTransaction.h"
#include "tests/harness/MappingCheck.h"
#include "tests/harness/SceneText.h"

namespace multi_mappings_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

struct Scene : SceneText
{
    using SceneText::SceneText;
    template <class D = Vec3Types>
    const typename D::VecCoord& x(const std::string& name)
    {
        return child(name).template get<State<D>>(Search::Local)->positions();
    }
};

const std::string vecs =
    "<Node name='a'><MechanicalObject name='state' position='0 0 0  1 0 0  2 0 1'/></Node>"
    "<Node name='b'><MechanicalObject name='state' position='3 0 0  4 1 0'/></Node>";
const std::string frames =
    "<Node name='a'><MechanicalObject name='state' template='Rigid3' position='0 0 0 0 0 0 1  1 0 0 0.5 0.5 0.5 0.5'/>"
    "</Node><Node name='b'><MechanicalObject name='state' template='Rigid3' position='3 1 0 0 0.6 0 0.8'/></Node>";

std::string mapped(const std::string& mapping, const std::string& type = "Vec3")
{
    return "<Node name='out'><MechanicalObject template='" + type + "'/><" + mapping +
           " input='@../a/state @../b/state'/></Node>";
}

BaseMapping& mappingOf(Scene& s) { return *s.child("out").get<BaseMapping>(Search::Local); }

}  // namespace

HARNESS_MAPPING("SubsetMultiMapping")
{
    for (const std::string type : {"Vec3", "Rigid3"}) {
        Scene s(type == "Vec3" ? vecs + mapped("SubsetMultiMapping indexPairs='1 1  0 2  1 1  0 0'")
                               : frames + mapped("SubsetMultiMapping indexPairs='1 0  0 1'", "Vec3"));
        REQUIRE(s.good);
        checkMapping(mappingOf(s), {.translates = true});
    }
}

HARNESS_MAPPING("IdentityMultiMapping")
{
    Scene s(vecs + mapped("IdentityMultiMapping"));
    REQUIRE(s.good);
    CHECK(s.x("out") == Vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {2, 0, 1}, {3, 0, 0}, {4, 1, 0}});
    checkMapping(mappingOf(s), {.translates = true});
    Scene f(frames + mapped("IdentityMultiMapping", "Rigid3"));
    REQUIRE(f.good);
    CHECK(f.x<Rigid3Types>("out").size() == 3);
    checkMapping(mappingOf(f), {.translates = true});
}

TEST_CASE("Points of several states: the pairs say which", "[mapping]")
{
    Scene s(vecs + mapped("SubsetMultiMapping indexPairs='1 1  0 2'"));
    REQUIRE(s.good);
    CHECK(s.x("out") == Vector<Vec3>{{4, 1, 0}, {2, 0, 1}});
    Scene f(frames + mapped("SubsetMultiMapping indexPairs='1 0'"));
    REQUIRE(f.good);
    CHECK(f.x("out") == Vector<Vec3>{{3, 1, 0}});
    // A node stands for its state.
    Scene nodes(vecs +
                "<Node name='out'><MechanicalObject name='state'/><SubsetMultiMapping input='@../a @../b' "
                "output='@.' indexPairs='0 1'/></Node>");
    REQUIRE(nodes.good);
    CHECK(nodes.x("out") == Vector<Vec3>{{1, 0, 0}});
}

TEST_CASE("Springs between points of several states: a direct solver and conjugate gradients agree", "[mapping]")
{
    // Blocks of the matrix couple both inputs: a direct solver sees them, products by the mapping do not need them.
    const auto run = [](const std::string& solver) {
        Scene s(
            "<EulerImplicitSolver rayleighStiffness='0.02'/>" + solver +
            "<Node name='a'><MechanicalObject name='state' position='0 0 0  1 0 0  2 0 1'/><UniformMass "
            "totalMass='3'/><FixedProjectiveConstraint indices='0'/></Node>"
            "<Node name='b'><MechanicalObject name='state' position='3 0 0  4 1 0'/><UniformMass totalMass='2'/></Node>"
            "<Node name='out'><MechanicalObject/><IdentityMultiMapping input='@../a/state @../b/state'/>"
            "<SpringForceField spring='0 1 500 1 1  1 2 500 1 1.2  2 3 500 1 1.2  3 4 500 1 1.3  1 3 500 1 2  0 4 90 1 "
            "4'/>"
            "</Node>");
        REQUIRE(s.good);
        for (int i = 0; i < 50; ++i) s.simulation->step();
        return std::pair(s.x("a"), s.x("b"));
    };
    const auto direct = run("<SparseLDLSolver/>");
    for (const std::string assembly : {"always", "never"}) {
        const auto iterative = run("<CGLinearSolver template='GraphScattered' assembly='" + assembly +
                                   "' iterations='200' tolerance='1e-15' threshold='1e-40'/>");
        for (std::size_t i = 0; i < 3; ++i) CHECK(norm(direct.first[i] - iterative.first[i]) < 1e-10);
        for (std::size_t i = 0; i < 2; ++i) CHECK(norm(direct.second[i] - iterative.second[i]) < 1e-10);
    }
    CHECK(norm(direct.second[1] - Vec3(4, 1, 0)) > 0.1);
}

TEST_CASE("Points of several states follow changes of their meshes", "[mapping]")
{
    Scene s(
        "<Node name='a'><PointSetTopologyContainer name='mesh' position='0 0 0  1 0 0  2 0 "
        "1'/><PointSetTopologyModifier/>"
        "<MechanicalObject name='state'/></Node>"
        "<Node name='b'><MechanicalObject name='state' position='3 0 0  4 1 0'/></Node>" +
        mapped("SubsetMultiMapping indexPairs='1 1  0 2  0 0'"));
    REQUIRE(s.good);
    auto& mesh = *s.child("a").get<StoredTopology>(Search::Local);
    const Vector<Vec3> before = s.x("out");
    {
        TopologyTransaction t(mesh);
        t.removePoints({1});
        t.commit();
    }
    s.simulation->step();
    CHECK(s.x("a").size() == 2);
    CHECK(s.x("out") == before);
    TopologyTransaction t(mesh);
    t.removePoints({0});
    CHECK_THROWS_WITH(t.commit(), Catch::Contains("a point that it maps would go"));
    CHECK(s.x("out") == before);
}

TEST_CASE("What a mapping of several states lacks is an error that says so", "[mapping]")
{
    const auto said = [](const std::string& scene) {
        MessageCapture log;
        LoadReport report;
        auto root = loadSceneText("<Node name='root'>" + scene + "</Node>", "multi.scn", {}, &report);
        if (report.ok()) {
            Simulation simulation(root);
            CHECK_FALSE(simulation.init());
        }
        return log.text();
    };
    CHECK_THAT(said(vecs + mapped("SubsetMultiMapping indexPairs='0 0 1'")),
               Catch::Contains("indexPairs has 3 numbers"));
    CHECK_THAT(said(vecs + mapped("SubsetMultiMapping indexPairs='2 0'")), Catch::Contains("there are 2 input states"));
    CHECK_THAT(said(vecs + mapped("SubsetMultiMapping indexPairs='0 0  1 2'")),
               Catch::Contains("pair 1 of indexPairs (1 2)") && Catch::Contains("has 2 points"));
    CHECK_THAT(said(vecs + "<Node name='out'><MechanicalObject/><IdentityMultiMapping/></Node>"),
               Catch::Contains("it needs 'input'"));
    CHECK_THAT(said(vecs + "<Node name='out'><MechanicalObject/><IdentityMultiMapping input='@../a/state @../c/state'/>"
                           "</Node>"),
               Catch::Contains("input=\"@../c/state\": there is no 'c' in node '/' (did you mean 'a'?)"));
    CHECK_THAT(said(vecs + mapped("IdentityMultiMapping", "Rigid3")), Catch::Contains("Rigid3"));
}

}  // namespace multi_mappings_test
