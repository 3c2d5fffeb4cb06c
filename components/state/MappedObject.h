// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/State.h"

namespace sofa::component {

using namespace sofa::core;

/// Points that follow a mapping and have no dynamics of their own: positions and velocities, without forces. Solvers do
/// not see them; they serve to show or to export mapped points.
template <class DataTypes>
class MappedObject final : public State<DataTypes>
{
public:
    using typename State<DataTypes>::VecCoord;
    using typename State<DataTypes>::VecDeriv;

    Data<VecCoord> d_position{this, {.name = "position", .help = "Position of each point", .unit = "m"}};
    Data<VecDeriv> d_velocity{this, {.name = "velocity", .help = "Velocity of each point", .unit = "m/s"}};

    MappedObject();
    bool isMechanical() const override { return false; }
    void init() override;
    void resize(Index n) override;
};

}  // namespace sofa::component
