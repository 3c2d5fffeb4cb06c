// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/math/Decompositions.h"

#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <vector>

namespace decompositions_test {

using namespace sofa::core;

namespace {

constexpr double tolerance = 1e-14;

std::mt19937 generator(unsigned seed) { return std::mt19937(seed); }

template <std::size_t N>
Mat<N> randomMatrix(std::mt19937& gen)
{
    std::uniform_real_distribution<double> value(-1., 1.);
    Mat<N> a;
    for (auto& row : a.m)
        for (double& v : row) v = value(gen);
    return a;
}

/// Random rotation from a random matrix, by Gram–Schmidt.
Mat3 randomRotation(std::mt19937& gen)
{
    const Mat3 a = randomMatrix<3>(gen);
    const Vec3 x = normalized(a[0]), z = normalized(cross(x, a[1]));
    return Mat3::fromRows(x, cross(z, x), z);
}

Mat3 withSingularValues(std::mt19937& gen, const Vec3& s)
{
    return randomRotation(gen) * Mat3::diagonal(s) * randomRotation(gen);
}

struct Case
{
    std::string name;
    Mat3 f;
};

/// Matrices of all kinds, the ones that break naive algorithms above all.
std::vector<Case> matrices()
{
    auto gen = generator(1);
    std::vector<Case> cases;
    for (int i = 0; i < 200; ++i) cases.push_back({"random", randomMatrix<3>(gen)});
    for (int i = 0; i < 50; ++i) {
        cases.push_back({"near rotation", randomRotation(gen) + randomMatrix<3>(gen) * 1e-7});
        cases.push_back({"rotation", randomRotation(gen)});
        cases.push_back({"inverted", withSingularValues(gen, {2., 1., -0.3})});
        cases.push_back({"inverted, nearly equal", withSingularValues(gen, {2., 1., -1. + 1e-9})});
        cases.push_back({"reflection", withSingularValues(gen, {1., 1., -1.})});
        cases.push_back({"nearly flat", withSingularValues(gen, {3., 1., 1e-9})});
        cases.push_back({"flat within rounding", withSingularValues(gen, {3., 1., 1e-17})});
        cases.push_back({"nearly rank 1", withSingularValues(gen, {1., 1e-8, 1e-15})});
        cases.push_back({"wide range", withSingularValues(gen, {1e5, 1., -1e-5})});
        const Mat3 r = randomMatrix<3>(gen);
        cases.push_back({"rank 1", outer(r[0], r[1])});
        cases.push_back({"rank 2", Mat3::fromColumns(r[0], r[1], r[0])});
        cases.push_back({"two equal columns and a zero one", Mat3::fromColumns(r[0], Vec3{}, r[0])});
        cases.push_back({"large", r * 1e200});
        cases.push_back({"small", r * 1e-200});
        cases.push_back({"subnormal", r * 1e-310});
    }
    cases.push_back({"zero", Mat3{}});
    cases.push_back({"identity", Mat3::identity()});
    cases.push_back({"minus identity", -Mat3::identity()});
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) {
            Mat3 a;
            a[i][j] = -2.;
            cases.push_back({"one entry", a});
        }
    for (int bits = 0; bits < 512; ++bits) {
        Mat3 a;
        for (std::size_t i = 0; i < 9; ++i) a[i / 3][i % 3] = (bits >> i) & 1;
        cases.push_back({"zeros and ones", a});
    }
    return cases;
}

template <std::size_t N>
double largest(const Mat<N>& a)
{
    double m = 0.;
    for (const auto& row : a.m)
        for (const double v : row) m = std::max(m, std::abs(v));
    return m;
}

template <std::size_t N>
double orthogonality(const Mat<N>& r)
{
    return largest(r.transposed() * r - Mat<N>::identity());
}

/// Bound on reconstruction errors; the smallest subnormals cannot be told apart.
template <std::size_t N>
double bound(const Mat<N>& f)
{
    return tolerance * largest(f) + 1e-322;
}

template <std::size_t N>
void checkSvd(const Mat<N>& f, const Svd<N>& d)
{
    CHECK(largest(d.u * Mat<N>::diagonal(d.s) * d.v.transposed() - f) <= bound(f));
    CHECK(orthogonality(d.u) <= tolerance);
    CHECK(orthogonality(d.v) <= tolerance);
    CHECK(std::abs(determinant(d.u) - 1.) <= tolerance);
    CHECK(std::abs(determinant(d.v) - 1.) <= tolerance);
    for (std::size_t i = 0; i + 1 < N; ++i) CHECK(d.s[i] >= std::abs(d.s[i + 1]));
}

}  // namespace

