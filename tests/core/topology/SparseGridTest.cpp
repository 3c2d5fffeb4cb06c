// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/topology/SparseGrid.h"

#include <catch2/catch.hpp>
#include <random>

namespace sparse_grid_test {

using namespace sofa::core;
using geometry::CellFill;
using geometry::CellGrid;

namespace {

constexpr CellFill o = CellFill::Outside, b = CellFill::Boundary, i = CellFill::Inside;

/// A level of unit cells; x fastest, then y, then z. Cells at the boundary are half as stiff.
SparseLevel level(int nx, int ny, int nz, const Vector<CellFill>& fill, bool onlyInside = false)
{
    CellGrid grid;
    grid.cells = {nx, ny, nz};
    Vector<double> stiffness;
    for (const CellFill f : fill) stiffness.push_back(f == b ? 0.5 : 1.);
    return finestLevel(grid, fill, stiffness, onlyInside);
}

void connectAll(SparseLevel& l)
{
    connect(l, [](Index, Index, std::size_t) { return true; });
}

}  // namespace

TEST_CASE("Cells of a sparse grid: the boundary first, then the inside")
{
    const SparseLevel l = level(3, 2, 1, {b, i, o, o, b, i});
    CHECK(l.gridCell == Vector<Index>{0, 4, 1, 5});
    CHECK(l.sparseCell == Vector<Index>{0, 2, InvalidIndex, InvalidIndex, 1, 3});
    CHECK(l.stiffness == Vector<double>{0.5, 0.5, 1., 1.});
    CHECK(level(3, 2, 1, {b, i, o, o, b, i}, true).gridCell == Vector<Index>{1, 5});

    // Points by x, then y, then z. Columns of points at x = 0 ... 3 have 2, 3, 3 and 2 places along y, two along z.
    const SparseMesh mesh = sharedCorners(l);
    REQUIRE(mesh.positions.size() == 20);
    CHECK(mesh.positions[0] == Vec3{0., 0., 0.});
    CHECK(mesh.positions[1] == Vec3{0., 0., 1.});
    CHECK(mesh.positions[4] == Vec3{1., 0., 0.});
    CHECK(mesh.hexahedra[0] == Hexahedron{0, 4, 6, 2, 1, 5, 7, 3});
    for (std::size_t h = 0; h < mesh.hexahedra.size(); ++h) {
        const Vec3 center = (mesh.positions[mesh.hexahedra[h][0]] + mesh.positions[mesh.hexahedra[h][6]]) * 0.5;
        CHECK(center == l.grid.center(l.gridCell[h]));
    }
}

TEST_CASE("Coarser cells: place, fill and stiffness; odd grids end with half a cell")
{
    // 3 x 2 x 2 cells: the first eight are full, of the last four one is at the boundary.
    SparseLevel fine = level(3, 2, 2, {i, i, o, i, i, b, i, i, o, i, i, o});
    const SparseLevel coarse = coarsen(fine, Coarsening::Plain);
    CHECK(coarse.grid.cells == Vec<3, int>{2, 1, 1});
    CHECK(coarse.grid.spacing == Vec3{2., 2., 2.});
    CHECK(coarse.fill == Vector<CellFill>{i, b});
    CHECK(coarse.stiffness == Vector<double>{1., 0.5 / 8.});
    CHECK(fine.parent == Vector<Index>{1, 0, 0, 0, 0, 0, 0, 0, 0});
    // Cells by x, then y, then z.
    SparseLevel cube = level(4, 4, 4, Vector<CellFill>(64, i));
    CHECK(coarsen(cube, Coarsening::Plain).gridCell == Vector<Index>{0, 4, 2, 6, 1, 5, 3, 7});
}

TEST_CASE("Parts that do not hang together become hexahedra of their own")
{
    // A slab of 4 x 4 cells with a gap in the middle of its right half, one cell wide above two thin arms:
    //   row 3  . . . .
    //   row 2  x x x x
    //   row 1  x . . .      the coarse cell on the lower right has the cells (2,0) and (3,0) only,
    //   row 0  x x x x      that on the upper right (2,2) and (3,2)
    const Vector<CellFill> c{b, b, b, b, b, o, o, o, b, b, b, b, o, o, o, o};
    SparseLevel fine = level(4, 4, 1, c);
    connectAll(fine);
    SparseLevel coarse = coarsen(fine, Coarsening::Ramified);
    CHECK(coarse.pieces() == 4);
    CHECK(coarse.stiffness == Vector<double>{3 * 0.5 / 8, 2 * 0.5 / 8, 2 * 0.5 / 8, 2 * 0.5 / 8});
    // Lower and upper right are no neighbours: they share no points, the left ones do.
    const SparseMesh mesh = ramifiedCorners(coarse);
    const auto shared = [&](Index p, Index q) {
        int n = 0;
        for (const Index v : mesh.hexahedra[p]) n += std::ranges::count(mesh.hexahedra[q], v) > 0;
        return n;
    };
    CHECK(shared(0, 1) == 4);
    CHECK(shared(0, 2) == 4);
    CHECK(shared(1, 3) == 4);
    CHECK(shared(2, 3) == 2);  // the edge in the middle of the slab, which both share with the left ones
    // Once more coarsened, all is one cell of one piece, for the arms meet on the left.
    CHECK(coarsen(coarse, Coarsening::Ramified).pieces() == 1);

    // Without the left column the two arms are two pieces of one coarsest cell, at the same place.
    SparseLevel arms = level(4, 4, 1, {o, b, b, b, o, o, o, o, o, b, b, b, o, o, o, o});
    connectAll(arms);
    SparseLevel middle = coarsen(arms, Coarsening::Ramified);
    const SparseLevel top = coarsen(middle, Coarsening::Ramified);
    REQUIRE(top.pieces() == 2);
    CHECK(top.pieceCell == Vector<Index>{0, 0});
    CHECK(top.stiffness == Vector<double>{3 * 0.5 / 64, 3 * 0.5 / 64});
    const SparseMesh two = ramifiedCorners(top);
    CHECK(two.positions.size() == 16);
    CHECK(two.positions[two.hexahedra[0][6]] == two.positions[two.hexahedra[1][6]]);
}

TEST_CASE("SOFA's stiffness of ramified cells: the last fine piece alone, and numbers of cells for those of pieces")
{
    // One coarse cell with the fine cells (0,0) and (1,1), which touch along an edge only.
    SparseLevel fine = level(2, 2, 1, {i, o, o, b});
    connectAll(fine);
    const SparseLevel asSofa = coarsen(fine, Coarsening::RamifiedAsSofa);
    CHECK(asSofa.stiffness == Vector<double>{1. / 8, 0.5 / 8});
    // An arm of two cells: SOFA counts one of them.
    SparseLevel arms = level(4, 4, 1, {o, b, b, b, o, o, o, o, o, i, i, i, o, o, o, o});
    connectAll(arms);
    SparseLevel middle = coarsen(arms, Coarsening::RamifiedAsSofa);
    CHECK(middle.stiffness == Vector<double>{0.5 / 8, 1. / 8, 2 * 0.5 / 8, 2. / 8});
    CHECK(coarsen(middle, Coarsening::RamifiedAsSofa).stiffness == Vector<double>{1. / 64, 2. / 64});
}

TEST_CASE("A grid without ramifications has the points of the plain one")
{
    std::mt19937 random(3);
    // A convex body: a ball of cells.
    Vector<CellFill> fill;
    for (int z = 0; z < 8; ++z)
        for (int y = 0; y < 8; ++y)
            for (int x = 0; x < 8; ++x) {
                const double r = norm(Vec3{x - 3.5, y - 3.5, z - 3.5});
                fill.push_back(r < 2.5 ? i : r < 3.6 ? b : o);
            }
    SparseLevel plain = level(8, 8, 8, fill), ramified = plain;
    connectAll(ramified);
    const SparseLevel a = coarsen(plain, Coarsening::Plain), c = coarsen(ramified, Coarsening::Ramified);
    CHECK(a.stiffness == c.stiffness);
    CHECK(a.stiffness == coarsen(ramified, Coarsening::RamifiedAsSofa).stiffness);
    const SparseMesh p = sharedCorners(a), q = ramifiedCorners(c);
    REQUIRE(p.positions.size() == q.positions.size());
    for (std::size_t h = 0; h < p.hexahedra.size(); ++h)
        for (std::size_t v = 0; v < 8; ++v) CHECK(p.positions[p.hexahedra[h][v]] == q.positions[q.hexahedra[h][v]]);

    SECTION("the nearest cell is that of a search among all of them")
    {
        std::uniform_real_distribution<double> coordinate(-4., 12.);
        for (int n = 0; n < 300; ++n) {
            const Vec3 x{coordinate(random), coordinate(random), coordinate(random)};
            Index best = InvalidIndex;
            float least = 1e9f;
            for (Index cell = 0; cell < plain.gridCell.size(); ++cell) {
                const float d = static_cast<float>(norm(x - plain.grid.center(plain.gridCell[cell])));
                if (plain.fill[cell] != b || !(d < least)) continue;
                least = d;
                best = cell;
            }
            CHECK(nearestCell(plain, x) == best);
        }
        // Without a boundary every cell counts.
        const SparseLevel inside = level(3, 1, 1, {i, i, i});
        CHECK(nearestCell(inside, {9., 0., 0.}) == 2);
        CHECK(nearestCell(level(3, 1, 1, {o, o, o}), {9., 0., 0.}) == InvalidIndex);
    }
}

}  // namespace sparse_grid_test
