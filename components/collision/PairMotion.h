// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/ForceField.h"

namespace sofa::component {

/// What addDForce of a force field between two states reads and writes: displacements, and the forces that they cause.
/// A state that the calling solver does not move has neither; its displacements are zero. For one call only.
class PairMotion
{
public:
    using State = core::State<core::Vec3Types>;

    PairMotion(const core::MechanicalParams& mp, const core::MultiVecDerivId& df, State& state1, State& state2)
        : m_dx1(displacements(mp, state1)),
          m_dx2(displacements(mp, state2)),
          m_df1(forces(df, state1, m_access1)),
          m_df2(forces(df, state2, m_access2))
    {
    }
    /// dx₂ − dx₁ of two points [m].
    core::Vec3 relative(core::Index point1, core::Index point2) const
    {
        return (m_dx2 ? (*m_dx2)[point2] : core::Vec3()) - (m_dx1 ? (*m_dx1)[point1] : core::Vec3());
    }
    /// Adds a force [N] to point 1, and the opposite one to point 2.
    void add(core::Index point1, core::Index point2, const core::Vec3& force)
    {
        if (m_df1) (*m_df1)[point1] += force;
        if (m_df2) (*m_df2)[point2] -= force;
    }

private:
    using VecDeriv = State::VecDeriv;

    static const VecDeriv* displacements(const core::MechanicalParams& mp, const State& s)
    {
        return s.isAllocated(mp.dx.at(s)) ? &s.read(mp.dx.at(s)) : nullptr;
    }
    using Forces = std::optional<core::WriteAccessor<VecDeriv>>;
    static VecDeriv* forces(const core::MultiVecDerivId& df, State& s, Forces& access)
    {
        return s.isAllocated(df.at(s)) ? &*access.emplace(s.derivData(df.at(s))) : nullptr;
    }

    const VecDeriv *m_dx1, *m_dx2;
    Forces m_access1, m_access2;
    VecDeriv *m_df1, *m_df2;
};

}  // namespace sofa::component
