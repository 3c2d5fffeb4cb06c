// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/math/Quat.h"

#include <catch2/catch.hpp>
#include <random>
#include <vector>

namespace quat_test {

using namespace sofa::core;

namespace {

constexpr double pi = 3.14159265358979323846;

std::vector<Quat> quaternions()
{
    std::mt19937 gen(1);
    std::normal_distribution<double> value;
    std::vector<Quat> list{{}, {1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, -1}};
    for (int i = 0; i < 200; ++i) list.push_back(Quat{value(gen), value(gen), value(gen), value(gen)}.normalized());
    for (int i = 0; i < 50; ++i)  // near half turns, where w vanishes
        list.push_back(Quat{value(gen), value(gen), value(gen), 1e-9 * value(gen)}.normalized());
    return list;
}

double distance(const Vec3& a, const Vec3& b) { return norm(a - b); }

/// Of rotations, not of quaternions: q and −q are the same.
double distance(const Quat& a, const Quat& b) { return std::min(norm(a.q - b.q), norm(a.q + b.q)); }

}  // namespace

TEST_CASE("the default quaternion is the identity", "[math]")
{
    CHECK(Quat{} == Quat{0, 0, 0, 1});
    CHECK(Quat{}.rotate({1, 2, 3}) == Vec3{1, 2, 3});
    CHECK(Quat{}.toMatrix() == Mat3::identity());
    CHECK(Quat{0, 0, 0, 0}.normalized() == Quat{});
}

TEST_CASE("axis and angle", "[math]")
{
    CHECK(distance(Quat::fromAxisAngle({0, 0, 5}, pi / 2).rotate({1, 0, 0}), Vec3{0, 1, 0}) < 1e-15);
    CHECK(distance(Quat::fromAxisAngle({1, 0, 0}, pi / 2).rotate({0, 1, 0}), Vec3{0, 0, 1}) < 1e-15);
    CHECK(distance(Quat::fromAxisAngle({0, 1, 0}, pi / 2).rotate({0, 0, 1}), Vec3{1, 0, 0}) < 1e-15);
    CHECK(Quat::fromAxisAngle({}, 1.) == Quat{});
}

TEST_CASE("composition rotates by the right factor first", "[math]")
{
    const Quat z = Quat::fromAxisAngle({0, 0, 1}, pi / 2), x = Quat::fromAxisAngle({1, 0, 0}, pi / 2);
    CHECK(distance((z * x).rotate({0, 1, 0}), z.rotate(x.rotate({0, 1, 0}))) < 1e-15);
    CHECK(distance((z * x).rotate({0, 1, 0}), Vec3{0, 0, 1}) < 1e-15);
    // i j = k
    CHECK(Quat{1, 0, 0, 0} * Quat{0, 1, 0, 0} == Quat{0, 0, 1, 0});
    const auto list = quaternions();
    for (std::size_t i = 0; i + 2 < list.size(); ++i) {
        CHECK(norm(((list[i] * list[i + 1]) * list[i + 2]).q - (list[i] * (list[i + 1] * list[i + 2])).q) < 1e-14);
        CHECK(norm((list[i] * list[i + 1]).toMatrix() - list[i].toMatrix() * list[i + 1].toMatrix()) < 1e-14);
    }
}

TEST_CASE("quaternions and matrices", "[math]")
{
    const Vec3 v{1, -2, 0.5};
    for (const Quat& q : quaternions()) {
        const Mat3 r = q.toMatrix();
        CHECK(norm(r * r.transposed() - Mat3::identity()) < 1e-14);
        CHECK(std::abs(determinant(r) - 1.) < 1e-14);
        CHECK(distance(r * v, q.rotate(v)) < 1e-14);
        CHECK(distance(q.inverseRotate(q.rotate(v)), v) < 1e-14);
        CHECK(distance(Quat::fromMatrix(r), q) < 1e-14);
        CHECK(distance(q * q.inverse(), Quat{}) < 1e-15);
    }
}

TEST_CASE("rotation vectors", "[math]")
{
    for (const Quat& q : quaternions()) {
        const Vec3 r = q.toRotationVector();
        CHECK(norm(r) <= pi + 1e-14);
        CHECK(distance(Quat::fromRotationVector(r), q) < 1e-14);
    }
    for (const double angle : {0., 1e-300, 1e-20, 1e-12, 1e-9, 1e-7, 9.9e-7, 1.01e-6, 1e-3, 1., 3.}) {
        const Vec3 r = normalized(Vec3{1, 2, -2}) * angle;
        const Quat q = Quat::fromRotationVector(r);
        CHECK(std::abs(norm(q.q) - 1.) < 1e-15);
        CHECK(distance(q.toRotationVector(), r) <= 1e-15 * angle);
        CHECK(norm(q.q - Quat::fromAxisAngle({1, 2, -2}, angle).q) < 1e-15);
    }
}

TEST_CASE("Euler angles rotate about x, then y, then z", "[math]")
{
    const Vec3 a{0.3, -0.7, 1.1}, v{1, 2, 3};
    const auto about = [](double angle, std::size_t axis) { return Quat::fromAxisAngle(Vec3::unit(axis), angle); };
    const Vec3 byHand = about(a[2], 2).rotate(about(a[1], 1).rotate(about(a[0], 0).rotate(v)));
    CHECK(distance(Quat::fromEulerXYZ(a).rotate(v), byHand) < 2e-15);
}

}  // namespace quat_test
