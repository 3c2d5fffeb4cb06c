// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/objectmodel/DataText.h"

namespace sofa::component {

/// An interval, in text "0:1.5". These functions make it a value type: attributes, editors, links and checkpoints take
/// it, and lists of it.
///
/// This is the type that the template starts with: replace it by yours, here and in the test.
struct PluginNameInterval
{
    double low = 0., high = 1.;

    bool contains(double v) const { return low <= v && v <= high; }
    /// Its name for users.
    static std::string_view typeName() { return "interval"; }
    friend bool operator==(const PluginNameInterval&, const PluginNameInterval&) = default;
};

/// Reads one; false, with what was expected, if the text is none.
inline bool readValue(core::TextCursor& c, PluginNameInterval& v)
{
    if (!readValue(c, v.low)) return false;
    if (!c.accept(':')) return c.fail("':' between the ends of an interval");
    if (!readValue(c, v.high)) return false;
    return v.low <= v.high || c.fail("an upper end that is not below the lower one");
}
inline void writeValue(std::string& out, const PluginNameInterval& v)
{
    out += core::toText(v.low) + " : " + core::toText(v.high);
}

}  // namespace sofa::component
