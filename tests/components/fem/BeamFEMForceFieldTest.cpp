// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/BeamFEMForceField.h"

#include <catch2/catch.hpp>
#include <numbers>

#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "tests/harness/ForceFieldCheck.h"
#include "tests/harness/TestGraph.h"

namespace beam_fem_force_field_test {

using namespace sofa;
using namespace sofa::core;
using component::BeamFEMForceField;

namespace {

/// A row of beams of different lengths along the x axis of frames that are turned by `orientation`.
struct Row
{
    Node root;
    test::TestTopology* topology = nullptr;
    BeamFEMForceField* field = nullptr;

    explicit Row(const test::Attributes& attributes, const Quat& orientation = {}, bool valid = true)
    {
        Rigid3Types::VecCoord points;
        for (const double x : {0., 1., 1.5, 3.})
            points.push_back({Vec3{1., 2., 3.} + orientation.rotate({x, 0., 0.}), orientation});
        test::addState<Rigid3Types>(root, points);
        topology = &root.create<test::TestTopology>();
        topology->points = 4;
        topology->edgeList = {{0, 1}, {1, 2}, {2, 3}};
        field = &test::addComponent<BeamFEMForceField>(root, "BeamFEMForceField", attributes);
        CHECK(test::initialise(root) == valid);
    }
    Rigid3Types::VecCoord points() { return field->state().read(vec_id::restPosition); }
    Vector<Vec6> forces(const Rigid3Types::VecCoord& x)
    {
        Vector<Vec6> f(x.size());
        field->addForce({}, f, x, Vector<Vec6>(x.size()));
        return f;
    }
};

const test::Attributes s_tube{
    {"youngModulus", "200"}, {"poissonRatio", "0.3"}, {"radius", "0.2"}, {"radiusInner", "0.1"}};
const double s_area = std::numbers::pi * 0.03, s_inertia = std::numbers::pi / 4. * (0.0016 - 0.0001);

double largest(const Vector<Vec6>& f)
{
    double m = 0.;
    for (const Vec6& v : f) m = std::max(m, norm(v));
    return m;
}

}  // namespace

// The frame turns with the first end: at rest that does not matter to the first order.
HARNESS_FORCE_FIELD("BeamFEMForceField")
{
    Row r(s_tube);
    test::checkForceField(*r.field, {.displacement = 0.1, .frozenFrames = true});
}

TEST_CASE("the stiffness of turned beams is the derivative of their force at rest", "[fem]")
{
    const Quat q = Quat::fromAxisAngle({1., 2., -1.}, 1.1);
    Row straight(s_tube), turned(s_tube, q);
    // The same deformation in turned axes has turned forces.
    auto x = straight.points(), y = turned.points();
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double a = 0.1 * static_cast<double>(i);
        const Vec6 d{0.05 * a, -0.2 * a, 0.1 * a, 0.3 * a, 0.2 * a, -0.1 * a};
        Rigid3Types::add(x[i], d);
        const Vec3 u = q.rotate({d[0], d[1], d[2]}), w = q.rotate({d[3], d[4], d[5]});
        Rigid3Types::add(y[i], Rigid3Types::makeDeriv(u, w));
    }
    const auto f = straight.forces(x), g = turned.forces(y);
    CHECK(largest(f) > 0.1);
    for (std::size_t i = 0; i < f.size(); ++i) {
        CHECK(norm(q.rotate(Rigid3Types::linear(f[i])) - Rigid3Types::linear(g[i])) < 1e-12);
        CHECK(norm(q.rotate(Rigid3Types::angular(f[i])) - Rigid3Types::angular(g[i])) < 1e-12);
    }
    CHECK(turned.field->potentialEnergy({}, y) == Approx(straight.field->potentialEnergy({}, x)).epsilon(1e-10));
}

TEST_CASE("beams that move as a rigid body have no force", "[fem]")
{
    Row r(s_tube, Quat::fromAxisAngle({1., 2., -1.}, 1.1));
    const Quat q = Quat::fromAxisAngle({-1., 0.5, 2.}, 2.3);
    auto x = r.points();
    for (RigidCoord3& p : x) p = {q.rotate(p.center) + Vec3{5., -1., 2.}, q * p.orientation};
    CHECK(largest(r.forces(x)) < 1e-12 * 200.);
}

TEST_CASE("a beam that is pulled, twisted and bent has its closed-form forces", "[fem]")
{
    const double shear = 200. / 2.6;
    Row r(s_tube);
    auto x = r.points();
    x[3].center[0] += 0.01;
    CHECK(r.forces(x)[3][0] == Approx(-200. * s_area / 1.5 * 0.01).epsilon(1e-12));
    CHECK(r.forces(x)[2][0] == Approx(200. * s_area / 1.5 * 0.01).epsilon(1e-12));
    x = r.points();
    x[3].orientation = Quat::fromAxisAngle({1., 0., 0.}, 0.4);
    CHECK(r.forces(x)[3][3] == Approx(-shear * 2. * s_inertia / 1.5 * 0.4).epsilon(1e-12));
    CHECK(r.forces(x)[2][3] == Approx(shear * 2. * s_inertia / 1.5 * 0.4).epsilon(1e-12));
    // An arc: a moment alone, of E I / R, to the second order.
    x = r.points();
    const double angle = 1e-4, radius = 1.5 / angle;
    x[3].center = x[2].center + Vec3{radius * std::sin(angle), radius * (1. - std::cos(angle)), 0.};
    x[3].orientation = Quat::fromAxisAngle({0., 0., 1.}, angle);
    CHECK(r.forces(x)[3][5] == Approx(-200. * s_inertia / radius).epsilon(1e-7));
    CHECK(std::abs(r.forces(x)[3][1]) < 1e-3 * 200. * s_inertia / radius);
}

