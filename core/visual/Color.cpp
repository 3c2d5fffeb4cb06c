// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/visual/Color.h"

#include "core/log/Message.h"

namespace sofa::core {

namespace {

const std::map<std::string, Color, std::less<>>& namedColors()
{
    static const std::map<std::string, Color, std::less<>> colors = {
        {"azure", {0.f, 0.5f, 1.f}},  {"black", {0.f, 0.f, 0.f}},
        {"blue", {0.f, 0.f, 1.f}},    {"brown", {0.6f, 0.3f, 0.f}},
        {"cyan", {0.f, 1.f, 1.f}},    {"darkgray", {0.25f, 0.25f, 0.25f}},
        {"gold", {1.f, 0.84f, 0.f}},  {"gray", {0.5f, 0.5f, 0.5f}},
        {"green", {0.f, 1.f, 0.f}},   {"lightgray", {0.75f, 0.75f, 0.75f}},
        {"lime", {0.5f, 1.f, 0.f}},   {"magenta", {1.f, 0.f, 1.f}},
        {"maroon", {0.5f, 0.f, 0.f}}, {"navy", {0.f, 0.f, 0.5f}},
        {"olive", {0.5f, 0.5f, 0.f}}, {"orange", {1.f, 0.5f, 0.f}},
        {"pink", {1.f, 0.f, 0.5f}},   {"purple", {0.5f, 0.f, 0.5f}},
        {"red", {1.f, 0.f, 0.f}},     {"silver", {0.75f, 0.75f, 0.75f}},
        {"teal", {0.f, 0.5f, 0.5f}},  {"white", {1.f, 1.f, 1.f}},
        {"yellow", {1.f, 1.f, 0.f}},
    };
    return colors;
}

int hexDigit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/// "#rgb", "#rgba", "#rrggbb" or "#rrggbbaa".
bool readHexadecimal(std::string_view text, Color& out)
{
    const std::string_view digits = text.substr(1);
    const std::size_t n = digits.size();
    if (n != 3 && n != 4 && n != 6 && n != 8) return false;
    const std::size_t width = n > 4 ? 2 : 1;
    Color v;
    for (std::size_t i = 0; i < n / width; ++i) {
        int value = 0;
        for (std::size_t k = 0; k < width; ++k) {
            const int d = hexDigit(digits[i * width + k]);
            if (d < 0) return false;
            value = 16 * value + d;
        }
        v[i] = static_cast<float>(width == 1 ? 17 * value : value) / 255.f;
    }
    out = v;
    return true;
}

}  // namespace

std::vector<std::string> Color::names()
{
    std::vector<std::string> out;
    for (const auto& [name, color] : namedColors()) out.push_back(name);
    return out;
}

bool readValue(TextCursor& c, Color& v)
{
    c.skipSpace();
    const char first = c.peek();
    if (first == '#') {
        const std::string_view text = c.token();
        return readHexadecimal(text, v) || c.fail("a colour as #rgb, #rrggbb or #rrggbbaa");
    }
    if ((first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z')) {
        const std::string name(c.token());
        const auto it = namedColors().find(name);
        if (it == namedColors().end())
            return c.fail("numbers, #rrggbb or the name of a colour" + didYouMean(name, Color::names()));
        v = it->second;
        return true;
    }
    Color out;
    for (std::size_t i = 0; i < 4; ++i) {
        if (i == 3 && c.atEnd()) break;
        if (!readValue(c, out[i])) return false;
    }
    v = out;
    return true;
}

void writeValue(std::string& out, const Color& v) { writeValue(out, v.rgba); }

}  // namespace sofa::core
