// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/objectmodel/Data.h"

namespace sofa::core {

/// A list of entries with the same number of scalars: three for points, one for plain numbers.
struct NumberList
{
    Vector<double> values;
    std::size_t width = 1;

    std::size_t entries() const { return width == 0 ? 0 : values.size() / width; }
};

/// The numbers that a Data holds, whatever its type; true and false are 1 and 0. False if it holds something else.
bool numbersOf(const BaseData& data, NumberList& out);

}  // namespace sofa::core
