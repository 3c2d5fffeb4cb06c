// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/ProjectiveConstraint.h"

namespace sofa::component {

/// Pulls all points to target positions, x ← x + s (x_t − x), and makes velocities what the points have moved since the
/// last time, v = (x − x_old) / dt, when the scene starts and after each step: position-based dynamics, with targets
/// that an engine computes of the present positions (ShapeMatching), or a scene gives (M. Müller, B. Heidelberger, M.
/// Hennix, J. Ratcliff, "Position based dynamics", J. Vis. Commun. Image Represent. 18, 2007).
///
/// It changes no forces: an integrator first moves the points without it.
template <class DataTypes>
class PositionBasedDynamicsProjectiveConstraint final : public core::ProjectiveConstraint<DataTypes>
{
public:
    using Base = core::ProjectiveConstraint<DataTypes>;
    using typename Base::VecCoord;
    using typename Base::VecDeriv;

    core::Data<double> d_stiffness{this,
                                   {.name = "stiffness",
                                    .help = "How far points go to their targets: 0 not at all, 1 all the way",
                                    .unit = "1",
                                    .range = core::Range::closed(0., 1.)},
                                   1.};
    core::Data<VecCoord> d_position{this,
                                    {.name = "position", .help = "Target positions, one for each point", .unit = "m"}};
    core::Data<VecDeriv> d_velocity{
        this, {.name = "velocity", .help = "Velocities after the last step; it computes them", .unit = "m/s"}};
    core::Data<VecCoord> d_oldPosition{
        this, {.name = "old_position", .help = "Positions after the last step; it sets them", .unit = "m"}};

    void init() override;
    void reset() override;
    void archive(core::Archive& a) override
    {
        a(m_old);
        a(m_velocity);
    }
    using Base::projectPosition;
    using Base::projectResponse;
    using Base::projectVelocity;
    void projectResponse(VecDeriv&) const override {}
    void projectVelocity(VecDeriv& v) const override;
    void projectPosition(const core::MechanicalParams& mp, const core::MultiVecCoordId& x) override;
    void projectPosition(VecCoord&) const override {}
    void eliminate(core::EliminationSink&) const override {}

private:
    void publish();

    VecCoord m_old;
    VecDeriv m_velocity;
};

}  // namespace sofa::component
