// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <filesystem>

#include "core/math/Mat.h"

namespace sofa::core::io {

/// Reads an affine map as a 4 × 4 matrix that acts on columns (x, y, z, 1). By the extension of the file:
///   .trm        a line with the translation, then three lines with the rows of the linear part;
///   .xfm, .txt  four lines with the rows of the matrix;
///   .tfm        the twelve numbers of the line "Parameters: ..." of an ITK transform: the rows of the linear part,
///   then
///               the translation. (SOFA reads the translation from back to front.)
/// \throws std::runtime_error (MeshError) with the place in the file.
Mat<4, 4> readTransform(const std::filesystem::path& path);

}  // namespace sofa::core::io
