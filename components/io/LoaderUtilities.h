// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <string_view>
#include <vector>

#include "core/io/MeshReader.h"

namespace sofa::component {

/// Throws io::MeshError if the file is recognised as one of another format than those, by their names, that the loader
/// reads.
void requireFormat(const core::io::SourceText& source, const std::vector<std::string_view>& accepted);

/// Reads a file of one of these formats. \throws io::MeshError
core::io::MeshData readAs(const std::string& path, const core::io::MeshReadOptions& options,
                          const std::vector<std::string_view>& accepted);

/// Applies the options that are independent of the format: division into triangles, then reversal of the faces.
core::io::MeshData orient(core::io::MeshData mesh, const core::io::MeshReadOptions& options);

}  // namespace sofa::component
