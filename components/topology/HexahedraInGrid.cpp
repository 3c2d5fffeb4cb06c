// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/topology/HexahedraInGrid.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sofa::component {

namespace {

/// Part of the size of a cell by which points may be beside its corners.
constexpr double tolerance = 1e-3;

/// Corner of a cell, 1 for x + 2 for y + 4 for z, at which point k of a hexahedron is that stands along the axes.
constexpr unsigned upright[8] = {0, 1, 3, 2, 4, 5, 7, 6};

struct Box
{
    Vec3 low, high;
};

Box boxOf(const Hexahedron& h, const Vector<Vec3>& x)
{
    Box b{x[h[0]], x[h[0]]};
    for (const Index i : h)
        for (std::size_t a = 0; a < 3; ++a) {
            b.low[a] = std::min(b.low[a], x[i][a]);
            b.high[a] = std::max(b.high[a], x[i][a]);
        }
    return b;
}

}  // namespace

void HexahedraInGrid::init()
{
    HexahedronSetTopologyContainer::init();
    if (!isValid()) return;
    try {
        findGrid();
        makeTable();
    } catch (const std::runtime_error& e) {
        return fail(e);
    }
    cellsAreKnown();
}

void HexahedraInGrid::findGrid()
{
    const Vector<Hexahedron>& all = hexahedra();
    const Vector<Vec3>& x = d_position.value();
    const Vector<Index>& given = d_idxInRegularGrid.value();
    Vec3i n = d_resolution.value();
    const bool counts = n != Vec3i();
    if (counts && std::min({n[0], n[1], n[2]}) < 1)
        throw std::runtime_error("resolution: expected at least 1 cell along each axis, found " + toText(n));
    const bool hasPositions = !x.empty() && !all.empty();
    if (!given.empty() || !hasPositions) {
        if (given.size() != all.size())
            throw std::runtime_error("idxInRegularGrid: expected the cell of each of the " +
                                     std::to_string(all.size()) + " hexahedra, found " + std::to_string(given.size()) +
                                     (x.empty() ? "; there are no positions that would tell it" : ""));
        if (!counts) throw std::runtime_error("resolution: expected with idxInRegularGrid, or without hexahedra");
    }
    m_knowsPlaces = hasPositions;
    m_isUpright = true;
    if (hasPositions) {
        Box whole = boxOf(all[0], x);
        m_grid.spacing = givenSpacing().value_or(whole.high - whole.low);
        if (std::min({m_grid.spacing[0], m_grid.spacing[1], m_grid.spacing[2]}) <= 0.)
            throw std::runtime_error("hexahedron 0 is no cell of a grid: its box has the size " +
                                     toText(m_grid.spacing));
        m_grid.origin = whole.low;
        if (!given.empty()) {
            m_grid.cells = n;
            const Vec3i at = m_grid.place(given[0]);
            for (std::size_t a = 0; a < 3; ++a) m_grid.origin[a] -= at[a] * m_grid.spacing[a];
        } else {
            for (const Hexahedron& h : all) {
                const Box b = boxOf(h, x);
                for (std::size_t a = 0; a < 3; ++a) {
                    whole.low[a] = std::min(whole.low[a], b.low[a]);
                    whole.high[a] = std::max(whole.high[a], b.high[a]);
                }
            }
            m_grid.origin = whole.low;
            for (std::size_t a = 0; a < 3 && !counts; ++a) {
                const double cells = std::round((whole.high[a] - whole.low[a]) / m_grid.spacing[a]);
                if (!(cells < 1 << 28)) throw std::runtime_error("resolution: the grid would have too many cells");
                n[a] = std::max(1, static_cast<int>(cells));
            }
        }
    }
    if (std::size_t cells = 1;
        std::ranges::any_of(n, [&](int k) { return (cells *= static_cast<std::size_t>(k)) >> 28; }))
        throw std::runtime_error("resolution: a grid of " + toText(n) + " cells is too large");
    m_grid.cells = n;
    if (!counts) {
        d_resolution.setValue(n);
        d_resolution.setIsSet(false);
    }
    if (!hasPositions) return;
    Vector<Index> found(all.size());
    for (Index h = 0; h < all.size(); ++h) {
        found[h] = findCell(h);
        if (!given.empty() && found[h] != given[h])
            throw std::runtime_error("idxInRegularGrid: hexahedron " + std::to_string(h) + " is said to be in cell " +
                                     std::to_string(given[h]) + ", but its points are those of cell " +
                                     std::to_string(found[h]));
    }
    if (!given.empty()) return;
    d_idxInRegularGrid.unlink();
    d_idxInRegularGrid.setValue(std::move(found));
    d_idxInRegularGrid.setIsSet(false);
}

