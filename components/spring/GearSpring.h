// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/spring/JointSpring.h"

namespace sofa::component {

/// Two wheels on bearings whose turns are coupled. Text: "BEGIN_SPRING p1 m1 p2 m2 keywords END_SPRING", with the
/// keywords AXIS (two axes), KS_T, KS_R (soft and hard stiffness), KD (damping) and RATIO, each with its values.
struct GearSpring
{
    core::Index p1 = 0, m1 = 0;             ///< bearing and wheel of the first state
    core::Index p2 = 0, m2 = 0;             ///< of the second state
    std::array<core::Index, 2> axes{0, 0};  ///< on which the wheels turn: 0, 1 or 2 of the bearings
    double translation = 10000.;            ///< stiffness of the bearings [N/m]
    double gear = 10000.;                   ///< of the gear [N m/rad]
    double rotation = 10000.;               ///< of the bearings against turns across the axes [N m/rad]
    double damping = 1.;                    ///< in the bearings [N s/m] and [N m s/rad]
    double ratio = 1.;

    /// One of the two bearings.
    JointSpring bearing(std::size_t wheel) const;

    friend bool operator==(const GearSpring&, const GearSpring&) = default;
};

bool readValue(core::TextCursor& c, GearSpring& s);
void writeValue(std::string& out, const GearSpring& s);

}  // namespace sofa::component

template <>
struct sofa::core::TypeName<sofa::component::GearSpring>
{
    static std::string get() { return "gear spring (BEGIN_SPRING p1 m1 p2 m2 ... END_SPRING)"; }
};
