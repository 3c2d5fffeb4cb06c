// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/spring/SpringForceField.h"

#include <catch2/catch.hpp>
#include <fstream>

#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "tests/harness/ForceFieldCheck.h"
#include "tests/harness/Numerics.h"
#include "tests/harness/Paths.h"
#include "tests/harness/TestGraph.h"

namespace spring_force_field_test {

using namespace sofa;
using namespace sofa::core;
using component::SpringForceField;

namespace {

const std::vector<Vec3> s_points{{0., 0., 0.}, {1.3, 0.2, -0.1}, {0.4, 1.1, 0.3}, {-0.2, 0.5, 1.2}};
const std::string s_springs = "0 1 100 2 1  1 2 150 1 0.9  2 3 80 0 2  3 0 60 3 1.1  0 2 90 1 1.5";

template <class D>
void conforms()
{
    for (const std::string implicit : {"0", "1"}) {
        INFO("implicitDamping=" << implicit);
        Node root;
        test::addState<D>(root, test::coordinates<D>(s_points));
        auto& ff = test::addComponent<SpringForceField<D>>(
            root, "SpringForceField",
            {{"template", std::string(D::name())}, {"spring", s_springs}, {"implicitDamping", implicit}});
        REQUIRE(test::initialise(root));
        CHECK(ff.hasDamping() == (implicit == "1"));
        test::checkForceField(ff, {.displacement = 0.15, .internal = true});
    }
}

/// Force on the first of two points, the second at (length, 0, 0) and moving with v.
Vec3 pull(const test::Attributes& attributes, double length, Vec3 v = {}, std::vector<Message>* messages = nullptr)
{
    Node root;
    auto& s = test::addState<Vec3Types>(root, {Vec3(), Vec3{length, 0., 0.}});
    auto& ff = test::addComponent<SpringForceField<Vec3Types>>(root, "SpringForceField", attributes);
    MessageCapture capture;
    const bool valid = test::initialise(root);
    if (messages) *messages = capture.messages();
    if (!valid) return {};
    s.write(vec_id::velocity)[1] = v;
    ff.addForce(MechanicalParams(), vec_id::force);
    REQUIRE(s.forces()[1] == -s.forces()[0]);
    return s.forces()[0];
}

}  // namespace

HARNESS_FORCE_FIELD("SpringForceField")
{
    SECTION("Vec1") { conforms<Vec1Types>(); }
    SECTION("Vec2") { conforms<Vec2Types>(); }
    SECTION("Vec3") { conforms<Vec3Types>(); }
    SECTION("Vec6") { conforms<Vec6Types>(); }
    SECTION("Rigid3") { conforms<Rigid3Types>(); }
    SECTION("two states")
    {
        Node root;
        auto& a = *root.createChild("a");
        auto& b = *root.createChild("b");
        test::addState<Vec3Types>(a, {s_points[0], s_points[1]}).setName("points");
        test::addState<Vec3Types>(b, {s_points[2], s_points[3]}).setName("points");
        auto& ff = test::addComponent<SpringForceField<Vec3Types>>(root, "SpringForceField",
                                                                   {{"object1", "@a/points"},
                                                                    {"object2", "@b/points"},
                                                                    {"indices1", "0 1 1"},
                                                                    {"indices2", "0 0 1"},
                                                                    {"stiffness", "100 50 70"},
                                                                    {"damping", "1"},
                                                                    {"lengths", "1"}});
        REQUIRE(test::initialise(root));
        REQUIRE(ff.states().size() == 2);
        test::checkForceField(ff, {.displacement = 0.15, .internal = true});
        ff.d_implicitDamping.setValue(true);
        test::checkForceField(ff, {.displacement = 0.15, .internal = true});
    }
    SECTION("elongation only")
    {
        Node root;
        test::addState<Vec3Types>(root, test::coordinates<Vec3Types>(s_points));
        auto& ff = test::addComponent<SpringForceField<Vec3Types>>(
            root, "SpringForceField",
            {{"indices1", "0 1 2 3"}, {"indices2", "1 2 3 0"}, {"lengths", "1 0.9 2 1.1"}, {"elongationOnly", "1"}});
        REQUIRE(test::initialise(root));
        test::checkForceField(ff, {.displacement = 0.1, .internal = true});
        ff.d_implicitDamping.setValue(true);
        test::checkForceField(ff, {.displacement = 0.1, .internal = true});
    }
}

TEST_CASE("a spring pulls with k (l - L) + d u.v along itself")
{
    CHECK(pull({{"spring", "0 1 10 3 1.5"}}, 2.)[0] == Approx(10. * 0.5));
    CHECK(pull({{"spring", "0 1 10 3 1.5"}}, 2., {0.5, 7., 0.})[0] == Approx(10. * 0.5 + 3. * 0.5));
    CHECK(pull({{"spring", "0 1 10 3 1.5"}}, 2., {0.5, 7., 0.})[1] == 0.);
    CHECK(pull({{"spring", "0 1 10 0 1.5"}}, 1.)[0] == Approx(-10. * 0.5));
}

TEST_CASE("strong damping of springs is stable with implicitDamping, assembled or not, and not without")
{
    // h k_d = 3 s·N/m, for a mass of 1 kg: explicit damping turns the velocity round, and doubles it.
    for (const std::string solver : {"<SparseLDLSolver/>", "<CGLinearSolver assembly='never'/>"})
        for (const bool implicit : {false, true}) {
            INFO(solver << implicit);
            const auto root = loadSceneText(
                "<Node dt='0.01' gravity='0 0 0'><EulerImplicitSolver/>" + solver +
                    "<MechanicalObject position='0 0 0  1 0 0' velocity='0 0 0  0.1 0 0'/><UniformMass "
                    "vertexMass='1'/><FixedProjectiveConstraint indices='0'/><SpringForceField spring='0 1 1 "
                    "300 1' implicitDamping='" +
                    std::string(implicit ? "1" : "0") + "'/></Node>",
                "spring.scn");
            Simulation simulation(root);
            REQUIRE(simulation.init());
            for (int i = 0; i < 20; ++i) simulation.step();
            const double v = std::abs(root->get<State<Vec3Types>>()->velocities()[1][0]);
            if (implicit)
                CHECK(v < 1e-4);
            else
                CHECK(v > 100.);
        }
}

TEST_CASE("the exact tangent of a spring is that of its force; the projected one has nothing negative")
{
    for (const bool twoStates : {false, true})
        for (const bool projected : {false, true})
            for (const double rest : {2., 0.5}) {  // compressed, stretched
                Node root;
                auto& a = *root.createChild("a");
                auto& b = *root.createChild("b");
                const Vec3 end{0.6, -0.5, 0.7};
                auto& s = test::addState<Vec3Types>(a, {Vec3(), end});
                s.setName("points");
                test::addState<Vec3Types>(b, {Vec3(), end}).setName("points");
                auto& ff =
                    test::addComponent<SpringForceField<Vec3Types>>(root, "SpringForceField",
                                                                    {{"object1", "@a/points"},
                                                                     {"object2", twoStates ? "@b/points" : "@a/points"},
                                                                     {"spring", "0 1 100 0 " + std::to_string(rest)},
                                                                     {"projectedTangent", projected ? "1" : "0"}});
                REQUIRE(test::initialise(root));
                const auto force = [&](const Vec3& x) {
                    s.write(vec_id::position)[0] = x;
                    s.write(vec_id::force)[0] = {};
                    ff.addForce(MechanicalParams(), vec_id::force);
                    return s.forces()[0];
                };
                // −∂f/∂x of the first point: k along the spring, k (1 − L/l) across.
                const double length = norm(end), across = 100. * (1. - rest / length);
                const Vec3 u = end / length, t = cross(u, Vec3{0., 0., 1.}) / norm(cross(u, Vec3{0., 0., 1.}));
                for (const auto& [direction, stiffness] :
                     {std::pair{u, 100.}, std::pair{t, across}, std::pair{cross(u, t), across}}) {
                    const double h = 1e-6;
                    const Vec3 difference = (force(direction * -h) - force(direction * h)) / (2. * h);
                    CHECK(norm(difference - direction * stiffness) < 1e-5);
                    (void)force({});
                    for (auto* other : ff.states()) other->allocate(vec_id::dx);
                    s.write(vec_id::dx)[0] = direction;
                    s.write(vec_id::dx)[1] = {};
                    s.write(vec_id::force)[0] = {};
                    MechanicalParams mp;
                    mp.kFactor = 1.;
                    ff.addDForce(mp, vec_id::force);
                    const double wanted = projected ? std::max(0., stiffness) : stiffness;
                    CHECK(norm(s.forces()[0] + direction * wanted) < 1e-9);
                }
            }
}

TEST_CASE("springs of no length, broken ones and slack ones do nothing")
{
    CHECK(pull({{"spring", "0 1 10 3 1.5"}}, 1e-10) == Vec3());
    const test::Attributes slack{{"indices1", "0"}, {"indices2", "1"}, {"lengths", "1.5"}, {"elongationOnly", "1"}};
    CHECK(pull(slack, 1.) == Vec3());
    CHECK(pull(slack, 2.)[0] == Approx(100. * 0.5));
    CHECK(pull({{"indices1", "0"}, {"indices2", "1"}, {"lengths", "1.5"}, {"enabled", "0"}}, 2.) == Vec3());
}

TEST_CASE("lists of spring properties are completed with their last value")
{
    Node root;
    test::addState<Vec3Types>(root, test::coordinates<Vec3Types>(s_points));
    auto& ff = test::addComponent<SpringForceField<Vec3Types>>(
        root, "SpringForceField",
        {{"indices1", "0 1 2"}, {"indices2", "1 2 3"}, {"stiffness", "7 8"}, {"length", "2"}});
    MessageCapture capture;
    REQUIRE(test::initialise(root));
    CHECK(capture.has(Severity::Warning, "stiffness has 2 values for 3 springs"));
    CHECK(capture.count(Severity::Warning) == 1);
    CHECK(ff.d_springs.text() == "0 1 7 5 2 1 2 8 5 2 2 3 8 5 2");
    CHECK(ff.d_damping.value() == Vector<double>{5., 5., 5.});

    SECTION("and follow changes while the simulation runs")
    {
        ff.d_stiffness.setValue({1., 2., 3.});
        ff.addForce(MechanicalParams(), vec_id::force);
        CHECK(ff.d_springs.text() == "0 1 1 5 2 1 2 2 5 2 2 3 3 5 2");
        ff.setSprings({{0, 3, 1., 2., 3.}});
        ff.addForce(MechanicalParams(), vec_id::force);
        CHECK(ff.d_indices2.value() == Vector<Index>{3});
        CHECK(ff.d_lengths.value() == Vector<double>{3.});
    }
}

TEST_CASE("errors of springs name the spring")
{
    std::vector<Message> m;
    pull({{"spring", "0 1 10 3 1  1 5 10 3 1"}}, 1., {}, &m);
    REQUIRE(m.size() == 1);
    CHECK(m[0].text == "spring 1 joins point 5 of '/TestState1', which has 2 points");
    pull({{"indices1", "0 1"}, {"indices2", "1"}}, 1., {}, &m);
    REQUIRE(m.size() == 1);
    CHECK(m[0].text.find("indices1 has 2 points and indices2 has 1") == 0);
    pull({{"filename", "no-such-file.xs3"}}, 1., {}, &m);
    REQUIRE(m.size() == 1);
    CHECK(m[0].text.find("fileSprings: ") == 0);
    CHECK(m[0].text.find("no-such-file.xs3") != std::string::npos);
}

TEST_CASE("springs are read from mass-spring files")
{
    const test::TemporaryDirectory folder;
    const auto path = folder.path() / "two.xs3";
    std::ofstream(path) << "Xsp 3.0\n# two points\nnumm 2\nnums 2\nmass 1 s 0 0 0 0 0 0 -0.5 0.1\n"
                           "mass 2 i 0 0 2 0 0 0 0.25 0.1\nlspg 1 1 2 10 4 1.5\nlspg 2 1 2 10 4 -1\n";
    Node root;
    test::addState<Vec3Types>(root, {Vec3(), Vec3{0., 0., 2.}});
    auto& ff =
        test::addComponent<SpringForceField<Vec3Types>>(root, "StiffSpringForceField", {{"filename", path.string()}});
    REQUIRE(test::initialise(root));
    CHECK(ff.d_springs.text() == "0 1 10 4 1.5 0 1 5 2 2");
}

}  // namespace spring_force_field_test
