// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/topology/SparseGrid.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sofa::core {

using geometry::CellFill;
using geometry::CellGrid;

namespace {

/// Offsets of the corners of a cell in the order of a Hexahedron.
constexpr int cornerOffsets[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                     {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};

/// For a face between a cell and the lower one along an axis: the corners of the cell, and those of the lower cell at
/// the same places, in the order in which SOFA joins them.
constexpr Index lowerFace[3][4] = {{0, 4, 7, 3}, {0, 4, 5, 1}, {0, 1, 2, 3}};
constexpr Index upperFace[3][4] = {{1, 5, 6, 2}, {3, 7, 6, 2}, {4, 5, 6, 7}};

void addCell(SparseLevel& level, Index gridCell, CellFill fill)
{
    level.sparseCell[gridCell] = static_cast<Index>(level.gridCell.size());
    level.gridCell.push_back(gridCell);
    level.fill.push_back(fill);
}

void addPiece(SparseLevel& level, Index cell, double stiffness, double mass)
{
    level.pieceCell.push_back(cell);
    level.stiffness.push_back(stiffness);
    level.mass.push_back(mass);
}

void insertSorted(Vector<Index>& list, Index value)
{
    const auto at = std::lower_bound(list.begin(), list.end(), value);
    if (at == list.end() || *at != value) list.insert(at, value);
}

Vec3 cornerOf(const SparseLevel& level, Index cell, std::size_t corner)
{
    const Vec<3, int> p = level.grid.place(level.gridCell[cell]);
    const int* o = cornerOffsets[corner];
    return level.grid.corner(p[0] + o[0], p[1] + o[1], p[2] + o[2]);
}

CellGrid coarserGrid(const CellGrid& fine)
{
    CellGrid coarse;
    coarse.origin = fine.origin;
    for (std::size_t a = 0; a < 3; ++a) {
        const int n = (fine.cells[a] + 1) / 2;
        coarse.cells[a] = n;
        // SOFA keeps the far end of the box and divides it again: the same operations give the same last bit.
        const double end = fine.origin[a] + n * 2. * fine.spacing[a];
        coarse.spacing[a] = (end - fine.origin[a]) / n;
    }
    return coarse;
}

/// The up to eight cells of the fine level in a coarse one, x running fastest.
std::array<Index, 8> childCells(const SparseLevel& fine, int i, int j, int k)
{
    std::array<Index, 8> out;
    for (int c = 0; c < 8; ++c) {
        const int x = 2 * i + (c & 1), y = 2 * j + (c >> 1 & 1), z = 2 * k + (c >> 2);
        const Vec<3, int>& n = fine.grid.cells;
        const bool exists = x < n[0] && y < n[1] && z < n[2];
        out[static_cast<std::size_t>(c)] = exists ? fine.sparseCell[fine.grid.number(x, y, z)] : InvalidIndex;
    }
    return out;
}

/// Divides the pieces of a fine level that lie in one coarse cell into coarse pieces.
class PieceMaker
{
public:
    PieceMaker(SparseLevel& fine, SparseLevel& coarse, Coarsening how)
        : m_fine(fine), m_coarse(coarse), m_owner(fine.pieces(), InvalidIndex), m_how(how)
    {
        m_fine.parent.assign(fine.pieces(), InvalidIndex);
    }

    void makePieces(Index cell, const std::array<Index, 8>& children)
    {
        m_inside.clear();
        for (const Index child : children) {
            if (child == InvalidIndex) continue;
            for (Index p = m_fine.pieceStart[child]; p < m_fine.pieceStart[child + 1]; ++p) m_inside.push_back(p);
        }
        for (const Index p : m_inside) m_owner[p] = cell;
        for (const Index p : m_inside)
            if (m_fine.parent[p] == InvalidIndex) makePiece(cell, p);
        if (m_how == Coarsening::RamifiedAsSofa)
            for (const auto factor : {&SparseLevel::stiffness, &SparseLevel::mass})
                setFactorAsSofa(factor, m_coarse.pieceStart.back(), children);
        m_coarse.pieceStart.push_back(static_cast<Index>(m_coarse.pieces()));
    }

private:
    /// The piece that contains `seed`, and what hangs together with it.
    void makePiece(Index cell, Index seed)
    {
        m_number = static_cast<Index>(m_coarse.pieces());
        m_waiting.clear();
        m_stiffness = m_mass = 0.;
        if (m_how == Coarsening::Plain)
            for (const Index p : m_inside) take(p);
        else
            take(seed);
        while (m_how != Coarsening::Plain && !m_waiting.empty()) {
            const Index p = m_waiting.back();
            m_waiting.pop_back();
            for (const Vector<Index>& side : m_fine.neighbors[p])
                for (const Index q : side)
                    if (m_owner[q] == cell && m_fine.parent[q] == InvalidIndex) take(q);
        }
        addPiece(m_coarse, cell, m_stiffness / 8., m_mass / 8.);
    }

    void take(Index piece)
    {
        m_fine.parent[piece] = m_number;
        m_stiffness += m_fine.stiffness[piece];
        m_mass += m_fine.mass[piece];
        m_waiting.push_back(piece);
    }

    void setFactorAsSofa(Vector<double> SparseLevel::*factor, Index first, const std::array<Index, 8>& children)
    {
        const Vector<double>& fine = m_fine.*factor;
        if (m_coarse.pieces() == first + 1) {
            double sum = 0.;
            for (const Index child : children)
                if (child != InvalidIndex) sum += fine[child];
            (m_coarse.*factor)[first] = sum / 8.;
        } else {
            for (const Index p : m_inside) (m_coarse.*factor)[m_fine.parent[p]] = fine[p] / 8.;
        }
    }

    SparseLevel& m_fine;
    SparseLevel& m_coarse;
    Vector<Index> m_owner;  ///< coarse cell of each fine piece
    Vector<Index> m_inside, m_waiting;
    Coarsening m_how;
    Index m_number = 0;                    ///< of the piece that is being made
    double m_stiffness = 0., m_mass = 0.;  ///< sums of that piece
};

/// Coarse pieces are neighbours where fine ones in them are, across a face of the coarse cells.
void inheritNeighbors(const SparseLevel& fine, SparseLevel& coarse)
{
    coarse.neighbors.resize(coarse.pieces());
    for (Index p = 0; p < fine.pieces(); ++p) {
        const Index mine = fine.parent[p];
        for (std::size_t side = 0; side < 6; ++side)
            for (const Index q : fine.neighbors[p][side]) {
                const Index other = fine.parent[q];
                if (coarse.pieceCell[mine] != coarse.pieceCell[other])
                    insertSorted(coarse.neighbors[mine][side], other);
            }
    }
}

/// Names of the corners of hexahedra, and which corners bear each name.
class CornerNames
{
public:
    explicit CornerNames(std::size_t hexahedra) : m_name(8 * hexahedra), m_bearers(8 * hexahedra)
    {
        for (Index slot = 0; slot < m_name.size(); ++slot) {
            m_name[slot] = slot;
            m_bearers[slot].push_back(slot);
        }
    }
    Index name(Index hexahedron, Index corner) const { return m_name[8 * hexahedron + corner]; }
    std::size_t names() const { return m_name.size(); }
    /// In increasing order.
    const Vector<Index>& bearers(Index name) const { return m_bearers[name]; }

    /// Renames corners. Of a hexahedron that bears the name at several corners (matter that winds around and meets
    /// itself in one cell) only the first changes, as in SOFA.
    void rename(Index from, Index to)
    {
        if (from == to) return;
        Vector<Index> kept;
        for (const Index slot : m_bearers[from]) {
            const bool again = !m_moved.empty() && m_moved.back() / 8 == slot / 8;
            (again ? kept : m_moved).push_back(slot);
            if (!again) m_name[slot] = to;
        }
        m_bearers[from] = std::move(kept);
        Vector<Index>& all = m_bearers[to];
        const auto middle = all.insert(all.end(), m_moved.begin(), m_moved.end());
        std::inplace_merge(all.begin(), middle, all.end());
        m_moved.clear();
    }

private:
    Vector<Index> m_name;
    Vector<Vector<Index>> m_bearers;
    Vector<Index> m_moved;
};

/// Search for the nearest cell in rings of growing size.
class NearestSearch
{
public:
    NearestSearch(const SparseLevel& level, const Vec3& x)
        : m_level(level),
          m_x(x),
          m_base(level.grid.clampedPlace(x)),
          m_anyCell(std::ranges::find(level.fill, CellFill::Boundary) == level.fill.end())
    {
    }

    Index find()
    {
        const Vec3& h = m_level.grid.spacing;
        const double smallest = std::min({h[0], h[1], h[2]});
        const Vec<3, int>& n = m_level.grid.cells;
        const int last = std::max({n[0], n[1], n[2]});
        // A cell of ring r is at least r − ½ cells away along an axis.
        for (int r = 0; r < last; ++r) {
            if ((r - 0.5) * smallest > static_cast<double>(m_distance) * (1. + 1e-6)) break;
            visitRing(r);
        }
        return m_best;
    }

private:
    void visitRing(int r)
    {
        const Vec<3, int>& n = m_level.grid.cells;
        for (int k = std::max(m_base[2] - r, 0); k <= std::min(m_base[2] + r, n[2] - 1); ++k)
            for (int j = std::max(m_base[1] - r, 0); j <= std::min(m_base[1] + r, n[1] - 1); ++j) {
                const bool face = std::abs(k - m_base[2]) == r || std::abs(j - m_base[1]) == r;
                const int step = face || r == 0 ? 1 : 2 * r;
                for (int i = m_base[0] - r; i <= m_base[0] + r; i += step)
                    if (i >= 0 && i < n[0]) consider(m_level.sparseCell[m_level.grid.number(i, j, k)]);
            }
    }

    void consider(Index cell)
    {
        if (cell == InvalidIndex || (!m_anyCell && m_level.fill[cell] != CellFill::Boundary)) return;
        const float d = static_cast<float>(norm(m_x - m_level.grid.center(m_level.gridCell[cell])));
        if (d < m_distance || (d == m_distance && cell < m_best)) {
            m_distance = d;
            m_best = cell;
        }
    }

    const SparseLevel& m_level;
    const Vec3 m_x;
    const Vec<3, int> m_base;
    const bool m_anyCell;
    float m_distance = std::numeric_limits<float>::infinity();
    Index m_best = InvalidIndex;
};

}  // namespace

SparseLevel finestLevel(const CellGrid& grid, const Vector<CellFill>& fill, const Vector<double>& stiffness,
                        bool onlyInside, const Vector<double>& mass)
{
    SparseLevel level;
    level.grid = grid;
    level.sparseCell.assign(grid.size(), InvalidIndex);
    for (const CellFill kind : {CellFill::Boundary, CellFill::Inside}) {
        if (kind == CellFill::Boundary && onlyInside) continue;
        for (Index c = 0; c < fill.size(); ++c) {
            if (fill[c] != kind) continue;
            addCell(level, c, kind);
            addPiece(level, level.sparseCell[c], stiffness[c], mass.empty() ? stiffness[c] : mass[c]);
            level.pieceStart.push_back(static_cast<Index>(level.pieces()));
        }
    }
    return level;
}

void connect(SparseLevel& level, const std::function<bool(Index, Index, std::size_t)>& connected)
{
    level.neighbors.assign(level.pieces(), {});
    const Vec<3, int>& n = level.grid.cells;
    const auto connectAlong = [&](int i, int j, int k, std::size_t axis, Index upper) {
        Vec<3, int> p{i, j, k};
        if (p[axis]-- == 0) return;
        const Index lower = level.sparseCell[level.grid.number(p[0], p[1], p[2])];
        if (lower == InvalidIndex || !connected(upper, lower, axis)) return;
        const Index a = level.pieceStart[upper], b = level.pieceStart[lower];
        insertSorted(level.neighbors[a][2 * axis], b);
        insertSorted(level.neighbors[b][2 * axis + 1], a);
    };
    for (int k = 0; k < n[2]; ++k)
        for (int j = 0; j < n[1]; ++j)
            for (int i = 0; i < n[0]; ++i) {
                const Index cell = level.sparseCell[level.grid.number(i, j, k)];
                if (cell == InvalidIndex) continue;
                for (std::size_t axis = 0; axis < 3; ++axis) connectAlong(i, j, k, axis, cell);
            }
}

SparseLevel coarsen(SparseLevel& fine, Coarsening how)
{
    SparseLevel coarse;
    coarse.grid = coarserGrid(fine.grid);
    coarse.sparseCell.assign(coarse.grid.size(), InvalidIndex);
    PieceMaker maker(fine, coarse, how);
    const Vec<3, int>& n = coarse.grid.cells;
    for (int i = 0; i < n[0]; ++i)
        for (int j = 0; j < n[1]; ++j)
            for (int k = 0; k < n[2]; ++k) {
                const std::array<Index, 8> children = childCells(fine, i, j, k);
                const auto isEmpty = [](Index c) { return c == InvalidIndex; };
                if (std::ranges::all_of(children, isEmpty)) continue;
                const bool full = std::ranges::all_of(
                    children, [&](Index c) { return c != InvalidIndex && fine.fill[c] == CellFill::Inside; });
                const Index cell = coarse.grid.number(i, j, k);
                addCell(coarse, cell, full ? CellFill::Inside : CellFill::Boundary);
                maker.makePieces(coarse.sparseCell[cell], children);
            }
    if (how != Coarsening::Plain) inheritNeighbors(fine, coarse);
    return coarse;
}

void forEachFinePiece(std::span<const SparseLevel> levels, std::size_t finer,
                      const std::function<void(const FinePiece&)>& f)
{
    const SparseLevel& coarse = levels.back();
    const std::size_t at = levels.size() - 1 - finer;
    const SparseLevel& fine = levels[at];
    for (Index p = 0; p < fine.pieces(); ++p) {
        Index piece = p;
        for (std::size_t l = at; l + 1 < levels.size(); ++l) piece = levels[l].parent[piece];
        const Vec<3, int> in = coarse.grid.place(coarse.gridCell[coarse.pieceCell[piece]]);
        const Vec<3, int> place = fine.grid.place(fine.gridCell[fine.pieceCell[p]]) - in * (1 << finer);
        f({piece, place, fine.stiffness[p], fine.mass[p]});
    }
}

SparseMesh sharedCorners(const SparseLevel& level)
{
    const Vec<3, int> n = level.grid.cells + Vec<3, int>{1, 1, 1};
    // Corner (i, j, k) has the number k + nz (j + ny i): the order of the points.
    const auto corner = [&](const Vec<3, int>& p, const int* o) {
        return static_cast<std::size_t>(p[2] + o[2]) +
               static_cast<std::size_t>(n[2]) *
                   (static_cast<std::size_t>(p[1] + o[1]) +
                    static_cast<std::size_t>(n[1]) * static_cast<std::size_t>(p[0] + o[0]));
    };
    Vector<Index> number(
        static_cast<std::size_t>(n[0]) * static_cast<std::size_t>(n[1]) * static_cast<std::size_t>(n[2]), InvalidIndex);
    for (const Index c : level.gridCell)
        for (const auto& o : cornerOffsets) number[corner(level.grid.place(c), o)] = 0;
    SparseMesh mesh;
    for (std::size_t i = 0; i < number.size(); ++i) {
        if (number[i] == InvalidIndex) continue;
        number[i] = static_cast<Index>(mesh.positions.size());
        const int at = static_cast<int>(i);
        mesh.positions.push_back(level.grid.corner(at / (n[2] * n[1]), (at / n[2]) % n[1], at % n[2]));
    }
    for (const Index c : level.gridCell) {
        Hexahedron h;
        for (std::size_t v = 0; v < 8; ++v) h[v] = number[corner(level.grid.place(c), cornerOffsets[v])];
        mesh.hexahedra.push_back(h);
    }
    return mesh;
}

SparseMesh ramifiedCorners(const SparseLevel& level)
{
    CornerNames names(level.pieces());
    for (Index h = 0; h < level.pieces(); ++h)
        for (const std::size_t axis : {2u, 1u, 0u})
            for (const Index lower : level.neighbors[h][2 * axis])
                for (std::size_t v = 0; v < 4; ++v)
                    names.rename(names.name(h, lowerFace[axis][v]), names.name(lower, upperFace[axis][v]));

    SparseMesh mesh;
    mesh.hexahedra.resize(level.pieces());
    for (Index name = 0; name < names.names(); ++name) {
        const Vector<Index>& slots = names.bearers(name);
        if (slots.empty()) continue;
        for (const Index s : slots) mesh.hexahedra[s / 8][s % 8] = static_cast<Index>(mesh.positions.size());
        mesh.positions.push_back(cornerOf(level, level.pieceCell[slots[0] / 8], slots[0] % 8));
    }
    return mesh;
}

Index nearestCell(const SparseLevel& level, const Vec3& x) { return NearestSearch(level, x).find(); }

}  // namespace sofa::core
