// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/MeshReader.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "core/io/GmshFormat.h"
#include "core/io/MeshError.h"
#include "core/io/MeshOperations.h"
#include "core/io/ObjFormat.h"
#include "core/io/PlyFormat.h"
#include "core/io/SphereFormat.h"
#include "core/io/SurfaceFormats.h"
#include "core/io/TetGenFormat.h"
#include "core/io/VegFormat.h"
#include "core/io/VtkLegacyFormat.h"
#include "core/io/VtkXmlFormat.h"

namespace sofa::core::io {

MeshFormat detectFormat(const SourceText& source)
{
    std::string ext = std::filesystem::path(source.path).extension().string();
    std::transform(ext.begin(), ext.end(), ext.begin(), [](unsigned char c) { return std::tolower(c); });
    const auto starts = [&](std::string_view s) { return std::string_view(source.text).substr(0, s.size()) == s; };
    // Both kinds of VTK file go by the name .vtk in practice.
    if (starts("# vtk DataFile")) return MeshFormat::VtkLegacy;
    if (std::string_view(source.text).substr(0, 1000).find("<VTKFile") != std::string_view::npos)
        return MeshFormat::VtkXml;
    if (starts("$MeshFormat") || starts("$NOD")) return MeshFormat::Gmsh;
    static constexpr std::pair<std::string_view, MeshFormat> extensions[] = {
        {".msh", MeshFormat::Gmsh},      {".gmsh", MeshFormat::Gmsh},  {".obj", MeshFormat::Obj},
        {".vtk", MeshFormat::VtkLegacy}, {".vtu", MeshFormat::VtkXml}, {".vtp", MeshFormat::VtkXml},
        {".sph", MeshFormat::Spheres},   {".stl", MeshFormat::Stl},    {".off", MeshFormat::Off},
        {".ply", MeshFormat::Ply},       {".veg", MeshFormat::Veg},    {".vegb", MeshFormat::Veg},
        {".node", MeshFormat::TetGen},   {".ele", MeshFormat::TetGen},
    };
    for (const auto& [name, format] : extensions)
        if (ext == name) return format;
    if (starts("ply\n") || starts("ply\r")) return MeshFormat::Ply;
    if (starts("OFF")) return MeshFormat::Off;
    if (starts("sph ")) return MeshFormat::Spheres;
    if (starts("solid")) return MeshFormat::Stl;
    return MeshFormat::Unknown;
}

MeshData parseMesh(const SourceText& source, const MeshReadOptions& options)
{
    MeshData mesh;
    switch (detectFormat(source)) {
        case MeshFormat::Gmsh:
            mesh = parseGmsh(source);
            break;
        case MeshFormat::Obj:
            mesh = parseObj(source, options);
            break;
        case MeshFormat::VtkLegacy:
            mesh = parseVtkLegacy(source, options);
            break;
        case MeshFormat::VtkXml:
            mesh = parseVtkXml(source);
            break;
        case MeshFormat::Spheres:
            mesh = parseSpheres(source);
            break;
        case MeshFormat::Stl:
            mesh = parseStl(source, options);
            break;
        case MeshFormat::Off:
            mesh = parseOff(source);
            break;
        case MeshFormat::Ply:
            mesh = parsePly(source);
            break;
        case MeshFormat::Veg:
            mesh = toMeshData(parseVeg(source));
            break;
        case MeshFormat::TetGen:
            mesh = readTetGen(source.path);
            break;
        case MeshFormat::Unknown:
            throw MeshError(source.path,
                            "the mesh format is not known; known are .msh (gmsh), .obj (Wavefront), .vtk .vtu .vtp "
                            "(VTK), .sph (spheres), .stl, .off, .ply, .veg, .vegb (Vega) and .node .ele (TetGen)");
    }
    if (options.triangulate) triangulate(mesh);
    if (options.flipNormals) flipNormals(mesh);
    return mesh;
}

MeshData readMesh(const std::filesystem::path& path, const MeshReadOptions& options)
{
    return parseMesh(loadSource(path), options);
}

}  // namespace sofa::core::io
