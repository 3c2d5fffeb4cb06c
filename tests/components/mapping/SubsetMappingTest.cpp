// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/mapping/SubsetMapping.h"

#include "tests/components/mapping/MappingFixture.h"
#include "tests/harness/MappingCheck.h"

namespace subset_mapping_test {

using namespace sofa::test;
using sofa::component::SubsetMapping;
using Pair = MappedPair<SubsetMapping<Vec3Types, Vec3Types>, Vec3Types, Vec3Types>;

namespace {

const Vector<Vec3> corners{{0., 0., 0.}, {1., 0., 0.}, {0., 1., 0.}, {0., 0., 1.}};

}  // namespace

TEST_CASE("SubsetMapping takes the given points", "[mapping]")
{
    Pair p(corners, {{}});
    p.mapping.d_indices.setValue({3, 1, 1});
    p.init();
    CHECK(p.out.positions() == Vector<Vec3>{corners[3], corners[1], corners[1]});
    checkJacobian(p);
}

TEST_CASE("SubsetMapping takes a range", "[mapping]")
{
    Pair p(corners, {{}});
    p.mapping.d_first.setValue(1);
    p.mapping.d_last.setValue(2);
    p.init();
    CHECK(p.mapping.d_indices.value() == Vector<Index>{1, 2});
    CHECK(p.out.size() == 2);
}

TEST_CASE("SubsetMapping finds points by position", "[mapping]")
{
    SECTION("within the radius, the nearest")
    {
        Pair p(corners, {{0., 0.9, 0.}, {0., 0., 1.}});
        p.mapping.d_radius.setValue(0.2);
        p.init();
        CHECK(p.mapping.d_indices.value() == Vector<Index>{2, 3});
    }
    SECTION("one that is missing is an error")
    {
        MessageCapture log;
        Pair p(corners, {{5., 0., 0.}});
        p.init();
        CHECK_FALSE(p.mapping.isValid());
        CHECK(log.has(Severity::Error, "output point 0 (5 0 0)"));
    }
    SECTION("or stays where it is")
    {
        Pair p(corners, {{5., 0., 0.}, {1., 0., 0.}});
        p.mapping.d_ignoreNotFound.setValue(true);
        p.init();
        CHECK(p.mapping.isValid());
        CHECK(p.out.positions() == Vector<Vec3>{{5., 0., 0.}, {1., 0., 0.}});
    }
}

TEST_CASE("SubsetMapping reports an index outside the input", "[mapping]")
{
    MessageCapture log;
    Pair p(corners, {{}});
    p.mapping.d_indices.setValue({0, 4});
    p.init();
    CHECK_FALSE(p.mapping.isValid());
    CHECK(log.has(Severity::Error, "index 4 is outside the input, which has 4 points"));
}

HARNESS_MAPPING("SubsetMapping")
{
    Pair p(corners, {{}});
    p.mapping.d_indices.setValue({3, 1, 1});
    p.init();
    checkMapping(p.mapping, {.translates = true});
}

}  // namespace subset_mapping_test
