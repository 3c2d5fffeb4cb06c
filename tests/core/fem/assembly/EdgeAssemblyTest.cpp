// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/assembly/EdgeAssembly.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <limits>
#include <map>
#include <numeric>
#include <random>

#include "core/fem/assembly/ElementGraph.h"
#include "core/linalg/BlockAssembler.h"
#include "core/mesh/Renumbering.h"
#include "core/parallel/SimdLevel.h"
#include "core/topology/TopologyNumbers.h"
#include "tests/core/fem/ElementMeshes.h"
#include "tests/harness/ParallelGuard.h"

namespace edge_assembly_test {

using namespace sofa::core;
using sofa::test::BoxMesh;
using sofa::test::renumber;

namespace {

struct ToAssembler final : BlockSink
{
    void addBlock(Index i, Index j, const double* b, std::size_t, std::size_t) override
    {
        assembler.add(static_cast<int>(3 * i), static_cast<int>(3 * j), b, 3, 3, 3, -1.);
    }
    void addSymmetric(const SymmetricPattern& p, SymmetricSource& pairs) override
    {
        assembler.addSymmetric(0, p, pairs, -1.);
    }
    BlockAssembler assembler;
};

/// Any number, the same for the same arguments.
double valueOf(std::size_t element, std::size_t pair, std::size_t k)
{
    return std::sin(static_cast<double>(element * 7919 + pair * 104729 + k * 31));
}

std::size_t pairOf(std::size_t n, std::size_t i, std::size_t j) { return i * (2 * n - i - 1) / 2 + j - i - 1; }

/// What `add` gives is the matrix with the blocks −`block(e, i, j)` summed pair by pair: at all levels and on several
/// threads, with the same bits, recorded and replayed.
template <std::size_t N, class Block, class Add>
void checkSource(const ElementGraph<N>& graph, const Block& block, const Add& add)
{
    const sofa::test::ParallelGuard guard;
    const int size = static_cast<int>(3 * graph.nbPoints());
    ToAssembler reference;
    reference.assembler.begin(size, size, 3);
    graph.addStiffness(reference, [&](Index e, std::size_t i, std::size_t j) { return block(e, i, j) * -1.; });
    reference.assembler.end();
    Vector<double> first;
    for (const SimdLevel level : {SimdLevel::scalar, SimdLevel::avx2, SimdLevel::avx512})
        for (const unsigned threads : {1u, 2u, 3u, 7u}) {
            setSimdLevel(level);
            setThreadCount(threads);
            ToAssembler swept;
            for (int pass = 0; pass < 2; ++pass) {
                swept.assembler.begin(size, size, 3);
                add(swept);
                swept.assembler.end();
                CHECK(swept.assembler.replayed() == (pass == 1));
                const auto values = swept.assembler.matrix().values(), expected = reference.assembler.matrix().values();
                REQUIRE(values.size() == expected.size());
                double worst = 0.;
                for (std::size_t k = 0; k < values.size(); ++k)
                    worst = std::max(worst, std::abs(values[k] - expected[k]));
                CHECK(worst < 1e-13);
                if (first.empty()) first.assign(values.begin(), values.end());
                CHECK(std::memcmp(first.data(), values.data(), values.size_bytes()) == 0);
            }
        }
}

/// Tangents of tetrahedra with arbitrary vectors and parameters.
void checkIsotropicSums(const ElementGraph<4>& graph)
{
    Vector<IsotropicTangent> tangents(graph.size());
    const auto vectorOf = [](Index e, std::size_t k) {  // that sum to zero
        Vec3 c;
        for (std::size_t i = 0; i < 3; ++i)
            c[i] = k < 3 ? valueOf(e, k, i) : -(valueOf(e, 0, i) + valueOf(e, 1, i) + valueOf(e, 2, i));
        return c;
    };
    const auto muOf = [](Index e) { return 1. + valueOf(e, 4, 0); };
    const auto lambdaOf = [](Index e) { return 0.5 + valueOf(e, 4, 1); };
    for (Index e = 0; e < graph.size(); ++e) {
        IsotropicTangent& t = tangents[graph.order().placeOf(e)];
        for (std::size_t k = 0; k < 4; ++k)
            for (std::size_t i = 0; i < 3; ++i) t.rows[k][i] = vectorOf(e, k)[i];
        t.rows[0][3] = muOf(e);
        t.rows[1][3] = lambdaOf(e);
        t.rows[2][3] = t.rows[3][3] = std::numeric_limits<double>::quiet_NaN();  // not read
    }
    checkSource(
        graph,
        [&](Index e, std::size_t i, std::size_t j) {
            const Vec3 a = vectorOf(e, i), b = vectorOf(e, j);
            return (outer(a, b) * lambdaOf(e) + outer(b, a) * muOf(e) + Mat3::identity() * (dot(a, b) * muOf(e))) * -1.;
        },
        [&](BlockSink& sink) { graph.addIsotropicStiffness(sink, tangents); });
}

/// Matrices of elements with arbitrary blocks: summed pair by pair, and swept.
template <std::size_t N>
void checkSums(const Vector<std::array<Index, N>>& elements, Index points, const ElementReordering& order = {})
{
    ElementGraph<N> graph;
    graph.build(elements, points, order);
    constexpr std::size_t pairs = N * (N - 1) / 2;
    const EdgeAssembly& sums = graph.edgeAssembly();

    // The block of the smaller and the larger vertex.
    const auto blockOf = [&](Index e, std::size_t pair) {
        Mat3 b;
        for (std::size_t k = 0; k < 9; ++k) b.data()[k] = valueOf(e, pair, k);
        return b;
    };
    checkSource(
        graph,
        [&](Index e, std::size_t i, std::size_t j) { return blockOf(e, pairOf(N, std::min(i, j), std::max(i, j))); },
        [&](BlockSink& sink) {
            graph.addPackStiffness(sink, [&](std::size_t p, double* out) {
                for (std::size_t l = 0; l < std::min<std::size_t>(8, elements.size() - 8 * p); ++l)
                    for (std::size_t pair = 0; pair < pairs; ++pair)
                        for (std::size_t k = 0; k < 9; ++k)
                            out[8 * (pair * 9 + k) + l] = valueOf(order.elementAt(8 * p + l), pair, k);
            });
        });
    // Lanes where the first vertex of a pair is the larger one.
    std::size_t wrong = 0;
    for (std::size_t e = 0; e < elements.size(); ++e)
        for (std::size_t i = 0; i < N; ++i)
            for (std::size_t j = i + 1; j < N; ++j) {
                const std::size_t place = order.placeOf(static_cast<Index>(e));
                const bool rotated = sums.transposed(place / 8)[pairOf(N, i, j)] >> place % 8 & 1;
                if (rotated != (elements[e][i] > elements[e][j])) ++wrong;
            }
    CHECK(wrong == 0);
    if constexpr (N == 4) checkIsotropicSums(graph);
}

template <std::size_t N>
ElementReordering orderOf(const Vector<std::array<Index, N>>& elements, Index points)
{
    return elementReordering(elements[0].data(), elements.size(), N, points, ElementOrder::Kept);
}

}  // namespace

TEST_CASE(
    "blocks of elements are swept into the matrix like pair by pair: ordered and shuffled meshes, isolated points",
    "[fem]")
{
    BoxMesh mesh(9, 7, 11, {1., 1., 1.});
    const auto points = static_cast<Index>(mesh.points.size());
    SECTION("tetrahedra") { checkSums<4>(mesh.tetrahedra, points); }
    SECTION("shuffled tetrahedra")
    {
        renumber<4>(mesh.tetrahedra, points);
        checkSums<4>(mesh.tetrahedra, points);
        const ElementReordering order = orderOf<4>(mesh.tetrahedra, points);
        CHECK(!order.rank.empty());
        checkSums<4>(mesh.tetrahedra, points, order);
    }
    SECTION("tetrahedra in random order")
    {
        std::mt19937 random(5);
        std::shuffle(mesh.tetrahedra.begin(), mesh.tetrahedra.end(), random);
        const ElementReordering order = orderOf<4>(mesh.tetrahedra, points);
        CHECK(order.rank.empty());
        CHECK(!order.elements.empty());
        checkSums<4>(mesh.tetrahedra, points, order);
    }
    SECTION("tetrahedra and points without any")
    {
        for (Tetrahedron& t : mesh.tetrahedra)
            for (Index& v : t) v = 2 * v + 1;
        checkSums<4>(mesh.tetrahedra, 2 * points + 5);
    }
    SECTION("hexahedra") { checkSums<8>(mesh.hexahedra, points); }
    SECTION("shuffled hexahedra")
    {
        renumber<8>(mesh.hexahedra, points);
        checkSums<8>(mesh.hexahedra, points);
        const ElementReordering order = orderOf<8>(mesh.hexahedra, points);
        CHECK(!order.rank.empty());
        checkSums<8>(mesh.hexahedra, points, order);
    }
    SECTION("elements that name a vertex twice")
    {
        for (std::size_t e = 0; e < mesh.hexahedra.size(); e += 5) mesh.hexahedra[e][6] = mesh.hexahedra[e][7];
        checkSums<8>(mesh.hexahedra, points);
        renumber<8>(mesh.hexahedra, points);
        checkSums<8>(mesh.hexahedra, points, orderOf<8>(mesh.hexahedra, points));
    }
    SECTION("shuffled bodies that do not touch, with points without elements")
    {
        const std::size_t one = mesh.tetrahedra.size();
        for (std::size_t e = 0; e < one; ++e) {
            mesh.tetrahedra.push_back(mesh.tetrahedra[e]);
            for (Index& v : mesh.tetrahedra.back()) v += points + 9;
        }
        renumber<4>(mesh.tetrahedra, 2 * points + 20);
        const ElementReordering order = orderOf<4>(mesh.tetrahedra, 2 * points + 20);
        CHECK(!order.rank.empty());
        checkSums<4>(mesh.tetrahedra, 2 * points + 20, order);
    }
    SECTION("no elements") { checkSums<4>({}, 3); }
}

namespace {

/// Sums with arbitrary blocks of a mesh whose elements come and go are those of one that is built anew with the same
/// order, to the bit.
template <std::size_t N>
void checkFollowing(Vector<std::array<Index, N>> elements, Index points)
{
    const sofa::test::ParallelGuard guard;
    setThreadCount(1);
    constexpr std::size_t pairs = N * (N - 1) / 2;
    const auto values = [](const ElementGraph<N>& g, BlockSink& sink) {
        g.addPackStiffness(sink, [&](std::size_t p, double* out) {
            for (std::size_t l = 0; l < std::min<std::size_t>(8, g.size() - 8 * p); ++l)
                for (std::size_t k = 0; k < pairs * 9; ++k)
                    out[8 * k + l] = valueOf(g.order().elementAt(8 * p + l), k / 9, k % 9);
        });
    };
    ElementGraph<N> graph;
    graph.build(elements, points, orderOf<N>(elements, points));
    ToAssembler kept;
    kept.assembler.setUpperOnly(true);
    std::mt19937 random(3);  // NOLINT: the same numbers each time
    for (int round = 0; round < 12; ++round) {
        const int size = static_cast<int>(3 * points);
        kept.assembler.begin(size, size, 3);
        values(graph, kept);
        kept.assembler.end();
        ElementGraph<N> fresh;
        fresh.build(elements, points, graph.order());
        for (const unsigned threads : {1u, 3u}) {
            setThreadCount(threads);
            ToAssembler other, again;
            for (const auto& [g, to] : {std::pair{&fresh, &other}, std::pair{&graph, &again}}) {
                to->assembler.begin(size, size, 3);
                values(*g, *to);
                to->assembler.end();
            }
            const auto is = again.assembler.matrix().values(), should = other.assembler.matrix().values();
            REQUIRE(again.assembler.matrix().samePattern(other.assembler.matrix()));
            CHECK(std::memcmp(is.data(), should.data(), should.size_bytes()) == 0);
            CHECK(again.assembler.matrix().maxAbs() > 1.);
            kept.assembler.complete();
            CHECK(kept.assembler.matrix().samePattern(other.assembler.matrix()));
            const auto followed = kept.assembler.matrix().values();
            CHECK(std::memcmp(followed.data(), should.data(), should.size_bytes()) == 0);
        }
        setThreadCount(1);
        for (std::size_t p = 0; p < (elements.size() + 7) / 8; ++p)
            for (std::size_t l = 0; l < std::min<std::size_t>(8, elements.size() - 8 * p); ++l) {
                const auto& e = elements[graph.order().elementAt(8 * p + l)];
                for (std::size_t i = 0, k = 0; i < N; ++i)
                    for (std::size_t j = i + 1; j < N; ++j, ++k)
                        REQUIRE((graph.edgeAssembly().transposed(p)[k] >> l & 1) == (e[i] > e[j]));
            }

        // Some go, with a point; some come, with a point or a vertex twice.
        const auto before = static_cast<Index>(elements.size());
        TopologyNumbers ofElements(before), ofPoints(points);
        const Vector<std::array<Index, N>> last = elements;
        const auto gonePoint = static_cast<Index>(random() % points);
        Vector<Index> gone;
        for (Index e = before; e-- > 0;)
            if (random() % 60 == 0 || std::ranges::count(elements[e], gonePoint) > 0) gone.push_back(e);
        ofElements.remove(gone);
        removeEntries(elements, gone);
        ofPoints.remove({gonePoint});
        --points;
        for (auto& e : elements) std::ranges::replace(e, points, gonePoint);
        for (int k = 0; k < 9 && !elements.empty(); ++k) {
            auto e = elements[random() % elements.size()];
            e[random() % N] = k % 3 == 0 ? points++ : e[random() % N];
            if (k % 3 == 0) ofPoints.add({});
            elements.push_back(e);
            ofElements.add({});
        }
        const ElementSource source = ofElements.source();
        Vector<Index> changed;
        for (Index e = 0; e < elements.size(); ++e)
            if (e >= before || source.from(e) != e || elements[e] != last[e]) changed.push_back(e);
        graph.follow([&](Index e) -> const std::array<Index, N>& { return elements[e]; }, points, source,
                     ofPoints.source(), changed);
    }
}

}  // namespace

TEST_CASE("sums of a mesh that changes are those of a new one, to the bit, on several threads", "[fem]")
{
    BoxMesh mesh(9, 7, 11, {1., 1., 1.});
    const auto points = static_cast<Index>(mesh.points.size());
    SECTION("tetrahedra") { checkFollowing<4>(mesh.tetrahedra, points); }
    SECTION("shuffled tetrahedra")
    {
        renumber<4>(mesh.tetrahedra, points);
        checkFollowing<4>(mesh.tetrahedra, points);
    }
    SECTION("hexahedra") { checkFollowing<8>(mesh.hexahedra, points); }
    SECTION("shuffled hexahedra")
    {
        renumber<8>(mesh.hexahedra, points);
        checkFollowing<8>(mesh.hexahedra, points);
    }
    SECTION("few elements")
    {
        mesh.tetrahedra.resize(12);
        checkFollowing<4>(mesh.tetrahedra, points);
    }
}

}  // namespace edge_assembly_test
