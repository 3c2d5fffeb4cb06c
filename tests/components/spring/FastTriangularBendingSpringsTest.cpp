// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/spring/FastTriangularBendingSprings.h"

#include <catch2/catch.hpp>
#include <numbers>

#include "tests/harness/ForceFieldCheck.h"
#include "tests/harness/TestGraph.h"

namespace fast_triangular_bending_springs_test {

using namespace sofa;
using namespace sofa::core;
using component::FastTriangularBendingSprings;

namespace {

/// Two triangles with a common edge (1 2), and one that hangs on the edge (2 3) of the second.
struct Sheet
{
    Node root;
    test::TestTopology* topology = nullptr;
    FastTriangularBendingSprings* field = nullptr;

    explicit Sheet(bool valid = true, std::vector<Vec3> points = {
                                          {0., 0., 0.}, {1.5, 0., 0.}, {0.4, 1.2, 0.}, {2., 1.7, 0.}, {1., 3., 0.}})
    {
        test::addState<Vec3Types>(root, test::coordinates<Vec3Types>(points));
        topology = &root.create<test::TestTopology>();
        topology->points = static_cast<Index>(points.size());
        topology->triangleList = {{0, 1, 2}, {1, 3, 2}, {3, 4, 2}};
        topology->edgeList = {{0, 1}, {1, 2}, {2, 0}, {1, 3}, {3, 2}, {3, 4}, {4, 2}};
        field = &test::addComponent<FastTriangularBendingSprings>(root, "FastTriangularBendingSprings",
                                                                  {{"bendingStiffness", "3"}});
        CHECK(test::initialise(root) == valid);
    }
    Vector<Vec3> forces(const Vector<Vec3>& x)
    {
        Vector<Vec3> f(x.size());
        field->addForce({}, f, x, Vector<Vec3>(x.size()));
        return f;
    }
    Vector<Vec3> points() { return field->state().read(vec_id::restPosition); }
};

}  // namespace

HARNESS_FORCE_FIELD("FastTriangularBendingSprings")
{
    SECTION("flat")
    {
        Sheet s;
        CHECK(s.field->hinges().size() == 2);
        test::checkForceField(*s.field, {.atGivenPose = false, .internal = true});  // flat: no force
    }
    SECTION("curved at rest")
    {
        Sheet s(true, {{0., 0., 0.3}, {1.5, 0., 0.}, {0.4, 1.2, 0.}, {2., 1.7, 0.5}, {1., 3., 0.2}});
        test::checkForceField(*s.field, {.internal = true});
    }
}

TEST_CASE("what is flat at rest feels no bending force, wherever it is and however it is sheared")
{
    Sheet s;
    const Mat3 turn = Quat::fromAxisAngle({1., 2., 3.}, 0.7).toMatrix();
    Mat3 shear = Mat3::identity();
    shear[0][1] = 0.4;
    shear[1][1] = 1.3;
    double stiffest = 0.;
    for (const auto& k : s.field->hinges()) stiffest = std::max(stiffest, k.stiffness);
    for (const Mat3& m : {Mat3::identity(), turn, turn * shear}) {
        Vector<Vec3> x = s.points();
        for (Vec3& p : x) p = m * p + Vec3{1., -2., 3.};
        for (const Vec3& f : s.forces(x)) CHECK(norm(f) < 64. * 2.2e-16 * 5. * stiffest);
    }
}

TEST_CASE("a hinge has the energy of its curvature")
{
    // Two equal triangles of height h over an edge of length l, folded by a small angle φ: both opposite vertices rise
    // by z = h φ/2, R = z, λ = 4 k l / (3 h³), E = ½ λ z² = ½ k φ² l/(3 h).
    const double h = 0.8, l = 1.5, k = 2.5, phi = 1e-4;
    const std::vector<Vec3> flat{{0.75, -h, 0.}, {0., 0., 0.}, {l, 0., 0.}, {0.75, h, 0.}};
    Node root;
    test::addState<Vec3Types>(root, test::coordinates<Vec3Types>(flat));
    auto& t = root.create<test::TestTopology>();
    t.points = 4;
    t.triangleList = {{0, 2, 1}, {1, 2, 3}};
    t.edgeList = {{0, 2}, {2, 1}, {1, 0}, {2, 3}, {3, 1}};
    auto& ff = test::addComponent<FastTriangularBendingSprings>(root, "FastTriangularBendingSprings",
                                                                {{"bendingStiffness", std::to_string(k)}});
    REQUIRE(test::initialise(root));
    REQUIRE(ff.hinges().size() == 1);
    CHECK(ff.hinges()[0].points == std::array<Index, 4>{0, 3, 2, 1});
    CHECK(ff.hinges()[0].stiffness == Approx(4. * k * l / (3. * h * h * h)).epsilon(1e-14));
    const double y = h * std::cos(0.5 * phi), z = h * std::sin(0.5 * phi);
    const Vector<Vec3> folded{{0.75, -y, z}, flat[1], flat[2], {0.75, y, z}};
    CHECK(ff.potentialEnergy({}, folded) == Approx(k * phi * phi * l / (6. * h)).epsilon(1e-7));
    Vector<Vec3> f(4);
    ff.addForce({}, f, folded, Vector<Vec3>(4));
    CHECK(f[0][2] == Approx(-0.5 * ff.hinges()[0].stiffness * z).epsilon(1e-12));
}

TEST_CASE("bending springs follow a mesh that changes")
{
    Sheet s;
    s.topology->triangleList.pop_back();
    s.topology->edgeList.resize(5);
    s.topology->changed();
    s.forces(s.points());
    CHECK(s.field->hinges().size() == 1);
    s.field->d_minDistValidity.setValue(1.7);
    s.field->reinit();
    CHECK(s.field->hinges().empty());  // the edge (1 2) is sqrt(1.1² + 1.2²) = 1.63 m long
}

TEST_CASE("bending springs of triangles say what is wrong")
{
    MessageCapture capture;
    SECTION("a triangle without height")
    {
        Sheet s(false, {{1., 0.5, 0.}, {1.5, 0., 0.}, {0.5, 1., 0.}, {2., 1.7, 0.}, {1., 3., 0.}});
        CHECK(capture.has(Severity::Error, "a triangle at the edge of the points 1 and 2 has no area at rest"));
    }
    SECTION("no triangles")
    {
        Node root;
        test::addState<Vec3Types>(root, {Vec3()});
        root.create<test::TestTopology>();
        test::addComponent(root, "FastTriangularBendingSprings");
        CHECK_FALSE(test::initialise(root));
        CHECK(capture.has(Severity::Error, "has no triangles"));
    }
    SECTION("points that the state does not have")
    {
        Sheet s(false, {{0., 0., 0.}, {1.5, 0., 0.}, {0.4, 1.2, 0.}});
        CHECK(capture.has(Severity::Error, "the mesh has a point 3"));
    }
}

}  // namespace fast_triangular_bending_springs_test
