// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/behavior/ConstraintMatrix.h"

#include <catch2/catch.hpp>

#include "tests/harness/MatrixMapping.h"
#include "tests/harness/Numerics.h"
#include "tests/harness/TestGraph.h"

namespace constraint_matrix_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

Vec3 randomVector(Random& random)
{
    Vec3 v;
    for (std::size_t k = 0; k < 3; ++k) v[k] = random();
    return v;
}

/// Holds what the test says.
class Holding final : public ProjectiveConstraint<Vec3Types>
{
public:
    std::string className() const override { return "Holding"; }
    std::function<void(EliminationSink&)> what;
    using ProjectiveConstraint::projectPosition;
    using ProjectiveConstraint::projectResponse;
    using ProjectiveConstraint::projectVelocity;
    void projectResponse(Vector<Vec3>&) const override {}
    void projectVelocity(Vector<Vec3>&) const override {}
    void projectPosition(Vector<Vec3>&) const override {}
    void eliminate(EliminationSink& sink) const override { what(sink); }
};

constexpr int rows = 5;
constexpr Index points = 4;

struct Scene
{
    Node root;
    TestState<Vec3Types>& state = addState<Vec3Types>(root, Vector<Vec3>(points));
    ConstraintMatrix matrix;
    Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(rows, 3 * points);

    /// Random entries, several of one row and point among them, in any order; row 3 has none.
    void fill(Random& random, TestState<Vec3Types>& s)
    {
        matrix.begin();
        CHECK(matrix.addRows(2) == 0);
        CHECK(matrix.addRows(rows - 2) == 2);
        CHECK(matrix.rows() == rows);
        for (const auto& [row, point] : std::vector<std::pair<int, Index>>{
                 {4, 2}, {0, 3}, {0, 1}, {4, 2}, {2, 0}, {1, 1}, {0, 3}, {4, 0}, {2, 2}, {0, 3}}) {
            const Vec3 v = randomVector(random);
            matrix.add(s, row, point, v);
            for (std::size_t k = 0; k < 3; ++k) dense(row, static_cast<Eigen::Index>(3 * point + k)) += v[k];
        }
    }
};

Eigen::VectorXd product(const ConstraintMatrix& m, const BaseState& s)
{
    std::vector<double> out(rows, 0.);
    m.addProduct(s, vec_id::velocity, out);
    return Eigen::Map<const Eigen::VectorXd>(out.data(), rows);
}

Eigen::VectorXd scalars(const BaseState& s, VecDerivId id)
{
    return Eigen::Map<const Eigen::VectorXd>(s.scalars(id), static_cast<Eigen::Index>(s.derivScalars()));
}

void randomVelocity(TestState<Vec3Types>& s, Random& random)
{
    Vector<Vec3> v(s.size());
    for (Vec3& x : v) x = randomVector(random);
    s.d_velocity.setValue(v);
}

}  // namespace

TEST_CASE("entries of a row and point are summed, and the product with forces is that of the transpose")
{
    Random random(1);
    Scene s;
    for (int times = 0; times < 2; ++times) {  // the storage is taken again
        s.dense.setZero();
        s.fill(random, s.state);
        s.matrix.carry({});
        randomVelocity(s.state, random);
        const Eigen::VectorXd v = scalars(s.state, vec_id::velocity);
        CHECK((product(s.matrix, s.state) - s.dense * v).norm() < 1e-14);
        const Eigen::VectorXd lambda = random.vector(rows);
        s.state.d_force.setValue(Vector<Vec3>(points, Vec3{1., 1., 1.}));
        s.matrix.addForce(s.state, vec_id::force, {lambda.data(), rows});
        const Eigen::VectorXd f = scalars(s.state, vec_id::force) - Eigen::VectorXd::Ones(3 * points);
        CHECK((f - s.dense.transpose() * lambda).norm() < 1e-14);
        const auto* part = s.matrix.part(s.state);
        REQUIRE(part);
        CHECK(part->size() == 4);
        CHECK(part->rows == Vector<int>{0, 1, 2, 4});
        CHECK(part->points == Vector<Index>{1, 3, 1, 0, 2, 0, 2});
        CHECK(part->start == Vector<int>{0, 2, 3, 5, 7});
        for (int r = 0; r < rows; ++r) CHECK(part->find(r) == (r == 3 ? -1 : r == 4 ? 3 : r));
        CHECK(part->find(rows) == -1);
    }
    // A state that no row touches.
    auto& other = addState<Vec3Types>(*s.root.createChild("other"), Vector<Vec3>(2));
    CHECK(s.matrix.part(other) == nullptr);
    CHECK(product(s.matrix, other).norm() == 0.);
    CHECK_THROWS_WITH(s.matrix.add(s.state, 0, points, Vec3{}),
                      Catch::Contains("point 4") && Catch::Contains("4 points"));
    s.matrix.begin();
    CHECK(s.matrix.rows() == 0);
    s.matrix.carry({});
    CHECK(product(s.matrix, s.state).norm() == 0.);
}

