// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "components/spring/QuadraticBendingForceField.h"
#include "core/math/Quat.h"
#include "core/mesh/SubElements.h"
#include "tests/harness/ForceFieldCheck.h"
#include "tests/harness/TestGraph.h"

namespace quadratic_bending_test {

using namespace sofa;
using namespace sofa::core;
using component::QuadraticBendingForceField;

namespace {

struct Sheet
{
    Node root;
    test::TestTopology* topology = nullptr;
    QuadraticBendingForceField* field = nullptr;

    Sheet(Vector<Vec3> points, Vector<Triangle> triangles, bool valid = true)
    {
        const Index count = static_cast<Index>(points.size());
        test::addState<Vec3Types>(root, std::move(points));
        topology = &root.create<test::TestTopology>();
        topology->points = count;
        topology->triangleList = std::move(triangles);
        for (const Triangle& t : topology->triangleList)
            for (std::size_t k = 0; k < 3; ++k) {
                const Edge e{std::min(t[k], t[(k + 1) % 3]), std::max(t[k], t[(k + 1) % 3])};
                if (std::find(topology->edgeList.begin(), topology->edgeList.end(), e) == topology->edgeList.end())
                    topology->edgeList.push_back(e);
            }
        field = &test::addComponent<QuadraticBendingForceField>(root, "QuadraticBendingForceField",
                                                                {{"bendingStiffness", "3"}});
        CHECK(test::initialise(root) == valid);
    }
    Vector<Vec3> rest() { return field->state().read(vec_id::restPosition); }
    double energy(const Vector<Vec3>& x) { return field->potentialEnergy({}, x); }
    Vector<Vec3> forces(const Vector<Vec3>& x)
    {
        Vector<Vec3> f(x.size());
        field->addForce({}, f, x, Vector<Vec3>(x.size()));
        return f;
    }
};

/// Points of a lattice with the second direction `b`, n + 1 in each, with unit sides, cut along the longer or equal
/// diagonal (0 0) (1 1), or the other one.
Sheet lattice(const Vec3& b, int n, bool mirrored = false)
{
    Vector<Vec3> points;
    Vector<Triangle> triangles;
    for (int j = 0; j <= n; ++j)
        for (int i = 0; i <= n; ++i) points.push_back(Vec3(1., 0., 0.) * double(i) + b * double(j));
    const auto at = [n](int i, int j) { return static_cast<Index>(i + (n + 1) * j); };
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
            const Index p = at(i, j), q = at(i + 1, j), r = at(i + 1, j + 1), s = at(i, j + 1);
            if (mirrored) {
                triangles.push_back({p, q, s});
                triangles.push_back({q, r, s});
            } else {
                triangles.push_back({p, q, r});
                triangles.push_back({p, r, s});
            }
        }
    return {points, triangles};
}

const Vector<Vec3> s_points{{0., 0., 0.}, {1.5, 0., 0.}, {0.4, 1.2, 0.}, {2., 1.7, 0.}, {1., 3., 0.}};
const Vector<Triangle> s_triangles{{0, 1, 2}, {1, 3, 2}, {3, 4, 2}};

/// The energy per area, of what is well inside of a large lattice, over ½ k κ²: of w = ½ κ ((x·n)² + c (x·m)²), with m
/// across n.
double ratio(const Vec3& b, const Vec3& n, bool mirrored = false, double c = 0.)
{
    const auto energy = [&](int size) {
        Sheet s = lattice(b, size, mirrored);
        auto x = s.rest();
        for (Vec3& p : x) {
            const double along = dot(p, n), across = n[0] * p[1] - n[1] * p[0];
            p[2] = 0.5 * 1e-3 * (along * along + c * across * across);
        }
        return s.energy(x);
    };
    // The second difference by the size leaves out the sides and corners.
    const double inside = 0.5 * (energy(8) - 2. * energy(7) + energy(6));
    return inside / (0.5 * 3. * 1e-6 * b[1]);
}

}  // namespace

HARNESS_FORCE_FIELD("QuadraticBendingForceField")
{
    SECTION("flat")
    {
        Sheet s(s_points, s_triangles);
        CHECK(s.field->hinges().size() == 2);
        test::checkForceField(*s.field, {.atGivenPose = false, .internal = true});
    }
    SECTION("curved at rest")
    {
        Sheet s({{0., 0., 0.3}, {1.5, 0., 0.}, {0.4, 1.2, 0.}, {2., 1.7, 0.5}, {1., 3., 0.2}}, s_triangles);
        test::checkForceField(*s.field, {.internal = true});
    }
}

