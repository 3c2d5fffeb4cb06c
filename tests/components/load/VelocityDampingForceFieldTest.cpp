// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/load/VelocityDampingForceField.h"

#include <catch2/catch.hpp>

#include "tests/harness/ForceFieldCheck.h"
#include "tests/harness/TestGraph.h"

namespace velocity_damping_force_field_test {

using namespace sofa;
using namespace sofa::core;

namespace {

template <class D>
BaseForceField& build(Node& root, const std::string& type, test::Attributes attributes)
{
    test::addState<D>(root, test::coordinates<D>({{0., 0., 0.}, {1., 0., 0.}, {2., 1., 0.}}));
    attributes.emplace_back("template", std::string(D::name()));
    auto& ff = test::addComponent<BaseForceField>(root, type, attributes);
    REQUIRE(test::initialise(root));
    return ff;
}

const test::ForceFieldOptions s_options{.hasStiffness = false};

}  // namespace

HARNESS_FORCE_FIELD("UniformVelocityDampingForceField")
{
    const std::string type = "UniformVelocityDampingForceField";
    const test::Attributes implicit{{"dampingCoefficient", "0.7"}, {"implicit", "1"}};
    Node root;
    SECTION("Vec1") { test::checkForceField(build<Vec1Types>(root, type, implicit), s_options); }
    SECTION("Vec2") { test::checkForceField(build<Vec2Types>(root, type, implicit), s_options); }
    SECTION("Vec3") { test::checkForceField(build<Vec3Types>(root, type, implicit), s_options); }
    SECTION("Vec6") { test::checkForceField(build<Vec6Types>(root, type, implicit), s_options); }
    SECTION("Rigid2") { test::checkForceField(build<Rigid2Types>(root, type, implicit), s_options); }
    SECTION("Rigid3") { test::checkForceField(build<Rigid3Types>(root, type, implicit), s_options); }
    SECTION("explicit")
    {
        auto& ff = build<Vec3Types>(root, type, {{"damping", "0.7"}});
        CHECK_FALSE(ff.hasDamping());
        test::checkForceField(ff, s_options);
    }
}

HARNESS_FORCE_FIELD("DiagonalVelocityDampingForceField")
{
    const std::string type = "DiagonalVelocityDampingForceField";
    Node root;
    SECTION("Vec1") { test::checkForceField(build<Vec1Types>(root, type, {{"dampingCoefficient", "1 2"}}), s_options); }
    SECTION("Vec2") { test::checkForceField(build<Vec2Types>(root, type, {{"dampingCoefficient", "1 2"}}), s_options); }
    SECTION("Vec3")
    {
        auto& ff = build<Vec3Types>(root, type, {{"dampingCoefficient", "1 2 3  4 5 6"}});
        test::checkForceField(ff, s_options);
        auto& s = dynamic_cast<State<Vec3Types>&>(*ff.states()[0]);
        s.write(vec_id::velocity)->assign(3, Vec3{1., 1., 1.});
        s.clear(vec_id::force);
        ff.addForce(MechanicalParams(), vec_id::force);
        CHECK(s.forces() == Vector<Vec3>{{-1., -2., -3.}, {-4., -5., -6.}, {-4., -5., -6.}});
    }
    SECTION("Vec6")
    {
        test::checkForceField(build<Vec6Types>(root, type, {{"dampingCoefficient", "1 2 3 4 5 6"}}), s_options);
    }
    SECTION("Rigid2")
    {
        test::checkForceField(build<Rigid2Types>(root, type, {{"dampingCoefficient", "1 2 3"}}), s_options);
    }
    SECTION("Rigid3")
    {
        test::checkForceField(build<Rigid3Types>(root, type, {{"dampingCoefficient", "1 2 3 4 5 6"}}), s_options);
    }
}

}  // namespace velocity_damping_force_field_test
