// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QElapsedTimer>
#include <algorithm>
#include <vector>

namespace sofa::qt {

/// Counts the frames that are shown.
class FrameRate
{
public:
    FrameRate() { m_clock.start(); }
    void count()
    {
        m_shown.push_back(m_clock.elapsed());
        if (m_shown.size() > 240) m_shown.erase(m_shown.begin(), m_shown.end() - 120);
    }
    /// Over about the last second; 0 if nothing was shown.
    double perSecond() const
    {
        const qint64 now = m_clock.elapsed();
        return static_cast<double>(std::ranges::count_if(m_shown, [now](qint64 t) { return now - t <= 1000; }));
    }

private:
    QElapsedTimer m_clock;
    std::vector<qint64> m_shown;  ///< times [ms] of the last frames
};

}  // namespace sofa::qt