TEST_CASE("a clamped row of beams bends under a load as one beam, P L^3 / (3 E I)", "[fem]")
{
    const std::string beams =
        "<MechanicalObject template='Rigid3' position='0 0 0 0 0 0 1  1 0 0 0 0 0 1  2 0 0 0 0 0 1  3 0 0 0 0 0 1'/>"
        "<MeshTopology lines='0 1 1 2 2 3'/><FixedProjectiveConstraint indices='0'/>"
        "<BeamFEMForceField radius='0.1' youngModulus='1e6' poissonRatio='0.3'/>";
    const double ei = 1e6 * std::numbers::pi / 4. * 1e-4, gj = 1e6 / 2.6 * std::numbers::pi / 2. * 1e-4;
    const auto tip = [&](const std::string& solver, const std::string& load) {
        auto root = loadSceneText("<Node name='root' gravity='0 0 0' dt='1'><StaticSolver newton_iterations='20'/>" +
                                      solver + beams + "<ConstantForceField indices='3' forces='" + load + "'/></Node>",
                                  "beam.scn");
        Simulation sim(root);
        REQUIRE(sim.init());
        sim.step();
        const auto* s = root->get<State<Rigid3Types>>();
        return Rigid3Types::difference(s->positions()[3], s->read(vec_id::restPosition)[3]);
    };
    for (const char* solver : {"<SparseLDLSolver/>", "<BTDLinearSolver/>"}) {
        INFO(solver);
        // Loads so small that the terms of second order are below the bounds.
        CHECK(tip(solver, "0 0 1e-4 0 0 0")[2] == Approx(1e-4 * 9. / ei).epsilon(1e-6));
        CHECK(tip(solver, "0 0 1e-4 0 0 0")[4] == Approx(-1e-4 * 4.5 / ei).epsilon(1e-6));
        CHECK(tip(solver, "0 1e-4 0 0 0 0")[1] == Approx(1e-4 * 9. / ei).epsilon(1e-6));
        CHECK(tip(solver, "0 0 0 0.01 0 0")[3] == Approx(0.01 * 3. / gj).epsilon(1e-9));
    }
}

TEST_CASE("listSegment chooses the beams, and lists of moduli have one for each edge", "[fem]")
{
    Row some({{"youngModulus", "100 200 300"}, {"poissonRatio", "0.3"}, {"radius", "0.2"}, {"listSegment", "2"}});
    auto x = some.points();
    x[3].center[0] += 0.01;
    x[1].center[0] += 0.01;
    const auto f = some.forces(x);
    CHECK(f[3][0] == Approx(-300. * std::numbers::pi * 0.04 / 1.5 * 0.01).epsilon(1e-12));
    CHECK(f[0] == Vec6());
    CHECK(f[1] == Vec6());
}

TEST_CASE("beams say what is wrong", "[fem]")
{
    MessageCapture capture;
    SECTION("inner radius")
    {
        const Row r({{"radius", "0.1"}, {"radiusInner", "0.2"}}, {}, false);
        CHECK(capture.has(Severity::Error, "radiusInner (0.200000) must be below radius (0.100000)"));
    }
    SECTION("an edge that does not exist")
    {
        const Row r({{"listSegment", "1 3"}}, {}, false);
        CHECK(capture.has(Severity::Error, "listSegment: there is no edge 3, only 3"));
    }
    SECTION("no edges")
    {
        Node root;
        test::addState<Rigid3Types>(root, {RigidCoord3()});
        root.create<test::TestTopology>();
        test::addComponent(root, "BeamFEMForceField");
        CHECK_FALSE(test::initialise(root));
        CHECK(capture.has(Severity::Error, "has no edges"));
    }
    SECTION("a beam of no length, and one across its frame")
    {
        Row r(s_tube);
        CHECK_FALSE(capture.has(Severity::Warning, "does not lie along the x axis"));
        const auto rest = r.field->state().write(vec_id::restPosition);
        rest[1].center = rest[0].center + Vec3{0.6, 0.8, 0.};
        r.field->reinit();
        CHECK(capture.has(Severity::Warning, "beam 0 (points 0, 1) does not lie along the x axis"));
        rest[1] = rest[0];
        r.field->reinit();
        CHECK(capture.has(Severity::Error, "beam 0 (points 0, 1) has no length at rest"));
    }
}

}  // namespace beam_fem_force_field_test
