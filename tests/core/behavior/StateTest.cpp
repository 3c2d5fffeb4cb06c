// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/behavior/State.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "tests/harness/TestGraph.h"

namespace state_test {

using namespace sofa;
using namespace sofa::core;

namespace {

/// A vector that no Data of a component stands behind.
constexpr VecDerivId scratch{55};

template <class D>
struct Fixture
{
    Fixture() : state(test::addState<D>(root, typename D::VecCoord(5))) { state.allocate(scratch); }
    Node root;
    test::TestState<D>& state;
};

}  // namespace

TEMPLATE_TEST_CASE("A vector is cleared however it was changed since it was zero", "", Vec1Types, Vec3Types,
                   Rigid3Types)
{
    using Deriv = typename TestType::Deriv;
    Fixture<TestType> f;
    auto& s = f.state;
    Deriv one;
    for (std::size_t k = 0; k < TestType::derivSize; ++k) one[k] = 1. + static_cast<double>(k);
    const auto isZero = [&] { return s.maxNorm(scratch) == 0.; };
    s.clear(scratch);
    REQUIRE(isZero());
    s.clear(scratch);
    CHECK(isZero());
    s.write(scratch)[3] = one;
    CHECK_FALSE(isZero());
    s.clear(scratch);
    CHECK(isZero());
    s.write(vec_id::velocity)[1] = one;
    s.copy(scratch, vec_id::velocity);
    s.clear(scratch);
    CHECK(isZero());
    s.add(scratch, scratch, vec_id::velocity, 2.);
    CHECK(s.maxNorm(scratch) == 2. * static_cast<double>(TestType::derivSize));
    s.clear(scratch);
    CHECK(isZero());
    // Taken by another for a while, and taken back.
    const VecDerivId other{scratch.index, 7};
    s.allocate(other);
    CHECK_FALSE(s.isAllocated(scratch));
    CHECK_THROWS_AS(s.read(scratch), std::logic_error);
    s.write(other)[0] = one;
    s.allocate(scratch);
    CHECK_FALSE(s.isAllocated(other));
    CHECK(isZero());
}

TEMPLATE_TEST_CASE("Vectors that are known to be zero give what zeros give", "", Vec1Types, Vec3Types, Rigid3Types)
{
    Fixture<TestType> f;
    auto& s = f.state;
    constexpr VecDerivId sum{56};
    s.allocate(sum);
    s.write(vec_id::velocity)[2][0] = 3.;
    s.clear(vec_id::force);
    s.clear(scratch);
    const auto is = [&](VecDerivId id, double value) {
        typename TestType::VecDeriv expected(5);
        expected[2][0] = value;
        return s.read(id) == expected;
    };
    s.write(sum)[2][0] = 7.;
    s.add(sum, vec_id::force, scratch, -0.5);
    CHECK(is(sum, 0.));
    s.scale(sum, 2.);
    CHECK(is(sum, 0.));
    s.add(sum, vec_id::velocity, scratch, 0.5);
    CHECK(is(sum, 3.));
    s.add(sum, vec_id::force, vec_id::velocity, 0.5);
    CHECK(is(sum, 1.5));
    s.scale(sum, 2.);
    CHECK(is(sum, 3.));
    s.copy(sum, vec_id::force);
    CHECK(is(sum, 0.));
    s.write(vec_id::force)[2][0] = 4.;
    s.copy(sum, vec_id::force);
    CHECK(is(sum, 4.));
    s.add(sum, sum, vec_id::force, 1.);
    CHECK(is(sum, 8.));
    s.clear(sum);
    s.add(sum, sum, scratch, 1.);
    CHECK(is(sum, 0.));
    s.scale(sum, std::numeric_limits<double>::infinity());
    CHECK(std::isnan(s.read(sum)[2][0]));
    CHECK_THROWS_AS(s.scale(VecDerivId{59}, 2.), std::logic_error);
    CHECK_THROWS_AS(s.add(sum, sum, VecDerivId{59}, 2.), std::logic_error);
}

TEMPLATE_TEST_CASE("The first number that is not finite is found, also after the vector was seen to be finite", "",
                   Vec1Types, Vec3Types, Rigid3Types)
{
    Fixture<TestType> f;
    auto& s = f.state;
    for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                             -std::numeric_limits<double>::infinity()})
        for (Index point = 0; point < 5; ++point)
            for (std::size_t k = 0; k < TestType::derivSize; ++k) {
                CHECK(s.firstNonFinite(vec_id::velocity) == InvalidIndex);
                CHECK(s.firstNonFinite(vec_id::velocity) == InvalidIndex);
                s.write(vec_id::velocity)[point][k] = bad;
                s.write(vec_id::velocity)[4][0] = bad;
                CHECK(s.firstNonFinite(vec_id::velocity) == point);
                CHECK(s.firstNonFinite(vec_id::velocity) == point);
                s.write(vec_id::velocity)[point][k] = 1e300;
                s.write(vec_id::velocity)[4][0] = -1e300;
            }
    CHECK(s.firstNonFinite(vec_id::position) == InvalidIndex);
    TestType::setPosition(s.write(vec_id::position)[2], Vec3(std::numeric_limits<double>::infinity(), 0., 0.));
    CHECK(s.firstNonFinite(vec_id::position) == 2);
}

