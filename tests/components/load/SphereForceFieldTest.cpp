// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/load/SphereForceField.h"

#include <catch2/catch.hpp>

#include "tests/harness/ForceFieldCheck.h"
#include "tests/harness/TestGraph.h"

namespace sphere_force_field_test {

using namespace sofa;
using namespace sofa::core;
using component::SphereForceField;

namespace {

template <class D>
void conforms(test::Attributes attributes, const test::ForceFieldOptions& options = {.displacement = 0.1})
{
    Node root;
    // Inside, and well outside, of the sphere in every number of dimensions.
    test::addState<D>(root, test::coordinates<D>({{0.5, 0.1, 0.2}, {-0.6, 0.2, 0.1}, {2., 1., -1.}}));
    attributes.emplace_back("template", std::string(D::name()));
    auto& ff = test::addComponent<SphereForceField<D>>(root, "SphereForceField", attributes);
    REQUIRE(test::initialise(root));
    test::checkForceField(ff, options);
}

Vec3 force(const test::Attributes& attributes, const Vec3& x, const Vec3& v = {})
{
    Node root;
    auto& s = test::addState<Vec3Types>(root, {x});
    auto& ff = test::addComponent<SphereForceField<Vec3Types>>(root, "SphereForceField", attributes);
    REQUIRE(test::initialise(root));
    s.write(vec_id::velocity)[0] = v;
    ff.addForce(MechanicalParams(), vec_id::force);
    CHECK(ff.d_contacts.value().size() == (s.forces()[0] == Vec3() ? 0 : 1));
    return s.forces()[0];
}

}  // namespace

HARNESS_FORCE_FIELD("SphereForceField")
{
    SECTION("Vec1") { conforms<Vec1Types>({}); }
    SECTION("Vec2") { conforms<Vec2Types>({}); }
    SECTION("Vec3") { conforms<Vec3Types>({{"stiffness", "30"}}); }
    SECTION("bilateral") { conforms<Vec3Types>({{"bilateral", "1"}, {"center", "0 -0.5 0"}}); }
    SECTION("range") { conforms<Vec3Types>({{"localRange", "1 2"}}); }
    SECTION("all of the derivative")
    {
        conforms<Vec3Types>({{"tangent", "1"}}, {.displacement = 0.1, .velocity = 1., .symmetric = false});
    }
}

TEST_CASE("a sphere pushes points outwards, and slows them the more the deeper they are")
{
    const test::Attributes sphere{{"center", "1 0 0"}, {"radius", "2"}, {"stiffness", "100"}, {"damping", "3"}};
    CHECK(force(sphere, {1., 2.1, 0.}) == Vec3());
    CHECK(force(sphere, {1., 1.5, 0.})[1] == Approx(100. * 0.5));
    CHECK(force(sphere, {1., 1.5, 0.}, {0., 0., 2.})[2] == Approx(-3. * 0.5 * 2.));
    CHECK(force(sphere, {1., 0., 0.}) == Vec3());
    CHECK(force({{"bilateral", "1"}}, {0., 3., 0.})[1] == Approx(-500. * 2.));
}

}  // namespace sphere_force_field_test