TEST_CASE("rows of mapped states are carried through their mappings, where these carry constraints")
{
    Random random(2);
    Scene s;
    auto& out = addState<Vec3Types>(*s.root.createChild("mapped"), Vector<Vec3>(points));
    auto& mapping = s.root.child("mapped")->create<MatrixMapping>();
    mapping.matrix.resize(points);
    for (const auto& [row, column] :
         std::vector<std::pair<Index, Index>>{{0, 1}, {0, 3}, {1, 0}, {2, 0}, {2, 1}, {2, 2}, {3, 3}}) {
        Mat3 block;
        for (std::size_t k = 0; k < 3; ++k) block[k] = randomVector(random);
        mapping.matrix[row].emplace_back(column, block);
    }
    mapping.l_input.set(&s.state);
    mapping.l_output.set(&out);
    REQUIRE(initialise(s.root));
    BaseMapping& carried = mapping;
    carried.apply({}, vec_id::position, vec_id::position);
    s.fill(random, out);
    // A row that acts on the input itself too.
    const Vec3 own = randomVector(random);
    s.matrix.add(s.state, 1, 2, own);
    s.matrix.carry({&mapping});
    randomVelocity(s.state, random);
    carried.applyJ({}, vec_id::velocity, vec_id::velocity);
    Eigen::VectorXd expected = s.dense * scalars(out, vec_id::velocity);
    expected[1] += dot(own, s.state.d_velocity.value()[2]);
    CHECK((product(s.matrix, s.state) - expected).norm() < 1e-13);
    CHECK(expected.norm() > 0.1);

    mapping.d_mapConstraints.setValue(false);
    s.fill(random, out);
    s.matrix.carry({&mapping});
    CHECK(product(s.matrix, s.state).norm() == 0.);
    mapping.d_mapConstraints.setValue(true);
    mapping.setMechanical(false);
    s.fill(random, out);
    s.matrix.carry({&mapping});
    CHECK(product(s.matrix, s.state).norm() == 0.);
}

TEST_CASE("what projective constraints hold is taken out of the rows: H becomes H P")
{
    Random random(3);
    Scene s;
    auto& holding = s.root.create<Holding>();
    holding.l_state.set(&s.state);
    randomVelocity(s.state, random);
    const Eigen::VectorXd v = scalars(s.state, vec_id::velocity);
    const auto check = [&](const std::function<void(EliminationSink&)>& what, const Eigen::MatrixXd& p) {
        s.dense.setZero();
        s.fill(random, s.state);
        s.matrix.carry({});
        holding.what = what;
        s.matrix.eliminate({&holding});
        CHECK((product(s.matrix, s.state) - s.dense * p * v).norm() < 1e-14);
        return s.matrix.part(s.state);
    };
    const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(3 * points, 3 * points);

    // Scalars; row 1 has the point 1 only, and vanishes.
    Eigen::MatrixXd p = one;
    for (const int k : {3, 4, 5, 9, 11}) p(k, k) = 0.;
    const auto* part = check(
        [&](EliminationSink& sink) {
            for (const std::size_t k : {2u, 0u}) sink.eliminate(s.state, 3, k);
            for (const std::size_t k : {0u, 2u, 1u}) sink.eliminate(s.state, 1, k);
        },
        p);
    CHECK(part->rows == Vector<int>{0, 2, 4});
    CHECK(part->points == Vector<Index>{3, 0, 2, 0, 2});

    // A plane across n at one point.
    const Eigen::Vector3d n = Eigen::Vector3d(1., 2., -2.) / 3.;
    const Eigen::Matrix3d plane = Eigen::Matrix3d::Identity() - n * n.transpose();
    p = one;
    p.block<3, 3>(6, 6) = plane;
    check([&](EliminationSink& sink) { sink.project(s.state, 2, plane.data()); }, p);

    // The first scalars of the points 0 and 3 are one: both go to their mean.
    p = one;
    p(0, 0) = p(0, 9) = p(9, 0) = p(9, 9) = 0.5;
    check([&](EliminationSink& sink) { sink.join(s.state, 0, s.state, 3, 0); }, p);

    // States that no row touches.
    auto& other = addState<Vec3Types>(*s.root.createChild("other"), Vector<Vec3>(2));
    check(
        [&](EliminationSink& sink) {
            sink.eliminate(other, 0, 0);
            sink.project(other, 0, plane.data());
        },
        one);
}

TEST_CASE("points of two states that are joined share their rows")
{
    Random random(4);
    Scene s;
    auto& other = addState<Vec3Types>(*s.root.createChild("other"), Vector<Vec3>(2));
    auto& holding = s.root.create<Holding>();
    holding.l_state.set(&s.state);
    s.fill(random, s.state);
    s.matrix.carry({});
    holding.what = [&](EliminationSink& sink) {
        for (std::size_t k = 0; k < 3; ++k) sink.join(s.state, 3, other, 1, k);
    };
    s.matrix.eliminate({&holding});
    randomVelocity(s.state, random);
    randomVelocity(other, random);
    Eigen::VectorXd v = scalars(s.state, vec_id::velocity);
    v.tail(3) = 0.5 * (v.tail(3) + scalars(other, vec_id::velocity).tail(3));
    CHECK((product(s.matrix, s.state) + product(s.matrix, other) - s.dense * v).norm() < 1e-14);
}

}  // namespace constraint_matrix_test
