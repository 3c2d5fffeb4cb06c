// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "tests/harness/SceneText.h"

namespace attach_projective_constraint_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

std::string points(const std::string& name, const std::string& at, const std::string& type = "Vec3")
{
    return "<Node name='" + name + "'><MechanicalObject name='state' template='" + type + "' position='" + at +
           "'/><UniformMass vertexMass='1'/></Node>";
}

std::string attached(const std::string& attributes, const std::string& first, const std::string& second)
{
    return "<EulerImplicitSolver/><SparseLDLSolver/>" + first + second +
           "<AttachProjectiveConstraint object1='@first/state' object2='@second/state' " + attributes + "/>";
}

const std::string three = "0 0 0  1 0 0  2 0 0", away = "0 3 0  1 3 0  2 3 0",
                  frames = "0 0 0 0 0 0 1  1 0 0 0 0 0 1  2 0 0 0 0 0 1",
                  framesAway = "0 3 0 0 0 0 1  1 3 0 0 0 0 1  2 4 0 0 0 0 1";

}  // namespace

TEST_CASE("points follow others, which do not feel them")
{
    // The first points oscillate by springs, the second ones hang on springs of their own.
    const std::string springs = "<RestShapeSpringsForceField stiffness='40'/>";
    const auto beam = [&](const std::string& name, const std::string& at) {
        return "<Node name='" + name + "'><MechanicalObject name='state' position='" + at +
               "'/><UniformMass vertexMass='1'/>" + springs + "</Node>";
    };
    SceneText s(attached("indices1='0 2' indices2='1 2'", beam("first", three), beam("second", away)));
    SceneText alone("<EulerImplicitSolver/><SparseLDLSolver/>" + beam("first", three));
    REQUIRE(s.good);
    REQUIRE(alone.good);
    for (int i = 0; i < 50; ++i) {
        s.step();
        alone.step();
        const auto& x1 = s.state<Vec3Types>("first").positions();
        const auto& x2 = s.state<Vec3Types>("second").positions();
        CHECK(x2[1] == x1[0]);
        CHECK(x2[2] == x1[2]);
        CHECK(s.state<Vec3Types>("second").velocities()[1] == s.state<Vec3Types>("first").velocities()[0]);
        for (Index k = 0; k < 3; ++k) CHECK(norm(x1[k] - alone.state<Vec3Types>("first").positions()[k]) < 1e-13);
        CHECK(x2[0][1] < 3.);  // it is free, and falls on its spring
    }
}

TEST_CASE("followers go a part of the way, or not at all")
{
    const auto far = [](const std::string& attributes, int n = 1) {
        SceneText s(attached("indices1='0' indices2='0' " + attributes, points("first", three), points("second", away)),
                    "0.01", "0 0 0");
        REQUIRE(s.good);
        s.step(n);
        return s.state<Vec3Types>("second").positions()[0][1];
    };
    CHECK(far("") == 0.);
    CHECK(far("positionFactor='0.5' velocityFactor='0.5'", 2) < 0.8);
    CHECK(far("constraintFactor='0'") == 3.);
    CHECK(far("minDistance='2'") == 3.);
    CHECK(far("minDistance='4'") == 0.);
}

TEST_CASE("behind a plane followers are free, or stay at it")
{
    const auto second = [](const std::string& attributes) {
        SceneText s(attached("indices1='0 1 2' indices2='0 1 2' lastPos='1.5 0 0' lastDir='1 0 0' " + attributes,
                             points("first", three), points("second", away)),
                    "0.01", "0 0 0");
        REQUIRE(s.good);
        s.step(2);
        return s.state<Vec3Types>("second").positions();
    };
    const auto open = second(""), clamped = second("clamp='1'");
    CHECK(open[1] == Vec3{1., 0., 0.});
    CHECK(open[2] == Vec3{2., 3., 0.});
    CHECK(clamped[1] == Vec3{1., 0., 0.});
    CHECK(clamped[2] == Vec3{1.5, 0., 0.});
}

