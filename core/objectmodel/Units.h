// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

/// Units in the text of values: `youngModulus="3 kPa"`, `dt="5 ms"`, `translation="0 0 12 mm"`. What a Data holds stays
/// in the unit that it documents; the text is converted and its dimension checked when it is read.
namespace sofa::core {

/// A unit as a product of powers of base units and a factor num / den, kept apart so that decimal prefixes are exact.
struct Unit
{
    std::array<int, 5> dimension{};  ///< exponents of m, kg, s, rad and pixel
    double num = 1.;
    double den = 1.;
};

/// Reads a unit: "Pa", "kg/m^3", "N s/m", "mm²", "1/s", "%". Symbols are m g s N Pa J W Hz L with SI prefixes from n to
/// G, bar, min, h, rad, deg (°), px and pixel; factors are separated by white space, '*' or '·', and '/' divides by the
/// factor that follows. Empty if the text is no unit.
std::optional<Unit> parseUnit(std::string_view text);

/// True if the text contains a character that belongs to no plain list of numbers; cheap, for long lists.
bool mayContainUnits(std::string_view text);

/// Replaces the numbers of `text` that carry units by numbers in `unit` ("1": without dimension). A unit holds for all
/// numbers before it, back to the last unit. Text that contains no unit is returned as it is, whatever it is. False,
/// with the reason in `error`, if a unit is of another dimension or numbers without unit follow one.
bool convertUnits(std::string_view text, std::string_view unit, std::string& converted, std::string& error);

}  // namespace sofa::core
