// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/math/ArmStiffness.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "core/math/NegativePart.h"
#include "core/math/Quat.h"

namespace arm_stiffness_test {

using namespace sofa::core;

namespace {

double distance(const Mat3& a, const Mat3& b)
{
    double most = 0.;
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) most = std::max(most, std::abs(a[i][j] - b[i][j]));
    return most;
}

}  // namespace

TEST_CASE("the stiffness of arms is the derivative of the torque as they turn")
{
    std::mt19937 random(11);
    std::uniform_real_distribution<double> number(-1., 1.);
    const auto vector = [&] { return Vec3{number(random), number(random), number(random)}; };
    const std::array<Vec3, 3> forces{vector(), vector(), vector()}, arms{vector(), vector(), vector()};
    ArmStiffness sum;
    for (std::size_t k = 0; k < 3; ++k) sum.add(forces[k], arms[k]);
    const auto torque = [&](const Vec3& turn) {
        const Quat q = Quat::fromRotationVector(turn);
        Vec3 t;
        for (std::size_t k = 0; k < 3; ++k) t += cross(q.rotate(arms[k]), forces[k]);
        return t;
    };
    Mat3 differences;
    const double h = 1e-5;
    for (std::size_t c = 0; c < 3; ++c) {
        const Vec3 column = (torque(Vec3::unit(c) * h) - torque(Vec3::unit(c) * -h)) / (2. * h);
        for (std::size_t r = 0; r < 3; ++r) differences[r][c] = column[r];
    }
    REQUIRE(distance(differences, Mat3()) > 0.1);
    CHECK(distance(sum.value(false), differences) < 1e-9);

    // Stabilized: the negative part; as a block: of the rotation only.
    const Mat3 symmetric = (sum.value(false) + sum.value(false).transposed()) * 0.5;
    CHECK(distance(sum.value(true), negativePart(symmetric)) < 1e-14);
    REQUIRE(distance(sum.value(true), symmetric) > 1e-2);
    const Mat<6, 6> block = sum.block(true);
    CHECK(distance(block.block<3, 3>(3, 3), sum.value(true)) == 0.);
    for (std::size_t i = 0; i < 6; ++i)
        for (std::size_t j = 0; j < 6; ++j)
            if (i < 3 || j < 3) CHECK(block[i][j] == 0.);
}

TEST_CASE("a force along its arm pulls it straight, or pushes it aside")
{
    ArmStiffness pulls, pushes;
    pulls.add({2, 0, 0}, {0.5, 0, 0});
    pushes.add({-2, 0, 0}, {0.5, 0, 0});
    CHECK(distance(pulls.value(false), Mat3::diagonal({0, -1, -1})) < 1e-15);
    CHECK(distance(pulls.value(true), pulls.value(false)) < 1e-15);
    CHECK(distance(pushes.value(false), Mat3::diagonal({0, 1, 1})) < 1e-15);
    CHECK(distance(pushes.value(true), Mat3()) < 1e-15);
}

}  // namespace arm_stiffness_test
