// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/mass/PointMass.h"

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

}  // namespace sofa::component
