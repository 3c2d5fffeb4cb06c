// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/mass/PointMass.h"

#include "core/math/Decompositions.h"

namespace sofa::component {

namespace {

template <class Mass>
bool readRigidMass(core::TextCursor& c, Mass& m)
{
    using core::readValue;
    m = {};
    if (!readValue(c, m.mass)) return false;
    if (!c.atEnd() && !readValue(c, m.volume)) return false;
    if (!c.atEnd() && !readValue(c, m.inertia)) return false;
    m.update();
    return true;
}

template <class Mass>
void writeRigidMass(std::string& out, const Mass& m)
{
    using core::writeValue;
    writeValue(out, m.mass);
    out += ' ';
    writeValue(out, m.volume);
    out += ' ';
    writeValue(out, m.inertia);
}

}  // namespace

bool readValue(core::TextCursor& c, RigidMass3& m) { return readRigidMass(c, m); }
bool readValue(core::TextCursor& c, RigidMass2& m) { return readRigidMass(c, m); }
void writeValue(std::string& out, const RigidMass3& m) { writeRigidMass(out, m); }
void writeValue(std::string& out, const RigidMass2& m) { writeRigidMass(out, m); }

bool acceptMass(core::Component& owner, double mass, const std::string& what)
{
    if (mass > 0.) return true;
    if (mass == 0.) return owner.tolerate(what + "; it must be positive", "there is no mass");
    owner.fail(what + "; it must be positive");
    return false;
}

std::string PointMass<core::Rigid3Types>::doubt(const Type& m)
{
    const core::Mat3& a = m.inertia;
    const double size = trace(a);
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (std::abs(a[i][j] - a[j][i]) > 1e-6 * size) return "its inertia matrix is not symmetric";
    const core::Vec3 moments = core::symmetricEigen(a).values;
    if (moments[0] - moments[1] - moments[2] <= 1e-6 * size) return {};
    return "no body has its inertia: the principal moments are " + core::toText(moments) +
           " m^2, each times the mass, and one is more than the sum of the others";
}

}  // namespace sofa::component