TEST_CASE("frames follow with or without their rotations")
{
    const auto turned = [](const std::string& attributes) {
        std::string at = frames;
        at.replace(0, 13, "0 0 0 0 0 0.6 0.8 ");
        at.replace(at.rfind("2 0 0 0 0 0 1"), 13, "2 0 0 0 0 0.6 0.8");
        SceneText s(attached("indices1='0 2' indices2='0 1' " + attributes, points("first", at, "Rigid3"),
                             points("second", framesAway, "Rigid3")),
                    "0.01", "0 0 0");
        REQUIRE(s.good);
        s.step(2);
        const auto x = s.state<Rigid3Types>("second").positions();
        CHECK(norm(x[0].center) == 0.);
        CHECK(norm(x[1].center - Vec3{2., 0., 0.}) == 0.);
        return std::pair(x[0].orientation, x[1].orientation);
    };
    const Quat other(0., 0., 0.6, 0.8), own;
    CHECK(turned("") == std::pair(other, other));
    CHECK(turned("freeRotations='1'") == std::pair(own, own));
    CHECK(turned("lastFreeRotation='1'") == std::pair(other, own));
    // The second frame lies at (1, 0), the third at (1, 1) from it: that way goes to the x axis.
    const auto [first, second] = turned("restRotations='1'");
    CHECK(norm((other.inverse() * first).toRotationVector()) < 1e-15);
    CHECK(norm((other * Quat::fromRotationVector({0., 0., -std::acos(-1.) / 4.})).q - second.q) < 1e-12);
}

TEST_CASE("points that pull both ways move as one")
{
    // Two points of 1 and 3 kg, each on a spring: one of 4 kg on both springs.
    const auto point = [](const std::string& name, double mass, double stiffness, const std::string& more = "") {
        return "<Node name='" + name + "'>" + more +
               "<MechanicalObject name='state' position='1 0 0'/><UniformMass vertexMass='" + std::to_string(mass) +
               "'/><RestShapeSpringsForceField stiffness='" + std::to_string(stiffness) + "'/></Node>";
    };
    const std::string attach =
        "<AttachProjectiveConstraint object1='@first/state' object2='@second/state' indices1='0' indices2='0' "
        "twoWay='1'/>";
    const std::string implicitEuler = "<EulerImplicitSolver/>";
    for (const std::string& solvers : {implicitEuler + "<SparseLDLSolver/>", implicitEuler + "<EigenSparseLU/>",
                                       implicitEuler + "<CGLinearSolver tolerance='1e-15' assembly='never'/>",
                                       implicitEuler + "<CGLinearSolver tolerance='1e-15' assembly='always'/>",
                                       std::string("<NewmarkImplicitSolver/><SparseLDLSolver/>"),
                                       std::string("<EulerExplicitSolver/><SparseLDLSolver/>"),
                                       std::string("<RungeKutta4Solver/><SparseLDLSolver/>")}) {
        INFO(solvers);
        SceneText pair(solvers + point("first", 1., 40., "") + point("second", 3., 20.) + attach);
        SceneText one(solvers + point("first", 4., 60.));
        REQUIRE(pair.good);
        REQUIRE(one.good);
        for (int i = 0; i < 50; ++i) {
            pair.step();
            one.step();
            const Vec3 expected = one.state<Vec3Types>("first").positions()[0];
            CHECK(norm(pair.state<Vec3Types>("first").positions()[0] - expected) < 1e-13);
            CHECK(norm(pair.state<Vec3Types>("second").positions()[0] - expected) < 1e-13);
        }
        CHECK(pair.state<Vec3Types>("first").positions()[0][1] < -0.5);
    }
    // Without a linear solver they say so.
    SceneText explicitly("<RungeKutta4Solver/>" + point("first", 1., 40.) + point("second", 3., 20.) + attach);
    REQUIRE(explicitly.good);
    CHECK_THROWS_WITH(explicitly.simulation->step(), Catch::Contains("joins points"));
}

