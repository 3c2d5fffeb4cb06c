// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <filesystem>

#include "core/io/MeshData.h"
#include "core/io/TextScanner.h"

namespace sofa::core::io {

/// Mesh formats that readMesh knows: gmsh (.msh), Wavefront (.obj), VTK legacy (.vtk) and XML (.vtu .vtp), sphere lists
/// (.sph), stereolithography (.stl), object file format (.off), polygon file format (.ply), volumetric meshes of Vega
/// (.veg), points and tetrahedra of TetGen (.node .ele).
enum class MeshFormat
{
    Unknown,
    Gmsh,
    Obj,
    VtkLegacy,
    VtkXml,
    Spheres,
    Stl,
    Off,
    Ply,
    Veg,
    TetGen
};

/// The format by the first bytes of the content where they tell, else by the file name's extension (any case).
MeshFormat detectFormat(const SourceText& source);

/// Reads a mesh of any known format. options.triangulate and options.flipNormals are applied whatever the format.
/// \throws MeshError, also where the format is unknown (the message lists the known extensions).
MeshData readMesh(const std::filesystem::path& path, const MeshReadOptions& options = {});
MeshData parseMesh(const SourceText& source, const MeshReadOptions& options = {});

}  // namespace sofa::core::io
