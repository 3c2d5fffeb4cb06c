// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/math/Mat.h"

#include <catch2/catch.hpp>
#include <random>

namespace mat_test {

using namespace sofa::core;

namespace {

template <std::size_t R, std::size_t C>
Mat<R, C> randomMat(std::mt19937& gen)
{
    std::uniform_real_distribution<double> value(-1., 1.);
    Mat<R, C> a;
    for (auto& row : a.m)
        for (double& v : row) v = value(gen);
    return a;
}

}  // namespace

TEST_CASE("matrices are row-major and zero unless given values", "[math]")
{
    Mat<2, 3> a;
    a[0] = {1, 2, 3};
    a[1] = {4, 5, 6};
    CHECK(Mat<2, 3>{}[1][2] == 0.);
    for (std::size_t i = 0; i < 6; ++i) CHECK(a.data()[i] == static_cast<double>(i + 1));
    CHECK(a(1, 0) == 4.);
    CHECK(a.column(1) == Vec2{2, 5});
    CHECK(a.transposed()[2] == Vec2{3, 6});
    CHECK(a.transposed().transposed() == a);
    a.setColumn(0, {7, 8});
    CHECK(a[1] == Vec3{8, 5, 6});
    CHECK(Mat<2, 3>::rows() == 2);
    CHECK(Mat<2, 3>::cols() == 3);
    CHECK(Mat3::fromRows(Vec3{1, 2, 3}, Vec3{4, 5, 6}, Vec3{7, 8, 9}) ==
          Mat3::fromColumns(Vec3{1, 4, 7}, Vec3{2, 5, 8}, Vec3{3, 6, 9}));
    CHECK(Mat<3, 2>::fromColumns(Vec3{1, 2, 3}, Vec3{4, 5, 6})[2] == Vec2{3, 6});
    CHECK(Mat2::diagonal({2, 3})[1] == Vec2{0, 3});
    STATIC_REQUIRE(sizeof(Mat3) == 9 * sizeof(double));
}

TEST_CASE("products", "[math]")
{
    Mat<2, 3> a;
    a[0] = {1, 2, 3};
    a[1] = {4, 5, 6};
    CHECK(a * Vec3{1, -1, 2} == Vec2{5, 11});
    CHECK(transposeTimes(a, Vec2{1, -1}) == Vec3{-3, -3, -3});
    const Mat2 aat = a * a.transposed();
    CHECK(aat[0] == Vec2{14, 32});
    CHECK(aat[1] == Vec2{32, 77});
    CHECK(a * Mat3::identity() == a);
    CHECK(outer(Vec2{2, 3}, Vec3{1, 4, 5})[1] == Vec3{3, 12, 15});
    std::mt19937 gen(1);
    const auto p = randomMat<2, 4>(gen);
    const auto q = randomMat<4, 3>(gen);
    const auto r = randomMat<3, 5>(gen);
    CHECK(norm((p * q) * r - p * (q * r)) < 1e-14);
    CHECK(norm((p * q).transposed() - q.transposed() * p.transposed()) == 0.);
}

TEST_CASE("sums and multiples", "[math]")
{
    std::mt19937 gen(2);
    const auto a = randomMat<3, 3>(gen), b = randomMat<3, 3>(gen);
    CHECK(norm(a + b - b - a) < 1e-15);
    CHECK(-a + a == Mat3{});
    CHECK(a * 2. == a + a);
    CHECK(2. * a == a * 2.);
    CHECK(norm(Mat2::diagonal({3, 4})) == 5.);
    CHECK(trace(Mat3::diagonal({1, 2, 3})) == 6.);
}

TEST_CASE("determinants and inverses", "[math]")
{
    CHECK(determinant(Mat<1>::identity()) == 1.);
    CHECK(determinant(Mat2::fromRows(Vec2{1, 2}, Vec2{3, 4})) == -2.);
    CHECK(determinant(Mat3::fromRows(Vec3{2, 0, 1}, Vec3{1, 3, 2}, Vec3{1, 1, 4})) == 18.);
    std::mt19937 gen(3);
    for (int i = 0; i < 50; ++i) {
        const auto a = randomMat<3, 3>(gen);
        const auto b = randomMat<2, 2>(gen);
        CHECK(norm(a * inverse(a) - Mat3::identity()) * std::abs(determinant(a)) < 1e-14);
        CHECK(norm(inverse(a) * a - Mat3::identity()) * std::abs(determinant(a)) < 1e-14);
        CHECK(norm(b * inverse(b) - Mat2::identity()) * std::abs(determinant(b)) < 1e-14);
        CHECK(std::abs(determinant(a.transposed()) - determinant(a)) < 1e-15);
    }
}

TEST_CASE("blocks", "[math]")
{
    Mat6 a;
    const Mat<2, 3> b = Mat<2, 3>::fromRows(Vec3{1, 2, 3}, Vec3{4, 5, 6});
    a.setBlock(3, 1, b);
    CHECK(a.block<2, 3>(3, 1) == b);
    CHECK(a[4][3] == 6.);
    CHECK(norm(a) == norm(b));
}

TEST_CASE("cross product matrices", "[math]")
{
    const Vec3 a{1, 2, 3}, b{-2, 0.5, 4};
    CHECK(crossMatrix(a) * b == cross(a, b));
    CHECK(crossMatrix(a).transposed() == -crossMatrix(a));
}

}  // namespace mat_test