TEST_CASE("a quadratic hinge has the energy of its angle")
{
    // Two triangles of the heights h and g over an edge of length l, folded by a small angle φ: ½ k l² φ²/A.
    const double h = 0.8, g = 0.5, l = 1.5, phi = 1e-4;
    const Vector<Vec3> flat{{0.6, -h, 0.}, {0., 0., 0.}, {l, 0., 0.}, {0.9, g, 0.}};
    Sheet s(flat, {{0, 2, 1}, {1, 2, 3}});
    REQUIRE(s.field->hinges().size() == 1);
    Vector<Vec3> folded = flat;
    folded[0] = {0.6, -h * std::cos(phi), h * std::sin(phi)};
    CHECK(s.energy(folded) == Approx(0.5 * 3. * l * l * phi * phi / (0.5 * l * (h + g))).epsilon(1e-6));
    // Forces in the plane are those of the second order only.
    const auto f = s.forces(folded);
    CHECK(norm(f[0]) > 1e-5);
    CHECK(std::abs(f[0][1]) < 1e-4 * std::abs(f[0][2]));
}

TEST_CASE("what is flat has no quadratic bending force, wherever it is and however it is stretched")
{
    Sheet s(s_points, s_triangles);
    const Mat3 turn = Quat::fromAxisAngle({1., 2., 3.}, 0.7).toMatrix();
    Mat3 shear = Mat3::identity();
    shear[0][1] = 0.4;
    shear[1][1] = 1.3;
    for (const Mat3& m : {Mat3::identity(), turn, turn * shear}) {
        Vector<Vec3> x = s.rest();
        for (Vec3& p : x) p = m * p + Vec3{1., -2., 3.};
        for (const Vec3& f : s.forces(x)) CHECK(norm(f) < 1e-12);
    }
}

TEST_CASE("quadratic bending has the energy of a plate that is bent in one direction")
{
    // Equilateral triangles, in any direction.
    const Vec3 sixty{0.5, 0.5 * std::numbers::sqrt3, 0.};
    for (const double degrees : {0., 20., 45., 90., 130.}) {
        const double a = degrees * std::numbers::pi / 180.;
        const Vec3 n{std::cos(a), std::sin(a), 0.};
        CHECK(ratio(sixty, n, true) == Approx(1.).epsilon(1e-6));
        // Of two curvatures, a² + b² − ⅔ a b.
        CHECK(ratio(sixty, n, true, 1.) == Approx(4. / 3.).epsilon(1e-6));
        CHECK(ratio(sixty, n, true, -1.) == Approx(8. / 3.).epsilon(1e-6));
    }
    // Squares that are cut in two: along their sides, across the diagonals, and along them.
    const Vec3 square{0., 1., 0.};
    const double c = std::sqrt(0.5);
    CHECK(ratio(square, {1., 0., 0.}) == Approx(1.).epsilon(1e-6));
    CHECK(ratio(square, {0., 1., 0.}) == Approx(1.).epsilon(1e-6));
    CHECK(ratio(square, {c, -c, 0.}) == Approx(1.).epsilon(1e-6));
    CHECK(ratio(square, {c, c, 0.}) == Approx(3.).epsilon(1e-6));
}

TEST_CASE("quadratic bending follows a mesh that changes, and edits")
{
    Sheet s(s_points, s_triangles);
    auto x = s.rest();
    x[0][2] = 0.2;
    const double before = s.energy(x);
    s.field->d_bendingStiffness.setValue(6.);
    s.field->reinit();
    CHECK(s.energy(x) == Approx(2. * before));
    s.topology->triangleList.pop_back();
    s.topology->edgeList.resize(5);
    s.topology->changed();
    s.forces(x);
    CHECK(s.field->hinges().size() == 1);
}

TEST_CASE("quadratic bending says what is wrong")
{
    MessageCapture capture;
    SECTION("a triangle without height")
    {
        Sheet s({{1., 0.5, 0.}, {1.5, 0., 0.}, {0.5, 1., 0.}, {2., 1.7, 0.}, {1., 3., 0.}}, s_triangles, false);
        CHECK(capture.has(Severity::Error, "a triangle at the edge of the points 1 and 2 has no area at rest"));
    }
    SECTION("no triangles")
    {
        Sheet s(s_points, {}, false);
        CHECK(capture.has(Severity::Error, "has no triangles"));
    }
}

}  // namespace quadratic_bending_test