TEST_CASE("singular value decomposition, 3 × 3", "[decompositions]")
{
    for (const Case& c : matrices()) {
        INFO(c.name);
        checkSvd(c.f, svd(c.f));
    }
}

TEST_CASE("singular values are the prescribed ones", "[decompositions]")
{
    auto gen = generator(2);
    for (const Vec3& s :
         {Vec3{3., 2., 1.}, Vec3{3., 2., -1.}, Vec3{2., 2., 2.}, Vec3{1., 1e-3, 1e-6}, Vec3{1., 1e-8, -1e-12}})
        for (int i = 0; i < 20; ++i) {
            const Svd3 d = svd(withSingularValues(gen, s));
            for (std::size_t k = 0; k < 3; ++k) CHECK(std::abs(d.s[k] - s[k]) <= 3e-15 * s[0]);
        }
    CHECK(svd(Mat3{}).u == Mat3::identity());
    // Small singular values of a graded matrix keep their digits.
    Mat3 graded = Mat3::diagonal({1., 1e-7, 1e-14});
    graded[0][1] = graded[0][2] = 1e-14;
    CHECK(svd(graded).s[2] == Approx(1e-14).epsilon(1e-12));
}

TEST_CASE("SOFA's zeroing of small singular values", "[decompositions]")
{
    auto gen = generator(3);
    bool degenerate = true;
    svdZeroingSmall(withSingularValues(gen, {2., 1., 1.1e-4}), &degenerate);
    CHECK_FALSE(degenerate);
    const Svd3 d = svdZeroingSmall(withSingularValues(gen, {2., 1., 0.9e-4}), &degenerate);
    CHECK(degenerate);
    CHECK(d.s[2] == 0.);
    CHECK(d.s[1] == Approx(1.));
    svdZeroingSmall(withSingularValues(gen, {2., 1., -0.5}), &degenerate);
    CHECK(degenerate);
}

TEST_CASE("singular value decomposition, 2 × 2", "[decompositions]")
{
    auto gen = generator(4);
    std::vector<Mat2> cases{Mat2{}, Mat2::identity(), -Mat2::identity()};
    for (int i = 0; i < 200; ++i) {
        const Mat2 a = randomMatrix<2>(gen);
        cases.insert(cases.end(), {a, a * 1e200, a * 1e-200, a * 1e-310, outer(a[0], a[1]), outer(a[0], a[0]),
                                   Mat2::fromColumns(a[0], Vec2{}), Mat2::fromColumns(a[0], a[0] * (1. + 1e-12))});
    }
    for (int bits = 0; bits < 81; ++bits) {
        Mat2 a;
        for (int i = 0, b = bits; i < 4; ++i, b /= 3)
            a[static_cast<std::size_t>(i / 2)][static_cast<std::size_t>(i % 2)] = b % 3 - 1;
        cases.push_back(a);
    }
    for (const Mat2& f : cases) checkSvd(f, svd(f));
}

TEST_CASE("polar decompositions, 3 × 3", "[decompositions]")
{
    for (const Case& c : matrices()) {
        INFO(c.name);
        const Polar3 p = polarRotation(c.f), q = polarOrthogonal(c.f);
        for (const Polar3& d : {p, q}) {
            CHECK(largest(d.r * d.s - c.f) <= bound(c.f));
            CHECK(orthogonality(d.r) <= tolerance);
            CHECK(d.s == d.s.transposed());
        }
        CHECK(std::abs(determinant(p.r) - 1.) <= tolerance);
        CHECK(symmetricEigen(q.s).values[2] >= -bound(c.f));
    }
    CHECK(polarRotation(Mat3{}).r == Mat3::identity());
}

TEST_CASE("the polar rotation is the nearest rotation", "[decompositions]")
{
    auto gen = generator(5);
    for (int i = 0; i < 50; ++i) {
        const Mat3 f = randomMatrix<3>(gen);
        const double best = norm(polarRotation(f).r - f);
        for (int k = 0; k < 50; ++k) CHECK(norm(randomRotation(gen) - f) >= best - 1e-14);
    }
}

