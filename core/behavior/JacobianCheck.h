// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "core/behavior/BaseMapping.h"

namespace sofa::core {

/// Inputs of one type of a mapping, moved along a fixed direction.
template <class In>
class JacobianProbe
{
public:
    using VecCoord = typename In::VecCoord;
    using VecDeriv = typename In::VecDeriv;
    using Positions = std::span<const VecCoord* const>;

    explicit JacobianProbe(std::vector<const VecCoord*> x) : m_x(std::move(x)), m_moved(m_x.size())
    {
        for (std::size_t s = 0; s < m_x.size(); ++s) {
            VecDeriv d(m_x[s]->size());
            for (std::size_t k = 0; k < d.size(); ++k) {
                for (std::size_t c = 0; c < In::derivSize; ++c)
                    d[k][c] = std::sin(1. + 1.7 * static_cast<double>(k * In::derivSize + c + 3 * s));
                m_scale = std::max(m_scale, norm(In::position((*m_x[s])[k])));
            }
            m_directions.push_back(std::move(d));
        }
    }

    Positions positions() const { return m_x; }
    /// Positions after a step along the direction; valid until the next step.
    Positions moved(double step)
    {
        m_movedAt.clear();
        for (std::size_t s = 0; s < m_x.size(); ++s) {
            m_moved[s] = *m_x[s];
            for (std::size_t k = 0; k < m_moved[s].size(); ++k) In::add(m_moved[s][k], m_directions[s][k] * step);
            m_movedAt.push_back(&m_moved[s]);
        }
        return m_movedAt;
    }
    const std::vector<VecDeriv>& directions() const { return m_directions; }
    /// Largest distance of a point from the origin, 1 at least.
    double scale() const { return m_scale; }

private:
    std::vector<const VecCoord*> m_x, m_movedAt;
    std::vector<VecCoord> m_moved;
    std::vector<VecDeriv> m_directions;
    double m_scale = 1.;
};

/// Compares `jd`, the Jacobian times the directions of the probes, with central differences, and warns where they
/// differ. `map` maps positions of the inputs into `out`, at the end those of the probes.
template <class Out, class Map, class... Ins>
void checkJacobian(const BaseMapping& mapping, typename Out::VecCoord& out, const typename Out::VecDeriv& jd, Map map,
                   JacobianProbe<Ins>&... probes)
{
    // Error of central differences: O(h²) of truncation and 1e-16 |x| / h of rounding, both about 1e-10 for lengths
    // about 1.
    constexpr double h = 1e-5;
    const auto mapped = [&](double step) -> typename Out::VecCoord {
        map(probes.moved(step)...);
        return out;
    };
    const typename Out::VecCoord plus = mapped(h), minus = mapped(-h);
    map(probes.positions()...);  // what the map keeps of its last positions
    double worst = 0.;
    std::size_t where = 0;
    for (std::size_t k = 0; k < out.size(); ++k) {
        const double deviation = norm(Out::difference(plus[k], minus[k]) / (2. * h) - jd[k]);
        if (deviation > worst) {
            worst = deviation;
            where = k;
        }
    }
    if (worst > 1e-6 * std::max({probes.scale()...}))
        mapping.msgWarning() << "the Jacobian differs from finite differences by " << worst << " at point " << where
                             << " of " << mapping.outputs()[0]->pathName();
}

}  // namespace sofa::core
