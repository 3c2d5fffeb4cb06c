// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/mapping/MeshEmbedding.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "core/io/MeshReader.h"
#include "tests/harness/Paths.h"
#include "tests/harness/Skip.h"

namespace mesh_embedding_test {

using namespace sofa::core;
using namespace sofa::component;

namespace {

/// Two cubes of edge 1 beside each other along x, whole or divided into six tetrahedra each.
io::VegMesh bricks(bool tetrahedra)
{
    io::MeshData m;
    for (int k = 0; k < 2; ++k)
        for (int j = 0; j < 2; ++j)
            for (int i = 0; i < 3; ++i) m.positions.push_back({double(i), double(j), double(k)});
    for (Index i = 0; i < 2; ++i) {
        const Hexahedron h{i, i + 1, i + 4, i + 3, i + 6, i + 7, i + 10, i + 9};
        m.hexahedra.push_back(h);
        // One tetrahedron for each way from corner 0 to corner 6.
        for (const auto& [a, b] : {std::pair{1, 2}, {2, 3}, {3, 7}, {7, 4}, {4, 5}, {5, 1}})
            m.tetrahedra.push_back({h[0], h[static_cast<std::size_t>(a)], h[static_cast<std::size_t>(b)], h[6]});
    }
    if (!tetrahedra) m.tetrahedra.clear();
    return io::makeVegMesh(m, {io::VegMaterial{}}, Vector<Index>(tetrahedra ? 12 : 2, 0));
}

/// Largest distance between the points and where the weights put them.
double reproduction(const io::VegMesh& mesh, const io::InterpolationWeights& w, const Vector<Vec3>& points)
{
    const Vector<Vec3> x = w.interpolate(mesh.positions);
    double worst = 0.;
    for (std::size_t i = 0; i < points.size(); ++i) worst = std::max(worst, norm(x[i] - points[i]));
    return worst;
}

}  // namespace

TEST_CASE("Embedded points: inside, on vertices, outside")
{
    const Vector<Vec3> points{{0.3, 0.6, 0.2}, {1.75, 0.25, 0.5}, {1, 1, 1}, {2, 0, 0}, {2.5, 0.5, 0.5}, {-1, -1, 3}};
    for (const bool tetrahedra : {false, true}) {
        CAPTURE(tetrahedra);
        const io::VegMesh mesh = bricks(tetrahedra);
        const auto w = embedPoints(mesh, points);
        CHECK(w.nodesPerPoint == (tetrahedra ? 4u : 8u));
        REQUIRE(w.pointCount() == points.size());
        CHECK(reproduction(mesh, w, points) < 1e-14);
        for (std::size_t i = 0; i < w.weights.size(); ++i) {
            const std::size_t point = i / w.nodesPerPoint;
            if (point < 4) CHECK(w.weights[i] >= -1e-14);
        }
    }
    // Trilinear weights of a cube.
    const auto w = embedPoints(bricks(false), {{0.25, 0.5, 0.75}});
    CHECK(w.nodes[6] == 10);
    CHECK(w.weights[6] == Approx(0.25 * 0.5 * 0.75).epsilon(1e-14));
    CHECK(w.weights[0] == Approx(0.75 * 0.5 * 0.25).epsilon(1e-14));
}

TEST_CASE("Points far from the mesh may be left out of it")
{
    const io::VegMesh mesh = bricks(true);
    const auto w = embedPoints(mesh, {{2.1, 0, 0}, {9, 0, 0}}, 0.5);
    CHECK(w.weights[0] + w.weights[1] + w.weights[2] + w.weights[3] == Approx(1.));
    for (std::size_t k = 4; k < 8; ++k) CHECK(w.weights[k] == 0.);
    CHECK_THROWS_WITH(embedPoints(io::VegMesh{}, {{0, 0, 0}}), "the volumetric mesh has no elements");
}

TEST_CASE("Weights of Vega's own models are those of Vega", "[oracle]")
{
    const auto oracle = sofa::test::oracleDirectory();
    if (!oracle || !std::filesystem::exists(*oracle / "vega" / "models")) return sofa::test::skip("no reference data");
    struct Model
    {
        const char *mesh, *points, *weights;
    };
    for (const Model& model :
         {Model{"turtle/turtle-volumetric-homogeneous.veg", "turtle/turtle.obj", "turtle/turtle.interp"},
          Model{"simpleBridge/simpleBridge-ic_128_0.15_.1.veg", "simpleBridge/simpleBridge.obj",
                "simpleBridge/simpleBridge.interp"},
          Model{"simpleBridge/simpleBridge_resol92-b1.155_enlarged.veg", "simpleBridge/simpleBridge.obj",
                "simpleBridge/simpleBridge_resol92-b1.155_enlarged.interp"}}) {
        CAPTURE(model.weights);
        const auto folder = *oracle / "vega" / "models";
        const io::VegMesh mesh = io::readVeg(folder / model.mesh);
        const Vector<Vec3> points = io::readMesh(folder / model.points).positions;
        const io::InterpolationWeights theirs = io::readInterpolation(folder / model.weights, mesh.positions.size());
        const io::InterpolationWeights ours = embedPoints(mesh, points);
        REQUIRE(theirs.pointCount() == points.size());
        REQUIRE(ours.nodesPerPoint == theirs.nodesPerPoint);
        std::size_t different = 0;
        double worst = 0.;
        const std::size_t n = ours.nodesPerPoint;
        for (std::size_t i = 0; i < points.size(); ++i) {
            bool same = true;
            for (std::size_t k = i * n; k < (i + 1) * n; ++k) same = same && ours.nodes[k] == theirs.nodes[k];
            different += same ? 0 : 1;
            for (std::size_t k = i * n; same && k < (i + 1) * n; ++k)
                worst = std::max(worst, std::abs(ours.weights[k] - theirs.weights[k]));
        }
        CAPTURE(different);
        // Six decimals.
        CHECK(worst < 0.51e-6);
        CHECK(different == 0);
    }
}

}  // namespace mesh_embedding_test
