// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/math/Decompositions.h"

namespace sofa::core {

/// Stiffness of forces f on points that a frame carries on arms r, as the frame turns: the torque is Σ r × f, a small
/// turn ω changes it by Σ (ω × r) × f, so that its derivative is
///
///     Σ [f]× [r]× = Σ r fᵀ − (r · f) 1.
///
/// It is symmetric if the torque is zero.
class ArmStiffness
{
public:
    void add(const Vec3& force, const Vec3& arm) { m_sum += crossMatrix(force) * crossMatrix(arm); }
    /// The sum, or of its symmetric part what belongs to negative eigenvalues.
    Mat3 value(bool stabilized) const
    {
        return stabilized ? -positiveProjection(-(m_sum + m_sum.transposed()) * 0.5) : m_sum;
    }
    /// The same as a block of the frame's six degrees of freedom.
    Mat<6, 6> block(bool stabilized) const
    {
        Mat<6, 6> b;
        b.setBlock(3, 3, value(stabilized));
        return b;
    }

private:
    Mat3 m_sum;
};

}  // namespace sofa::core