TEST_CASE("the orthogonal factor is the limit of Newton's iteration", "[decompositions]")
{
    // X ← (X + X⁻ᵀ)/2 converges to the orthogonal factor for every regular matrix, with det of the sign of det F.
    auto gen = generator(6);
    for (int i = 0; i < 100; ++i) {
        const Mat3 f = withSingularValues(gen, {1.7, 0.9, i % 2 == 0 ? 0.2 : -0.2});
        Mat3 x = f;
        for (int k = 0; k < 30; ++k) x = (x + inverse(x).transposed()) * 0.5;
        const Polar3 q = polarOrthogonal(f);
        CHECK(largest(q.r - x) <= 1e-13);
        CHECK(determinant(q.r) * determinant(f) > 0.);
        CHECK((largest(polarRotation(f).r - x) <= 1e-13) == (i % 2 == 0));
    }
}

TEST_CASE("polar decompositions, 2 × 2", "[decompositions]")
{
    auto gen = generator(7);
    for (int i = 0; i < 300; ++i) {
        Mat2 f = randomMatrix<2>(gen);
        if (i % 3 == 0) f = outer(f[0], f[1]);
        if (i % 5 == 0) f *= 1e-200;
        const Polar2 p = polarRotation(f), q = polarOrthogonal(f);
        for (const Polar2& d : {p, q}) {
            CHECK(largest(d.r * d.s - f) <= bound(f));
            CHECK(orthogonality(d.r) <= tolerance);
            CHECK(d.s == d.s.transposed());
        }
        CHECK(std::abs(determinant(p.r) - 1.) <= tolerance);
        CHECK(symmetricEigen(q.s).values[1] >= -bound(f));
        if (i % 3 != 0 && i % 5 != 0) {
            // SOFA's closed form: F plus or minus its cofactor matrix, columns normalised (Shoemake and Duff).
            const double sign = determinant(f) < 0. ? -1. : 1.;
            Mat2 x;
            x[0] = {f[0][0] + sign * f[1][1], f[0][1] - sign * f[1][0]};
            x[1] = {f[1][0] - sign * f[0][1], f[1][1] + sign * f[0][0]};
            for (std::size_t j = 0; j < 2; ++j) x.setColumn(j, normalized(x.column(j)));
            CHECK(largest(q.r - x) <= 1e-12);
        }
    }
    CHECK(polarRotation(Mat2{}).r == Mat2::identity());
}

TEST_CASE("derivative of the polar rotation", "[decompositions]")
{
    auto gen = generator(8);
    for (const Vec3& s :
         {Vec3{1., 1., 1.}, Vec3{2., 1., 0.5}, Vec3{2., 1., -0.4}, Vec3{1.5, 0.7, 0.}, Vec3{1., 1e-2, 1e-3}})
        for (int i = 0; i < 10; ++i) {
            const Mat3 f = withSingularValues(gen, s), dF = randomMatrix<3>(gen);
            const Mat3 dR = polarRotationDerivative(svd(f), dF);
            REQUIRE(norm(dR) > 0.01);
            // The error of the central difference is O(h²) over the scale of the smallest s_i + s_j.
            const double gap = s[1] + s[2], h = 1e-4 * gap;
            const Mat3 difference = (polarRotation(f + dF * h).r - polarRotation(f - dF * h).r) * (0.5 / h);
            const double error = norm(dR - difference) / norm(dR);
            CHECK(error <= 1e-6);
            // Halving the step must cut the error by four: order two.
            const double h2 = 2e-3 * gap;
            const auto differenceError = [&](double step) {
                return norm((polarRotation(f + dF * step).r - polarRotation(f - dF * step).r) * (0.5 / step) - dR);
            };
            CHECK(differenceError(h2) / differenceError(0.5 * h2) == Approx(4.).epsilon(0.02));

            const Mat<9> g = polarRotationGradient(svd(f));
            Mat3 product;
            for (std::size_t k = 0; k < 9; ++k)
                for (std::size_t l = 0; l < 9; ++l) product[k / 3][k % 3] += g[k][l] * dF[l / 3][l % 3];
            CHECK(norm(product - dR) <= 1e-13 * norm(dR) * (1. + s[0] / gap));
        }
    // Not differentiable: finite all the same.
    for (const Mat3& f : {Mat3{}, outer(Vec3{1, 2, 3}, Vec3{0, 1, 0}), -Mat3::identity()})
        CHECK(std::isfinite(norm(polarRotationDerivative(svd(f), randomMatrix<3>(gen)))));
}

