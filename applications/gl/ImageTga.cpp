// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <cctype>
#include <cstring>
#include <filesystem>
#include <span>

#include "applications/gl/ImageReaders.h"

// The format: Truevision, "TGA File Format Specification", version 2.0.
namespace sofa::gl {

namespace {

using Bytes = std::vector<unsigned char>;

constexpr std::size_t headerSize = 18;

struct Header
{
    int mapType, type, mapFirst, mapLength, mapBits, width, height, bits, attributes;
    bool fromRight, fromTop;
    std::size_t identification;

    explicit Header(const Bytes& d)
    {
        const auto word = [&](std::size_t i) { return d[i] | d[i + 1] << 8; };
        identification = d[0];
        mapType = d[1];
        type = d[2];
        mapFirst = word(3);
        mapLength = word(5);
        mapBits = d[7];
        width = word(12);
        height = word(14);
        bits = d[16];
        attributes = d[17] & 15;
        fromRight = d[17] & 16;
        fromTop = d[17] & 32;
    }
    bool runLength() const { return type > 8; }
    /// 1: table of colours, 2: true colour, 3: grey.
    int kind() const { return type & 7; }
    /// Bits of a colour, that of the table where there is one.
    int colourBits() const { return kind() == 1 ? mapBits : bits; }
    bool isSensible() const
    {
        const bool types = type == 1 || type == 2 || type == 3 || type == 9 || type == 10 || type == 11;
        const int b = colourBits();
        const bool depth = kind() == 3 ? bits == 8 : b == 15 || b == 16 || b == 24 || b == 32;
        const bool map = kind() == 1 ? mapType == 1 && bits == 8 && mapLength > 0 : mapType < 2;
        return types && depth && map && width > 0 && height > 0 && width <= largestImage && height <= largestImage;
    }
};

/// Appends a colour of 15, 16, 24 or 32 bits, blue first in the file.
void appendColour(Bytes& out, const unsigned char* p, int bits, bool opacity)
{
    if (bits > 16) {
        out.insert(out.end(), {p[2], p[1], p[0]});
        if (opacity) out.push_back(p[3]);
        return;
    }
    const unsigned v = p[0] | static_cast<unsigned>(p[1]) << 8;
    for (const unsigned shift : {10u, 5u, 0u})
        out.push_back(static_cast<unsigned char>(((v >> shift & 31) * 255 + 15) / 31));
    if (opacity) out.push_back(v & 0x8000 ? 255 : 0);
}

/// The pixels as they are stored, runs written out.
Bytes storedPixels(const std::string& path, std::span<const unsigned char> d, const Header& h)
{
    const auto size = static_cast<std::size_t>((h.bits + 7) / 8);
    const std::size_t total = static_cast<std::size_t>(h.width) * static_cast<std::size_t>(h.height) * size;
    const auto at = [](auto n) { return static_cast<std::ptrdiff_t>(n); };
    if (!h.runLength()) {
        if (d.size() < total) failImage(path, "the file ends early");
        return Bytes(d.begin(), d.begin() + at(total));
    }
    Bytes out;
    std::size_t i = 0;
    while (out.size() < total) {
        if (i >= d.size()) failImage(path, "the file ends early");
        const bool run = d[i] & 128;
        const std::size_t n = (d[i] & 127u) + 1;
        ++i;
        const std::size_t bytes = run ? size : n * size;
        if (d.size() - i < bytes) failImage(path, "the file ends early");
        if (out.size() + n * size > total) failImage(path, "a run of pixels goes beyond the end of the image");
        for (std::size_t k = 0; k < (run ? n : 1); ++k)
            out.insert(out.end(), d.begin() + at(i), d.begin() + at(i + bytes));
        i += bytes;
    }
    return out;
}

}  // namespace

bool isTga(const std::string& path, const Bytes& d)
{
    if (d.size() < headerSize || !Header(d).isSensible()) return false;
    constexpr char mark[] = "TRUEVISION-XFILE.";
    if (d.size() >= sizeof mark && std::memcmp(d.data() + d.size() - sizeof mark, mark, sizeof mark) == 0) return true;
    std::string extension = std::filesystem::path(path).extension().string();
    std::ranges::transform(extension, extension.begin(), [](unsigned char c) { return std::tolower(c); });
    return extension == ".tga";
}

Image readTga(const std::string& path, const Bytes& d)
{
    const Header h(d);
    const int colour = h.colourBits();
    const auto mapEntry = static_cast<std::size_t>((h.mapBits + 7) / 8);
    const std::size_t mapSize = h.mapType == 1 ? static_cast<std::size_t>(h.mapLength) * mapEntry : 0;
    const std::size_t map = headerSize + h.identification, first = map + mapSize;
    if (d.size() < first) failImage(path, "the file ends early");
    const Bytes stored = storedPixels(path, std::span(d).subspan(first), h);

    const bool grey = h.kind() == 3;
    const bool opacity = !grey && ((colour == 32 && h.attributes == 8) || (colour == 16 && h.attributes == 1));
    Image image{h.width, h.height, grey ? 1 : 3 + opacity, {}};
    const std::size_t size = static_cast<std::size_t>((h.bits + 7) / 8);
    const auto width = static_cast<std::size_t>(h.width), height = static_cast<std::size_t>(h.height);
    image.pixels.reserve(width * height * static_cast<std::size_t>(image.channels));
    for (std::size_t y = 0; y < height; ++y)
        for (std::size_t x = 0; x < width; ++x) {
            const std::size_t row = h.fromTop ? y : height - 1 - y, column = h.fromRight ? width - 1 - x : x;
            const unsigned char* p = stored.data() + (row * width + column) * size;
            if (grey) {
                image.pixels.push_back(*p);
            } else if (h.kind() == 2) {
                appendColour(image.pixels, p, colour, opacity);
            } else {
                const int entry = *p - h.mapFirst;
                if (entry < 0 || entry >= h.mapLength) failImage(path, "a pixel has a colour that is not in the table");
                appendColour(image.pixels, d.data() + map + static_cast<std::size_t>(entry) * mapEntry, colour,
                             opacity);
            }
        }
    return image;
}

}  // namespace sofa::gl