Index HexahedraInGrid::findCell(Index hexahedron) const
{
    const Vector<Vec3>& x = d_position.value();
    const Hexahedron& h = hexahedra()[hexahedron];
    const auto name = [&] { return "hexahedron " + std::to_string(hexahedron) + " (points " + toText(h) + ")"; };
    if (!m_knowsPlaces || x.size() < nbPoints())
        throw std::runtime_error(name() + ": its cell in the grid is unknown, the container has no positions");
    const Vec3 low = m_grid.coordinates(boxOf(h, x).low);
    Vec3i at;
    for (std::size_t a = 0; a < 3; ++a) {
        const double place = std::round(low[a]);
        if (!(place >= 0.) || !(place < m_grid.cells[a]))
            throw std::runtime_error(name() + " is outside of the grid of " + toText(m_grid.cells) + " cells");
        at[a] = static_cast<int>(place);
    }
    unsigned seen = 0;
    for (std::size_t k = 0; k < 8; ++k) {
        const Vec3 c = m_grid.coordinates(x[h[k]]);
        unsigned corner = 0;
        for (std::size_t a = 0; a < 3; ++a) {
            const double side = std::round(c[a] - at[a]);
            if (std::abs(c[a] - at[a] - side) > tolerance || side < 0. || side > 1.)
                throw std::runtime_error(name() + " is no cell of the grid: point " + std::to_string(h[k]) + " at " +
                                         toText(x[h[k]]) + " is no corner of cell " + toText(at) + " (origin " +
                                         toText(m_grid.origin) + ", size " + toText(m_grid.spacing) + ")");
            if (side > 0.) corner |= 1u << a;
        }
        if (corner != upright[k]) m_isUpright = false;
        seen |= 1u << corner;
    }
    if (seen != 255u) throw std::runtime_error(name() + " is no cell of the grid: two points are at the same corner");
    return m_grid.number(at[0], at[1], at[2]);
}

void HexahedraInGrid::makeTable()
{
    const Vector<Index>& cells = d_idxInRegularGrid.value();
    m_hexahedronIn.assign(m_grid.size(), InvalidIndex);
    for (Index h = 0; h < cells.size(); ++h) {
        const Index c = cells[h];
        if (c >= cellCount())
            throw std::runtime_error("idxInRegularGrid: hexahedron " + std::to_string(h) + " is in cell " +
                                     std::to_string(c) + ", but the grid has " + std::to_string(cellCount()));
        if (m_hexahedronIn[c] != InvalidIndex)
            throw std::runtime_error("idxInRegularGrid: hexahedra " + std::to_string(m_hexahedronIn[c]) + " and " +
                                     std::to_string(h) + " are both in cell " + std::to_string(c));
        m_hexahedronIn[c] = h;
    }
}

std::array<Index, 6> HexahedraInGrid::neighbors(Index hexahedron) const
{
    const Vec3i at = placeOf(cellOf(hexahedron));
    std::array<Index, 6> out;
    for (std::size_t k = 0; k < 6; ++k) {
        Vec3i to = at;
        to[k / 2] += k % 2 ? 1 : -1;
        const bool inside = to[k / 2] >= 0 && to[k / 2] < m_grid.cells[k / 2];
        out[k] = inside ? m_hexahedronIn[m_grid.number(to[0], to[1], to[2])] : InvalidIndex;
    }
    return out;
}

