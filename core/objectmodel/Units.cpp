// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/objectmodel/Units.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/objectmodel/DataText.h"

namespace sofa::core {

namespace {

struct Symbol
{
    std::string_view name;
    bool prefixes;
    Unit unit;
};

constexpr double pi = std::numbers::pi;

// Dimensions: m, kg, s, rad, pixel.
constexpr std::array<Symbol, 19> symbols{{{"m", true, {{1, 0, 0, 0, 0}, 1., 1.}},
                                          {"g", true, {{0, 1, 0, 0, 0}, 1., 1000.}},
                                          {"s", true, {{0, 0, 1, 0, 0}, 1., 1.}},
                                          {"N", true, {{1, 1, -2, 0, 0}, 1., 1.}},
                                          {"Pa", true, {{-1, 1, -2, 0, 0}, 1., 1.}},
                                          {"J", true, {{2, 1, -2, 0, 0}, 1., 1.}},
                                          {"W", true, {{2, 1, -3, 0, 0}, 1., 1.}},
                                          {"Hz", true, {{0, 0, -1, 0, 0}, 1., 1.}},
                                          {"L", true, {{3, 0, 0, 0, 0}, 1., 1000.}},
                                          {"l", true, {{3, 0, 0, 0, 0}, 1., 1000.}},
                                          {"bar", false, {{-1, 1, -2, 0, 0}, 1e5, 1.}},
                                          {"min", false, {{0, 0, 1, 0, 0}, 60., 1.}},
                                          {"h", false, {{0, 0, 1, 0, 0}, 3600., 1.}},
                                          {"rad", false, {{0, 0, 0, 1, 0}, 1., 1.}},
                                          {"deg", false, {{0, 0, 0, 1, 0}, pi, 180.}},
                                          {"°", false, {{0, 0, 0, 1, 0}, pi, 180.}},
                                          {"px", false, {{0, 0, 0, 0, 1}, 1., 1.}},
                                          {"pixel", false, {{0, 0, 0, 0, 1}, 1., 1.}},
                                          {"%", false, {{0, 0, 0, 0, 0}, 1., 100.}}}};

struct Prefix
{
    std::string_view name;
    double num, den;
};
constexpr std::array<Prefix, 11> prefixes{{{"n", 1., 1e9},
                                           {"u", 1., 1e6},
                                           {"µ", 1., 1e6},  // micro sign
                                           {"μ", 1., 1e6},  // Greek mu
                                           {"m", 1., 1e3},
                                           {"c", 1., 1e2},
                                           {"d", 1., 10.},
                                           {"h", 1e2, 1.},
                                           {"k", 1e3, 1.},
                                           {"M", 1e6, 1.},
                                           {"G", 1e9, 1.}}};

std::optional<Unit> symbol(std::string_view name)
{
    for (const Symbol& s : symbols)
        if (s.name == name) return s.unit;
    for (const Prefix& p : prefixes) {
        if (!name.starts_with(p.name)) continue;
        for (const Symbol& s : symbols) {
            if (!s.prefixes || s.name != name.substr(p.name.size())) continue;
            Unit u = s.unit;
            u.num *= p.num;
            u.den *= p.den;
            return u;
        }
    }
    return {};
}

bool isSpace(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

/// Takes `mark` from the beginning of the text if it stands there.
bool take(std::string_view& text, std::string_view mark)
{
    if (!text.starts_with(mark)) return false;
    text.remove_prefix(mark.size());
    return true;
}

/// The exponent behind a symbol: "^2", "^-1", "²", "³", or none, which is 1. Zero if it is malformed.
int takeExponent(std::string_view& text)
{
    if (take(text, "²")) return 2;
    if (take(text, "³")) return 3;
    if (!take(text, "^")) return 1;
    int n = 0;
    const auto r = std::from_chars(text.data(), text.data() + text.size(), n);
    if (r.ec != std::errc() || n < -9 || n > 9) return 0;
    text.remove_prefix(static_cast<std::size_t>(r.ptr - text.data()));
    return n;
}

/// Length of the symbol at the beginning of the text.
std::size_t symbolLength(std::string_view text)
{
    std::size_t n = 0;
    while (n < text.size() && !isSpace(text[n]) && std::string_view("*/^").find(text[n]) == std::string_view::npos) {
        const std::string_view rest = text.substr(n);
        if (rest.starts_with("²") || rest.starts_with("³") || rest.starts_with("·")) break;
        ++n;
    }
    return n;
}

/// The number at the beginning of the text, with a leading '+'; its length, or 0 if there is none.
std::size_t numberAt(std::string_view text, double& v)
{
    const std::size_t sign = text.starts_with('+') ? 1 : 0;
    // "nan", "inf" and their kin begin with letters: they are no numbers here.
    const std::size_t first = text.find_first_not_of("+-");
    if (first == std::string_view::npos ||
        (!std::isdigit(static_cast<unsigned char>(text[first])) && text[first] != '.'))
        return 0;
    const auto r = std::from_chars(text.data() + sign, text.data() + text.size(), v);
    return r.ec == std::errc() ? static_cast<std::size_t>(r.ptr - text.data()) : 0;
}

/// Beginning of a unit, as opposed to a number: "1/s" is a unit.
bool startsUnit(std::string_view text)
{
    double v = 0.;
    if (text.starts_with("1/") && text.size() > 2 && !std::isdigit(static_cast<unsigned char>(text[2]))) return true;
    return numberAt(text, v) == 0;
}

}  // namespace

std::optional<Unit> parseUnit(std::string_view text)
{
    Unit u;
    bool divide = false, any = false;
    while (true) {
        while (!text.empty() && isSpace(text.front())) text.remove_prefix(1);
        if (text.empty()) break;
        if (take(text, "*") || take(text, "·")) continue;
        if (take(text, "/")) {
            if (divide) return {};
            divide = true;
            continue;
        }
        const std::size_t n = symbolLength(text);
        const std::string_view name = text.substr(0, n);
        text.remove_prefix(n);
        any = true;
        if (name == "1" && !divide) continue;
        const auto s = symbol(name);
        int exponent = takeExponent(text);
        if (!s || exponent == 0) return {};
        if (divide) exponent = -exponent;
        divide = false;
        for (std::size_t k = 0; k < u.dimension.size(); ++k) u.dimension[k] += exponent * s->dimension[k];
        for (int k = 0; k < std::abs(exponent); ++k) {
            u.num *= exponent > 0 ? s->num : s->den;
            u.den *= exponent > 0 ? s->den : s->num;
        }
    }
    if (!any || divide) return {};
    return u;
}

bool mayContainUnits(std::string_view text)
{
    return std::any_of(text.begin(), text.end(), [](char c) {
        const bool ofNumbers = (c >= '0' && c <= '9') || isSpace(c) || c == '.' || c == '-' || c == '+' || c == 'e' ||
                               c == 'E' || c == ',' || c == '[' || c == ']' || c == ';';
        return !ofNumbers;
    });
}

bool convertUnits(std::string_view text, std::string_view unit, std::string& converted, std::string& error)
{
    converted.assign(text);
    const auto own = parseUnit(unit);
    if (!own) return true;

    std::string out;
    std::vector<double> pending;  // numbers that wait for their unit
    bool found = false;
    std::string_view rest = text;
    while (true) {
        while (!rest.empty() && isSpace(rest.front())) rest.remove_prefix(1);
        if (rest.empty()) break;
        double v = 0.;
        if (!startsUnit(rest)) {
            rest.remove_prefix(numberAt(rest, v));
            pending.push_back(v);
            continue;
        }
        // Everything up to the next word that is a number.
        std::size_t end = 0;
        while (end < rest.size()) {
            while (end < rest.size() && !isSpace(rest[end])) ++end;
            std::size_t next = end;
            while (next < rest.size() && isSpace(rest[next])) ++next;
            if (next == rest.size() || !startsUnit(rest.substr(next))) break;
            end = next;
        }
        const std::string_view name = rest.substr(0, end);
        const auto u = parseUnit(name);
        if (!u || pending.empty()) return true;  // some other text, with its own message
        rest.remove_prefix(end);
        if (u->dimension != own->dimension) {
            error = own->dimension == Unit().dimension
                        ? "expected a number without unit, found the unit '" + std::string(name) + "'"
                        : "expected a unit such as '" + std::string(unit) + "', found '" + std::string(name) +
                              "', which measures something else";
            return false;
        }
        for (const double p : pending) {
            if (!out.empty()) out += ' ';
            out += toText(p * (u->num * own->den) / (u->den * own->num));
        }
        pending.clear();
        found = true;
    }
    if (!found) return true;
    if (!pending.empty()) {
        error = "expected a unit behind the last number, as behind those before it, or one unit behind all of them";
        return false;
    }
    converted = std::move(out);
    return true;
}

}  // namespace sofa::core
