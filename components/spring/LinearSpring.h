// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/objectmodel/TypeName.h"
#include "core/visual/DrawTool.h"

namespace sofa::component {

/// A damped linear spring between two points. Text: "m1 m2 ks kd L".
struct LinearSpring
{
    core::Index m1 = 0;           ///< point of the first state
    core::Index m2 = 0;           ///< point of the second state
    double ks = 0.;               ///< stiffness [N/m]
    double kd = 0.;               ///< damping [N s/m]
    double initpos = 0.;          ///< rest length [m]
    bool elongationOnly = false;  ///< pulls when longer than at rest, never pushes
    bool enabled = true;

    friend bool operator==(const LinearSpring&, const LinearSpring&) = default;
};

inline bool readValue(core::TextCursor& c, LinearSpring& s)
{
    using core::readValue;
    return readValue(c, s.m1) && readValue(c, s.m2) && readValue(c, s.ks) && readValue(c, s.kd) &&
           readValue(c, s.initpos);
}

inline void writeValue(std::string& out, const LinearSpring& s)
{
    using core::writeValue;
    writeValue(out, s.m1);
    for (const double v : {static_cast<double>(s.m2), s.ks, s.kd, s.initpos}) {
        out += ' ';
        writeValue(out, v);
    }
}

/// Draws springs between points of one state as lines: those that are shorter than at rest in one colour, all others in
/// another. Springs on points that do not exist are left out.
void drawSprings(core::DrawTool& tool, std::span<const LinearSpring> springs, std::span<const core::Vec3> points,
                 const core::Color& shortened, const core::Color& others);

}  // namespace sofa::component

template <>
struct sofa::core::TypeName<sofa::component::LinearSpring>
{
    static std::string get() { return "spring (m1 m2 stiffness damping length)"; }
};
