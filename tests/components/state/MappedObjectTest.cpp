// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/state/MappedObject.h"

#include "components/mapping/IdentityMapping.h"
#include "tests/components/mapping/MappingFixture.h"

using namespace sofa::test;
using sofa::component::IdentityMapping;
using sofa::component::MappedObject;

TEST_CASE("A MappedObject follows its mapping and no solver sees it", "[state]")
{
    auto root = std::make_shared<Node>("root");
    auto child = root->createChild("child");
    auto& in = root->create<MechanicalObject<Vec3Types>>();
    in.d_position.setValue({{1., 2., 3.}, {4., 5., 6.}});
    in.init();
    auto& out = child->create<MappedObject<Vec3Types>>();
    out.init();
    CHECK(out.size() == 0);
    CHECK_FALSE(out.isMechanical());
    auto& mapping = child->create<IdentityMapping<Vec3Types, Vec3Types>>();
    mapping.init();
    CHECK(out.positions() == in.positions());
    CHECK(out.velocities().size() == 2);
    CHECK_FALSE(mapping.isMechanical());
}