TEST_CASE("derivative of the polar rotation in the plane", "[decompositions]")
{
    auto gen = generator(9);
    for (int i = 0; i < 30; ++i) {
        const Mat2 f = randomMatrix<2>(gen), dF = randomMatrix<2>(gen);
        const Svd2 d = svd(f);
        if (d.s[0] + d.s[1] < 0.2) continue;
        const Mat2 dR = polarRotationDerivative(d, dF);
        REQUIRE(norm(dR) > 1e-4);
        const double h = 1e-5;
        const Mat2 difference = (polarRotation(f + dF * h).r - polarRotation(f - dF * h).r) * (0.5 / h);
        CHECK(norm(dR - difference) <= 1e-6 * norm(dR) + 1e-9);
    }
}

TEST_CASE("edge frames", "[decompositions]")
{
    auto gen = generator(10);
    bool degenerate = true;
    for (int i = 0; i < 100; ++i) {
        const Mat3 a = randomMatrix<3>(gen);
        const Mat3 r = edgeFrame(a[0], a[1], &degenerate);
        CHECK_FALSE(degenerate);
        CHECK(orthogonality(r) <= tolerance);
        CHECK(std::abs(determinant(r) - 1.) <= tolerance);
        CHECK(norm(r.column(0) - normalized(a[0])) <= tolerance);
        CHECK(norm(r.column(2) - normalized(cross(a[0], a[1]))) <= 1e-13);
        CHECK(dot(r.column(1), a[1]) > 0.);

        // Nearly parallel, parallel and missing edges still give rotations.
        const Vec3 zero;
        const Mat3 cases[] = {edgeFrame(a[0], a[0] * 3. + a[1] * 1e-12, &degenerate),
                              edgeFrame(a[0], a[0] * 3., &degenerate), edgeFrame(a[0], zero, &degenerate),
                              edgeFrame(zero, a[1], &degenerate)};
        CHECK(degenerate);
        for (const Mat3& f : cases) {
            CHECK(orthogonality(f) <= tolerance);
            CHECK(std::abs(determinant(f) - 1.) <= tolerance);
        }
        CHECK(norm(cases[3].column(1) - normalized(a[1])) <= tolerance);
        CHECK(norm(cases[2].column(0) - normalized(a[0])) <= tolerance);
    }
    CHECK(edgeFrame({}, {}, &degenerate) == Mat3::identity());
    CHECK(degenerate);
}

TEST_CASE("symmetric eigenvalue problems", "[decompositions]")
{
    auto gen = generator(11);
    for (const Case& c : matrices()) {
        INFO(c.name);
        const Mat3 a = (c.f + c.f.transposed()) * 0.5;
        const auto e = symmetricEigen(a);
        CHECK(largest(e.vectors * Mat3::diagonal(e.values) * e.vectors.transposed() - a) <= bound(a));
        CHECK(orthogonality(e.vectors) <= tolerance);
        CHECK(std::abs(determinant(e.vectors) - 1.) <= tolerance);
        CHECK(e.values[0] >= e.values[1]);
        CHECK(e.values[1] >= e.values[2]);
    }
    for (int i = 0; i < 100; ++i) {
        const Mat2 f = randomMatrix<2>(gen);
        const Mat2 a = f + f.transposed();
        const auto e = symmetricEigen(a);
        CHECK(largest(e.vectors * Mat2::diagonal(e.values) * e.vectors.transposed() - a) <= bound(a));
        CHECK(e.values[0] >= e.values[1]);
        CHECK(e.values[0] + e.values[1] == Approx(trace(a)).margin(1e-14));
    }
    // The lower triangle is not read.
    Mat3 upper = Mat3::diagonal({1., 2., 3.});
    upper[0][1] = 0.5;
    Mat3 full = upper;
    full[1][0] = 0.5;
    CHECK(symmetricEigen(upper).values == symmetricEigen(full).values);
}

TEST_CASE("projection on the positive semi-definite matrices", "[decompositions]")
{
    auto gen = generator(12);
    for (int i = 0; i < 50; ++i) {
        const Mat3 r = randomRotation(gen);
        const Mat3 indefinite = r * Mat3::diagonal({2., -1., -3.}) * r.transposed();
        CHECK(largest(positiveProjection(indefinite) - r * Mat3::diagonal({2., 0., 0.}) * r.transposed()) <= 1e-13);
        const Mat3 definite = r * Mat3::diagonal({2., 1., 3.}) * r.transposed();
        CHECK(positiveProjection(definite) == definite);
    }
    Mat2 a = Mat2::diagonal({1., -2.});
    CHECK(positiveProjection(a) == Mat2::diagonal({1., 0.}));
}

}  // namespace decompositions_test
