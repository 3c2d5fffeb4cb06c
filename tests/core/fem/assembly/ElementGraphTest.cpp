// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/assembly/ElementGraph.h"

#include "core/fem/materials/LinearElasticity.h"
#include "tests/core/fem/FemTestUtilities.h"
#include "tests/harness/AllocationCounter.h"

using namespace sofa::core;
using namespace sofa::test;

TEST_CASE("Element vectors are summed into the vertices, repeated ones too", "[fem]")
{
    ElementGraph<4> g;
    g.build({{0, 1, 2, 3}, {1, 1, 4, 3}}, 6);
    Vector<Vec3> f(6, Vec3{1., 0., 0.});
    g.accumulate(f, [](Index e, Vec3* out) {
        for (int i = 0; i < 4; ++i) out[i] = Vec3{0., 1. + e, 10. * i};
    });
    CHECK(f[0] == Vec3{1., 1., 0.});
    CHECK(f[1] == Vec3{1., 5., 20.});
    CHECK(f[3] == Vec3{1., 3., 60.});
    CHECK(f[5] == Vec3{1., 0., 0.});
    const auto around = [&](Index v) {
        Vector<Index> elements;
        g.forEachAround(v, [&](Index e) { elements.push_back(e); });
        return elements;
    };
    CHECK(around(1) == Vector<Index>{0, 1});
    CHECK(around(5).empty());
}

TEST_CASE("Vectors of packs along a sweep are summed in the order of the elements, on any number of threads", "[fem]")
{
    BoxMesh mesh(9, 7, 11, {1., 1., 1.});
    const auto points = static_cast<Index>(mesh.points.size());
    renumber<4>(mesh.tetrahedra, points);
    mesh.tetrahedra[77][2] = mesh.tetrahedra[77][1];
    ElementGraph<4> plain, swept;
    plain.build(mesh.tetrahedra, points + 3);
    swept.build(
        mesh.tetrahedra, points + 3,
        elementReordering(mesh.tetrahedra[0].data(), mesh.tetrahedra.size(), 4, points + 3, ElementOrder::Kept));
    const ElementReordering& order = swept.order();
    REQUIRE(!order.rank.empty());
    REQUIRE(swept.elements() == plain.elements());
    const auto vectorOf = [](std::size_t e, std::size_t i) {
        const auto a = static_cast<double>(e), b = static_cast<double>(i);
        return Vec3{std::sin(a + b), std::cos(3. * a - b), std::sin(7. * a * b)};
    };
    setThreadCount(1);
    Vector<Vec3> expected(points + 3, Vec3{1., 2., 3.});
    plain.accumulate(expected, [&](Index e, Vec3* out) {
        for (std::size_t i = 0; i < 4; ++i) out[i] = vectorOf(e, i);
    });
    for (const unsigned threads : {1u, 2u, 3u, 7u, 1u}) {
        setThreadCount(threads);
        const auto sum = [&] {
            Vector<Vec3> f(points + 3, Vec3{1., 2., 3.});
            const std::size_t before = allocationCount();
            swept.accumulatePacks(f, [&](std::size_t p, double* out) {
                for (std::size_t l = 0; l < std::min<std::size_t>(8, swept.size() - 8 * p); ++l)
                    for (std::size_t i = 0; i < 4; ++i)
                        reinterpret_cast<Vec3*>(out)[4 * l + i] = vectorOf(order.elementAt(8 * p + l), i);
            });
            return std::pair(f, allocationCount() - before);
        };
        CHECK(sum().first == expected);
        if (threads == 1) CHECK(sum().second == 0);
        // One by one is in the order of the mesh too.
        Vector<Vec3> f(points + 3, Vec3{1., 2., 3.});
        swept.accumulate(f, [&](Index e, Vec3* out) {
            for (std::size_t i = 0; i < 4; ++i) out[i] = vectorOf(e, i);
        });
        CHECK(f == expected);
    }
    setThreadCount(0);
}

TEST_CASE("A vertex outside of the state is named", "[fem]")
{
    ElementGraph<4> g;
    CHECK_THROWS_WITH(g.build({{0, 1, 2, 3}, {0, 1, 2, 9}}, 5),
                      Catch::Contains("element 1") && Catch::Contains("vertex 9") && Catch::Contains("5 points"));
}

TEST_CASE("Pairs of vertices sum the blocks of their elements", "[fem]")
{
    const BoxMesh mesh(2, 2, 1, {2., 2., 1.});
    ElementGraph<8> g;
    g.build(mesh.hexahedra, static_cast<Index>(mesh.points.size()));
    // Any set of vectors c with vanishing sum gives element matrices with vanishing row sums.
    const auto c = [](Index e, std::size_t i) {
        if (i == 7) return Vec3{-21., -7. * e, 0.};
        return Vec3{static_cast<double>(i), static_cast<double>(e), i % 2 ? 1. : -0.75};
    };
    const auto block = [&](Index e, std::size_t i, std::size_t j) {
        return isotropicStiffnessBlock(c(e, i), c(e, j), 2., 3.);
    };
    DenseSink sink(mesh.points.size());
    g.addStiffness(sink, block);

    Eigen::MatrixXd expected = Eigen::MatrixXd::Zero(sink.matrix.rows(), sink.matrix.cols());
    for (Index e = 0; e < mesh.hexahedra.size(); ++e)
        for (std::size_t i = 0; i < 8; ++i)
            for (std::size_t j = 0; j < 8; ++j)
                for (std::size_t r = 0; r < 3; ++r)
                    for (std::size_t s = 0; s < 3; ++s)
                        expected(3 * mesh.hexahedra[e][i] + r, 3 * mesh.hexahedra[e][j] + s) -= block(e, i, j)[r][s];
    CHECK(expected.norm() > 100.);
    CHECK((sink.matrix - expected).norm() < 1e-12 * expected.norm());
    CHECK(sink.matrix == sink.matrix.transpose());
    // One block for each nonzero.
    std::sort(sink.calls.begin(), sink.calls.end());
    CHECK(std::adjacent_find(sink.calls.begin(), sink.calls.end()) == sink.calls.end());
}
