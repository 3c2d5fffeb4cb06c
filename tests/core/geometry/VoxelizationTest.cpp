// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/geometry/Voxelization.h"

#include <catch2/catch.hpp>
#include <limits>
#include <random>

namespace voxelization_test {

using namespace sofa::core;
using namespace sofa::core::geometry;

namespace {

/// The border of a box, with faces outwards.
PolygonSurface boxSurface(const Vec3& low, const Vec3& high)
{
    PolygonSurface s;
    for (int i = 0; i < 8; ++i)
        s.positions.push_back({(i & 1 ? high : low)[0], (i & 2 ? high : low)[1], (i & 4 ? high : low)[2]});
    const Index faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    for (const auto& f : faces) s.addFace(f);
    return s;
}

CellGrid unitCells(int nx, int ny, int nz)
{
    CellGrid g;
    g.cells = {nx, ny, nz};
    return g;
}

std::size_t count(const Vector<CellFill>& fill, CellFill what)
{
    return static_cast<std::size_t>(std::count(fill.begin(), fill.end(), what));
}

}  // namespace

TEST_CASE("A triangle and a box overlap where sampled points of the triangle lie in it")
{
    std::mt19937 random(7);
    std::uniform_real_distribution<double> coordinate(-1.5, 1.5);
    const auto point = [&] { return Vec3{coordinate(random), coordinate(random), coordinate(random)}; };
    const Vec3 half{0.5, 0.3, 0.7};
    int hits = 0, misses = 0;
    for (int n = 0; n < 400; ++n) {
        const Vec3 a = point(), b = point(), c = point();
        const bool overlap = overlapsBox(a, b, c, half);
        // The least violation of the box over a fine raster: a lower bound of the true one is that minus its step.
        double least = std::numeric_limits<double>::infinity();
        constexpr int steps = 120;
        for (int i = 0; i <= steps; ++i)
            for (int j = 0; i + j <= steps; ++j) {
                const double u = static_cast<double>(i) / steps, v = static_cast<double>(j) / steps;
                const Vec3 p = a * (1. - u - v) + b * u + c * v;
                double violation = 0.;
                for (std::size_t k = 0; k < 3; ++k) violation = std::max(violation, std::abs(p[k]) - half[k]);
                least = std::min(least, violation);
            }
        if (least == 0.) {
            CHECK(overlap);
            ++hits;
        } else if (least > (norm(b - a) + norm(c - a)) / steps) {
            CHECK_FALSE(overlap);
            ++misses;
        }
    }
    CHECK(hits > 50);
    CHECK(misses > 50);
}

TEST_CASE("Touching counts, for flat boxes and triangles without area too")
{
    const Vec3 half{0.5, 0.5, 0.5};
    CHECK(overlapsBox({0.5, -1., -1.}, {0.5, 1., -1.}, {0.5, 0., 1.}, half));
    CHECK_FALSE(overlapsBox({0.5000001, -1., -1.}, {0.5000001, 1., -1.}, {0.5000001, 0., 1.}, half));
    CHECK(overlapsBox({1., 0., 0.}, {0., 1., 0.}, {0., 1., 0.}, half));                 // an edge that touches an edge
    CHECK_FALSE(overlapsBox({1.001, 0., 0.}, {0., 1.001, 0.}, {0., 1.001, 0.}, half));  // and passes by it
    CHECK(overlapsBox({-1., -1., 0.}, {1., -1., 0.}, {0., 2., 0.}, {0.5, 0.5, 0.}));    // in the plane of a flat box
    CHECK_FALSE(overlapsBox({-1., -1., 1e-9}, {1., -1., 1e-9}, {0., 2., 1e-9}, {0.5, 0.5, 0.}));
}

TEST_CASE("A box is filled: its walls, what is inside, and nothing else")
{
    // Walls in the middle of the cells 1 and 5 of seven, along each axis.
    const Vector<CellFill> fill = voxelize(unitCells(7, 7, 7), boxSurface(Vec3::filled(1.5), Vec3::filled(5.5)));
    CHECK(count(fill, CellFill::Inside) == 3 * 3 * 3);
    CHECK(count(fill, CellFill::Boundary) == 5 * 5 * 5 - 3 * 3 * 3);
    CHECK(fill[unitCells(7, 7, 7).number(3, 3, 3)] == CellFill::Inside);
    CHECK(fill[0] == CellFill::Outside);
    // Without its lid the box encloses nothing.
    PolygonSurface open = boxSurface(Vec3::filled(1.5), Vec3::filled(5.5));
    open.faceStart.pop_back();
    open.corners.resize(open.faceStart.back());
    CHECK(count(voxelize(unitCells(7, 7, 7), open), CellFill::Inside) == 0);
}

TEST_CASE("A wall between two layers of cells belongs to the upper one, a surface beyond the grid to its border")
{
    const CellGrid grid = unitCells(4, 4, 4);
    const Vector<CellFill> between = voxelize(grid, boxSurface({1., 1., 1.}, {2.5, 2.5, 2.5}));
    CHECK(count(between, CellFill::Boundary) == 8);
    CHECK(between[grid.number(1, 1, 1)] == CellFill::Boundary);
    CHECK(between[grid.number(0, 1, 1)] == CellFill::Outside);
    // All vertices are outside: the triangles count where they go through the grid. The walls are beyond it, so that
    // nothing of the border is touched and what is inside has a way out.
    CHECK(count(voxelize(grid, boxSurface({-3., -3., -3.}, {7., 7., 7.})), CellFill::Boundary) == 0);
    const Vector<CellFill> through = voxelize(grid, boxSurface({-3., -3., 1.5}, {7., 7., 2.5}));
    CHECK(through[grid.number(2, 2, 1)] == CellFill::Boundary);
    CHECK(through[grid.number(2, 2, 3)] == CellFill::Outside);
}

TEST_CASE("Cells are found by place, and errors name what is wrong")
{
    CellGrid grid = unitCells(2, 3, 4);
    grid.origin = {-1., 0., 0.};
    grid.spacing = {0.5, 1., 2.};
    CHECK(grid.find({-0.25, 1.5, 7.}) == grid.number(1, 1, 3));
    CHECK(grid.place(grid.number(1, 2, 3)) == Vec<3, int>{1, 2, 3});
    CHECK(grid.find({-1.01, 1., 1.}) == InvalidIndex);
    CHECK(grid.find({0., 1., 1.}) == InvalidIndex);
    CHECK(grid.clampedPlace({-9., 9., 3.}) == Vec<3, int>{0, 2, 1});
    CHECK(grid.center(0) == Vec3{-0.75, 0.5, 1.});

    PolygonSurface bad = boxSurface({}, {1., 1., 1.});
    bad.corners[3] = 8;
    CHECK_THROWS_WITH(voxelize(grid, bad), "face 0 refers to point 8, but there are 8 points");
    CHECK_THROWS_WITH(touchedFaces(grid, bad), "face 0 refers to point 8, but there are 8 points");
    bad = boxSurface({}, {1., 1., 1.});
    bad.positions[2][1] = std::numeric_limits<double>::quiet_NaN();
    CHECK_THROWS_WITH(voxelize(grid, bad), "position 2 is not finite");
}

TEST_CASE("Faces of cells that a surface touches, and those that SOFA sees edges in")
{
    const CellGrid grid = unitCells(4, 1, 1);
    // A triangle over the faces x = 1 and x = 2; its longest edge is the closing one.
    PolygonSurface s;
    s.positions = {{0.5, 0.5, 0.5}, {0.7, 0.7, 0.5}, {2.5, 0.5, 0.5}};
    s.addFace(std::array<Index, 3>{0, 1, 2});
    const auto bits = [](const Vector<std::uint8_t>& v) { return std::vector<int>(v.begin(), v.end()); };
    CHECK(bits(touchedFaces(grid, s)) == std::vector<int>{0, 1, 1, 0});
    CHECK(bits(facesCrossedByEdges(grid, s)) == std::vector<int>{0, 1, 1, 0});
    // From the third corner to the second: counted backwards to 4.3, so through x = 3 too.
    s.corners = {0, 2, 1};
    CHECK(bits(facesCrossedByEdges(grid, s)) == std::vector<int>{0, 1, 1, 1});
    // The closing edge alone goes through x = 1: SOFA does not see it.
    s.positions = {{0.5, 0.5, 0.5}, {0.6, 0.5, 0.5}, {0.7, 0.6, 0.5}, {1.2, 0.5, 0.5}};
    s.corners = {3, 2, 1};
    CHECK((facesCrossedByEdges(grid, s)[1] & 1) == 1);
    PolygonSurface closing;
    closing.positions = {{0.9, 0.5, 0.5}, {0.8, 0.6, 0.5}, {1.4, 0.6, 0.5}};
    closing.addFace(std::array<Index, 3>{1, 0, 2});
    CHECK(bits(touchedFaces(grid, closing)) == std::vector<int>{0, 1, 0, 0});
}

}  // namespace voxelization_test
