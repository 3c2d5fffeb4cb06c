// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/load/LennardJonesForceField.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/harness/ForceFieldCheck.h"
#include "tests/harness/TestGraph.h"

namespace lennard_jones_force_field_test {

using namespace sofa;
using namespace sofa::core;
using component::LennardJonesForceField;

namespace {

LennardJonesForceField& build(Node& root, const Vector<Vec3>& points, const test::Attributes& attributes,
                              bool valid = true)
{
    test::addState<Vec3Types>(root, points);
    auto& ff = test::addComponent<LennardJonesForceField>(root, "LennardJonesForceField", attributes);
    CHECK(test::initialise(root) == valid);
    return ff;
}

/// A pair of points, for many distances.
struct Pair
{
    Node root;
    LennardJonesForceField& ff;
    explicit Pair(const test::Attributes& attributes) : ff(build(root, {{}, {1., 0., 0.}}, attributes)) {}
    double attraction(double d)
    {
        const Vector<Vec3> x{{}, {d, 0., 0.}};
        Vector<Vec3> f(2);
        ff.addForce({}, f, x, Vector<Vec3>(2));
        CHECK(f[0] == -f[1]);
        return f[0][0];
    }
    double energy(double d) { return ff.potentialEnergy({}, {{}, {d, 0., 0.}}); }
};

const Vector<Vec3> s_cloud{{0., 0., 0.},    {1.1, 0.2, 0.1}, {-0.3, 1.2, 0.2},
                           {0.4, 0.4, 1.1}, {1.2, 1.3, 0.9}, {5., 5., 5.}};

}  // namespace

HARNESS_FORCE_FIELD("LennardJonesForceField")
{
    Node root;
    const test::Attributes near{{"dmax", "4"}, {"fmax", "100"}, {"rayleighStiffness", "0.1"}};
    const auto with = [&](const test::Attributes& more) {
        test::Attributes all = near;
        all.insert(all.end(), more.begin(), more.end());
        return all;
    };
    const test::ForceFieldOptions gentle{.displacement = 0.02, .step = 1e-4, .internal = true};
    SECTION("6 and 12") { test::checkForceField(build(root, s_cloud, near), gentle); }
    SECTION("8 and 9") { test::checkForceField(build(root, s_cloud, with({{"alpha", "8"}, {"beta", "9"}})), gentle); }
    SECTION("a hill") { test::checkForceField(build(root, s_cloud, with({{"p0", "-0.5"}})), gentle); }
    SECTION("gravitation")
    {
        test::checkForceField(build(root, s_cloud, with({{"aInit", "2"}, {"alpha", "1"}, {"beta", "0"}})), gentle);
    }
    SECTION("damping") { test::checkForceField(build(root, s_cloud, with({{"damping", "0.3"}})), gentle); }
    SECTION("at most fmax")
    {
        // All pairs of these four are where the attraction is cut off.
        test::checkForceField(
            build(root, {{}, {1.2, 0., 0.}, {0.6, 1.04, 0.}, {0.6, 0.35, 1.}}, {{"fmax", "0.5"}, {"dmax", "4"}}),
            {.displacement = 0.02, .step = 1e-4, .internal = true});
    }
}

TEST_CASE("two points of Lennard-Jones have a well of the depth p0 at the distance d0")
{
    Pair pair({{"d0", "1.3"}, {"p0", "2.5"}, {"dmax", "1e6"}, {"fmax", "1e6"}});
    CHECK(std::abs(pair.attraction(1.3)) < 1e-12);
    CHECK(pair.energy(1.3) == Approx(-2.5).epsilon(1e-12));
    CHECK(pair.attraction(1.2) < 0.);
    CHECK(pair.attraction(1.4) > 0.);
    // 4 ε ((σ/d)¹² − (σ/d)⁶) with σ = d0/2^(1/6)
    const double sigma = 1.3 / std::pow(2., 1. / 6.), ratio = std::pow(sigma / 1.7, 6);
    CHECK(pair.energy(1.7) == Approx(4. * 2.5 * (ratio * ratio - ratio)).epsilon(1e-10));
}

TEST_CASE("the attraction of a pair is at most fmax, and the energy is what it takes")
{
    for (const auto& more : {test::Attributes{}, test::Attributes{{"p0", "-50"}, {"alpha", "8"}, {"beta", "9"}},
                             test::Attributes{{"aInit", "30"}, {"alpha", "1"}}, test::Attributes{{"fmax", "0"}}}) {
        test::Attributes attributes{{"dmax", "3"}, {"p0", "3"}, {"fmax", "0.8"}};
        for (const auto& [name, value] : more)
            for (auto& a : attributes)
                if (a.first == name) a.second = value;
        for (const auto& a : more)
            if (std::none_of(attributes.begin(), attributes.end(), [&](const auto& b) { return b.first == a.first; }))
                attributes.push_back(a);
        Pair pair(attributes);
        const double fmax = pair.ff.d_fmax.value();
        CHECK(pair.attraction(3.0001) == 0.);
        CHECK(pair.energy(3.0001) == 0.);
        CHECK(std::abs(pair.energy(3. - 1e-12)) < 1e-9);
        // Simpson's rule over the pieces between.
        double energy = pair.energy(2.99);
        const double h = 1e-3;
        bool capped = false;
        for (double d = 2.99; d > 0.9; d -= h) {
            const double a = pair.attraction(d), b = pair.attraction(d - 0.5 * h), c = pair.attraction(d - h);
            CHECK(b <= fmax * (1. + 1e-12));
            capped = capped || b == fmax;
            energy -= h / 6. * (a + 4. * b + c);
            CHECK(energy == Approx(pair.energy(d - h)).margin(2e-4));
        }
        CHECK((capped || fmax == 0. || pair.ff.d_p0.value() < 0.));
    }
}

TEST_CASE("the force of Lennard-Jones has SOFA's numbers")
{
    // a = 2, b = 1: 12 d⁻⁷ − 12 d⁻¹³
    Pair pair(test::Attributes{{"fmax", "10"}});
    CHECK(pair.attraction(1.5) == Approx(12. * (std::pow(1.5, -7.) - std::pow(1.5, -13.))).epsilon(1e-12));
    // The fluid of 2011: a = −450, b = −400; points part beyond d0, and attract each other with at most fmax within.
    Pair fluid({{"alpha", "8"}, {"beta", "9"}, {"p0", "-50"}, {"dmax", "4"}, {"fmax", "2"}});
    CHECK(fluid.attraction(2.) == Approx(3600. * (std::pow(2., -10.) - std::pow(2., -9.))).epsilon(1e-12));
    CHECK(fluid.attraction(0.9) == 2.);
    // Edits count.
    fluid.ff.d_fmax.setValue(3.);
    fluid.ff.reinit();
    CHECK(fluid.attraction(0.9) == 3.);
    // Gravitation: G m1 m2/d².
    Pair stars({{"aInit", "6"}, {"alpha", "1"}, {"beta", "0"}, {"dmax", "1e9"}, {"fmax", "1e9"}});
    CHECK(stars.attraction(2.) == Approx(1.5).epsilon(1e-12));
    CHECK(stars.energy(2.) == Approx(-3.).epsilon(1e-8));
}

TEST_CASE("pairs of Lennard-Jones are all those within dmax, whatever their order")
{
    Vector<Vec3> x;
    for (int i = 0; i < 60; ++i)
        x.push_back({std::sin(7. * i) * 3., std::cos(11. * i) * 3., std::sin(13. * i + 1.) * 3.});
    Node root;
    auto& ff = build(root, x, {{"dmax", "1.7"}, {"fmax", "5"}});
    Vector<Vec3> f(60), expected(60);
    ff.addForce({}, f, x, Vector<Vec3>(60));
    for (std::size_t a = 0; a < 60; ++a)
        for (std::size_t b = 0; b < a; ++b) {
            const double d = norm(x[b] - x[a]);
            if (d >= 1.7) continue;
            const Vec3 force = (x[b] - x[a]) * (std::min(5., 12. * (std::pow(d, -7.) - std::pow(d, -13.))) / d);
            expected[a] += force;
            expected[b] -= force;
        }
    for (std::size_t i = 0; i < 60; ++i) CHECK(norm(f[i] - expected[i]) < 1e-9 * (1. + norm(expected[i])));
    // Points in one place, or nowhere, are no reason to fail.
    Vector<Vec3> odd{{}, {}, {std::nan(""), 0., 0.}, {1.2, 0., 0.}};
    Vector<Vec3> forces(4);
    Node other;
    build(other, odd, {}).addForce({}, forces, odd, Vector<Vec3>(4));
    CHECK(forces[2] == Vec3());
    CHECK(isFinite(forces[0]));
    CHECK(forces[3][0] < 0.);
}

TEST_CASE("Lennard-Jones says what is wrong")
{
    MessageCapture capture;
    Node root;
    SECTION("equal exponents")
    {
        build(root, {Vec3()}, {{"beta", "6"}}, false);
        CHECK(capture.has(Severity::Error, "beta: the exponent of the repulsion must be positive and not alpha (6)"));
    }
    SECTION("no range")
    {
        build(root, {Vec3()}, {{"dmax", "0"}}, false);
        CHECK(capture.has(Severity::Error, "dmax"));
    }
}

}  // namespace lennard_jones_force_field_test
