// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/constraint/FixedProjectiveConstraint.h"

#include <catch2/catch.hpp>

#include "components/state/MechanicalObject.h"
#include "core/objectmodel/Node.h"

namespace fixed_projective_constraint_test {

using namespace sofa::core;
using namespace sofa::component;

namespace {

/// A state with three points and a constraint on it.
template <class Constraint, class D>
struct Fixture
{
    std::shared_ptr<Node> root = std::make_shared<Node>("root");
    MechanicalObject<D>& state = root->create<MechanicalObject<D>>();
    Constraint& constraint = root->create<Constraint>();

    Fixture() { state.d_position.setValue(typename D::VecCoord(3)); }
    void init()
    {
        state.init();
        constraint.init();
    }
    typename D::VecDeriv ones() const { return typename D::VecDeriv(3, D::Deriv::filled(1.)); }
};
using Fixed = Fixture<FixedProjectiveConstraint<Vec3Types>, Vec3Types>;

/// Records eliminated scalars as (point, scalar).
struct Eliminated : EliminationSink
{
    std::vector<std::pair<Index, std::size_t>> scalars;
    void eliminate(const BaseState&, Index i, std::size_t k) override { scalars.emplace_back(i, k); }
    void project(const BaseState&, Index, const double*) override { FAIL("no direction is projected"); }
    void join(const BaseState&, Index, const BaseState&, Index, std::size_t) override { FAIL("nothing is joined"); }
};

const Vec3 zero, one{1., 1., 1.};

}  // namespace

TEST_CASE("Fixed points have no acceleration", "[constraint]")
{
    Fixed f;
    f.constraint.d_indices.setValue({0, 2});
    f.init();
    auto dx = f.ones();
    f.constraint.projectResponse(dx);
    CHECK(dx == Vector<Vec3>{zero, one, zero});

    Eliminated sink;
    f.constraint.eliminate(sink);
    CHECK(sink.scalars == std::vector<std::pair<Index, std::size_t>>{{0, 0}, {0, 1}, {0, 2}, {2, 0}, {2, 1}, {2, 2}});
}

TEST_CASE("The first point is fixed by default", "[constraint]")
{
    Fixed f;
    f.init();
    auto dx = f.ones();
    f.constraint.projectResponse(dx);
    CHECK(dx == Vector<Vec3>{zero, one, one});
}

TEST_CASE("Every point is fixed on demand", "[constraint]")
{
    Fixed f;
    f.constraint.d_fixAll.setValue(true);
    f.constraint.d_indices.setValue({77});  // not used
    f.init();
    CHECK(f.constraint.isValid());
    auto dx = f.ones();
    f.constraint.projectResponse(dx);
    CHECK(dx == Vector<Vec3>(3, zero));
}

TEST_CASE("Velocities are kept unless their projection is asked for", "[constraint]")
{
    Fixed f;
    f.init();
    auto v = f.ones();
    f.constraint.projectVelocity(v);
    CHECK(v == f.ones());
    f.constraint.d_projectVelocity.setValue(true);
    f.constraint.projectVelocity(v);
    CHECK(v == Vector<Vec3>{zero, one, one});

    Vector<Vec3> x = f.ones();
    f.constraint.projectPosition(x);
    CHECK(x == f.ones());
}

TEST_CASE("A constraint stops to act at its end time", "[constraint]")
{
    Fixed f;
    f.constraint.d_endTime.setValue(1.);
    f.init();
    f.state.d_dx.setValue(f.ones());
    f.root->d_time.setValue(1.5);
    f.constraint.projectResponse(MechanicalParams{}, vec_id::dx);
    CHECK(f.state.d_dx.value() == f.ones());
    Eliminated sink;
    f.constraint.eliminate(sink);
    CHECK(sink.scalars.empty());
    f.root->d_time.setValue(0.5);
    f.constraint.projectResponse(MechanicalParams{}, vec_id::dx);
    CHECK(f.state.d_dx.value() == Vector<Vec3>{zero, one, one});
}

TEST_CASE("An index outside the state is an error at its place in the scene", "[constraint]")
{
    MessageCapture log;
    Fixed f;
    ComponentDescription desc;
    desc.set("indices", "0 3 9", {std::make_shared<const std::string>("scene.scn"), 7, 12});
    f.constraint.parse(desc);
    f.init();
    CHECK_FALSE(f.constraint.isValid());
    REQUIRE(log.messages().size() == 1);
    CHECK(log.messages()[0].where.str() == "scene.scn:7:12");
    CHECK(log.has(Severity::Error, "3, 9; it has 3 points, so the last index is 2"));
    // Not used even so.
    auto dx = f.ones();
    f.constraint.projectResponse(dx);
    CHECK(dx == Vector<Vec3>{zero, one, one});
}

TEST_CASE("Frames are fixed with their rotation", "[constraint]")
{
    Fixture<FixedProjectiveConstraint<Rigid3Types>, Rigid3Types> f;
    f.init();
    auto dx = f.ones();
    f.constraint.projectResponse(dx);
    CHECK(dx[0] == Vec6{});
    CHECK(dx[1] == Vec6::filled(1.));
}

TEST_CASE("Some directions are fixed", "[constraint]")
{
    SECTION("of points")
    {
        Fixture<PartialFixedProjectiveConstraint<Vec3Types>, Vec3Types> f;
        f.constraint.d_indices.setValue({1});
        f.constraint.d_fixedDirections.setValue({true, false, true});
        f.init();
        auto dx = f.ones();
        f.constraint.projectResponse(dx);
        CHECK(dx == Vector<Vec3>{one, {0., 1., 0.}, one});
        Eliminated sink;
        f.constraint.eliminate(sink);
        CHECK(sink.scalars == std::vector<std::pair<Index, std::size_t>>{{1, 0}, {1, 2}});

        auto v = f.ones();
        f.constraint.projectVelocity(v);
        CHECK(v == f.ones());
        f.constraint.d_projectPartialVelocity.setValue(true);
        f.constraint.projectVelocity(v);
        CHECK(v == Vector<Vec3>{one, {0., 1., 0.}, one});
    }
    SECTION("of frames")
    {
        Fixture<PartialFixedProjectiveConstraint<Rigid3Types>, Rigid3Types> f;
        std::string error;
        REQUIRE(f.constraint.d_fixedDirections.read("0 0 0 1 1 0", error));
        f.init();
        auto dx = f.ones();
        f.constraint.projectResponse(dx);
        CHECK(dx[0] == Vec6{1., 1., 1., 0., 0., 1.});
    }
    SECTION("all by default")
    {
        Fixture<PartialFixedProjectiveConstraint<Vec2Types>, Vec2Types> f;
        f.init();
        auto dx = f.ones();
        f.constraint.projectResponse(dx);
        CHECK(dx[0] == Vec2{});
    }
}

}  // namespace fixed_projective_constraint_test
