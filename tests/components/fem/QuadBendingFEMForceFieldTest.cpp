// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/QuadBendingFEMForceField.h"

#include <cmath>

#include "tests/components/fem/FemFixture.h"
#include "tests/harness/ForceFieldCheck.h"

namespace quad_bending_fem_force_field_test {

using namespace sofa::core;
using namespace sofa::component;
using namespace sofa::test;

namespace {

constexpr double s_young = 200., s_poisson = 0.3, s_thickness = 0.5;
constexpr double s_mu = s_young * s_thickness / (2. * (1. + s_poisson));

/// A plate of 3 x 2 quads in the plane x y, 3 m x 1.5 m.
struct Plate : ForceFieldScene<QuadBendingFEMForceField>
{
    explicit Plate(bool skewed = false) : ForceFieldScene(BoxMesh(1, 1, 1, {1., 1., 1.}), false, false)
    {
        Vector<Vec3> points;
        for (int j = 0; j < 3; ++j)
            for (int i = 0; i < 4; ++i) points.push_back({i * 1., j * 0.75, 0.});
        if (skewed) {
            // Points inside are moved in the plane.
            points[5] += Vec3{0.2, -0.1, 0.};
            points[6] += Vec3{0.1, 0.15, 0.};
        }
        state.d_position.setValue(points);
        topology.points = static_cast<Index>(points.size());
        for (Index j = 0; j < 2; ++j)
            for (Index i = 0; i < 3; ++i) {
                const Index a = 4 * j + i;
                topology.m_quads.push_back({a, a + 1, a + 5, a + 4});
            }
        set("youngModulus", "200").set("poissonRatio", "0.3").set("thickness", "0.5");
    }
    void turn(const Mat3& m)
    {
        auto x = state.d_position.value();
        for (Vec3& p : x) p = m * p;
        state.d_position.setValue(x);
    }
    Vector<Vec3> points() { return state.d_position.value(); }
};

}  // namespace

HARNESS_FORCE_FIELD("QuadBendingFEMForceField")
{
    Plate s(true);
    Vector<Vec3> x = s.points();
    const Vector<Vec3> bumps = randomVectors(x.size(), 0.15, 5);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += bumps[i];
    // Numbers in any order.
    const Vector<Index> number = randomNumbers(s.topology.points);
    Vector<Vec3> points(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) points[number[i]] = x[i];
    s.state.d_position.setValue(points);
    renumber(s.topology.m_quads, s.topology.points);
    s.set("rayleighStiffness", "0.1").init();
    REQUIRE(s.field.isValid());
    checkForceField(s.field);
}

TEST_CASE("A plate of quads passes the patch test of plane stress, however it lies", "[fem]")
{
    const double ex = 0.01, ey = -0.02, shear = 0.015;
    const double d = s_young * s_thickness / (1. - s_poisson * s_poisson);
    const double sx = d * (ex + s_poisson * ey), sy = d * (ey + s_poisson * ex), sxy = s_mu * shear;
    for (const Mat3& turn : {Mat3::identity(), someRotation()}) {
        Plate s(true);
        const auto flat = s.points();
        s.turn(turn);
        s.init();
        REQUIRE(s.field.isValid());
        Vector<Vec3> x;
        for (const Vec3& p : flat) x.push_back(turn * (p + Vec3{ex * p[0] + shear * p[1], ey * p[1], 0.}));
        Vec3 right, top;
        const auto f = s.forces(x);
        for (std::size_t i = 0; i < f.size(); ++i) {
            const Vec3 local = transposeTimes(turn, f[i]);
            if (i == 5 || i == 6) CHECK(norm(local) < 1e-12);
            if (i % 4 == 3) right += local;
            if (i >= 8) top += local;
        }
        CHECK(right[0] == Approx(-sx * 1.5).epsilon(1e-12));
        CHECK(top[1] == Approx(-sy * 3.).epsilon(1e-12));
        CHECK(s.energy(x) == Approx(0.5 * 4.5 * (sx * ex + sy * ey + sxy * shear)).epsilon(1e-12));
    }
}

TEST_CASE("A plate of quads resists slopes by its shear", "[fem]")
{
    for (const bool skewed : {false, true}) {
        Plate s(skewed);
        s.init();
        auto x = s.points();
        for (Vec3& p : x) p[2] = 0.1 * p[1];
        Vec3 top;
        const auto f = s.forces(x);
        for (std::size_t i = 0; i < f.size(); ++i)
            if (i >= 8) top += f[i];
        CHECK(top[2] == Approx(-5. / 6. * s_mu * 0.1 * 3.).epsilon(1e-12));
        CHECK(s.energy(x) == Approx(0.5 * 5. / 6. * s_mu * 0.01 * 4.5).epsilon(1e-12));
        // Corners that go to and fro are held, too, where SOFA's plate has no stiffness.
        for (std::size_t i = 0; i < x.size(); ++i) x[i][2] = (i % 4 + i / 4) % 2 ? 0.1 : -0.1;
        CHECK(s.energy(x) > 0.1);
        Vector<double> parts;
        const auto now = s.state.write(vec_id::position);
        for (std::size_t i = 0; i < x.size(); ++i) now[i] = x[i];
        s.field.elementEnergies(parts);
        double sum = 0.;
        for (const double e : parts) sum += e;
        CHECK(sum == Approx(s.energy(x)).epsilon(1e-12));
    }
}

TEST_CASE("With SOFA's numbers a plate of quads is the same where it lies along the axes, but for its shear", "[fem]")
{
    Plate exact, sofa;
    sofa.root->d_compatibility.setValue(Options({"exact", "sofa"}, 1));
    exact.init();
    sofa.init();
    // In the plane with the lengths of the first sides as at rest, and slopes: the same.
    auto x = exact.points();
    for (Vec3& p : x) p += Vec3{0.1 * p[1], -0.005 * p[1] * p[1], 0.1 * p[0]};
    CHECK(exact.forces(exact.points()) == sofa.forces(exact.points()));
    auto sheared = exact.points();
    for (Vec3& p : sheared) p[2] = 1e-9 * p[0];
    const auto a = exact.forces(sheared), b = sofa.forces(sheared);
    for (std::size_t i = 0; i < a.size(); ++i) CHECK(norm(a[i] - b[i]) < 1e-14);
    CHECK(maxNorm(a) > 1e-9);
    // No stiffness against corners that go to and fro; stiffness by the present lengths, and no potential.
    auto alternating = exact.points();
    for (std::size_t i = 0; i < x.size(); ++i) alternating[i][2] = (i % 4 + i / 4) % 2 ? 0.1 : -0.1;
    CHECK(maxNorm(exact.forces(alternating)) > 0.1);
    CHECK(maxNorm(sofa.forces(alternating)) < 1e-13);
    CHECK(std::isnan(sofa.energy(alternating)));
    // One element stretched by s along x: with half the lengths l s and h, f = σ h t of σ = E/(1 − ν²) (s − 1)/s ...
    ForceFieldScene<QuadBendingFEMForceField> one(BoxMesh(1, 1, 1, {1., 1., 1.}), false, false);
    one.root->d_compatibility.setValue(Options({"exact", "sofa"}, 1));
    one.state.d_position.setValue({{0., 0., 0.}, {2., 0., 0.}, {2., 1., 0.}, {0., 1., 0.}});
    one.topology.points = 4;
    one.topology.m_quads = {{0, 1, 2, 3}};
    one.set("youngModulus", "200").set("poissonRatio", "0").set("thickness", "0.5").init();
    const auto f = one.forces({{0., 0., 0.}, {3., 0., 0.}, {3., 1., 0.}, {0., 1., 0.}});
    CHECK(f[1][0] == Approx(-0.5 * 100. * (1. / 3.)).epsilon(1e-12));
}

TEST_CASE("A plate of quads says what is wrong", "[fem]")
{
    SECTION("no quads")
    {
        Plate s;
        s.topology.m_quads.clear();
        s.init();
        CHECK(s.messages.has(Severity::Error, "has no quads"));
    }
    SECTION("no area")
    {
        Plate s;
        s.topology.m_quads.push_back({0, 1, 2, 3});
        s.init();
        CHECK(s.messages.has(Severity::Error, "quad 6 (vertices 0 1 2 3) has no area at rest"));
    }
    SECTION("crossed")
    {
        Plate s;
        s.topology.m_quads.push_back({0, 1, 4, 5});
        s.init();
        CHECK(s.messages.has(Severity::Error, "quad 6 (vertices 0 1 4 5)"));
    }
    SECTION("a vertex that is not there")
    {
        Plate s;
        s.topology.m_quads.push_back({0, 1, 5, 20});
        s.init();
        CHECK(s.messages.has(Severity::Error, "there are only 12 points"));
    }
    SECTION("a method that does not exist")
    {
        Plate s;
        s.set("method", "large");
        CHECK(s.messages.has(Severity::Error, "method"));
    }
}

}  // namespace quad_bending_fem_force_field_test
