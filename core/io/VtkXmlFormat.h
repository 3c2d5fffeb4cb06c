// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <filesystem>

#include "core/io/MeshData.h"
#include "core/io/TextScanner.h"

namespace sofa::core::io {

/// Reads a VTK XML file of type UnstructuredGrid (.vtu) or PolyData (.vtp): arrays in ASCII, inline base64, or appended
/// raw or base64, plain or compressed with zlib, with 32- or 64-bit headers, in either byte order. Several pieces are
/// joined one after the other. Format: Kitware, "VTK File Formats", XML formats.
///
/// The point array that `Normals` of PointData names (or one of 3 components called "Normals") becomes `normals`,
/// the one that `TCoords` names `texCoords`; the other arrays become `pointData` and `cellData`. Cells as in VtkCells;
/// in PolyData, polygons of four corners are quads and lines of two points edges. \throws MeshError
MeshData readVtkXml(const std::filesystem::path& path);
MeshData parseVtkXml(const SourceText& source);

enum class VtkEncoding
{
    Ascii,
    Appended,
    Compressed  ///< appended, by zlib
};

/// Writes an unstructured grid (.vtu) with all cells, point and cell data, normals and texture coordinates as doubles:
/// in ASCII (numbers read back exactly) or as appended raw data. The file is complete or absent. \throws MeshError
void writeVtu(const std::filesystem::path& path, const MeshData& mesh, VtkEncoding encoding = VtkEncoding::Ascii);

}  // namespace sofa::core::io
