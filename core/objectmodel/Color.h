// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/objectmodel/DataText.h"

namespace sofa::core {

/// Red, green, blue and opacity, each in [0, 1].
///
/// Text: three or four numbers ("0.2 0.9 0.3 1"; the opacity is 1 when it is left out), hexadecimal "#rrggbb",
/// "#rrggbbaa", "#rgb" or "#rgba", or one of SOFA's names: white black red green blue cyan magenta yellow gray darkgray
/// lightgray orange purple pink brown lime teal navy olive maroon silver gold azure.
struct Color
{
    Vec4 rgba{1., 1., 1., 1.};

    constexpr Color() = default;
    constexpr Color(double r, double g, double b, double a = 1.) : rgba{r, g, b, a} {}
    friend constexpr bool operator==(const Color&, const Color&) = default;
};

bool readValue(TextCursor& c, Color& v);
void writeValue(std::string& out, const Color& v);

template <>
struct TypeName<Color>
{
    static std::string get() { return "color"; }
};

}  // namespace sofa::core