TEMPLATE_TEST_CASE("The first point that is too far or too fast is found, and none within the limit", "", Vec1Types,
                   Vec3Types, Rigid3Types)
{
    Fixture<TestType> f;
    auto& s = f.state;
    constexpr double limit = 1000.;
    const Vec3 center(10., 0., 0.);
    for (const Index point : {Index{3}, Index{1}}) {
        CHECK(s.firstBeyond(vec_id::position, center, limit) == InvalidIndex);
        TestType::setPosition(s.write(vec_id::position)[point], center - Vec3(limit * (1. - 1e-12), 0., 0.));
        CHECK(s.firstBeyond(vec_id::position, center, limit) == InvalidIndex);
        TestType::setPosition(s.write(vec_id::position)[point], center - Vec3(limit * (1. + 1e-12), 0., 0.));
        CHECK(s.firstBeyond(vec_id::position, center, limit) == point);
        TestType::setPosition(s.write(vec_id::position)[point], Vec3());

        CHECK(s.firstFaster(vec_id::velocity, limit, 0.5 * limit) == InvalidIndex);
        s.write(vec_id::velocity)[point][0] = -limit * (1. - 1e-12);
        CHECK(s.firstFaster(vec_id::velocity, limit, 0.5 * limit) == InvalidIndex);
        s.write(vec_id::velocity)[point][0] = -limit * (1. + 1e-12);
        CHECK(s.firstFaster(vec_id::velocity, limit, 0.5 * limit) == point);
        s.write(vec_id::velocity)[point][0] = 0.;
        if (!TestType::isRigid) continue;
        s.write(vec_id::velocity)[point][TestType::derivSize - 1] = 0.5 * limit * (1. + 1e-12);
        CHECK(s.firstFaster(vec_id::velocity, limit, 0.5 * limit) == point);
        s.write(vec_id::velocity)[point][TestType::derivSize - 1] = 0.;
    }
}

