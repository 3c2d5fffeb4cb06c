// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/mapping/RigidMapping.h"

#include "core/math/Decompositions.h"
#include "tests/components/mapping/MappingFixture.h"
#include "tests/harness/MappingCheck.h"

namespace rigid_mapping_test {

using namespace sofa::test;
using sofa::component::RigidMapping;
using Points = MappedPair<RigidMapping<Rigid3Types, Vec3Types>, Rigid3Types, Vec3Types>;
using Frames = MappedPair<RigidMapping<Rigid3Types, Rigid3Types>, Rigid3Types, Rigid3Types>;
using Plane = MappedPair<RigidMapping<Rigid2Types, Vec2Types>, Rigid2Types, Vec2Types>;

namespace {

const Quat turn = Quat::fromRotationVector({0.4, -0.3, 0.9});
const Vector<RigidCoord3> twoFrames{{{1., 2., 3.}, turn}, {{-1., 0., 2.}, Quat::fromRotationVector({-1., 0.2, 0.1})}};
const Vector<Vec3> local{{1., 0., 0.}, {0., 2., 0.}, {0.5, -0.5, 1.}, {0., 0., -1.}};

/// Asserts that the geometric stiffness is ∂(Jᵀ f)/∂x at constant f, for rotations.
template <class Pair>
void checkGeometricStiffness(Pair& p)
{
    using In = std::remove_reference_t<decltype(p.in)>;
    using Out = std::remove_reference_t<decltype(p.out)>;
    Numbers numbers;
    MechanicalParams mp;
    mp.kFactor = 1.;
    p.out.d_force.setValue(numbers.derivs<typename Out::Deriv>(p.out.size()));
    p.in.d_dx.setValue(numbers.derivs<typename In::Deriv>(p.in.size()));
    p.in.allocate(vec_id::dforce);
    p.in.clear(vec_id::dforce);
    p.mapping.apply(mp, vec_id::position, vec_id::position);
    p.mapping.applyDJT(mp, vec_id::dforce);

    const auto x0 = p.in.positions();
    const double h = 1e-5;
    const auto torqueAt = [&](double s) {
        p.in.d_position.setValue(x0);
        p.in.add(vec_id::position, vec_id::position, vec_id::dx, s);
        p.mapping.apply(mp, vec_id::position, vec_id::position);
        p.in.clear(vec_id::force);
        p.mapping.applyJT(mp, vec_id::force, vec_id::force);
        return p.in.forces();
    };
    const auto plus = torqueAt(h), minus = torqueAt(-h);
    double largest = 0.;
    for (std::size_t i = 0; i < x0.size(); ++i) {
        const auto df = p.in.read(vec_id::dforce)[i];
        CHECK(norm((plus[i] - minus[i]) / (2. * h) - df) < 1e-6);
        largest = std::max(largest, norm(df));
    }
    CHECK(largest > 0.1);
}

}  // namespace

TEST_CASE("RigidMapping places points in a frame", "[mapping]")
{
    Points p({twoFrames[0]}, local);
    p.init();
    REQUIRE(p.mapping.isValid());
    for (std::size_t i = 0; i < local.size(); ++i)
        CHECK(norm(p.out.positions()[i] - (Vec3{1., 2., 3.} + turn.rotate(local[i]))) < 1e-14);
    checkJacobian(p);

    // A force at the end of an arm: torque r × f.
    p.out.d_force.setValue({{}, {0., 0., 1.}, {}, {}});
    p.in.clear(vec_id::force);
    p.mapping.applyJT({}, vec_id::force, vec_id::force);
    const Vec3 torque = cross(turn.rotate(local[1]), {0., 0., 1.});
    CHECK(norm(Rigid3Types::angular(p.in.forces()[0]) - torque) < 1e-14);
}

TEST_CASE("RigidMapping assigns points to frames", "[mapping]")
{
    const auto frameOf = [](Points& p, std::size_t i) {
        for (Index k = 0; k < 2; ++k)
            if (norm(p.out.positions()[i] - twoFrames[k].apply(local[i])) < 1e-12) return static_cast<int>(k);
        return -1;
    };
    const auto all = [&](Points& p) {
        p.init();
        std::vector<int> out;
        for (std::size_t i = 0; i < local.size(); ++i) out.push_back(frameOf(p, i));
        return out;
    };
    Points p(twoFrames, local);
    SECTION("one for all")
    {
        p.mapping.d_index.setValue(1);
        CHECK(all(p) == std::vector<int>{1, 1, 1, 1});
    }
    SECTION("counted from the end")
    {
        p.mapping.d_indexFromEnd.setValue(true);
        CHECK(all(p) == std::vector<int>{1, 1, 1, 1});
    }
    SECTION("one for each point")
    {
        p.mapping.d_rigidIndexPerPoint.setValue({1, 0, 0, 1});
        CHECK(all(p) == std::vector<int>{1, 0, 0, 1});
        checkJacobian(p);
    }
    SECTION("old repartition, the same number for each frame")
    {
        p.mapping.setAttribute("repartition", "2", {});
        CHECK(all(p) == std::vector<int>{0, 0, 1, 1});
    }
    SECTION("old repartition, a number for each frame")
    {
        p.mapping.setAttribute("repartition", "1 3", {});
        CHECK(all(p) == std::vector<int>{0, 1, 1, 1});
    }
    SECTION("repartition that follows other Data")
    {
        Data<Vector<int>> counts(nullptr, {.name = "counts", .help = "Points of each frame"});
        counts.setValue({3, 1});
        p.mapping.d_repartition.linkTo(counts);
        CHECK(all(p) == std::vector<int>{0, 0, 0, 1});
    }
    SECTION("a frame that does not exist")
    {
        MessageCapture log;
        p.mapping.d_index.setValue(2);
        p.init();
        CHECK_FALSE(p.mapping.isValid());
        CHECK(log.has(Severity::Error, "frame 2 does not exist: the input has 2 frames"));
    }
}

TEST_CASE("RigidMapping takes local coordinates from different places", "[mapping]")
{
    SECTION("given")
    {
        Points p({twoFrames[0]}, {{}});
        p.mapping.d_points.setValue(local);
        p.init();
        CHECK(p.out.size() == 4);
        CHECK(norm(p.out.positions()[2] - twoFrames[0].apply(local[2])) < 1e-14);
    }
    SECTION("global positions stay where they are")
    {
        Points p({twoFrames[0]}, local);
        p.mapping.d_globalToLocalCoords.setValue(true);
        p.init();
        for (std::size_t i = 0; i < local.size(); ++i) CHECK(norm(p.out.positions()[i] - local[i]) < 1e-14);
    }
    SECTION("global frames stay where they are")
    {
        Frames p({twoFrames[0]}, {twoFrames[1]});
        p.mapping.d_globalToLocalCoords.setValue(true);
        p.init();
        CHECK(norm(p.out.positions()[0].center - twoFrames[1].center) < 1e-14);
        CHECK(norm(p.out.positions()[0].orientation.q - twoFrames[1].orientation.q) < 1e-14);
    }
    SECTION("the rest positions")
    {
        Points p({twoFrames[0]}, local);
        p.mapping.d_useX0.setValue(true);
        p.init();
        CHECK(norm(p.out.positions()[3] - twoFrames[0].apply(local[3])) < 1e-14);
        CHECK(p.mapping.d_points.value().empty());
    }
}

TEST_CASE("RigidMapping places frames in frames", "[mapping]")
{
    Frames p({twoFrames[0]}, {twoFrames[1], {{0., 1., 0.}, {}}});
    p.init();
    const RigidCoord3 expected = twoFrames[0].compose(twoFrames[1]);
    CHECK(norm(p.out.positions()[0].center - expected.center) < 1e-14);
    CHECK(norm(p.out.positions()[0].orientation.q - expected.orientation.q) < 1e-14);
    checkJacobian(p);
}

TEST_CASE("RigidMapping in the plane", "[mapping]")
{
    Plane p({{{1., 2.}, 0.7}}, {{1., 0.}, {0., -2.}});
    p.init();
    CHECK(norm(p.out.positions()[0] - Vec2{1. + std::cos(0.7), 2. + std::sin(0.7)}) < 1e-14);
    checkJacobian(p);
    p.mapping.d_geometricStiffness.edit()->select("Exact");
    checkGeometricStiffness(p);
}

TEST_CASE("The geometric stiffness of RigidMapping is the change of the mapped forces", "[mapping]")
{
    Points p(twoFrames, local);
    p.mapping.d_rigidIndexPerPoint.setValue({1, 0, 0, 1});
    p.init();
    SECTION("none by default")
    {
        MechanicalParams mp;
        mp.kFactor = 1.;
        p.out.d_force.setValue(Vector<Vec3>(4, Vec3{1., 2., 3.}));
        p.in.d_dx.setValue(Vector<Vec6>(2, Vec6::filled(1.)));
        p.in.allocate(vec_id::dforce);
        p.mapping.applyDJT(mp, vec_id::dforce);
        CHECK(p.in.read(vec_id::dforce)[0] == Vec6{});
    }
    SECTION("exact")
    {
        p.mapping.d_geometricStiffness.edit()->select("1");
        checkGeometricStiffness(p);
    }
    SECTION("stabilized: symmetric, without positive eigenvalues, and equal to the symmetric part if it has none")
    {
        struct Collect : BlockSink
        {
            std::vector<Mat3> blocks;
            void addBlock(Index, Index, const double* b, std::size_t, std::size_t c) override
            {
                Mat3 m;
                for (std::size_t i = 0; i < 3; ++i)
                    for (std::size_t j = 0; j < 3; ++j) m[i][j] = b[(i + 3) * c + j + 3];
                blocks.push_back(m);
            }
        } exact, stable;
        Numbers numbers;
        const auto f = numbers.derivs<Vec3>(4);
        p.mapping.d_geometricStiffness.edit()->select("Exact");
        p.mapping.buildGeometricStiffness(exact, f, p.in.positions());
        p.mapping.d_geometricStiffness.edit()->select("Stabilized");
        p.mapping.buildGeometricStiffness(stable, f, p.in.positions());
        REQUIRE(stable.blocks.size() == 2);
        for (std::size_t i = 0; i < 2; ++i) {
            const Mat3& k = stable.blocks[i];
            CHECK(norm(k - k.transposed()) < 1e-13);
            CHECK(symmetricEigen(k).values[0] < 1e-12);
            // What was taken away is positive.
            const Mat3 removed = (exact.blocks[i] + exact.blocks[i].transposed()) * 0.5 - k;
            CHECK(symmetricEigen(removed).values[2] > -1e-12);
        }
    }
}

HARNESS_MAPPING("RigidMapping")
{
    Points points(twoFrames, local);
    points.mapping.d_rigidIndexPerPoint.setValue({1, 0, 0, 1});
    points.mapping.d_geometricStiffness.edit()->select("Exact");
    points.init();
    checkMapping(points.mapping);
    Frames frames({twoFrames[0]}, {twoFrames[1]});
    frames.init();
    checkMapping(frames.mapping, {.exactGeometricStiffness = false});
    Plane plane({{{1., 2.}, 0.7}}, {{1., 0.}, {0., -2.}});
    plane.mapping.d_geometricStiffness.edit()->select("Exact");
    plane.init();
    checkMapping(plane.mapping);
}

}  // namespace rigid_mapping_test
