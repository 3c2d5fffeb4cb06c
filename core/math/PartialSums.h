// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <algorithm>
#include <numeric>

#include "core/math/Vector.h"

namespace sofa::core {

/// The sum of a long list of which few values change at a time: the sum of those of its blocks. Its bits depend on the
/// values only, and not on how the list came to be.
class PartialSums
{
public:
    /// Those at `changed` may have other values than at the last call, and the list another length.
    double update(const Vector<double>& values, const Vector<Index>& changed)
    {
        const std::size_t blocks = (values.size() + block - 1) / block;
        const std::size_t same = std::min(m_size, values.size()) / block;  // but for the changed ones
        m_sums.resize(blocks);
        const auto sum = [&](std::size_t b) {
            const double* const v = values.data();
            m_sums[b] = std::accumulate(v + b * block, v + std::min((b + 1) * block, values.size()), 0.);
        };
        std::size_t last = blocks;
        for (const Index i : changed)
            if (const std::size_t b = i / block; b < same && b != last) sum(last = b);
        for (std::size_t b = same; b < blocks; ++b) sum(b);
        m_size = values.size();
        return std::accumulate(m_sums.begin(), m_sums.end(), 0.);
    }
    /// All values may be others.
    void forget() { m_size = 0; }

private:
    static constexpr std::size_t block = 1024;
    Vector<double> m_sums;
    std::size_t m_size = 0;
};

}  // namespace sofa::core
