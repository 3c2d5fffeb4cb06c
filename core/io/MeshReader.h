// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/io/MeshFormat.h"

namespace sofa::core::io {

/// The format of a file: by its content where that is sure, else by the extension of its name (any case), else by what
/// the content is likely to be; nullptr if nothing tells.
std::shared_ptr<const MeshFormat> detectFormat(const SourceText& source);

/// Reads a mesh of any registered format. options.triangulate and options.flipNormals are applied whatever the format.
/// \throws MeshError, also where the format is unknown (the message lists those that are known).
MeshData readMesh(const std::filesystem::path& path, const MeshReadOptions& options = {});
MeshData parseMesh(const SourceText& source, const MeshReadOptions& options = {});

/// The format that the extension of a name tells.
/// \throws MeshError where there is no such format, or none that can be written (the message lists those).
std::shared_ptr<const MeshFormat> formatToWrite(const std::filesystem::path& path);
/// Writes a mesh in that format. \throws MeshError
void writeMesh(const std::filesystem::path& path, const MeshData& mesh);

}  // namespace sofa::core::io
