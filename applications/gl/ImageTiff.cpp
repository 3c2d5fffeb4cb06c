// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <tiffio.h>

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "applications/gl/ImageReaders.h"
#include "core/io/InputLimit.h"

namespace sofa::gl {

namespace {

/// What libtiff says is wrong goes into a string.
int keepError(TIFF*, void* text, const char*, const char* format, va_list arguments)
{
    char line[256];
    std::vsnprintf(line, sizeof line, format, arguments);
    *static_cast<std::string*>(text) = line;
    return 1;
}
int passOver(TIFF*, void*, const char*, const char*, va_list) { return 1; }

struct Close
{
    void operator()(TIFF* t) const { TIFFClose(t); }
    void operator()(TIFFOpenOptions* o) const { TIFFOpenOptionsFree(o); }
};

}  // namespace

bool isTiff(const std::vector<unsigned char>& start)
{
    using Mark = std::array<unsigned char, 4>;
    constexpr Mark marks[] = {{'I', 'I', '*', 0}, {'M', 'M', 0, '*'}, {'I', 'I', '+', 0}, {'M', 'M', 0, '+'}};
    return start.size() >= 4 &&
           std::ranges::any_of(marks, [&](const Mark& m) { return std::equal(m.begin(), m.end(), start.begin()); });
}

Image readTiff(const std::string& path)
{
    std::string error = "cannot be read";
    const std::unique_ptr<TIFFOpenOptions, Close> options(TIFFOpenOptionsAlloc());
    TIFFOpenOptionsSetErrorHandlerExtR(options.get(), keepError, &error);
    TIFFOpenOptionsSetWarningHandlerExtR(options.get(), passOver, nullptr);
    const std::unique_ptr<TIFF, Close> file(TIFFOpenExt(path.c_str(), "r", options.get()));
    if (!file) failImage(path, error);

    std::uint32_t width = 0, height = 0;
    std::uint16_t samples = 1, photometric = 0, extra = 0, *kinds = nullptr;
    TIFFGetField(file.get(), TIFFTAG_IMAGEWIDTH, &width);
    TIFFGetField(file.get(), TIFFTAG_IMAGELENGTH, &height);
    constexpr std::uint64_t mostPixels = 1 << 28;
    if (width < 1 || height < 1 || std::uint64_t{width} * height > mostPixels)
        failImage(path, "its size is not sensible");
    TIFFGetFieldDefaulted(file.get(), TIFFTAG_SAMPLESPERPIXEL, &samples);
    TIFFGetField(file.get(), TIFFTAG_PHOTOMETRIC, &photometric);
    TIFFGetFieldDefaulted(file.get(), TIFFTAG_EXTRASAMPLES, &extra, &kinds);
    const bool opacity =
        extra > 0 && kinds && (kinds[0] == EXTRASAMPLE_ASSOCALPHA || kinds[0] == EXTRASAMPLE_UNASSALPHA);
    const bool grey = photometric == PHOTOMETRIC_MINISBLACK || photometric == PHOTOMETRIC_MINISWHITE;

    core::io::requireInflatedSize(path, std::uint64_t{width} * height * 4, std::filesystem::file_size(path));
    std::vector<std::uint32_t> pixels(static_cast<std::size_t>(width) * height);
    if (!TIFFReadRGBAImageOriented(file.get(), width, height, pixels.data(), ORIENTATION_TOPLEFT, 1))
        failImage(path, error);
    Image image{static_cast<int>(width), static_cast<int>(height), (grey ? 1 : 3) + opacity, {}};
    image.pixels.reserve(pixels.size() * static_cast<std::size_t>(image.channels));
    for (const std::uint32_t p : pixels) {
        const unsigned alpha = TIFFGetA(p);
        // libtiff multiplies the colours by the opacity.
        const auto straight = [&](unsigned c) {
            if (opacity && alpha > 0) c = std::min(255u, (c * 255 + alpha / 2) / alpha);
            return static_cast<unsigned char>(c);
        };
        image.pixels.push_back(straight(TIFFGetR(p)));
        if (!grey) {
            image.pixels.push_back(straight(TIFFGetG(p)));
            image.pixels.push_back(straight(TIFFGetB(p)));
        }
        if (opacity) image.pixels.push_back(static_cast<unsigned char>(alpha));
    }
    return image;
}

}  // namespace sofa::gl
