// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/ElementGraph.h"

#include "core/fem/LinearElasticity.h"
#include "tests/core/fem/FemTestUtilities.h"

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
    // One block for each nonzero, row by row.
    CHECK(std::is_sorted(sink.calls.begin(), sink.calls.end()));
    CHECK(std::adjacent_find(sink.calls.begin(), sink.calls.end()) == sink.calls.end());
}
