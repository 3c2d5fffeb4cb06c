// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/math/Mat.h"

namespace sofa::component {

/// The rotation exp(φ) as its vector φ [rad] changes. A change φ̇ turns it at the rate T(φ) φ̇, in the axes before it,
/// with the left Jacobian of SO(3) (Barfoot, State Estimation for Robotics, 2017, section 7.1.3)
///
///     T(φ) = 1 + a [φ]× + b [φ]×²,   a = (1 − cos θ) / θ²,   b = (θ − sin θ) / θ³,   θ = |φ|.
class SpatialRotation
{
public:
    explicit SpatialRotation(const core::Vec3& vector) : m_vector(vector)
    {
        const double t2 = norm2(vector), t = std::sqrt(t2);
        if (t < 0.05) {  // series: the next terms are below 1e-13
            m_a = 1. / 2. - t2 * (1. / 24. - t2 * (1. / 720. - t2 / 40320.));
            m_b = 1. / 6. - t2 * (1. / 120. - t2 * (1. / 5040. - t2 / 362880.));
            m_da = -1. / 12. + t2 * (1. / 180. - t2 * (1. / 6720. - t2 / 453600.));
            m_db = -1. / 60. + t2 * (1. / 1260. - t2 * (1. / 60480. - t2 / 4989600.));
        } else {
            m_a = (1. - std::cos(t)) / t2;
            m_b = (t - std::sin(t)) / (t2 * t);
            m_da = (std::sin(t) / t - 2. * m_a) / t2;
            m_db = (m_a - 3. * m_b) / t2;
        }
    }

    /// T(φ) v
    core::Vec3 spin(const core::Vec3& v) const
    {
        const core::Vec3 turned = cross(m_vector, v);
        return v + turned * m_a + cross(m_vector, turned) * m_b;
    }
    /// The derivative of T(φ) v as φ changes by d.
    core::Vec3 spinChange(const core::Vec3& v, const core::Vec3& d) const
    {
        const core::Vec3 turned = cross(m_vector, v), change = cross(d, v);
        const double along = dot(m_vector, d);
        return turned * (m_da * along) + change * m_a + cross(m_vector, turned) * (m_db * along) +
               (cross(d, turned) + cross(m_vector, change)) * m_b;
    }

private:
    core::Vec3 m_vector;
    double m_a, m_b, m_da, m_db;  ///< a, b, and their derivatives by θ over θ
};

}  // namespace sofa::component
