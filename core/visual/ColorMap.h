// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <span>

#include "core/visual/Color.h"

namespace sofa::core {

/// Colours for numbers: one of SOFA's sequences of colours, found by its name.
class ColorMap
{
public:
    /// The sequence of that name; "HSV", all hues, where there is none of it.
    explicit ColorMap(std::string_view name = "Blue to Red");
    /// The names, "HSV" first.
    static std::vector<std::string> names();
    static bool has(std::string_view name);

    /// Colour at t, from 0 for the first to 1 for the last; outside, the nearest. What is no number has the first.
    Color at(double t) const;
    /// Colour of a value between `low` and `high`; the first colour where low ≥ high.
    Color of(double value, double low, double high) const { return at(high > low ? (value - low) / (high - low) : 0.); }
    /// Appends the colours of values.
    void append(Vector<Color>& out, std::span<const double> values, double low, double high) const;

private:
    std::size_t m_index;
};

}  // namespace sofa::core