TEST_CASE("two halves that pull both ways are the whole body")
{
    // Meshes of other numbers of points on both sides of the joint: rows of the matrix get blocks that no element has.
    const auto bar = [](const std::string& name, const std::string& n, const std::string& min, const std::string& max,
                        const std::string& more) {
        return "<Node name='" + name + "'><RegularGridTopology n='" + n + "' min='" + min + "' max='" + max +
               "'/><MechanicalObject name='state'/><MeshMatrixMass massDensity='1'/>"
               "<HexahedronFEMForceField youngModulus='3000' poissonRatio='0.3'/>" +
               more + "</Node>";
    };
    const std::string left = "<FixedProjectiveConstraint indices='0 4 8 12'/>";
    const std::string attach =
        "<AttachProjectiveConstraint object1='@first/state' object2='@second/state' indices1='3 7 11 15' "
        "indices2='0 3 6 9' twoWay='1'/>";
    for (const std::string solver :
         {"<SparseLDLSolver/>", "<CGLinearSolver iterations='1000' tolerance='1e-14' threshold='1e-14'/>",
          "<CGLinearSolver iterations='1000' tolerance='1e-14' threshold='1e-14' assembly='never'/>"}) {
        INFO(solver);
        const std::string solvers = "<EulerImplicitSolver rayleighStiffness='0.02'/>" + solver;
        SceneText halves(solvers + bar("first", "4 2 2", "0 0 0", "3 1 1", left) +
                         bar("second", "3 2 2", "3 0 0", "5 1 1", "") + attach);
        SceneText whole(solvers +
                        bar("first", "6 2 2", "0 0 0", "5 1 1", "<FixedProjectiveConstraint indices='0 6 12 18'/>"));
        REQUIRE(halves.good);
        REQUIRE(whole.good);
        halves.step(40);
        whole.step(40);
        const auto &a = halves.state<Vec3Types>("first").positions(),
                   &b = halves.state<Vec3Types>("second").positions(),
                   &all = whole.state<Vec3Types>("first").positions();
        CHECK(all[5][1] < -0.2);
        for (Index row = 0; row < 4; ++row) {
            for (Index i = 0; i < 4; ++i) CHECK(norm(a[4 * row + i] - all[6 * row + i]) < 1e-9);
            for (Index i = 0; i < 3; ++i) CHECK(norm(b[3 * row + i] - all[6 * row + 3 + i]) < 1e-9);
        }
    }
}

TEST_CASE("points that pull both ways meet in their centre of mass")
{
    const auto meet = [](const std::string& solvers, const std::string& own) {
        const auto body = [&](const std::string& name, const std::string& at, const std::string& mass) {
            return "<Node name='" + name + "'>" + own + "<MechanicalObject name='state' position='" + at +
                   "' velocity='" + (name == "first" ? "4 0 0" : "0 0 0") + "'/><UniformMass vertexMass='" + mass +
                   "'/></Node>";
        };
        SceneText s(solvers + body("first", "0 0 0", "1") + body("second", "0 4 0", "3") +
                        "<AttachProjectiveConstraint object1='@first/state' object2='@second/state' indices1='0' "
                        "indices2='0' twoWay='1'/>",
                    "0.01", "0 0 0");
        REQUIRE(s.good);
        s.step(10);
        const auto &a = s.state<Vec3Types>("first"), &b = s.state<Vec3Types>("second");
        CHECK(norm(a.positions()[0] - b.positions()[0]) < 1e-14);
        CHECK(a.positions()[0][1] == Approx(3.));
        CHECK(norm(a.velocities()[0] - Vec3{1., 0., 0.}) < 1e-13);  // momentum stays
        CHECK(norm(b.velocities()[0] - Vec3{1., 0., 0.}) < 1e-13);
    };
    const std::string solvers = "<EulerImplicitSolver/><SparseLDLSolver/>";
    meet(solvers, "");
    meet("", solvers);
}

