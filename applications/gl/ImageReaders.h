// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "applications/gl/Image.h"

/// Readers that readImage chooses from. They throw std::runtime_error that names the file.
namespace sofa::gl {

/// Largest number of pixels along a side.
inline constexpr int largestImage = 32768;

[[noreturn]] void failImage(const std::string& path, const std::string& what);

/// Whether these are the first bytes of a TIFF file.
bool isTiff(const std::vector<unsigned char>& start);
/// TIFF of any kind that libtiff makes 8-bit pixels of; of several images in the file the first one.
Image readTiff(const std::string& path);

/// Whether the file has the mark of Truevision's files of 1989 and later at its end, or a header that is one and the
/// extension .tga: older ones have no mark.
bool isTga(const std::string& path, const std::vector<unsigned char>& content);
/// TGA: grey (8 bits), true colour (15, 16, 24, 32) or a table of colours, plain or run-length encoded.
Image readTga(const std::string& path, const std::vector<unsigned char>& content);

}  // namespace sofa::gl
