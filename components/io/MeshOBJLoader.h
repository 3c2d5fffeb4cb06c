// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <map>

#include "core/topology/MeshLoader.h"
#include "core/visual/Material.h"

namespace sofa::component {

using namespace sofa::core;

/// Loader of Wavefront OBJ files with their material libraries, texture coordinates and normals. What the reader makes
/// of the format is described in core/io/ObjFormat.h.
class MeshOBJLoader : public MeshLoader
{
public:
    Input<bool> d_handleSeams{
        this,
        {.name = "handleSeams",
         .help = "Make one point for each distinct position, texture coordinate and normal, so that "
                 "textures may have seams and surfaces sharp edges"},
        false};
    Input<bool> d_loadMaterial{this, {.name = "loadMaterial", .help = "Read the material libraries"}, true};
    Output<Material> d_defaultMaterial{this, result("defaultMaterial", "First material that a face uses", "Shading")};
    Output<Vector<Material>> d_materials{this, result("materials", "Materials of the libraries", "Shading")};
    Output<Vector<Vector<int>>> d_faceList{
        this, result("faceList", "Faces and lines as the file gives them: places of their corners", "Geometry")};
    Output<Vector<Vector<int>>> d_texcoordsIndex{
        this, result("texcoordsIndex", "Their texture coordinates; -1: none", "Texturing")};
    Output<Vector<Vec3>> d_positionsDefinition{
        this, result("positionsDefinition", "Positions as the file gives them, transformed", "Geometry", "m")};
    Output<Vector<Vec2>> d_texcoordsDefinition{
        this, result("texcoordsDefinition", "Texture coordinates as the file gives them", "Texturing", "1")};
    Output<Vector<Vector<int>>> d_normalsIndex{this, result("normalsIndex", "Their normals; -1: none", "Geometry")};
    Output<Vector<Vec3>> d_normalsDefinition{
        this, result("normalsDefinition", "Normals as the file gives them", "Geometry", "1")};
    Output<Vector<Vec2>> d_texcoords{
        this, result("texcoords", "Texture coordinate of each point, for visual models", "Texturing", "1")};
    Input<bool> d_computeMaterialFaces{
        this,
        {.name = "computeMaterialFaces",
         .help = "Add a Data material_<name>_<kind>Indices with the faces of each material and kind (edge, triangle, "
                 "quad)"},
        false};
    Output<Vector<int>> d_vertPosIdx{
        this, result("vertPosIdx", "With handleSeams: position in the file of each point", "Geometry")};
    Output<Vector<int>> d_vertNormIdx{
        this,
        result("vertNormIdx", "With handleSeams: equal for points of one position with the same normal", "Geometry")};

    MeshOBJLoader();
    void parse(ComponentDescription& desc) override;

protected:
    io::MeshData readFile(const std::string& path, const io::MeshReadOptions& options) override;
    void setOptions(io::MeshReadOptions& options) const override;
    void publish(const io::MeshData& mesh) override;

private:
    static DataInfo result(std::string_view name, std::string_view help, std::string_view group,
                           std::string_view unit = {})
    {
        return {.name = name, .help = help, .unit = unit, .group = group};
    }
    void publishFaces(const io::MeshData& mesh);
    void publishMaterialFaces(const io::MeshData& mesh);

    /// Faces by material and kind. The name of a Data is the key here, which lives as long as the Data.
    std::map<std::string, std::unique_ptr<Data<Vector<Index>>>> m_materialFaces;
};

}  // namespace sofa::component
