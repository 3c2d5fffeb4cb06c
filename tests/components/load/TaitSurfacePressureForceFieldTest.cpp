// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/load/TaitSurfacePressureForceField.h"

#include <catch2/catch.hpp>

#include "core/objectmodel/Event.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "tests/harness/ForceFieldCheck.h"
#include "tests/harness/TestGraph.h"

namespace tait_surface_pressure_force_field_test {

using namespace sofa;
using namespace sofa::core;
using component::TaitSurfacePressureForceField;

namespace {

/// The sides of the unit cube, outwards: five quads and two triangles. A tenth point hangs free inside.
struct Cube
{
    Node root;
    test::TestTopology* topology = nullptr;
    TaitSurfacePressureForceField* field = nullptr;

    explicit Cube(const test::Attributes& attributes, bool open = false, bool inwards = false)
    {
        std::vector<Vec3> points = test::cubePoints();
        points.push_back({0.5, 0.4, 0.3});
        test::addState<Vec3Types>(root, test::coordinates<Vec3Types>(points));
        topology = &root.create<test::TestTopology>();
        topology->points = static_cast<Index>(points.size());
        topology->quadList = {{0, 3, 2, 1}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
        if (!open) topology->triangleList = {{4, 5, 6}, {4, 6, 7}};
        if (inwards) {
            for (Quad& q : topology->quadList) std::swap(q[1], q[3]);
            for (Triangle& t : topology->triangleList) std::swap(t[1], t[2]);
        }
        field = &test::addComponent<TaitSurfacePressureForceField>(root, "TaitSurfacePressureForceField", attributes);
        REQUIRE(test::initialise(root));
    }
    Vector<Vec3> points() { return field->state().read(vec_id::restPosition); }
    Vector<Vec3> forces(const Vector<Vec3>& x)
    {
        Vector<Vec3> f(x.size());
        field->addForce({}, f, x, Vector<Vec3>(x.size()));
        return f;
    }
    Vector<Vec3> scaled(double sx, double sy, double sz)
    {
        Vector<Vec3> x = points();
        for (Vec3& p : x) p = {p[0] * sx, p[1] * sy, p[2] * sz};
        return x;
    }
};

}  // namespace

HARNESS_FORCE_FIELD("TaitSurfacePressureForceField")
{
    const test::ForceFieldOptions options{.displacement = 0.05, .internal = true};
    SECTION("water") { test::checkForceField(*Cube({{"B", "20"}, {"gamma", "7"}, {"p0", "3"}}).field, options); }
    SECTION("gas") { test::checkForceField(*Cube({{"B", "20"}, {"gamma", "1"}, {"p0", "3"}}).field, options); }
    SECTION("gamma -1") { test::checkForceField(*Cube({{"B", "20"}, {"gamma", "-1"}, {"p0", "3"}}).field, options); }
    SECTION("constant") { test::checkForceField(*Cube({{"p0", "3"}, {"gamma", "7"}}).field, options); }
    SECTION("constant on an open surface")
    {
        test::checkForceField(*Cube({{"p0", "3"}, {"gamma", "7"}}, true).field, {.displacement = 0.05});
    }
}

TEST_CASE("the pressure follows the volume by Tait's equation")
{
    Cube c({{"B", "20"}, {"gamma", "7"}, {"p0", "3"}});
    CHECK(c.field->d_initialVolume.value() == Approx(1.).epsilon(1e-14));
    CHECK(c.field->d_initialSurfaceArea.value() == Approx(6.).epsilon(1e-14));
    CHECK(c.field->d_currentPressure.value() == Approx(3.).epsilon(1e-12));
    const double v = 1.1 * 0.9 * 1.05, p = 3. - 20. * (std::pow(v, 7.) - 1.);
    const Vector<Vec3> f = c.forces(c.scaled(1.1, 0.9, 1.05));
    CHECK(c.field->d_currentVolume.value() == Approx(v).epsilon(1e-14));
    CHECK(c.field->d_currentSurfaceArea.value() == Approx(2. * (1.1 * 0.9 + 0.9 * 1.05 + 1.05 * 1.1)).epsilon(1e-14));
    CHECK(c.field->d_currentPressure.value() == Approx(p).epsilon(1e-13));
    CHECK(c.field->d_currentStiffness.value() == Approx(-20. * 7. * std::pow(v, 6.)).epsilon(1e-13));
    // The pressure on each side, times its area.
    double right = 0., top = 0.;
    for (std::size_t i = 0; i < 8; ++i) {
        if (c.points()[i][0] == 1.) right += f[i][0];
        if (c.points()[i][2] == 1.) top += f[i][2];
    }
    CHECK(right == Approx(p * 0.9 * 1.05).epsilon(1e-13));
    CHECK(top == Approx(p * 1.1 * 0.9).epsilon(1e-13));
    CHECK(f[8] == Vec3());
    // A gas of γ = 1: P = P₀ − B (V/V₀ − 1); B = 0: P₀.
    Cube gas({{"B", "20"}, {"gamma", "1"}});
    gas.forces(gas.scaled(1.2, 1., 1.));
    CHECK(gas.field->d_currentPressure.value() == Approx(-4.).epsilon(1e-13));
    CHECK(gas.field->d_currentStiffness.value() == -20.);
    Cube constant({{"gamma", "7"}, {"p0", "3"}});
    constant.forces(constant.scaled(1.2, 1., 1.));
    CHECK(constant.field->d_currentPressure.value() == 3.);
    CHECK_FALSE(constant.field->couplesAllPoints());
}

TEST_CASE("the work done against a pressure is the energy")
{
    // P V = const is not Tait's law; ∫ of the law by Simpson's rule on a fine grid.
    Cube c({{"B", "20"}, {"gamma", "3"}, {"p0", "3"}});
    const auto pressure = [](double v) { return 3. - 20. * (v * v * v - 1.); };
    double work = 0.;
    const int n = 200;
    const double h = 0.3 / n;
    for (int i = 0; i <= n; ++i) work += pressure(1. + i * h) * (i == 0 || i == n ? 1. : i % 2 ? 4. : 2.) * h / 3.;
    CHECK(c.field->potentialEnergy({}, c.scaled(1., 1., 1.)) - c.field->potentialEnergy({}, c.scaled(1.3, 1., 1.)) ==
          Approx(work).epsilon(1e-9));
}

TEST_CASE("volume is injected at a limited rate, and taken back by a reset")
{
    Cube c({{"B", "20"}, {"gamma", "1"}, {"injectedVolume", "0.5"}, {"maxInjectionRate", "20"}});
    c.field->storeResetState();
    const std::vector<double> expected{0.2, 0.4, 0.5, 0.5};
    for (const double v : expected) {
        c.field->handleEvent(AnimateBeginEvent(0.01));
        CHECK(c.field->d_currentInjectedVolume.value() == Approx(v).epsilon(1e-14));
        CHECK(c.field->d_v0.value() == Approx(1. + v).epsilon(1e-14));
    }
    c.forces(c.points());
    CHECK(c.field->d_currentPressure.value() == Approx(20. / 3.).epsilon(1e-13));  // −B (1/1.5 − 1)
    c.field->d_injectedVolume.setValue(-0.1);
    c.field->handleEvent(AnimateBeginEvent(0.01));
    CHECK(c.field->d_currentInjectedVolume.value() == Approx(0.3).epsilon(1e-14));
    c.field->reset();
    CHECK(c.field->d_currentInjectedVolume.value() == 0.);
    CHECK(c.field->d_injectedVolume.value() == 0.5);
}

TEST_CASE("triangles that are cut away change the volume without pressure")
{
    Cube c({{"B", "20"}, {"gamma", "1"}});
    // The corner 6 is cut off: the volume at rest falls by a sixth.
    c.topology->triangleList = {{4, 5, 7}, {0, 3, 2}, {0, 2, 1}, {0, 1, 5}, {0, 5, 4},
                                {1, 2, 5}, {2, 7, 5}, {2, 3, 7}, {3, 0, 4}, {3, 4, 7}};
    c.topology->quadList.clear();
    c.topology->changed();
    c.forces(c.points());
    CHECK(c.field->d_volumeAfterTC.value() == Approx(5. / 6.).epsilon(1e-13));
    CHECK(c.field->d_initialVolume.value() == Approx(1.).epsilon(1e-13));
    CHECK(std::abs(c.field->d_currentPressure.value()) < 1e-12);
    c.forces(c.scaled(1.1, 1., 1.));
    CHECK(c.field->d_currentPressure.value() == Approx(-20. * 0.5 / 6.).epsilon(1e-12));
}

TEST_CASE("a pressure says what is doubtful about its surface")
{
    MessageCapture capture;
    SECTION("not closed")
    {
        Cube c({{"B", "20"}, {"gamma", "1"}}, true);
        CHECK(capture.has(Severity::Warning, "the surface is not closed"));
        CHECK(std::isnan(c.field->potentialEnergy({}, c.points())));
    }
    SECTION("inside out")
    {
        const Cube c({{"B", "20"}, {"gamma", "1"}}, false, true);
        CHECK(capture.has(Severity::Warning, "the triangles are turned inwards"));
    }
    SECTION("far from its volume, once")
    {
        Cube c({{"B", "20"}, {"gamma", "1"}});
        for (int i = 0; i < 3; ++i) c.forces(c.scaled(11., 1., 1.));
        CHECK(capture.count(Severity::Warning) == 1);
        CHECK(capture.has(Severity::Warning, "more than ten times"));
        c.forces(c.points());
        c.forces(c.scaled(0.05, 1., 1.));
        CHECK(capture.count(Severity::Warning) == 2);
    }
    SECTION("nothing to press on")
    {
        Node root;
        test::addState<Vec3Types>(root, {Vec3()});
        root.create<test::TestTopology>();
        test::addComponent(root, "TaitSurfacePressureForceField");
        CHECK_FALSE(test::initialise(root));
        CHECK(capture.has(Severity::Error, "has neither triangles nor quads"));
    }
}

TEST_CASE("conjugate gradients take a pressure without a matrix, and move it as a direct solver does")
{
    const auto positions = [](const std::string& solver) {
        auto root = loadSceneText(
            "<Node name='root' dt='0.01'><EulerImplicitSolver/>" + solver +
                "<MeshTopology name='cube' position='0 0 0 1 0 0 1 1 0 0 1 0 0 0 1 1 0 1 1 1 1 0 1 1' quads='0 3 2 1 0 "
                "1 5 4 1 2 6 5 2 3 7 6 3 0 4 7 4 5 6 7'/><MechanicalObject name='x'/><UniformMass totalMass='1'/>"
                "<MeshSpringForceField stiffness='50' damping='1'/>"
                "<TaitSurfacePressureForceField B='20' gamma='7' injectedVolume='0.3'/></Node>",
            "cube.scn");
        Simulation sim(root);
        REQUIRE(sim.init());
        for (int i = 0; i < 10; ++i) sim.step();
        return root->get<State<Vec3Types>>()->positions();
    };
    const auto direct = positions("<SparseLDLSolver/>");
    CHECK(direct[6][0] > 1.01);
    for (const char* solver :
         {"<CGLinearSolver iterations='200' tolerance='1e-15' threshold='1e-40'/>",
          "<CGLinearSolver iterations='200' tolerance='1e-15' threshold='1e-40' assembly='always'/>"}) {
        const auto x = positions(solver);
        for (std::size_t i = 0; i < 8; ++i) CHECK(norm(x[i] - direct[i]) < 1e-9);
    }
}

}  // namespace tait_surface_pressure_force_field_test