TEST_CASE("frames that pull both ways turn together")
{
    const auto frame = [](const std::string& name, const std::string& turn) {
        return "<Node name='" + name + "'><MechanicalObject name='state' template='Rigid3' position='0 0 0 " + turn +
               "' velocity='0 0 0 0 0 " + (name == "first" ? "2" : "0") +
               "'/><UniformMass vertexMass='1 1 [1 0 0 0 1 0 0 0 1]'/></Node>";
    };
    SceneText s(
        attached("indices1='0' indices2='0' twoWay='1'", frame("first", "0 0 0 1"), frame("second", "0 0 0.6 0.8")),
        "0.01", "0 0 0");
    REQUIRE(s.good);
    s.step(3);
    const auto &a = s.state<Rigid3Types>("first"), &b = s.state<Rigid3Types>("second");
    CHECK(norm(a.positions()[0].orientation.q - b.positions()[0].orientation.q) < 1e-14);
    CHECK(a.velocities()[0][5] == Approx(1.));
    CHECK(b.velocities()[0][5] == Approx(1.));
    // Half of the way between them, and then on.
    CHECK(a.positions()[0].orientation.toRotationVector()[2] == Approx(std::atan2(0.6, 0.8) + 0.03));
}

TEST_CASE("a constraint force on a point moves the one that it is joined with, too")
{
    // It holds the weight of both; W = J A⁻¹ Jᵀ is that of a point with both masses.
    const auto body = [](const std::string& name, const std::string& correction) {
        return "<Node name='" + name +
               "'><MechanicalObject name='state' position='0 0 0'/><UniformMass vertexMass='2'/>" + correction +
               "</Node>";
    };
    const std::string uncoupled = "<UncoupledConstraintCorrection/>";
    for (const bool generic : {true, false}) {
        const std::string own = generic ? "" : uncoupled;
        SceneText s(
            "<FreeMotionAnimationLoop/><BlockGaussSeidelConstraintSolver tolerance='1e-12' maxIterations='1000'/>"
            "<Node name='bodies'><EulerImplicitSolver/><SparseLDLSolver/>" +
            std::string(generic ? "<GenericConstraintCorrection/>" : "") + body("first", own) + body("second", own) +
            "<AttachProjectiveConstraint object1='@first/state' object2='@second/state' indices1='0' indices2='0' "
            "twoWay='1'/></Node><Node name='hook'><MechanicalObject name='state' position='0 0 0'/></Node>"
            "<BilateralLagrangianConstraint object1='@hook/state' object2='@bodies/second/state' first_point='0' "
            "second_point='0'/>");
        INFO(generic);
        REQUIRE(s.good);
        s.step(20);
        for (const char* name : {"first", "second"})
            CHECK(norm(s.child("bodies").child(name)->get<State<Vec3Types>>(Search::Local)->positions()[0]) < 1e-10);
    }
}

TEST_CASE("points that pull both ways are held by nothing else")
{
    const auto says = [](const std::string& more, const std::string& pairs, const std::string& what) {
        SceneText s(attached(pairs + " twoWay='1'", points("first", three), points("second", three)) + more);
        REQUIRE(s.good);
        CHECK_THROWS_WITH(s.simulation->step(), Catch::Contains(what) && Catch::Contains("AttachProjectiveConstraint"));
    };
    says("", "indices1='0 0' indices2='0 1'", "point 0 of '/first/state' is held by");
    const std::string attach = "<AttachProjectiveConstraint object1='@first/state' object2='@second/state' ";
    says(attach + "indices1='1' indices2='0'/>", "indices1='0' indices2='0'", "point 0 of '/second/state' is held by");
}

TEST_CASE("attachments that cannot be are refused")
{
    const auto refuses = [](const std::string& attributes) {
        return !SceneText(attached(attributes, points("first", three), points("second", away))).good;
    };
    CHECK(refuses("indices1='0 1' indices2='0'"));
    CHECK(refuses("indices1='3' indices2='0'"));
    CHECK(refuses("indices1='0' indices2='7'"));
    CHECK(refuses("indices1='0' indices2='0' constraintFactor='1 1'"));
}

}  // namespace attach_projective_constraint_test
