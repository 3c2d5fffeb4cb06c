// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/Ordering.h"

#include <catch2/catch.hpp>
#include <vector>

#include "core/linalg/SupernodalStructure.h"
#include "tests/core/linalg/ElasticMatrix.h"

namespace ordering_test {

using namespace sofa::core;

namespace {

const OrderingMethod allMethods[] = {OrderingMethod::natural, OrderingMethod::minimumDegree,
                                     OrderingMethod::reverseCuthillMckee, OrderingMethod::nestedDissection,
                                     OrderingMethod::columnMinimumDegree};

Graph graphOf(int n, const std::vector<std::pair<int, int>>& edges)
{
    BlockAssembler assembler;
    const double one = 1.;
    assembler.begin(n, n, 1);
    for (const auto& [i, j] : edges) assembler.add(i, j, &one, 1, 1, 1, 1.);
    return adjacencyGraph(assembler.end());
}

/// Path of n vertices whose numbers are scattered by a multiplication modulo n.
Graph scatteredPath(int n, int factor)
{
    std::vector<std::pair<int, int>> edges;
    for (int i = 0; i + 1 < n; ++i) edges.emplace_back(i * factor % n, (i + 1) * factor % n);
    return graphOf(n, edges);
}

Graph boxGraph(int n)
{
    BlockAssembler assembler;
    sofa::test::assembleElastic(assembler, n, n, n, 1., 1.);
    return adjacencyGraph(assembler.matrix());
}

}  // namespace

TEST_CASE("adjacency graphs are symmetric, sorted and without loops", "[linalg]")
{
    const Graph g = graphOf(5, {{0, 3}, {3, 0}, {2, 1}, {4, 4}, {1, 3}});
    CHECK(g.ptr == Vector<int>{0, 1, 3, 4, 6, 6});
    CHECK(g.neighbours == Vector<int>{3, 2, 3, 1, 0, 1});
    CHECK_THROWS_WITH(adjacencyGraph(BlockCsrMatrix(1, 2, 3, std::vector<int>{0, 0}, {})),
                      Catch::Contains("3 × 6") && Catch::Contains("not square"));
}

TEST_CASE("orders are permutations and deterministic", "[linalg]")
{
    const Graph graphs[] = {graphOf(0, {}),       graphOf(1, {}), graphOf(7, {}),
                            scatteredPath(50, 7), boxGraph(5),    graphOf(6, {{0, 1}, {2, 3}, {3, 4}})};
    for (const Graph& g : graphs)
        for (const OrderingMethod method : allMethods) {
            const Vector<int> order = computeOrdering(g, method);
            REQUIRE(order.size() == static_cast<std::size_t>(g.size()));
            const Vector<int> place = inversePermutation(order);
            for (int i = 0; i < g.size(); ++i)
                CHECK(order[static_cast<std::size_t>(place[static_cast<std::size_t>(i)])] == i);
            CHECK(computeOrdering(g, method) == order);
        }
    CHECK(computeOrdering(graphs[3], OrderingMethod::natural)[7] == 7);
    CHECK_THROWS_WITH(inversePermutation(std::vector<int>{0, 2, 2}), Catch::Contains("entry 2 is 2"));
    CHECK_THROWS_WITH(inversePermutation(std::vector<int>{0, 3, 1}), Catch::Contains("entry 1 is 3"));
}

TEST_CASE("reverse Cuthill-McKee finds the bandwidth of paths and boxes", "[linalg]")
{
    const Graph path = scatteredPath(101, 37);
    CHECK(bandwidth(path, computeOrdering(path, OrderingMethod::natural)) > 30);
    CHECK(bandwidth(path, computeOrdering(path, OrderingMethod::reverseCuthillMckee)) == 1);
    // A long box numbered along its long side: natural bandwidth 40 · 4 + 40 + 1.
    BlockAssembler assembler;
    sofa::test::assembleElastic(assembler, 40, 4, 4, 1., 1.);
    const Graph box = adjacencyGraph(assembler.matrix());
    CHECK(bandwidth(box, computeOrdering(box, OrderingMethod::natural)) == 201);
    CHECK(bandwidth(box, computeOrdering(box, OrderingMethod::reverseCuthillMckee)) <= 40);
}

TEST_CASE("fill-reducing orders reduce fill", "[linalg]")
{
    const Graph g = boxGraph(9);
    const auto operations = [&](OrderingMethod m) { return analyzeSupernodes(g, computeOrdering(g, m), 3).operations; };
    const double natural = operations(OrderingMethod::natural);
    CHECK(operations(OrderingMethod::minimumDegree) < 0.8 * natural);
    CHECK(operations(OrderingMethod::nestedDissection) < 0.5 * natural);
    // A star eliminated from its hub fills in completely; from its tips, not at all.
    std::vector<std::pair<int, int>> edges;
    for (int i = 1; i < 200; ++i) edges.emplace_back(0, i);
    const Graph star = graphOf(200, edges);
    const auto fill = [&](OrderingMethod m) { return analyzeSupernodes(star, computeOrdering(star, m), 1).nonZeros; };
    CHECK(fill(OrderingMethod::natural) == 200 * 201 / 2);
    CHECK(fill(OrderingMethod::minimumDegree) < 600);
}

TEST_CASE("names of orders", "[linalg]")
{
    for (const OrderingMethod m : allMethods) CHECK(orderingMethod(name(m)) == m);
    CHECK(orderingMethod("METIS") == OrderingMethod::nestedDissection);
    CHECK_FALSE(orderingMethod("metis"));
}

TEST_CASE("supernodal structures are consistent", "[linalg]")
{
    for (const OrderingMethod method : allMethods)
        for (const Graph& g : {boxGraph(6), scatteredPath(60, 7), graphOf(9, {{0, 8}, {1, 8}, {2, 8}, {3, 4}})}) {
            const SupernodalStructure s = analyzeSupernodes(g, computeOrdering(g, method), 3);
            const Vector<int> place = inversePermutation(s.order);
            int column = 0;
            std::vector<int> supernodeOf;
            for (std::size_t q = 0; q < s.supernodes.size(); ++q) {
                const auto& node = s.supernodes[q];
                CHECK(node.firstColumn == column);
                CHECK(node.columns > 0);
                column += node.columns;
                supernodeOf.insert(supernodeOf.end(), static_cast<std::size_t>(node.columns), static_cast<int>(q));
            }
            REQUIRE(column == g.size());
            for (std::size_t q = 0; q < s.supernodes.size(); ++q) {
                const auto& node = s.supernodes[q];
                const auto begin = s.rows.begin() + node.rowBegin, end = begin + node.rowCount;
                CHECK(std::is_sorted(begin, end));
                CHECK(std::adjacent_find(begin, end) == end);
                if (node.rowCount == 0)
                    CHECK(node.parent == -1);
                else {
                    CHECK(*begin >= node.firstColumn + node.columns);
                    REQUIRE(node.parent == supernodeOf[static_cast<std::size_t>(*begin)]);
                    // All rows are pivots or rows of the parent: the front of the parent can take the update.
                    const auto& p = s.supernodes[static_cast<std::size_t>(node.parent)];
                    CHECK(p.firstDescendant <= static_cast<int>(q));
                    for (auto r = begin; r != end; ++r)
                        CHECK((*r < p.firstColumn + p.columns ||
                               std::binary_search(s.rows.begin() + p.rowBegin, s.rows.begin() + p.rowBegin + p.rowCount,
                                                  *r)));
                }
                // Every entry of the matrix has its place.
                for (int j = node.firstColumn; j < node.firstColumn + node.columns; ++j)
                    for (const int v : g.of(s.order[static_cast<std::size_t>(j)])) {
                        const int r = place[static_cast<std::size_t>(v)];
                        if (r >= node.firstColumn + node.columns) CHECK(std::binary_search(begin, end, r));
                    }
            }
        }
}

}  // namespace ordering_test
