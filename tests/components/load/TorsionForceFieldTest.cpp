// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/load/TorsionForceField.h"

#include <catch2/catch.hpp>

#include "tests/harness/ForceFieldCheck.h"
#include "tests/harness/TestGraph.h"

namespace torsion_force_field_test {

using namespace sofa;
using namespace sofa::core;
using component::TorsionForceField;

namespace {

const std::vector<Vec3> s_points{{0., 0., 0.}, {2., 0.5, 0.3}, {-0.4, 1.5, 1.}};

template <class D>
TorsionForceField<D>& torsion(Node& root, test::Attributes attributes, bool valid = true)
{
    test::addState<D>(root, test::coordinates<D>(s_points));
    attributes.emplace_back("template", std::string(D::name()));
    auto& ff = test::addComponent<TorsionForceField<D>>(root, "TorsionForceField", attributes);
    CHECK(test::initialise(root) == valid);
    return ff;
}

const test::Attributes s_axis{
    {"indices", "1 2"}, {"torque", "3"}, {"axis", "0 0 2"}, {"origin", "1 0 5"}, {"rayleighStiffness", "0.1"}};

}  // namespace

HARNESS_FORCE_FIELD("TorsionForceField")
{
    Node root;
    SECTION("points, without a tangent")
    {
        auto& ff = torsion<Vec3Types>(root, s_axis);
        auto& s = ff.state();
        for (const auto id : {vec_id::dx, vec_id::dforce}) s.allocate(id);
        s.write(vec_id::dx)[1] = {1., 2., 3.};
        MechanicalParams mp;
        mp.kFactor = 1.;
        mp.dx = vec_id::dx;
        s.clear(vec_id::dforce);
        ff.addDForce(mp, vec_id::dforce);
        CHECK(s.read(vec_id::dforce)[1] == Vec3());
    }
    test::Attributes tangent = s_axis;
    tangent.emplace_back("tangent", "1");
    SECTION("points") { test::checkForceField(torsion<Vec3Types>(root, tangent), {.symmetric = false}); }
    SECTION("frames") { test::checkForceField(torsion<Rigid3Types>(root, tangent), {.symmetric = false}); }
}

TEST_CASE("a torsion pushes points around its axis, the more the farther they are")
{
    Node root;
    auto& ff = torsion<Vec3Types>(root, s_axis);
    Vector<Vec3> x(s_points.begin(), s_points.end()), f(3);
    ff.addForce({}, f, x, Vector<Vec3>(3));
    CHECK(f[0] == Vec3());
    CHECK(norm(f[1] - Vec3(-1.5, 3., 0.)) < 1e-14);
    CHECK(norm(f[2] - Vec3(-4.5, -4.2, 0.)) < 1e-14);
    // The moment about the axis: torque times the squares of the distances.
    double moment = 0.;
    for (std::size_t i = 0; i < 3; ++i) moment += cross(x[i] - Vec3(1., 0., 5.), f[i])[2];
    CHECK(moment == Approx(3. * (1.25 + 1.4 * 1.4 + 1.5 * 1.5)));
    CHECK(std::isnan(ff.potentialEnergy({}, x)));
}

TEST_CASE("a torsion of frames turns them as well")
{
    Node root;
    auto& ff = torsion<Rigid3Types>(root, s_axis);
    Vector<Rigid3Types::Deriv> f(3);
    ff.addForce({}, f, ff.state().positions(), Vector<Rigid3Types::Deriv>(3));
    CHECK(norm(Rigid3Types::linear(f[1]) - Vec3(-1.5, 3., 0.)) < 1e-14);
    CHECK(norm(Rigid3Types::angular(f[1]) - Vec3(0., 0., 3.)) < 1e-14);
}

TEST_CASE("a torsion says what is wrong")
{
    MessageCapture capture;
    Node root;
    SECTION("no axis")
    {
        torsion<Vec3Types>(root, {{"indices", "1"}}, false);
        CHECK(capture.has(Severity::Error, "axis: give the direction of the axis; it is zero"));
    }
    SECTION("a point that is not there")
    {
        torsion<Vec3Types>(root, {{"indices", "1 3"}, {"axis", "1 0 0"}}, false);
        CHECK(capture.has(Severity::Error, "indices: point 3 of"));
    }
}

}  // namespace torsion_force_field_test
