// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "core/math/Vector.h"

namespace sofa::core {

/// Which numbers of a vector count in sums over unknowns, so that each unknown counts once: where parts of a body, or
/// processes, hold copies of shared points, one of them owns the point. Everything that Krylov methods sum goes through
/// here.
///
/// The order of the sums is fixed, whatever the number of threads: that of vector::dot in each range, range by range.
class Ownership
{
public:
    struct Range
    {
        std::size_t first, last;
    };
    /// Adds the sums of all processes; each process gets the same bits.
    using Total = std::function<double(double)>;

    /// All numbers, of one process.
    Ownership() = default;
    /// The numbers of some ranges, which do not overlap.
    explicit Ownership(std::vector<Range> owned, Total total = {})
        : m_owned(std::move(owned)), m_total(std::move(total))
    {
    }

    /// x · y over the unknowns.
    double dot(const Vector<double>& x, const Vector<double>& y) const;
    /// r −= alpha q for all numbers; returns r · r over the unknowns.
    double updateResidual(Vector<double>& r, const Vector<double>& q, double alpha) const;

private:
    bool isWhole() const { return m_owned.empty() && !m_total; }

    std::vector<Range> m_owned;  ///< none: all
    Total m_total;               ///< none: there is one process
};

}  // namespace sofa::core
