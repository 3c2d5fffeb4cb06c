// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cmath>
#include <map>
#include <stdexcept>

#include "core/math/Vec.h"
#include "core/math/Vector.h"

namespace sofa::core::geometry {

/// Points by number that come and go, for the question which of them are near: in the cells of an unbounded regular
/// grid.
class PointGrid
{
public:
    /// `range` [m] is the largest distance that is asked for; with 0 nothing is near.
    explicit PointGrid(double range) : m_range(range) {}

    /// Throws std::runtime_error if the point is not finite.
    void insert(Index i, const Vec3& x)
    {
        if (!isFinite(x)) throw std::runtime_error("point " + std::to_string(i) + " is not finite");
        if (m_range > 0.) m_cells[key(x)].push_back({i, x});
    }
    void remove(Index i, const Vec3& x)
    {
        const auto cell = m_cells.find(key(x));
        if (cell == m_cells.end()) return;
        auto& entries = cell->second;
        for (std::size_t k = entries.size(); k-- > 0;)
            if (entries[k].point == i) entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(k));
        if (entries.empty()) m_cells.erase(cell);
    }
    struct Near
    {
        Index point = InvalidIndex;  ///< InvalidIndex if there is none
        double distance = 0.;
    };
    /// The point nearest to x whose distance is less than the range, but not number `except`; of several at the same
    /// distance the one with the least number.
    Near nearest(const Vec3& x, Index except = InvalidIndex) const
    {
        Near best{InvalidIndex, m_range};
        if (!(m_range > 0.)) return best;
        const Key middle = key(x);
        for (const double dx : {-1., 0., 1.})
            for (const double dy : {-1., 0., 1.})
                for (const double dz : {-1., 0., 1.}) {
                    const auto cell = m_cells.find({middle[0] + dx, middle[1] + dy, middle[2] + dz});
                    if (cell == m_cells.end()) continue;
                    for (const Entry& e : cell->second) {
                        if (e.point == except) continue;
                        const double d = norm(x - e.position);
                        if (d < best.distance || (d == best.distance && d < m_range && e.point < best.point))
                            best = {e.point, d};
                    }
                }
        return best;
    }

private:
    using Key = std::array<double, 3>;
    struct Entry
    {
        Index point;
        Vec3 position;
    };
    /// Cells are a little larger than the range, so that rounding of the quotient does no harm.
    Key key(const Vec3& x) const
    {
        const double size = m_range * (1. + 1e-6);
        return {std::floor(x[0] / size), std::floor(x[1] / size), std::floor(x[2] / size)};
    }

    double m_range;
    std::map<Key, Vector<Entry>> m_cells;
};

}  // namespace sofa::core::geometry
