// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/visual/ColorMap.h"

#include <algorithm>
#include <cmath>

namespace sofa::core {

namespace {

/// Colours at equal distances, linear in between.
struct Sequence
{
    std::string_view name;
    std::vector<Color> colors;
};

const std::vector<Sequence>& sequences()
{
    const Color red(1.f, 0.f, 0.f), yellow(1.f, 1.f, 0.f), green(0.f, 1.f, 0.f), cyan(0.f, 1.f, 1.f),
        blue(0.f, 0.f, 1.f), magenta(1.f, 0.f, 1.f);
    // From dark through the colour itself to pale.
    const auto shades = [](std::size_t channel) {
        Color dark(0.f, 0.f, 0.f), full(0.f, 0.f, 0.f), pale(0.7f, 0.7f, 0.7f);
        dark[channel] = 0.3f;
        full[channel] = pale[channel] = 1.f;
        return std::vector<Color>{dark, full, pale};
    };
    const auto turned = [](std::vector<Color> c) {
        std::reverse(c.begin(), c.end());
        return c;
    };
    static const std::vector<Sequence> all = {
        {"HSV", {red, yellow, green, cyan, blue, magenta, red}},
        {"Blue to Red", {blue, cyan, green, yellow, red}},
        {"Red to Blue", {red, yellow, green, cyan, blue}},
        {"Yellow to Cyan", {yellow, green, cyan}},
        {"Cyan to Yellow", {cyan, green, yellow}},
        {"Red to Yellow", {red, yellow}},
        {"Yellow to Red", {yellow, red}},
        {"Yellow to Green", {yellow, green}},
        {"Green to Yellow", {green, yellow}},
        {"Green to Cyan", {green, cyan}},
        {"Cyan to Green", {cyan, green}},
        {"Cyan to Blue", {cyan, blue}},
        {"Blue to Cyan", {blue, cyan}},
        {"Red", shades(0)},
        {"RedInv", turned(shades(0))},
        {"Green", shades(1)},
        {"GreenInv", turned(shades(1))},
        {"Blue", shades(2)},
        {"BlueInv", turned(shades(2))},
    };
    return all;
}

std::size_t indexOf(std::string_view name)
{
    const auto& all = sequences();
    return static_cast<std::size_t>(
        std::find_if(all.begin(), all.end(), [&](const Sequence& s) { return s.name == name; }) - all.begin());
}

}  // namespace

ColorMap::ColorMap(std::string_view name) : m_index(has(name) ? indexOf(name) : 0) {}

bool ColorMap::has(std::string_view name) { return indexOf(name) < sequences().size(); }

std::vector<std::string> ColorMap::names()
{
    std::vector<std::string> out;
    for (const Sequence& s : sequences()) out.emplace_back(s.name);
    return out;
}

Color ColorMap::at(double t) const
{
    const std::vector<Color>& c = sequences()[m_index].colors;
    if (!(t > 0.)) return c.front();
    if (t >= 1.) return c.back();
    const double place = t * static_cast<double>(c.size() - 1);
    const auto i = static_cast<std::size_t>(place);
    const auto s = static_cast<float>(place - static_cast<double>(i));
    Color out;
    for (std::size_t k = 0; k < 4; ++k) out[k] = c[i][k] * (1.f - s) + c[i + 1][k] * s;
    return out;
}

void ColorMap::append(Vector<Color>& out, std::span<const double> values, double low, double high) const
{
    out.reserve(out.size() + values.size());
    for (const double v : values) out.push_back(of(v, low, high));
}

}  // namespace sofa::core
