// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "components/load/OscillatingTorsionPressureForceField.h"
#include "core/math/Quat.h"
#include "tests/harness/ForceFieldCheck.h"
#include "tests/harness/TestGraph.h"

namespace oscillating_torsion_test {

using namespace sofa;
using namespace sofa::core;
using Torsion = component::OscillatingTorsionPressureForceField;

namespace {

/// The end of a rod along z: a fan of six triangles around a point on the axis, at z = 2, and one that is elsewhere.
struct Rod
{
    Node root;
    test::TestTopology* topology = nullptr;
    Torsion* field = nullptr;
    MessageCapture messages;

    explicit Rod(test::Attributes attributes = {}, bool valid = true)
    {
        Vector<Vec3> points{{1., 0., 2.}};
        for (int i = 0; i < 6; ++i) {
            const double a = std::numbers::pi / 3. * i;
            points.push_back({1. + (1. + 0.1 * i) * std::cos(a), (1. + 0.1 * i) * std::sin(a), 2.});
        }
        points.push_back({0., 0., 5.});
        test::addState<Vec3Types>(root, points);
        topology = &root.create<test::TestTopology>();
        topology->points = 8;
        for (Index i = 0; i < 6; ++i) topology->triangleList.push_back({0, 1 + i, 1 + (i + 1) % 6});
        topology->triangleList.push_back({1, 2, 7});
        const test::Attributes usual{{"moment", "0.7"}, {"center", "1 0 -3"}, {"penalty", "5"},
                                     {"dmin", "1.9"},   {"dmax", "2.1"},      {"rayleighStiffness", "0.1"}};
        for (const auto& a : usual)
            if (std::none_of(attributes.begin(), attributes.end(), [&](const auto& b) { return b.first == a.first; }))
                attributes.push_back(a);
        field = &test::addComponent<Torsion>(root, "OscillatingTorsionPressureForceField", attributes);
        CHECK(test::initialise(root) == valid);
    }
    Vector<Vec3> rest() { return field->state().read(vec_id::restPosition); }
    Vector<Vec3> forces(const Vector<Vec3>& x)
    {
        Vector<Vec3> f(x.size());
        field->addForce({}, f, x, Vector<Vec3>(x.size()));
        return f;
    }
    /// Turned about the axis.
    Vector<Vec3> turned(double angle)
    {
        const Quat q = Quat::fromAxisAngle({0., 0., 1.}, angle);
        Vector<Vec3> x = rest();
        for (Vec3& p : x) p = q.rotate(p - Vec3(1., 0., 0.)) + Vec3(1., 0., 0.);
        return x;
    }
    static double moment(const Vector<Vec3>& x, const Vector<Vec3>& f)
    {
        double sum = 0.;
        for (std::size_t i = 0; i < x.size(); ++i) sum += cross(x[i] - Vec3(1., 0., 0.), f[i])[2];
        return sum;
    }
};

}  // namespace

HARNESS_FORCE_FIELD("OscillatingTorsionPressureForceField")
{
    Rod rod;
    REQUIRE(rod.field->d_list.value() == Vector<Index>{0, 1, 2, 3, 4, 5});
    SECTION("at rest and near")
    {
        // The point on the axis has no angle, and feels the penalty alone.
        test::checkForceField(*rod.field, {.displacement = 0.2});
    }
    SECTION("far turned")
    {
        const auto x = rod.turned(1.9);
        const auto now = rod.field->state().write(vec_id::position);
        for (std::size_t i = 0; i < x.size(); ++i) now[i] = x[i];
        test::checkForceField(*rod.field, {.displacement = 0.2});
    }
}

TEST_CASE("an oscillating torsion has its moment, whatever the shape")
{
    Rod rod;
    Vector<Vec3> x = rod.turned(0.4);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += Vec3(0.2 * std::sin(3. * i), 0.1 * std::cos(5. * i), 0.3 * i);
    const auto f = rod.forces(x);
    CHECK(rod.moment(x, f) == Approx(0.7).epsilon(1e-12));
    CHECK(f[7] == Vec3());
    // Turned as a whole there is nothing but the moment, and the angle is the turn.
    const auto whole = rod.turned(-1.2);
    const auto pure = rod.forces(whole);
    CHECK(rod.field->angle() == Approx(-1.2).epsilon(1e-12));
    CHECK(rod.moment(whole, pure) == Approx(0.7).epsilon(1e-12));
    CHECK(norm(pure[0]) < 1e-12);
    for (std::size_t i = 1; i < 7; ++i) {
        CHECK(std::abs(dot(pure[i], whole[i] - Vec3(1., 0., 2.))) < 1e-12);
        CHECK(dot(pure[i], cross(Vec3(0., 0., 1.), whole[i] - Vec3(1., 0., 2.))) > 0.);
    }
    // Points that are moved along the axis are pushed back.
    auto lifted = rod.rest();
    lifted[3][2] += 0.1;
    CHECK(rod.forces(lifted)[3][2] == Approx(-0.5).epsilon(1e-12));
}

TEST_CASE("the moment of an oscillating torsion is a cosine of the time")
{
    Rod rod(test::Attributes{{"frequency", "2"}});
    for (const double t : {0., 0.1, 0.25, 0.3}) {
        rod.root.d_time.setValue(t);
        const auto x = rod.rest();
        CHECK(rod.moment(x, rod.forces(x)) == Approx(0.7 * std::cos(4. * std::numbers::pi * t)).margin(1e-12));
    }
}

TEST_CASE("an oscillating torsion acts on the triangles of its list, and follows them")
{
    Rod rod({{"triangleList", "0 6"}, {"dmin", "0"}, {"dmax", "0"}});
    auto x = rod.rest();
    for (Vec3& p : x) p[2] += 0.1;
    auto f = rod.forces(x);
    CHECK(f[7][2] == Approx(-0.5).epsilon(1e-12));
    CHECK(f[4] == Vec3());
    rod.field->d_list.setValue({3});
    rod.field->reinit();
    f = rod.forces(x);
    CHECK(f[7] == Vec3());
    CHECK(f[4][2] == Approx(-0.5).epsilon(1e-12));
}

TEST_CASE("an oscillating torsion says what is wrong")
{
    SECTION("no axis")
    {
        Rod rod(test::Attributes{{"axis", "0 0 0"}}, false);
        CHECK(rod.messages.has(Severity::Error, "axis: give the direction of the axis; it is zero"));
    }
    SECTION("a triangle that is not there")
    {
        Rod rod(test::Attributes{{"triangleList", "9"}}, false);
        CHECK(rod.messages.has(Severity::Error, "triangleList: there is no triangle 9"));
    }
    SECTION("nothing between the planes")
    {
        Rod rod({{"dmin", "7"}, {"dmax", "8"}});
        CHECK(rod.messages.has(Severity::Warning, "between the planes dmin and dmax"));
        CHECK(rod.forces(rod.rest())[1] == Vec3());
    }
}

}  // namespace oscillating_torsion_test
