// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <filesystem>

#include "core/io/MeshData.h"
#include "core/io/TextScanner.h"

namespace sofa::core::io {

/// Mesh formats that readMesh knows.
enum class MeshFormat
{
    Unknown,
    Gmsh,
    Obj
};

/// The format by the file name's extension (any case), else by the first bytes of the content.
MeshFormat detectFormat(const SourceText& source);

/// Reads a mesh of any known format. options.triangulate and options.flipNormals are applied whatever the format.
/// \throws MeshError, also where the format is unknown (the message lists the known extensions).
MeshData readMesh(const std::filesystem::path& path, const MeshReadOptions& options = {});
MeshData parseMesh(const SourceText& source, const MeshReadOptions& options = {});

}  // namespace sofa::core::io