TEMPLATE_TEST_CASE("Sums of vectors, into one of them and into another", "", Vec1Types, Vec3Types, Rigid3Types)
{
    Fixture<TestType> f;
    auto& s = f.state;
    const auto v = s.write(vec_id::velocity), g = s.write(vec_id::force);
    for (Index i = 0; i < 5; ++i)
        for (std::size_t k = 0; k < TestType::derivSize; ++k) {
            v[i][k] = 0.1 * i + 0.3 * static_cast<double>(k);
            g[i][k] = 1. / (1. + i + static_cast<double>(k));
        }
    for (const double factor : {1., -0.7}) {
        s.add(scratch, vec_id::velocity, vec_id::force, factor);
        const auto before = s.velocities();
        for (Index i = 0; i < 5; ++i)
            for (std::size_t k = 0; k < TestType::derivSize; ++k)
                CHECK(s.read(scratch)[i][k] == before[i][k] + s.forces()[i][k] * factor);
        s.add(scratch, scratch, vec_id::force, factor);
        for (Index i = 0; i < 5; ++i)
            for (std::size_t k = 0; k < TestType::derivSize; ++k)
                CHECK(s.read(scratch)[i][k] == before[i][k] + s.forces()[i][k] * factor + s.forces()[i][k] * factor);
    }
    // A vector that does not exist counts as zero.
    s.add(scratch, VecDerivId{}, vec_id::force, -0.7);
    for (Index i = 0; i < 5; ++i)
        for (std::size_t k = 0; k < TestType::derivSize; ++k) CHECK(s.read(scratch)[i][k] == s.forces()[i][k] * -0.7);
    s.add(scratch, vec_id::velocity, VecDerivId{}, -0.7);
    CHECK(s.read(scratch) == s.velocities());
    constexpr VecCoordId other{53};
    s.allocate(other);
    const auto x = s.positions();
    s.add(other, vec_id::position, vec_id::velocity, 0.5);
    CHECK(s.positions() == x);
    for (Index i = 0; i < 5; ++i) {
        auto expected = x[i];
        TestType::add(expected, s.velocities()[i] * 0.5);
        CHECK(s.read(other)[i] == expected);
    }
    s.add(vec_id::position, vec_id::position, vec_id::velocity, 0.5);
    CHECK(s.positions() == s.read(other));
}

TEMPLATE_TEST_CASE("Points that come are between their ancestors, and all of the beginning come back", "", Vec3Types,
                   Rigid3Types)
{
    using Deriv = typename TestType::Deriv;
    Fixture<TestType> f;
    auto& s = f.state;
    const auto some = [](Index i) {
        Deriv d;
        for (std::size_t k = 0; k < TestType::derivSize; ++k) d[k] = 0.1 * i * i + 0.2 * static_cast<double>(k);
        return d;
    };
    {
        const auto x = s.write(vec_id::position);
        const auto v = s.write(vec_id::velocity), r = s.write(scratch);
        for (Index i = 0; i < 5; ++i) {
            TestType::add(x[i], some(i));
            v[i] = some(i) * 2.;
            r[i] = some(i) * 3.;
        }
    }
    const auto first = s.positions();
    s.addPoints({{{1, 0.25}, {3, 0.75}}});
    REQUIRE(s.size() == 6);
    const Deriv whole = TestType::difference(first[3], first[1]),
                part = TestType::difference(s.positions()[5], first[1]);
    for (std::size_t k = 0; k < TestType::derivSize; ++k) {
        CHECK(part[k] == Approx(0.75 * whole[k]));
        CHECK(s.velocities()[5][k] == Approx(0.5 * some(1)[k] + 1.5 * some(3)[k]));
        CHECK(s.read(scratch)[5][k] == Approx(0.75 * some(1)[k] + 2.25 * some(3)[k]));
    }
    s.removePoints(Vector<Index>{0});
    CHECK(s.pointOrigin() == Vector<Index>{InvalidIndex, 1, 2, 3, 4});
    TestType::add(s.write(vec_id::position)[2], some(4));
    s.write(scratch)[2] = some(1);
    const auto moved = s.positions();
    const auto again = s.restorePoints();
    REQUIRE(s.size() == 5);
    CHECK(s.positions()[0] == first[0]);
    for (Index i = 1; i < 5; ++i) CHECK(s.positions()[i] == moved[i]);
    CHECK(s.read(scratch)[2] == some(1));
    again();
    CHECK(s.positions() == moved);
    CHECK(s.pointOrigin()[0] == InvalidIndex);
}

}  // namespace state_test
