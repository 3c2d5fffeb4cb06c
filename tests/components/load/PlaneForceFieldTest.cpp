// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/load/PlaneForceField.h"

#include <catch2/catch.hpp>

#include "tests/harness/ForceFieldCheck.h"
#include "tests/harness/TestGraph.h"

namespace plane_force_field_test {

using namespace sofa;
using namespace sofa::core;
using component::PlaneForceField;

namespace {

/// No point is so near to the planes of these tests that a random pose would cross them.
const std::vector<Vec3> s_points{{-1., 0., 0.}, {1.3, -1.2, -0.1}, {-0.7, 1.1, 0.3}, {2.2, 0.9, -3.2}};

template <class D>
void conforms(test::Attributes attributes, const test::ForceFieldOptions& options = {.displacement = 0.05})
{
    Node root;
    test::addState<D>(root, test::coordinates<D>(s_points));
    attributes.emplace_back("template", std::string(D::name()));
    auto& ff = test::addComponent<PlaneForceField<D>>(root, "PlaneForceField", attributes);
    REQUIRE(test::initialise(root));
    test::checkForceField(ff, options);
}

Vec3 force(const test::Attributes& attributes, const Vec3& x, const Vec3& v = {})
{
    Node root;
    auto& s = test::addState<Vec3Types>(root, {x});
    auto& ff = test::addComponent<PlaneForceField<Vec3Types>>(root, "PlaneForceField", attributes);
    REQUIRE(test::initialise(root));
    s.write(vec_id::velocity)[0] = v;
    ff.addForce(MechanicalParams(), vec_id::force);
    return s.forces()[0];
}

}  // namespace

HARNESS_FORCE_FIELD("PlaneForceField")
{
    SECTION("Vec1") { conforms<Vec1Types>({{"normal", "1"}, {"d", "0.1"}}); }
    SECTION("Vec2") { conforms<Vec2Types>({{"normal", "0.6 0.8"}, {"d", "0.1"}}); }
    SECTION("Vec3") { conforms<Vec3Types>({{"normal", "0 0.6 0.8"}, {"d", "0.5"}, {"stiffness", "30"}}); }
    SECTION("Vec6") { conforms<Vec6Types>({{"normal", "0.6 0 0 0 0.8 0"}, {"d", "0.4"}}); }
    SECTION("Rigid3") { conforms<Rigid3Types>({{"normal", "0 0.6 0.8"}, {"d", "0.5"}}); }
    SECTION("bilateral, of a normal that is not of unit length")
    {
        conforms<Vec3Types>({{"normal", "0 2 1"}, {"bilateral", "1"}});
    }
    SECTION("range") { conforms<Vec3Types>({{"localRange", "0 1"}, {"d", "-0.5"}}); }
    SECTION("all of the derivative")
    {
        const test::ForceFieldOptions moving{.displacement = 0.05, .velocity = 1., .symmetric = false};
        const test::Attributes tangent{{"normal", "0 0.6 0.8"}, {"d", "0.5"}, {"tangent", "1"}};
        conforms<Vec3Types>(tangent, moving);
        conforms<Rigid3Types>(tangent, moving);
        test::Attributes limited = tangent;
        limited.emplace_back("maxForce", "300");
        conforms<Vec3Types>(limited, moving);
    }
}

TEST_CASE("a plane pushes points behind it, and slows them the more the deeper they are")
{
    const test::Attributes plane{{"normal", "0 0 1"}, {"d", "-1"}, {"stiffness", "100"}, {"damping", "3"}};
    CHECK(force(plane, {4., 5., -0.9}) == Vec3());
    CHECK(force(plane, {4., 5., -1.5})[2] == Approx(100. * 0.5));
    const Vec3 moving = force(plane, {4., 5., -1.5}, {2., 0., -1.});
    CHECK(moving[0] == Approx(-3. * 0.5 * 2.));
    CHECK(moving[2] == Approx(100. * 0.5 + 3. * 0.5));
}

TEST_CASE("maxForce limits the force and keeps its direction")
{
    const Vec3 f = force({{"stiffness", "100"}, {"maxForce", "7"}}, {0., -2., 0.}, {1., 0., 0.});
    CHECK(norm(f) == Approx(7.));
    CHECK(f[0] / f[1] == Approx(-5. * 2. / 200.));
}

TEST_CASE("a bilateral plane pulls from the free side")
{
    CHECK(force({{"bilateral", "1"}}, {0., 2., 0.})[1] == Approx(-1000.));
}

TEST_CASE("a plane says what is wrong")
{
    Node root;
    MessageCapture capture;
    test::addState<Vec3Types>(root, {Vec3()});
    SECTION("normal")
    {
        test::addComponent(root, "PlaneForceField", {{"normal", "0 0 0"}});
        CHECK_FALSE(test::initialise(root));
        CHECK(capture.has(Severity::Error, "normal is zero"));
    }
    SECTION("stiffness")
    {
        test::addComponent(root, "PlaneForceField", {{"stiffness", "-5"}});
        CHECK(capture.has(Severity::Error, "stiffness"));
    }
    SECTION("range")
    {
        test::addComponent(root, "PlaneForceField", {{"localRange", "5 2"}});
        CHECK(test::initialise(root));
        CHECK(capture.has(Severity::Warning, "localRange 5 2 is no range of points"));
    }
}

}  // namespace plane_force_field_test
