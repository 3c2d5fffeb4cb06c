// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <catch2/catch.hpp>
#include <map>
#include <vector>

namespace sofa::test {

using namespace sofa::core;

struct Call
{
    int row, col, nr, nc;
    double factor;
    std::vector<double> block;
};

/// The sums in the order of the calls, by definition.
inline std::map<std::pair<int, int>, double> reference(const std::vector<Call>& calls)
{
    std::map<std::pair<int, int>, double> sums;
    for (const Call& c : calls)
        for (int i = 0; i < c.nr; ++i)
            for (int j = 0; j < c.nc; ++j)
                sums[{c.row + i, c.col + j}] += c.factor * c.block[static_cast<std::size_t>(i * (c.nc + 1) + j)];
    return sums;
}

inline void checkAgainst(const BlockCsrMatrix& m, const std::vector<Call>& calls)
{
    const auto sums = reference(calls);
    std::size_t wrong = 0;
    for (int i = 0; i < m.rows(); ++i)
        for (int j = 0; j < m.cols(); ++j) {
            const auto p = sums.find({i, j});
            if (m.value(i, j) != (p == sums.end() ? 0. : p->second)) ++wrong;
        }
    CHECK(wrong == 0);
    std::size_t outside = 0;
    for (const auto& s : sums)
        if (m.find(s.first.first / m.blockSize(), s.first.second / m.blockSize()) < 0) ++outside;
    CHECK(outside == 0);
    for (int i = 0; i < m.blockRows(); ++i) CHECK(m.diagonal(i) >= 0);
}

}  // namespace sofa::test
