// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/ComplianceMatrix.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

namespace compliance_matrix_test {

using namespace sofa::core;

namespace {

/// Groups of one to three rows, coupled by `bodies` that touch a few groups each.
struct Random
{
    ComplianceMatrix w;
    Vector<double> dense;
    int rows = 0;

    Random(int groups, int bodies, unsigned seed)
    {
        std::mt19937 random(seed);
        Vector<int> starts{0};
        for (int g = 0; g < groups; ++g) starts.push_back(starts.back() + 1 + static_cast<int>(random() % 3));
        rows = starts.back();
        w.begin(starts);
        std::vector<Vector<int>> touched;
        for (int b = 0; b < bodies; ++b) {
            Vector<int> mine;
            for (int k = 0; k < 4; ++k) {
                const auto g = static_cast<std::size_t>(random() % static_cast<unsigned>(groups));
                for (int r = starts[g]; r < starts[g + 1]; ++r) mine.push_back(r);
            }
            std::ranges::sort(mine);
            mine.erase(std::unique(mine.begin(), mine.end()), mine.end());
            w.couple(mine);
            touched.push_back(mine);
        }
        w.finish();
        const auto n = static_cast<std::size_t>(rows);
        dense.assign(n * n, 0.);
        for (const auto& mine : touched) {
            const std::size_t k = mine.size();
            Vector<double> block(k * k);
            for (std::size_t i = 0; i < k; ++i)
                for (std::size_t j = 0; j < k; ++j) {
                    block[i * k + j] = std::sin(static_cast<double>((i + 1) * (j + 1)));
                    dense[static_cast<std::size_t>(mine[i]) * n + static_cast<std::size_t>(mine[j])] +=
                        block[i * k + j];
                }
            w.add(mine, block);
        }
    }
};

}  // namespace

TEST_CASE("A compliance has the entries and products of the dense matrix", "[linalg][constraint]")
{
    for (unsigned seed = 1; seed <= 6; ++seed) {
        const int groups = seed < 3 ? 12 : 200;
        Random a(groups, seed == 6 ? 2000 : groups / 2, seed);
        const auto n = static_cast<std::size_t>(a.rows);
        CHECK(a.w.dense() == a.dense);
        Vector<double> x(n);
        for (std::size_t i = 0; i < n; ++i) x[i] = std::cos(static_cast<double>(i));
        Vector<double> y(n, 1.);
        for (std::size_t g = 0; g + 1 < a.w.starts().size(); ++g) {
            const int first = a.w.starts()[g];
            a.w.addProduct(g, x.data(), y.data() + first);
            for (int i = first; i < a.w.starts()[g + 1]; ++i)
                for (int j = first; j < a.w.starts()[g + 1]; ++j)
                    CHECK(a.w.diagonal(g)[static_cast<std::size_t>(i - first) * a.w.stride(g) +
                                          static_cast<std::size_t>(j - first)] == a.w(i, j));
        }
        double most = 0.;
        for (std::size_t i = 0; i < n; ++i) {
            double s = 1.;
            for (std::size_t j = 0; j < n; ++j) {
                s += a.dense[i * n + j] * x[j];
                most = std::max(most, std::abs(a.dense[i * n + j]));
            }
            CHECK(y[i] == Approx(s).margin(1e-10));
        }
        CHECK(most > 0.5);
    }
}

TEST_CASE("A compliance stores couplings only", "[linalg][constraint]")
{
    // A chain: each body couples two neighbours.
    for (const int n : {1000, 10000}) {
        Vector<int> starts;
        for (int k = 0; k <= n; ++k) starts.push_back(3 * k);
        ComplianceMatrix w;
        w.begin(starts);
        for (int k = 1; k < n; ++k) w.couple(std::array{3 * k - 3, 3 * k - 2, 3 * k - 1, 3 * k, 3 * k + 1, 3 * k + 2});
        w.finish();
        CHECK(w.entries() == static_cast<std::size_t>(27 * n - 18));
        CHECK(w(0, 3 * n - 1) == 0.);
        CHECK_THROWS_AS(w.add(0, 3 * n - 1, 1.), std::logic_error);
    }
    // Without couplings: the diagonal blocks.
    ComplianceMatrix w;
    w.begin(std::array{0, 3, 4});
    w.finish();
    CHECK(w.entries() == 10);
    w.begin(std::array{0});
    w.finish();
    CHECK(w.entries() == 0);
}

TEST_CASE("Islands of a compliance: what bodies couple, and the same entries", "[linalg][constraint]")
{
    const Random r(120, 45, 5);
    const Vector<int> islandOf = r.w.islands();
    const auto starts = r.w.starts();
    const auto n = static_cast<std::size_t>(r.rows);
    const auto entry = [&](int i, int j) {
        return r.dense[static_cast<std::size_t>(i) * n + static_cast<std::size_t>(j)];
    };
    const std::vector<ComplianceMatrix> parts = r.w.split(islandOf);
    REQUIRE(parts.size() > 3);
    std::vector<int> next(parts.size(), 0), rowInPart(n);
    std::vector<std::size_t> islandOfRow(n);
    for (std::size_t g = 0; g < islandOf.size(); ++g)
        for (int row = starts[g]; row < starts[g + 1]; ++row) {
            islandOfRow[static_cast<std::size_t>(row)] = static_cast<std::size_t>(islandOf[g]);
            rowInPart[static_cast<std::size_t>(row)] = next[static_cast<std::size_t>(islandOf[g])]++;
        }
    int largest = 0;
    for (int i = 0; i < r.rows; ++i) {
        const std::size_t a = static_cast<std::size_t>(i), island = islandOfRow[a];
        largest = std::max(largest, parts[island].rows());
        for (int j = 0; j < r.rows; ++j) {
            const auto b = static_cast<std::size_t>(j);
            if (islandOfRow[b] == island)
                CHECK(parts[island](rowInPart[a], rowInPart[b]) == entry(i, j));
            else
                CHECK(entry(i, j) == 0.);
        }
    }
    CHECK(largest > 40);  // some islands have many bodies
    // Numbered by their first groups.
    int seen = 0;
    for (const int island : islandOf) {
        CHECK(island <= seen);
        seen = std::max(seen, island + 1);
    }
    // A dense matrix is one island.
    ComplianceMatrix one;
    one.begin(starts);
    one.assignDense(r.dense);
    CHECK(std::ranges::max(one.islands()) == 0);
}

}  // namespace compliance_matrix_test
