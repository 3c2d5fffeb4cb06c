// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <string>
#include <vector>

namespace sofa::gl {

/// An image: rows from above, without padding.
struct Image
{
    int width = 0, height = 0;
    int channels = 3;                   ///< 1 grey, 2 grey and opacity, 3 RGB, 4 RGBA
    std::vector<unsigned char> pixels;  ///< width × height × channels

    const unsigned char* at(int x, int y) const
    {
        return pixels.data() +
               (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)) *
                   static_cast<std::size_t>(channels);
    }
    bool empty() const { return pixels.empty(); }
};

/// Reads PNG, JPEG, TIFF, TGA, BMP (24 and 32 bit), PPM/PGM (binary), whatever the name ends in (older files of TGA
/// have no mark: their name must end in .tga). Throws std::runtime_error that names the file.
Image readImage(const std::string& path);
/// Writes PNG, JPEG or PPM, by the extension of the file name (.png, .jpg, .jpeg, .ppm). Throws std::runtime_error.
void writeImage(const std::string& path, const Image& image);
/// Whether writeImage knows the extension.
bool isImageName(const std::string& path);

}  // namespace sofa::gl
