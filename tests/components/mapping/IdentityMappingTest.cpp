// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/mapping/IdentityMapping.h"

#include "core/factory/Registry.h"
#include "tests/components/mapping/MappingFixture.h"
#include "tests/harness/MappingCheck.h"

using namespace sofa::test;
using sofa::component::IdentityMapping;

TEST_CASE("IdentityMapping copies points", "[mapping]")
{
    MappedPair<IdentityMapping<Vec3Types, Vec3Types>, Vec3Types, Vec3Types> p({{1., 2., 3.}, {4., 5., 6.}}, {{}});
    p.init();
    CHECK(p.mapping.isValid());
    CHECK(p.out.size() == 2);
    CHECK(p.out.positions() == p.in.positions());
    checkJacobian(p);
}

TEST_CASE("IdentityMapping takes the centres of frames", "[mapping]")
{
    const Quat q = Quat::fromRotationVector({0.3, -0.2, 0.5});
    MappedPair<IdentityMapping<Rigid3Types, Vec3Types>, Rigid3Types, Vec3Types> p({{{1., 2., 3.}, q}}, {{}});
    p.init();
    CHECK(p.out.positions() == Vector<Vec3>{{1., 2., 3.}});
    checkJacobian(p);
    // A force on the centre adds no torque.
    p.out.d_force.setValue({{1., 2., 3.}});
    p.in.clear(vec_id::force);
    p.mapping.applyJT({}, vec_id::force, vec_id::force);
    CHECK(p.in.forces()[0] == Vec6{1., 2., 3., 0., 0., 0.});
}

TEST_CASE("IdentityMapping copies frames", "[mapping]")
{
    const Quat q = Quat::fromRotationVector({0.3, -0.2, 0.5});
    MappedPair<IdentityMapping<Rigid3Types, Rigid3Types>, Rigid3Types, Rigid3Types> p({{{1., 2., 3.}, q}}, {{}});
    p.init();
    CHECK(p.out.positions() == p.in.positions());
    checkJacobian(p);
}

TEST_CASE("IdentityMapping between other types", "[mapping]")
{
    MappedPair<IdentityMapping<Vec6Types, Vec3Types>, Vec6Types, Vec3Types> six({{1., 2., 3., 4., 5., 6.}}, {{}});
    six.init();
    CHECK(six.out.positions()[0] == Vec3{1., 2., 3.});
    checkJacobian(six);
    MappedPair<IdentityMapping<Rigid2Types, Vec2Types>, Rigid2Types, Vec2Types> plane({{{1., 2.}, 0.5}}, {{}});
    plane.init();
    CHECK(plane.out.positions()[0] == Vec2{1., 2.});
    checkJacobian(plane);
    MappedPair<IdentityMapping<Vec1Types, Vec1Types>, Vec1Types, Vec1Types> one({Vec1(1.), Vec1(2.)}, {Vec1(0.)});
    one.init();
    CHECK(one.out.positions() == one.in.positions());
}

TEST_CASE("IdentityMapping is chosen by the states around it", "[mapping]")
{
    auto root = std::make_shared<Node>("root");
    auto child = root->createChild("child");
    root->create<MechanicalObject<Rigid3Types>>();
    child->create<MechanicalObject<Vec3Types>>();
    ComponentDescription desc;
    desc.type = "IdentityMapping";
    auto c = Registry::instance().create(child.get(), desc);
    CHECK(c->templateName() == "Rigid3,Vec3");
    child->addComponent(c);
    // No state above the root.
    desc.templ = "Vec3,Vec3";
    CHECK_THROWS_AS(Registry::instance().create(root.get(), desc), CreationError);
}

TEST_CASE("The rest position is mapped on demand", "[mapping]")
{
    MappedPair<IdentityMapping<Vec3Types, Vec3Types>, Vec3Types, Vec3Types> p({{1., 2., 3.}, {4., 5., 6.}}, {{}});
    p.in.d_restPosition.setValue({{7., 7., 7.}, {8., 8., 8.}});
    p.mapping.d_applyRestPosition.setValue(true);
    p.init();
    CHECK(p.out.d_restPosition.value() == p.in.d_restPosition.value());
    CHECK(p.out.positions() == p.in.positions());
}

HARNESS_MAPPING("IdentityMapping")
{
    MappedPair<IdentityMapping<Vec3Types, Vec3Types>, Vec3Types, Vec3Types> points({{1., 2., 3.}, {4., 5., 6.}}, {{}});
    points.init();
    checkMapping(points.mapping, {.translates = true});
    MappedPair<IdentityMapping<Rigid3Types, Vec3Types>, Rigid3Types, Vec3Types> frames(
        {{{1., 2., 3.}, Quat::fromRotationVector({0.3, -0.2, 0.5})}}, {{}});
    frames.init();
    checkMapping(frames.mapping);
}
