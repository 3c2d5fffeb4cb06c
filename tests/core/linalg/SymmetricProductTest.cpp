// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/SymmetricProduct.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "core/parallel/Parallel.h"
#include "core/parallel/SimdLevel.h"

namespace symmetric_product_test {

using namespace sofa::core;

namespace {

/// Matrix whose row i has the columns i + step and i − step, besides the diagonal, whose blocks are not symmetric.
BlockCsrMatrix symmetricMatrix(int rows, const std::vector<int>& steps, int blockSize = 3)
{
    std::vector<int> rowPtr{0}, columns;
    for (int i = 0; i < rows; ++i) {
        std::vector<int> row{i};
        for (const int s : steps)
            for (const int j : {i - s, i + s})
                if (j >= 0 && j < rows) row.push_back(j);
        std::sort(row.begin(), row.end());
        columns.insert(columns.end(), row.begin(), row.end());
        rowPtr.push_back(static_cast<int>(columns.size()));
    }
    BlockCsrMatrix a(rows, rows, blockSize, rowPtr, columns);
    std::mt19937 random(7);
    std::uniform_real_distribution<double> uniform(-1., 1.);
    const auto b = static_cast<std::size_t>(blockSize);
    for (int i = 0; i < rows; ++i)
        for (int k = rowPtr[static_cast<std::size_t>(i)]; k < rowPtr[static_cast<std::size_t>(i) + 1]; ++k) {
            const int j = columns[static_cast<std::size_t>(k)];
            if (j < i) continue;
            double *at = a.block(static_cast<std::size_t>(k)), *other = a.block(static_cast<std::size_t>(a.find(j, i)));
            for (std::size_t r = 0; r < b; ++r)
                for (std::size_t c = 0; c < b; ++c) {
                    at[r * b + c] = uniform(random);
                    if (i != j) other[c * b + r] = at[r * b + c];
                }
        }
    return a;
}

Vector<double> randomVector(std::size_t n)
{
    std::mt19937 random(3);
    std::uniform_real_distribution<double> uniform(-1., 1.);
    Vector<double> x(n);
    for (double& v : x) v = uniform(random);
    return x;
}

/// Largest deviation of the product from that of the whole matrix, in units of the largest entry.
double deviation(const BlockCsrMatrix& a, const Vector<double>& x, const Vector<double>& y)
{
    Vector<double> whole(y.size());
    a.multiply(x, whole);
    double worst = 0., size = 0.;
    for (std::size_t i = 0; i < y.size(); ++i) {
        worst = std::max(worst, std::abs(y[i] - whole[i]));
        size = std::max(size, std::abs(whole[i]));
    }
    return worst / size;
}

using Stored = SymmetricProduct::Stored;

/// The blocks on and right of the diagonal.
BlockCsrMatrix upperOf(const BlockCsrMatrix& a)
{
    BlockCsrMatrix upper = a.upperPattern();
    for (int i = 0; i < a.blockRows(); ++i)
        std::copy(a.block(static_cast<std::size_t>(a.diagonal(i))),
                  a.block(static_cast<std::size_t>(a.rowPtr()[static_cast<std::size_t>(i) + 1])),
                  upper.block(static_cast<std::size_t>(upper.diagonal(i))));
    return upper;
}

/// Threads and instruction sets that must give the same.
const auto settings = {std::pair{1u, SimdLevel::scalar}, std::pair{1u, SimdLevel::avx512},
                       std::pair{2u, SimdLevel::avx2}, std::pair{5u, SimdLevel::avx512}};

}  // namespace

TEST_CASE("Half of a symmetric matrix gives the product of the whole", "[linalg]")
{
    // One chunk, and several; blocks in pairs but for the largest.
    const int rows = GENERATE(1, 2, 7, 200, 3001, 4000);
    const BlockCsrMatrix a = symmetricMatrix(rows, {1, 5, 37, 60});
    const Vector<double> x = randomVector(static_cast<std::size_t>(3 * rows));
    Vector<double> y(x.size(), 9.);
    SymmetricProduct product;
    product.prepare(a, 1, Stored::Symmetric);
    CHECK(product.usesUpperTriangle());
    product.multiply(a, x, y);
    CHECK(deviation(a, x, y) < 1e-14);
}

TEST_CASE("The product of half a matrix has the same bits for all threads and instruction sets", "[linalg]")
{
    // In one chunk and in several, with even and odd rows.
    const int rows = GENERATE(2, 301, 2800, 2801, 6000);
    const BlockCsrMatrix a = symmetricMatrix(rows, {1, 3, 40, 41, 90}), half = upperOf(a);
    const Vector<double> x = randomVector(static_cast<std::size_t>(3 * rows));
    std::vector<Vector<double>> results;
    for (const auto& [threads, level] : settings) {
        setThreadCount(threads);
        setSimdLevel(level);
        SymmetricProduct product;
        product.prepare(a, 1, Stored::Symmetric);
        CHECK(product.usesUpperTriangle());
        CHECK(product.prefersUpper());
        SymmetricProduct ofHalf;
        for (const int products : {3, 2}) {
            ofHalf.prepare(half, 1, Stored::Upper);
            REQUIRE(ofHalf.usesUpperTriangle());
            for (int k = 0; k < products; ++k) {
                Vector<double> y(x.size());
                ofHalf.multiply(half, x, y);
                results.push_back(std::move(y));
            }
        }
        for (const int products : {3, 2}) {
            product.prepare(a, 1, Stored::Symmetric);
            Vector<double> first(x.size()), y(x.size());
            product.multiply(a, x, first);
            results.push_back(first);
            for (int k = 1; k < products; ++k) {
                product.multiply(a, x, y);
                CHECK(y == first);
            }
        }
    }
    setThreadCount(0);
    setSimdLevel(bestSimdLevel());
    CHECK(deviation(a, x, results[0]) < 1e-14);
    for (const auto& r : results) CHECK(r == results[0]);
}

TEST_CASE("Padded vectors give the same products", "[linalg]")
{
    // One chunk whose rows give the scalar product, several chunks, and more points than a piece of it has.
    const int rows = GENERATE(1, 2, 301, 2801, 6000, 9001);
    const BlockCsrMatrix a = rows > 9000 ? symmetricMatrix(rows, {1, 2}) : symmetricMatrix(rows, {1, 3, 40, 41, 90});
    const Vector<double> x = randomVector(static_cast<std::size_t>(3 * rows));
    double energy = 0.;  // x · A x, the same in all settings
    for (const auto& [threads, level] : settings) {
        setThreadCount(threads);
        setSimdLevel(level);
        SymmetricProduct product;
        product.prepare(a, 1, Stored::Symmetric);
        REQUIRE(product.usesUpperTriangle());
        Vector<double> y(x.size()), back(x.size()), padded, result(product.paddedSize(), 0.);
        product.multiply(a, x, y);
        product.pad(x.data(), padded);
        REQUIRE(padded.size() == product.paddedSize());
        product.unpad(padded, back.data());
        CHECK(back == x);
        for (int k = 0; k < 20; ++k) {
            const double e = product.multiplyPadded(a, padded, result);
            if (energy == 0.) energy = e;
            CHECK(e == energy);
            product.unpad(result, back.data());
            CHECK(back == y);
            double unused = 0.;
            for (std::size_t i = 3; i < result.size(); i += 4) unused = std::max(unused, std::abs(result[i]));
            CHECK(unused == 0.);
        }
        double sum = 0., size = 0.;
        for (std::size_t i = 0; i < x.size(); ++i) {
            sum += x[i] * y[i];
            size += std::abs(x[i] * y[i]);
        }
        CHECK(energy != 0.);
        CHECK(std::abs(sum - energy) <= 1e-14 * size);
        Vector<double> tooShort(x.size());
        CHECK_THROWS_AS(product.multiplyPadded(a, padded, tooShort), std::runtime_error);
    }
    setThreadCount(0);
    setSimdLevel(bestSimdLevel());
}

TEST_CASE("Points behind all others, as cuts add them, leave products of half a matrix", "[linalg]")
{
    // Each of the last 300 points has neighbours among all others, so that every chunk reaches the end.
    const int inner = GENERATE(24000, 60000), added = 300, rows = inner + added;
    std::vector<std::vector<int>> columns(static_cast<std::size_t>(rows));
    const auto couple = [&](int i, int j) {
        if (i < 0 || j >= rows) return;
        columns[static_cast<std::size_t>(i)].push_back(j);
        if (i != j) columns[static_cast<std::size_t>(j)].push_back(i);
    };
    for (int i = 0; i < rows; ++i)
        for (const int step : {0, 1, 4, 30, 31}) couple(i, i + step);
    for (int k = 0; k < added; ++k)
        for (int j = 0; j < 8; ++j) couple((29 * k + 17 * j) % (inner - 40), inner + k);
    std::vector<int> rowPtr{0}, colIdx;
    for (auto& row : columns) {
        std::sort(row.begin(), row.end());
        row.erase(std::unique(row.begin(), row.end()), row.end());
        colIdx.insert(colIdx.end(), row.begin(), row.end());
        rowPtr.push_back(static_cast<int>(colIdx.size()));
    }
    BlockCsrMatrix half = BlockCsrMatrix(rows, rows, 3, rowPtr, colIdx).upperPattern();
    std::ranges::copy(randomVector(half.values().size()), half.values().begin());
    // The product by its definition.
    const Vector<double> x = randomVector(static_cast<std::size_t>(3 * rows));
    Vector<double> expected(x.size(), 0.);
    for (std::size_t i = 0; i < static_cast<std::size_t>(rows); ++i)
        for (int k = half.rowPtr()[i]; k < half.rowPtr()[i + 1]; ++k) {
            const auto j = static_cast<std::size_t>(half.colIdx()[static_cast<std::size_t>(k)]);
            const double* b = half.block(static_cast<std::size_t>(k));
            for (std::size_t r = 0; r < 3; ++r)
                for (std::size_t c = 0; c < 3; ++c) {
                    expected[3 * i + r] += b[3 * r + c] * x[3 * j + c];
                    if (i != j) expected[3 * j + c] += b[3 * r + c] * x[3 * i + r];
                }
        }
    std::vector<Vector<double>> results;
    for (const auto& [threads, level] : settings) {
        setThreadCount(threads);
        setSimdLevel(level);
        SymmetricProduct product;
        product.prepare(half, 1, Stored::Upper);
        REQUIRE(product.usesUpperTriangle());
        CHECK(product.prefersUpper());
        CHECK(product.bytes() < half.values().size() * sizeof(double) + 9 * x.size() * sizeof(double));
        Vector<double> y(x.size(), 9.);
        for (int k = 0; k < 2; ++k) product.multiply(half, x, y);
        results.push_back(std::move(y));
    }
    setThreadCount(0);
    setSimdLevel(bestSimdLevel());
    double worst = 0.;
    for (std::size_t i = 0; i < x.size(); ++i) worst = std::max(worst, std::abs(results[0][i] - expected[i]));
    CHECK(worst < 1e-13);
    for (const auto& r : results) CHECK(r == results[0]);
}

TEST_CASE("Products follow values, patterns and instruction sets that change", "[linalg]")
{
    SymmetricProduct product;
    for (const int rows : {40, 41, 300}) {
        BlockCsrMatrix a = symmetricMatrix(rows, {1, 2, 9});
        const Vector<double> x = randomVector(static_cast<std::size_t>(3 * rows));
        Vector<double> y(x.size());
        for (const double scale : {1., -3.}) {
            for (double& v : a.values()) v *= scale;
            product.prepare(a, static_cast<std::uint64_t>(rows), Stored::Symmetric);
            product.multiply(a, x, y);
            CHECK(deviation(a, x, y) < 1e-14);
        }
        // The level may be lowered between products.
        setSimdLevel(SimdLevel::avx2);
        Vector<double> lower(x.size());
        product.multiply(a, x, lower);
        CHECK(lower == y);
        for (double& v : a.values()) v *= 2.;
        product.prepare(a, static_cast<std::uint64_t>(rows), Stored::Symmetric);
        setSimdLevel(bestSimdLevel());
        product.multiply(a, x, lower);
        for (double& v : y) v *= 2.;
        CHECK(lower == y);
    }
}

TEST_CASE("Another matrix is another pattern, whatever its version", "[linalg]")
{
    SymmetricProduct product;
    const BlockCsrMatrix narrow = symmetricMatrix(300, {1, 2, 9}), wide = symmetricMatrix(300, {5, 120, 250});
    const Vector<double> x = randomVector(900);
    Vector<double> y(x.size());
    for (const BlockCsrMatrix* a : {&narrow, &wide, &narrow}) {
        product.prepare(*a, 1, Stored::Symmetric);
        REQUIRE(product.usesUpperTriangle());
        for (int k = 0; k < 20; ++k) product.multiply(*a, x, y);
        CHECK(deviation(*a, x, y) < 1e-14);
    }
}

TEST_CASE("Matrices that are not symmetric are multiplied as a whole", "[linalg]")
{
    BlockCsrMatrix a = symmetricMatrix(100, {1, 5});
    const Vector<double> x = randomVector(300);
    Vector<double> y(300), whole(300);
    SymmetricProduct product;
    CHECK(product.prefersUpper());  // as most matrices will
    product.prepare(a, 1, Stored::Symmetric);
    CHECK(product.usesUpperTriangle());
    a.block(static_cast<std::size_t>(a.find(50, 51)))[1] += 1.;
    product.prepare(a, 1, Stored::Any);
    CHECK_FALSE(product.usesUpperTriangle());
    CHECK_FALSE(product.prefersUpper());
    product.multiply(a, x, y);
    a.multiply(x, whole);
    CHECK(y == whole);
}

TEST_CASE("Patterns that do not suit are multiplied as a whole", "[linalg]")
{
    SymmetricProduct product;
    const BlockCsrMatrix sixes = symmetricMatrix(10, {1}, 6);
    product.prepare(sixes, 1, Stored::Symmetric);
    CHECK_FALSE(product.usesUpperTriangle());
    const std::vector<int> rowPtr{0, 2, 3}, noDiagonal{0, 1, 0};
    product.prepare(BlockCsrMatrix(2, 2, 3, rowPtr, noDiagonal), 3, Stored::Symmetric);
    CHECK_FALSE(product.usesUpperTriangle());
    // Every row of a large matrix reaches the end: the windows would be as large as the values.
    const BlockCsrMatrix far = symmetricMatrix(20000, {10000, 19000});
    product.prepare(far, 4, Stored::Symmetric);
    CHECK_FALSE(product.usesUpperTriangle());
    CHECK_FALSE(product.prefersUpper());
    // Of half of such a matrix there is no other product.
    const BlockCsrMatrix halfOfFar = upperOf(far);
    Vector<double> of(60000, 1.), result(60000);
    product.prepare(halfOfFar, 7, Stored::Upper);
    CHECK_FALSE(product.usesUpperTriangle());
    CHECK_THROWS_WITH(product.multiply(halfOfFar, of, result), Catch::Contains("need the whole"));
    const BlockCsrMatrix near = symmetricMatrix(20000, {1, 2});
    product.prepare(near, 5, Stored::Symmetric);
    CHECK(product.usesUpperTriangle());
    const BlockCsrMatrix shortRows = symmetricMatrix(40000, {1, 2});
    product.prepare(shortRows, 6, Stored::Symmetric);
    CHECK_FALSE(product.usesUpperTriangle());
    CHECK(product.prefersUpper());
    const BlockCsrMatrix half = upperOf(shortRows);
    product.prepare(half, 6, Stored::Upper);
    CHECK(product.usesUpperTriangle());
    const Vector<double> x = randomVector(120000);
    Vector<double> y(x.size());
    product.multiply(half, x, y);
    CHECK(deviation(shortRows, x, y) < 1e-14);
    const BlockCsrMatrix longRows = symmetricMatrix(7000, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
    product.prepare(longRows, 7, Stored::Symmetric);
    CHECK(product.usesUpperTriangle());
}

}  // namespace symmetric_product_test
