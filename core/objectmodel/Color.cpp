// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/objectmodel/Color.h"

#include <charconv>

namespace sofa::core {

namespace {

struct Named
{
    std::string_view name;
    Color color;
};

constexpr Named s_named[] = {
    {"white", {1., 1., 1.}},
    {"black", {0., 0., 0.}},
    {"red", {1., 0., 0.}},
    {"green", {0., 1., 0.}},
    {"blue", {0., 0., 1.}},
    {"cyan", {0., 1., 1.}},
    {"magenta", {1., 0., 1.}},
    {"yellow", {1., 1., 0.}},
    {"gray", {0.5, 0.5, 0.5}},
    {"darkgray", {0.25, 0.25, 0.25}},
    {"lightgray", {0.75, 0.75, 0.75}},
    {"orange", {1., 0.5, 0.}},
    {"purple", {0.5, 0., 0.5}},
    {"pink", {1., 0., 0.5}},
    {"brown", {0.6, 0.3, 0.}},
    {"lime", {0.5, 1., 0.}},
    {"teal", {0., 0.5, 0.5}},
    {"navy", {0., 0., 0.5}},
    {"olive", {0.5, 0.5, 0.}},
    {"maroon", {0.5, 0., 0.}},
    {"silver", {0.75, 0.75, 0.75}},
    {"gold", {1., 0.84, 0.}},
    {"azure", {0., 0.5, 1.}},
};

/// Value of "#" and 6 or 8 digits, or 3 or 4 that stand for two equal ones each; false if `t` is not that.
bool readHexadecimal(std::string_view t, Color& v)
{
    const std::size_t digits = t.size() - 1;
    if (digits != 3 && digits != 4 && digits != 6 && digits != 8) return false;
    const std::size_t width = digits < 6 ? 1 : 2;
    Color c;
    for (std::size_t i = 0; i < digits / width; ++i) {
        const char* first = t.data() + 1 + i * width;
        unsigned n = 0;
        const auto r = std::from_chars(first, first + width, n, 16);
        if (r.ec != std::errc() || r.ptr != first + width) return false;
        c.rgba[i] = (width == 1 ? n * 17 : n) / 255.;
    }
    v = c;
    return true;
}

}  // namespace

bool readValue(TextCursor& c, Color& v)
{
    c.skipSpace();
    const std::string_view t = TextCursor(c.rest()).token();
    if (!t.empty() && t[0] == '#') {
        if (!readHexadecimal(t, v)) return c.fail("a color as #rrggbb or #rrggbbaa");
        c.advance(t.size());
        return true;
    }
    for (const Named& n : s_named) {
        if (n.name != t) continue;
        v = n.color;
        c.advance(t.size());
        return true;
    }
    double probe = 0.;
    if (TextCursor number(c.rest()); !readValue(number, probe))
        return c.fail("a color: 3 or 4 numbers, #rrggbb, or a name such as red");
    Color k;
    for (std::size_t i = 0; i < 3; ++i)
        if (!readValue(c, k.rgba[i])) return false;
    if (!c.atEnd() && !readValue(c, k.rgba[3])) return false;
    v = k;
    return true;
}

void writeValue(std::string& out, const Color& v) { writeValue(out, v.rgba); }

}  // namespace sofa::core
