// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/objectmodel/DataText.h"

namespace sofa::core {

/// The name of a file that a component writes, relative to the working folder: unlike a FileName, nobody looks for it
/// where files to read are.
struct OutputFileName
{
    std::string text;
    static std::string_view typeName() { return "output file name"; }
    friend bool operator==(const OutputFileName&, const OutputFileName&) = default;
};

inline bool readValue(TextCursor& c, OutputFileName& v) { return readValue(c, v.text); }
inline void writeValue(std::string& out, const OutputFileName& v) { out += v.text; }

}  // namespace sofa::core
