// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <vector>

#include "core/math/DataTypes.h"

namespace sofa::component {

using namespace sofa::core;

/// A point x0 that is moved by a blend of rigid motions, with derivatives: x = vec(b x0 b* + 2 e b*) / |b|², where
/// b + ε e = Σ w_j (q_j + ε ½ (c_j q_j − q_j c0_j)) with the motion of frame j from (c0_j, ·) to (c_j, ·), which turns
/// by q_j.
class DualQuaternionBlend
{
public:
    struct Motion
    {
        double weight;
        RigidCoord3 rest, now;
    };

    DualQuaternionBlend(const std::vector<Motion>& motions, const Vec3& x0);
    const Vec3& position() const { return m_position; }
    /// ∂x / ∂(displacement of frame j), 3 × 6.
    Mat<3, 6> jacobian(std::size_t j) const;
    /// ∂(Jᵀ f)_j / ∂(displacement of frame k), 6 × 6.
    Mat<6, 6> stiffness(std::size_t j, std::size_t k, const Vec3& f) const;

private:
    /// b and e, or a change of both.
    struct Dual
    {
        Quat real, dual;
    };
    struct Part
    {
        Quat turn;      ///< w q, of the sign nearest to that of the first frame
        Vec3 from, to;  ///< centres
    };
    static Dual changeOf(const Part& p, std::size_t axis);
    static Dual secondChangeOf(const Part& p, std::size_t axis, std::size_t then);
    Vec3 form(const Dual& a, const Quat& b) const;
    Vec3 derivative(const Dual& d) const;

    std::vector<Part> m_parts;
    Vec3 m_x0, m_position;
    Dual m_sum;
    double m_norm2 = 1.;
};

}  // namespace sofa::component
