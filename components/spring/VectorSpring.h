// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/math/Vec.h"
#include "core/objectmodel/DataText.h"
#include "core/objectmodel/TypeName.h"

namespace sofa::component {

/// A damped spring between two points that keeps a vector. Text: "m1 m2 ks kd x y z".
struct VectorSpring
{
    core::Index m1 = 0;     ///< point of the first state
    core::Index m2 = 0;     ///< point of the second state
    double ks = 0.;         ///< stiffness [N/m]
    double kd = 0.;         ///< damping [N s/m]
    core::Vec3 restVector;  ///< from the first to the second point [m]

    friend bool operator==(const VectorSpring&, const VectorSpring&) = default;
};

inline bool readValue(core::TextCursor& c, VectorSpring& s)
{
    using core::readValue;
    return readValue(c, s.m1) && readValue(c, s.m2) && readValue(c, s.ks) && readValue(c, s.kd) &&
           readValue(c, s.restVector);
}

inline void writeValue(std::string& out, const VectorSpring& s)
{
    using core::writeValue;
    writeValue(out, s.m1);
    for (const double v : {static_cast<double>(s.m2), s.ks, s.kd}) {
        out += ' ';
        writeValue(out, v);
    }
    out += ' ';
    writeValue(out, s.restVector);
}

}  // namespace sofa::component

template <>
struct sofa::core::TypeName<sofa::component::VectorSpring>
{
    static std::string get() { return "vector spring (m1 m2 stiffness damping vector)"; }
};
