// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/InputLimit.h"

#include <atomic>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "core/io/MeshError.h"

namespace sofa::core::io {

namespace {

constexpr std::uint64_t usual = 4'000'000'000;
/// Zeros shrink by a factor of 1000, states of bodies at rest by some tens.
constexpr std::uint64_t largestRatio = 200, alwaysInflated = 64'000'000;

std::uint64_t initial()
{
    const char* text = std::getenv("SOFA_INPUT_LIMIT");
    return text ? parseSize(text).value_or(usual) : usual;
}

std::atomic<std::uint64_t>& limit()
{
    static std::atomic<std::uint64_t> value = initial();
    return value;
}

constexpr const char* howToRaise =
    " (docs/security.md): raise it with --input-limit or SOFA_INPUT_LIMIT if you trust the file";

}  // namespace

std::uint64_t inputLimit() { return limit(); }
void setInputLimit(std::uint64_t bytes) { limit() = bytes; }

std::optional<std::uint64_t> parseSize(std::string_view text)
{
    double value = 0.;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    while (text.starts_with(' ')) text.remove_prefix(1);
    constexpr std::pair<std::string_view, double> units[] = {{"", 1.},    {"B", 1.},   {"kB", 1e3}, {"KB", 1e3},
                                                             {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}};
    for (const auto& [unit, factor] : units)
        if (text == unit) {
            value *= factor;
            if (!(value >= 1. && value < 1e18)) return std::nullopt;
            return static_cast<std::uint64_t>(value);
        }
    return std::nullopt;
}

std::string sizeText(std::uint64_t bytes)
{
    constexpr const char* units[] = {"bytes", "kB", "MB", "GB", "TB", "PB", "EB"};
    double value = static_cast<double>(bytes);
    std::size_t unit = 0;
    for (; value >= 1000.; ++unit) value /= 1000.;
    char text[32];
    std::snprintf(text, sizeof text, "%.3g %s", value, units[unit]);
    return text;
}

void requireInputSize(const std::string& path, std::uint64_t bytes)
{
    if (bytes > inputLimit())
        throw MeshError(path, "holds more than " + sizeText(inputLimit()) + ", the limit of what is read" + howToRaise);
}

void requireInflatedSize(const std::string& path, std::uint64_t bytes, std::uint64_t compressed)
{
    requireInputSize(path, bytes);
    if (bytes <= alwaysInflated || bytes / largestRatio <= compressed) return;
    // Who raises the limit says that there is so much in it.
    if (inputLimit() > usual) return;
    throw MeshError(path, "holds more than " + std::to_string(largestRatio) + " times its " + sizeText(compressed) +
                              " when it is decompressed: it was made to fill the memory, or it "
                              "is nearly empty" +
                              howToRaise);
}

}  // namespace sofa::core::io
