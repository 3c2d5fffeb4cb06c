// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <map>

#include "core/io/MeshReader.h"
#include "core/topology/MeshLoader.h"

namespace sofa::component {

using namespace sofa::core;

/// Loader of gmsh files, versions 1, 2 and 4, text or binary. Gmsh writes faces and edges of the border only, so those
/// inside are added unless the scene says createSubelements="0".
class MeshGmshLoader : public MeshLoader
{
protected:
    bool addsSubelements() const override { return !d_createSubelements.isSet() || d_createSubelements.value(); }
    io::MeshData readFile(const std::string& path, const io::MeshReadOptions& options) override;
};

/// Loader of VTK files: legacy (text or binary, polygonal data, structured and unstructured grids) and XML (.vtu,
/// .vtp).
///
/// Every field of values on points or cells becomes a Data of its name: a list of numbers, of vectors (three
/// components), or of all components in a row. A field whose name is taken already is left out.
class MeshVTKLoader : public MeshLoader
{
public:
    void parse(ComponentDescription& desc) override;

protected:
    io::MeshData readFile(const std::string& path, const io::MeshReadOptions& options) override;
    void publish(const io::MeshData& mesh) override;

private:
    void publishField(const io::DataArray& field);
    std::map<std::string, std::unique_ptr<BaseData>> m_fields;
};

/// Loader of stereolithography files (STL), text or binary. Corners at the same place become one point.
class MeshSTLLoader : public MeshLoader
{
public:
    Input<Index> d_headerSize{
        this, {.name = "headerSize", .help = "Bytes before the number of facets in a binary file", .unit = "1"}, 80};
    Input<bool> d_forceBinary{
        this, {.name = "forceBinary", .help = "Read a binary file although it starts with the word solid"}, false};
    Data<bool> d_mergePositionUsingMap{
        this,
        {.name = "mergePositionUsingMap",
         .help = "Accepted for scenes of SOFA: how corners are merged makes no difference"},
        true};

protected:
    io::MeshData readFile(const std::string& path, const io::MeshReadOptions& options) override;
    void setOptions(io::MeshReadOptions& options) const override;
};

/// Loader of object file format files (OFF), in text.
class MeshOffLoader : public MeshLoader
{
protected:
    io::MeshData readFile(const std::string& path, const io::MeshReadOptions& options) override;
};

}  // namespace sofa::component
