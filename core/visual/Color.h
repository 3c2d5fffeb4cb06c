// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/objectmodel/TypeName.h"

namespace sofa::core {

/// Colour: red, green, blue and opacity, each in [0, 1].
///
/// Scenes write it as three or four numbers ("1 0 0", "1 0 0 0.5"), as "#rgb", "#rrggbb" or "#rrggbbaa", or by name
/// ("red", "gold", ...); it is written back as four numbers.
struct Color
{
    Vec<4, float> rgba{1.f, 1.f, 1.f, 1.f};

    constexpr Color() = default;
    constexpr Color(float r, float g, float b, float a = 1.f) : rgba{r, g, b, a} {}
    constexpr float operator[](std::size_t i) const { return rgba[i]; }
    constexpr float& operator[](std::size_t i) { return rgba[i]; }
    friend constexpr bool operator==(const Color&, const Color&) = default;

    /// Names that the reader knows, in alphabetical order.
    static std::vector<std::string> names();
};

bool readValue(TextCursor& c, Color& v);
void writeValue(std::string& out, const Color& v);

template <>
struct TypeName<Color>
{
    static std::string get() { return "colour"; }
};

}  // namespace sofa::core
