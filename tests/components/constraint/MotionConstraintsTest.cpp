// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <cmath>

#include "core/behavior/State.h"
#include "core/objectmodel/Node.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"

namespace motion_constraints_test {

using namespace sofa::core;

namespace {

struct Scene
{
    std::shared_ptr<Node> root;
    std::unique_ptr<Simulation> sim;
    bool good = false;

    explicit Scene(const std::string& body, const std::string& gravity = "0 -9.81 0")
    {
        LoadReport report;
        root = loadSceneText(
            "<Node name='root' dt='0.01' gravity='" + gravity + "'><DefaultAnimationLoop/>" + body + "</Node>",
            "test.scn", {}, &report);
        REQUIRE(report.ok());
        sim = std::make_unique<Simulation>(root);
        good = sim->init();
    }
    void step(int n = 1)
    {
        REQUIRE(good);
        for (int i = 0; i < n; ++i) sim->step();
    }
    template <class D = Vec3Types>
    const typename D::VecCoord& x()
    {
        return root->getAll<State<D>>(Search::Down).front()->read(vec_id::position);
    }
    template <class D = Vec3Types>
    const typename D::VecDeriv& v()
    {
        return root->getAll<State<D>>(Search::Down).front()->read(vec_id::velocity);
    }
};

const std::string explicitly = "<EulerExplicitSolver/>";

std::string points(const std::string& constraint, const std::string& solver = explicitly)
{
    return solver + "<MechanicalObject position='1 2 3  4 5 6'/><UniformMass vertexMass='1'/>" + constraint;
}
std::string frames(const std::string& constraint, const std::string& velocity = "0 0 0 0 0 0")
{
    return explicitly + "<MechanicalObject template='Rigid3' position='1 2 3 0 0 0 1' velocity='" + velocity +
           "'/><UniformMass totalMass='1'/>" + constraint;
}
std::string cube(const std::string& constraint, const std::string& linear)
{
    return "<EulerImplicitSolver rayleighStiffness='0.01'/>" + linear +
           "<RegularGridTopology n='3 3 3' min='0 0 0' max='1 1 1'/><MechanicalObject/><UniformMass totalMass='1'/>"
           "<HexahedronFEMForceField youngModulus='3000' poissonRatio='0.3'/><FixedProjectiveConstraint "
           "indices='26'/>" +
           constraint;
}

double distance(const Vec3& a, const Vec3& b) { return norm(a - b); }

}  // namespace

TEST_CASE("Frames whose place is held turn on, as the direct solver and conjugate gradients agree", "[constraint]")
{
    const auto beam = [](const std::string& linear, const std::string& which) {
        Scene s("<EulerImplicitSolver/>" + linear +
                    "<MeshTopology position='0 0 0  1 0 0  2 0 0' edges='0 1  1 2'/><MechanicalObject "
                    "template='Rigid3' position='0 0 0 0 0 0 1  1 0 0 0 0 0 1  2 0 0 0 0 0 1'/><UniformMass "
                    "totalMass='1'/><BeamFEMForceField radius='0.05' youngModulus='1e4' poissonRatio='0.3'/>"
                    "<FixedProjectiveConstraint indices='0'/><FixedTranslationProjectiveConstraint " +
                    which + "/>",
                "3 -9.81 1");
        s.step(50);
        return Vector<RigidCoord3>(s.x<Rigid3Types>());
    };
    const std::string ldl = "<SparseLDLSolver/>",
                      gradients = "<CGLinearSolver iterations='200' tolerance='1e-15' threshold='1e-30'/>";
    for (const std::string which : {"indices='1'", "indices='1 2'", "fixAll='1'"}) {
        INFO(which);
        const auto a = beam(ldl, which), b = beam(gradients, which);
        CHECK(a[1].center == Vec3(1, 0, 0));
        CHECK((a[2].center == Vec3(2, 0, 0)) == (which != "indices='1'"));
        for (Index i = 1; i < 3; ++i) {
            CHECK(distance(a[i].center, b[i].center) < 1e-9);
            CHECK(norm((a[i].orientation.inverse() * b[i].orientation).toRotationVector()) < 1e-9);
        }
    }
    CHECK(norm(beam(ldl, "indices='1'")[1].orientation.toRotationVector()) > 1e-4);
}

TEST_CASE("Points move linearly between key times, and are free after the last", "[constraint]")
{
    Scene s(
        points(
            "<LinearMovementProjectiveConstraint indices='1' keyTimes='0 0.1 0.2' movements='0 0 0  1 0 0  1 2 0'/>"),
        "0 0 0");
    // The position after a step is that of the time at its beginning, as in SOFA.
    for (int k = 1; k <= 15; ++k) {
        s.step();
        const double t = 0.01 * (k - 1);
        const Vec3 expected = t < 0.1 - 1e-9 ? Vec3(4 + 10 * t, 5, 6) : Vec3(5, 5 + 20 * (t - 0.1), 6);
        CHECK(distance(s.x()[1], expected) < 1e-10);
        if (k != 11)  // there the time is 0.1 up to rounding
            CHECK(distance(s.v()[1], t < 0.1 - 1e-9 ? Vec3(10, 0, 0) : Vec3(0, 20, 0)) < 1e-10);
        CHECK(distance(s.x()[0], Vec3(1, 2, 3)) == 0.);
    }
    s.step(20);
    const Vec3 before = s.x()[1];
    s.step();  // free: it goes on with its velocity
    CHECK(distance(s.x()[1], before + Vec3(0, 0.2, 0)) < 1e-10);
}

TEST_CASE("Absolute movements are positions, partial ones leave directions free", "[constraint]")
{
    Scene a(
        points("<LinearMovementProjectiveConstraint relativeMovements='0' keyTimes='0 1' movements='7 8 9  8 8 9'/>"));
    a.step(11);
    CHECK(distance(a.x()[0], Vec3(7.1, 8, 9)) < 1e-10);
    Scene b(points(
        "<PartialLinearMovementProjectiveConstraint movedDirections='1 0 0' keyTimes='0 1' movements='0 0 0  1 5 "
        "5'/>"));
    b.step(11);
    CHECK(b.x()[0][0] == Approx(1.1).epsilon(1e-10));
    CHECK(b.x()[0][1] == Approx(b.x()[1][1] - 3.).epsilon(1e-10));  // falls as the free point
    CHECK(b.x()[0][1] < 2.);
    CHECK(b.x()[0][2] == 3.);
}

TEST_CASE("Frames turn by the spherical interpolation of the key orientations", "[constraint]")
{
    Scene s(frames("<LinearMovementProjectiveConstraint keyTimes='0 1' movements='0 0 0 0 0 0  1 0 0 0 0 1.2'/>"));
    s.step(51);
    const auto& x = s.x<Rigid3Types>()[0];
    CHECK(distance(x.center, Vec3(1.5, 2, 3)) < 1e-10);
    CHECK(norm(x.orientation.toRotationVector() - Vec3(0, 0, 0.6)) < 1e-10);
}

TEST_CASE("Velocities are interpolated and add up", "[constraint]")
{
    const std::string keys = "keyTimes='0 0.1' velocities='0 0 0  1 0 0' ";
    Scene s(points("<LinearVelocityProjectiveConstraint " + keys + "continueAfterEnd='1'/>"), "0 0 0"),
        free(points("<LinearVelocityProjectiveConstraint " + keys + "/>")),
        coordinate(points("<LinearVelocityProjectiveConstraint " + keys + "coordinates='0'/>"), "0 -9.81 0");
    double x = 1.;
    for (int k = 0; k < 30; ++k) {
        s.step();
        const double v = std::min(1., 10. * 0.01 * k);
        x += 0.01 * v;
        CHECK(s.x()[0][0] == Approx(x).epsilon(1e-12));
        CHECK(s.v()[0][0] == Approx(v).margin(1e-12));
    }
    coordinate.step(5);
    CHECK(coordinate.x()[0][0] == Approx(1. + 0.01 * (0.1 + 0.2 + 0.3 + 0.4)).epsilon(1e-12));
    free.step(40);
    CHECK(free.x()[0][1] < 2.);
}

TEST_CASE("Points oscillate about their mean", "[constraint]")
{
    Scene s(points("<OscillatorProjectiveConstraint oscillators='1  4 4 4  0 2 0  3 0.5'/>"));
    s.step(8);
    CHECK(distance(s.x()[1], Vec3(4, 4 + 2 * std::sin(3 * 0.07 + 0.5), 4)) < 1e-12);
    CHECK(distance(s.v()[1], Vec3(0, 6 * std::cos(3 * 0.07 + 0.5), 0)) < 1e-12);
    Scene frame(frames("<OscillatorProjectiveConstraint oscillators='0  0 0 0 0 0 0 1  0 0 0 0 0 0.5  2 0'/>"));
    frame.step(8);
    CHECK(norm(frame.x<Rigid3Types>()[0].orientation.toRotationVector() - Vec3(0, 0, 0.5 * std::sin(0.14))) < 1e-12);
}

TEST_CASE("A parabola passes through its three points", "[constraint]")
{
    const auto at = [](double share) {
        Scene s(points("<ParabolicProjectiveConstraint indices='0' P1='1 0 0' P2='5 3 1' P3='7 6 -5' BeginTime='0' "
                       "EndTime='1'/>"),
                "0 0 0");
        s.step(static_cast<int>(std::lround(100 * share)) + 1);
        return s.x()[0];
    };
    CHECK(distance(at(0.), Vec3(1, 0, 0)) < 1e-12);
    CHECK(distance(at(1.), Vec3(7, 6, -5)) < 1e-9);
    // P2 is passed where its share of P1 P3 is: (P2 − P1)·(P3 − P1) / |P3 − P1|².
    const Vec3 a(4, 3, 1), b(6, 6, -5);
    const double share = dot(a, b) / dot(b, b);
    const Vec3 before = at(std::floor(100 * share) / 100), after = at(std::ceil(100 * share) / 100);
    CHECK(distance(before * 0.5 + after * 0.5, Vec3(5, 3, 1)) < 0.1);
}

TEST_CASE("A Hermite curve has its ends, its tangents, and velocities of its own", "[constraint]")
{
    const std::string curve = "X0='1 0 0' dX0='0 4 0' X1='3 1 2' dX1='6 0 0' BeginTime='0' EndTime='1'";
    const auto run = [&](const std::string& time, int steps) {
        Scene s(points("<HermiteSplineProjectiveConstraint indices='0' " + curve + time + "/>"), "0 0 0");
        s.step(steps + 1);
        const Vec3 before = s.x()[0], v = s.v()[0];
        s.step();
        return std::array<Vec3, 3>{before, v, (s.x()[0] - before) / 0.01};
    };
    const std::string even = " SX0='1 1' SX1='1 1'";  // s = u
    CHECK(distance(run(even, 0)[0], Vec3(1, 0, 0)) < 1e-15);
    CHECK(distance(run(even, 100)[0], Vec3(3, 1, 2)) < 1e-12);
    // p(½) = (X0 + X1) / 2 + (dX0 − dX1) / 8
    CHECK(distance(run(even, 50)[0], Vec3(2, 0.5, 1) + Vec3(-6, 4, 0) * 0.125) < 1e-12);
    CHECK(distance(run(even, 0)[1], Vec3(0, 4, 0)) < 0.2);  // within a step
    for (const std::string& time : {even, std::string()})
        for (const int steps : {10, 50, 80}) {
            const auto at = run(time, steps);
            CHECK(distance(at[1], at[2]) < 1e-12);  // the velocity is that of the next step
        }
    CHECK(norm(run("", 0)[1]) < 3. * 0.01 * 4.);  // slow at the begin: |dX0| ds/dt, with s = 3 t² − 2 t³
}

TEST_CASE("Points go to their targets, and their velocities follow", "[constraint]")
{
    const auto moved = [](const std::string& stiffness) {
        Scene s(points("<PositionBasedDynamicsProjectiveConstraint stiffness='" + stiffness +
                       "' position='4 0 0  2 2 0'/>"),
                "0 0 0");
        REQUIRE(s.good);
        s.step();
        return std::pair(s.x(), s.v());
    };
    const Vector<Vec3> start{{1, 2, 3}, {4, 5, 6}}, target{{4, 0, 0}, {2, 2, 0}};
    for (std::size_t i = 0; i < 2; ++i) {
        // All the way. Half of the way when the scene starts, and once more as far by the velocity that this gives.
        CHECK(distance(moved("1").first[i], target[i]) < 1e-14);
        CHECK(distance(moved("0.5").first[i], target[i]) < 1e-14);
        CHECK(distance(moved("0").first[i], start[i]) < 1e-14);
        CHECK(norm(moved("0").second[i]) < 1e-14);
    }
    // Falling points whose targets hold them back have the velocities that are left.
    Scene s(points("<PositionBasedDynamicsProjectiveConstraint stiffness='0.5' position='1 2 3  4 5 6'/>"));
    s.step(2);
    const Vector<Vec3> before = s.x();
    s.step();
    for (std::size_t i = 0; i < 2; ++i) CHECK(s.x()[i][1] < start[i][1]);
    CHECK(distance(before[0] - start[0], before[1] - start[1]) < 1e-13);
}

TEST_CASE("Points are led to their images under an affine map", "[constraint]")
{
    Scene s(
        points("<AffineMovementProjectiveConstraint indices='0 1' rotation='0 -1 0  1 0 0  0 0 1' translation='1 0 0' "
               "endConstraintTime='0.1'/>"));
    s.step(6);
    CHECK(distance(s.x()[0], (Vec3(1, 2, 3) + Vec3(-1, 1, 3)) * 0.5) < 1e-10);
    s.step(10);
    CHECK(distance(s.x()[0], Vec3(-1, 1, 3)) < 1e-12);
    CHECK(distance(s.x()[1], Vec3(-4, 4, 6)) < 1e-12);
    CHECK(norm(s.v()[0]) == 0.);
}

TEST_CASE("Frames turn evenly on their way to their images", "[constraint]")
{
    const double half = std::sqrt(0.5);
    Scene s(frames("<AffineMovementProjectiveConstraint indices='0' quaternion='0 0 " + toText(half) + " " +
                   toText(half) + "' endConstraintTime='0.1'/>"));
    s.step(6);
    const auto& x = s.x<Rigid3Types>()[0];
    CHECK(distance(x.center, (Vec3(1, 2, 3) + Vec3(-2, 1, 3)) * 0.5) < 1e-10);
    CHECK(distance(x.orientation.toRotationVector(), Vec3(0, 0, std::atan(1.))) < 1e-10);
}

TEST_CASE("A patch test gives points the displacements of corners, interpolated", "[constraint]")
{
    const std::string corners = "0 0 0  2 0 0  2 4 0  0 4 0  ", below = "0.1 0 0  0 0.2 0  0 0 0.3  0.1 0.1 0.1 ";
    const std::string start = "<MechanicalObject position='0.5 1 0  3 -1 0  2 4 0'/><UniformMass vertexMass='1'/>";
    const auto displaced = [](const Vec3& p) {
        const double a = p[0] / 2., b = p[1] / 4.;
        return p + Vec3(0.1, 0, 0) * ((1. - a) * (1. - b)) + Vec3(0, 0.2, 0) * (a * (1. - b)) +
               Vec3(0, 0, 0.3) * (a * b) + Vec3(0.1, 0.1, 0.1) * ((1. - a) * b);
    };
    for (const std::string box : {"constrainedPoints", "cornerPoints"}) {
        Scene s(explicitly + start + "<PatchTestMovementProjectiveConstraint indices='0 1 2' " + box + "='" + corners +
                "' cornerMovements='" + below + "' beginConstraintTime='0.05' endConstraintTime='0.15'/>");
        const Vec3 first[] = {{0.5, 1, 0}, {3, -1, 0}, {2, 4, 0}};  // inside, outside, a corner
        s.step(3);
        for (std::size_t i = 0; i < 3; ++i) CHECK(distance(s.x()[i], first[i]) == 0.);  // held before it begins
        s.step(8);
        for (std::size_t i = 0; i < 3; ++i) CHECK(distance(s.x()[i], (first[i] + displaced(first[i])) * 0.5) < 1e-12);
        s.step(10);
        for (std::size_t i = 0; i < 3; ++i) CHECK(distance(s.x()[i], displaced(first[i])) < 1e-14);
        CHECK(norm(s.v()[0]) == 0.);
    }
}

TEST_CASE("Linear elements pass the patch test", "[constraint]")
{
    // Displacements A x of the corners of a box; one point inside, out of the middle, of a block of distorted elements.
    const Mat3 a = Mat3::fromRows(Vec3(0.05, 0.02, -0.01), Vec3(0.03, -0.04, 0.02), Vec3(-0.02, 0.01, 0.06));
    std::string movements, border;
    for (const Vec3& c : {Vec3(0, 0, 0), Vec3(2, 0, 0), Vec3(2, 2, 0), Vec3(0, 2, 0), Vec3(0, 0, 2), Vec3(2, 0, 2),
                          Vec3(2, 2, 2), Vec3(0, 2, 2)})
        movements += toText(a * c) + " ";
    std::string positions;
    for (int i = 0; i < 27; ++i) {
        const Vec3 p(i % 3, i / 3 % 3, i / 9);
        positions += toText(i == 13 ? Vec3(1.2, 0.9, 1.1) : p) + " ";
        if (i != 13) border += std::to_string(i) + " ";
    }
    for (const std::string elements :
         {"<HexahedronFEMForceField method='small' youngModulus='1e3' poissonRatio='0.3'/>",
          "<LinearSmallStrainFEMForceField template='Vec3,Hexahedron' youngModulus='1e3' "
          "poissonRatio='0.3'/>"}) {
        Scene s(
            "<StaticSolver newton_iterations='5'/><SparseLDLSolver/>"
            "<RegularGridTopology n='3 3 3' min='0 0 0' max='2 2 2' position='" +
                positions + "'/><MechanicalObject position='" + positions + "'/><UniformMass totalMass='1'/>" +
                elements + "<PatchTestMovementProjectiveConstraint indices='" + border + "' cornerMovements='" +
                movements + "' endConstraintTime='0.01'/>",
            "0 0 0");
        s.step(4);
        const Vec3 p(1.2, 0.9, 1.1);
        CHECK(distance(s.x()[13], p + a * p) < 1e-9);
    }
}

TEST_CASE("What a patch test lacks is an error that says so", "[constraint]")
{
    const auto message = [](const std::string& attributes) {
        MessageCapture log;
        Scene s(explicitly +
                "<MechanicalObject position='0 0 0  1 1 0  1 1 1'/><UniformMass vertexMass='1'/>"
                "<PatchTestMovementProjectiveConstraint " +
                attributes + "/>");
        CHECK_FALSE(s.good);
        return log.text();
    };
    CHECK_THAT(message("cornerMovements='0 0 0'"), Catch::Contains("no points"));
    CHECK_THAT(message("indices='0 1'"), Catch::Contains("cornerMovements has 0 values; expected 4"));
    CHECK_THAT(message("indices='0 1 2' cornerMovements='0 0 0'"), Catch::Contains("has 1 values; expected 8"));
    CHECK_THAT(message("indices='0 1' cornerPoints='0 0 0  1 0 0'"), Catch::Contains("cornerPoints has 2 points"));
    CHECK_THAT(message("indices='1 2' cornerMovements='0 0 0'"), Catch::Contains("different x and y"));
}

TEST_CASE("Points stay in an oblique plane or on a line, whatever solves the system", "[constraint]")
{
    // A direct solver gets the projected matrix, an iterative one projects each product: the same motion.
    const std::string direct = "<SparseLDLSolver/>",
                      iterative =
                          "<CGLinearSolver template='GraphScattered' assembly='never' iterations='500' "
                          "tolerance='1e-14' threshold='1e-40'/>",
                      assembled = "<CGLinearSolver iterations='500' tolerance='1e-14' threshold='1e-40'/>";
    const Vec3 n = Vec3(1, -2, 0.5) / norm(Vec3(1, -2, 0.5));
    for (const std::string type : {"Plane", "Line", "Direction"}) {
        const std::string constraint = "<" + type + "ProjectiveConstraint indices='0 1 2' " +
                                       (type == "Plane" ? "normal" : "direction") + "='1 -2 0.5'/>";
        Scene a(cube(constraint, direct)), b(cube(constraint, iterative)), c(cube(constraint, assembled));
        for (Scene* s : {&a, &b, &c}) s->step(40);
        double worst = 0., moved = 0.;
        for (std::size_t i = 0; i < 27; ++i) {
            worst = std::max({worst, distance(a.x()[i], b.x()[i]), distance(a.x()[i], c.x()[i])});
            moved = std::max(moved, norm(a.v()[i]));
        }
        CHECK(worst < 1e-9);
        CHECK(moved > 0.01);
        for (const std::size_t i : {0, 1, 2}) {
            const Vec3 start = type == "Direction" ? Vec3(0.5 * static_cast<double>(i), 0, 0) : Vec3();
            const Vec3 offset = a.x()[i] - start, along = n * dot(n, offset);
            CHECK(norm(type == "Plane" ? along : offset - along) < 1e-12);
            const Vec3 speed = n * dot(n, a.v()[i]);
            CHECK(norm(type == "Plane" ? speed : a.v()[i] - speed) < 1e-12);
        }
    }
}

TEST_CASE("Points between two planes do not move across them", "[constraint]")
{
    for (const std::string normal : {"1 0 0", "2 0 0"}) {
        Scene s(cube("<FixedPlaneProjectiveConstraint direction='" + normal + "' dmin='-0.1' dmax='0.1'/>",
                     "<SparseLDLSolver/>"));
        s.step(20);
        double others = 0., along = 0.;
        for (std::size_t i = 0; i < 27; ++i) {
            if (i % 3 == 0) {
                CHECK(s.x()[i][0] == 0.);
                along = std::max(along, std::abs(s.v()[i][1]));
            } else
                others = std::max(others, std::abs(s.x()[i][0] - 0.5 * static_cast<double>(i % 3)));
        }
        CHECK(others > 1e-4);
        CHECK(along > 1e-3);
    }
}

TEST_CASE("Points are put at one place, frames keep their centre or their turn", "[constraint]")
{
    Scene p(points("<PointProjectiveConstraint indices='1' point='1 1 1'/>")),
        all(points("<PointProjectiveConstraint fixAll='1' point='1 1 1'/>"));
    p.step(3);
    all.step(3);
    CHECK(p.x()[1] == Vec3(1, 1, 1));
    CHECK(p.x()[0][1] < 2.);
    CHECK(all.x()[0] == Vec3(1, 1, 1));

    Scene t(frames("<FixedTranslationProjectiveConstraint/>", "0 0 0 0 0 2"));
    t.step(50);
    CHECK(distance(t.x<Rigid3Types>()[0].center, Vec3(1, 2, 3)) == 0.);
    CHECK(norm(t.x<Rigid3Types>()[0].orientation.toRotationVector() - Vec3(0, 0, 1)) < 1e-10);

    // In an implicit system the centre is eliminated: the body turns under a torque as if nothing pulled at it.
    Scene m(
        "<EulerImplicitSolver/><SparseLDLSolver/><MechanicalObject template='Rigid3' position='1 2 3 0 0 0 1'/>"
        "<UniformMass vertexMass='2 1 [1 0 0,0 1 0,0 0 1]'/><FixedTranslationProjectiveConstraint/>"
        "<ConstantForceField forces='5 6 7 0 0 3'/><RestShapeSpringsForceField points='0' stiffness='100' "
        "angularStiffness='0'/>");
    m.step(50);
    CHECK(m.x<Rigid3Types>()[0].center == Vec3(1, 2, 3));
    // ω' = 3/2 rad/s², by implicit Euler.
    CHECK(norm(m.x<Rigid3Types>()[0].orientation.toRotationVector() - Vec3(0, 0, 1.5 * 1e-4 * 50. * 51. / 2.)) < 1e-9);

    // Where forces couple both, it is the system without the centre: that of the other constraint which can say so.
    const auto swings = [](const std::string& constraint) {
        Scene s(
            "<EulerImplicitSolver/><SparseLDLSolver/><MechanicalObject template='Rigid3' position='1 2 3 0 0 0 1' "
            "velocity='0 0 0 1 2 3'/><UniformMass vertexMass='2 1 [1 0 0,0 2 0,0 0 3]'/>" +
            constraint +
            "<Node name='arm'><MechanicalObject position='0.5 0.2 -0.3'/><RigidMapping/>"
            "<RestShapeSpringsForceField stiffness='400'/></Node>");
        s.step(40);
        return s.x<Rigid3Types>()[0];
    };
    const RigidCoord3 one = swings("<FixedTranslationProjectiveConstraint/>"),
                      other = swings("<PartialFixedProjectiveConstraint indices='0' fixedDirections='1 1 1 0 0 0'/>");
    CHECK(norm(Rigid3Types::difference(one, other)) < 1e-12);
    CHECK(norm(one.orientation.toRotationVector()) > 0.05);

    Scene r(frames("<FixedRotationProjectiveConstraint FixedZRotation='1'/>", "0 0 0 1 0 2"));
    r.step(30);
    const Quat q = r.x<Rigid3Types>()[0].orientation;
    CHECK(std::abs(q[2]) < 1e-12);  // no twist about z
    CHECK(std::abs(q[0]) > 0.1);
    CHECK(r.x<Rigid3Types>()[0].center[1] < 2.);
}

TEST_CASE("Mistakes in the motion of points are found", "[constraint]")
{
    const auto good = [](const std::string& constraint) { return Scene(points(constraint)).good; };
    CHECK_FALSE(good("<LinearMovementProjectiveConstraint keyTimes='0 1' movements='0 0 0'/>"));
    CHECK_FALSE(good("<LinearMovementProjectiveConstraint keyTimes='0 1 0.5' movements='0 0 0  1 0 0  2 0 0'/>"));
    CHECK_FALSE(good("<LinearMovementProjectiveConstraint indices='2' keyTimes='0 1' movements='0 0 0  1 0 0'/>"));
    CHECK_FALSE(good("<LinearVelocityProjectiveConstraint coordinates='3' keyTimes='0 1' velocities='0 0 0  1 0 0'/>"));
    CHECK_FALSE(good("<OscillatorProjectiveConstraint oscillators='0  1 1 1  1 0 0  1'/>"));
    CHECK_FALSE(good("<OscillatorProjectiveConstraint oscillators='5  1 1 1  1 0 0  1 0'/>"));
    CHECK_FALSE(good("<HermiteSplineProjectiveConstraint X1='1 0 0' BeginTime='1' EndTime='1'/>"));
    CHECK_FALSE(good("<PositionBasedDynamicsProjectiveConstraint position='0 0 0'/>"));
    CHECK_FALSE(good("<ParabolicProjectiveConstraint P1='0 0 0' P2='1 1 1' P3='2 2 2' EndTime='1'/>"));
    CHECK_FALSE(good("<PlaneProjectiveConstraint/>"));
    CHECK(good("<PlaneProjectiveConstraint normal='0 2 0'/>"));
}

}  // namespace motion_constraints_test