BaseMeshTopology::CellLocation HexahedraInGrid::locateCell(const Vec3& x) const
{
    if (!locatesCells() || hexahedra().empty()) return {};
    const Vec3 place = m_grid.coordinates(x);
    const auto located = [&](Index cell) {
        CellLocation out{m_hexahedronIn[cell], place};
        const Vec3i at = placeOf(cell);
        for (std::size_t a = 0; a < 3; ++a) out.local[a] -= at[a];
        return out;
    };
    if (const Index c = m_grid.find(x); c != InvalidIndex && m_hexahedronIn[c] != InvalidIndex) return located(c);
    // In shells of cells around the one at the point, or next to it: those beyond shell r are at least r cells away.
    const Vec3i middle = m_grid.clampedPlace(x), n = m_grid.cells;
    const double least = std::min({m_grid.spacing[0], m_grid.spacing[1], m_grid.spacing[2]});
    std::pair best{std::numeric_limits<double>::infinity(), InvalidIndex};
    const auto look = [&](const Vec3i& at) {
        const Index c = m_grid.number(at[0], at[1], at[2]);
        if (m_hexahedronIn[c] == InvalidIndex) return;
        double distance = 0.;
        for (std::size_t a = 0; a < 3; ++a) {
            const double d = (place[a] - std::clamp(place[a], at[a] * 1., at[a] + 1.)) * m_grid.spacing[a];
            distance += d * d;
        }
        best = std::min(best, std::pair(distance, c));
    };
    for (int r = 0; r <= std::max({n[0], n[1], n[2]}); ++r) {
        if (const double away = (r - 1) * least; r > 0 && best.first < away * away) break;
        Vec3i low, high;
        for (std::size_t a = 0; a < 3; ++a) {
            low[a] = std::max(middle[a] - r, 0);
            high[a] = std::min(middle[a] + r, n[a] - 1);
        }
        for (int k = low[2]; k <= high[2]; ++k)
            for (int j = low[1]; j <= high[1]; ++j) {
                const bool whole = std::abs(k - middle[2]) == r || std::abs(j - middle[1]) == r;
                for (int i = low[0]; i <= high[0]; ++i)
                    if (whole || std::abs(i - middle[0]) == r) look({i, j, k});
            }
    }
    return best.second == InvalidIndex ? CellLocation{} : located(best.second);
}

ElementLists HexahedraInGrid::elementLists()
{
    return {{this, {ElementType::Hexahedra}}, {{&d_idxInRegularGrid, ElementData::Kind::Computed}}};
}

void HexahedraInGrid::followTopology(const TopologyChange& change)
{
    if (change.restores()) {
        makeTable();
        return cellsAreKnown();
    }
    const TopologyChange::Source source = change.source(*this, ElementType::Hexahedra);
    if (source.same) return;
    const bool isSet = d_idxInRegularGrid.isSet();
    Vector<Index> touched;
    const Vector<Index>& before = d_idxInRegularGrid.value();
    for (const Index h : source.gone) touched.push_back(before.at(h));
    for (const auto& m : source.moved)
        if (m.before != InvalidIndex) touched.push_back(before.at(m.before));
    d_idxInRegularGrid.unlink();
    auto undo = source.update(*d_idxInRegularGrid.edit(), 1, [&](const Vector<Index>&, Index h, Index) {
        try {
            return findCell(h);
        } catch (const std::runtime_error& e) {
            throw std::runtime_error("'" + pathName() + "': " + e.what());
        }
    });
    d_idxInRegularGrid.setIsSet(isSet);
    change.ifTakenBack([this, isSet, undo = std::move(undo)] {
        undo(*d_idxInRegularGrid.edit());
        d_idxInRegularGrid.setIsSet(isSet);
    });
    const Vector<Index>& now = d_idxInRegularGrid.value();
    for (const Index c : touched) m_hexahedronIn[c] = InvalidIndex;
    for (const auto& m : source.moved) {
        const Index c = now[m.now];
        if (m_hexahedronIn[c] != InvalidIndex)
            throw std::runtime_error("'" + pathName() + "': hexahedra " + std::to_string(m_hexahedronIn[c]) + " and " +
                                     std::to_string(m.now) + " would both be in cell " + std::to_string(c) +
                                     " of the grid");
        m_hexahedronIn[c] = m.now;
        if (m.before == InvalidIndex) touched.push_back(c);
    }
    std::ranges::sort(touched);
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    cellsChanged(touched);
}

}  // namespace sofa::component
