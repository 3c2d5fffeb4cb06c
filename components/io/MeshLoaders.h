// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <map>
#include <vector>

#include "core/io/MeshReader.h"
#include "core/topology/MeshLoader.h"

namespace sofa::component {

using namespace sofa::core;

/// Base of the loaders that add nothing to what the reader of a format gives.
class FormatLoader : public MeshLoader
{
protected:
    /// The names of the formats (io::MeshFormat); a file that says it is of another one is refused. One that says
    /// nothing is of the first.
    explicit FormatLoader(std::vector<std::string_view> formats) : m_formats(std::move(formats)) {}
    io::MeshData readFile(const std::string& path, const io::MeshReadOptions& options) override;

private:
    std::vector<std::string_view> m_formats;
};

/// Loader of gmsh files, versions 1, 2 and 4, text or binary. Gmsh writes faces and edges of the border only, so those
/// inside are added unless the scene says createSubelements="0".
class MeshGmshLoader : public FormatLoader
{
public:
    MeshGmshLoader() : FormatLoader({"gmsh"}) {}

protected:
    bool addsSubelements() const override { return !d_createSubelements.isSet() || d_createSubelements.value(); }
};

/// Loader of VTK files: legacy (text or binary, polygonal data, structured and unstructured grids) and XML (.vtu,
/// .vtp).
///
/// Every field of values on points or cells becomes a Data of its name: a list of numbers, of vectors (three
/// components), or of all components in a row. A field whose name is taken already is left out.
///
/// Tetrahedra whose volume is negative, as it is in files of the other orientation, are warned about.
class MeshVTKLoader : public FormatLoader
{
public:
    Input<bool> d_flipTetra{
        this,
        {.name = "flipTetra",
         .help = "Reverse the tetrahedra: a b c d of the file becomes a b d c, which changes the sign of the volume"},
        false};
    Output<Vector<Vec2>> d_texcoords{
        this, {.name = "texcoords", .help = "Texture coordinate of each point", .unit = "1", .group = "Texturing"}};

    MeshVTKLoader() : FormatLoader({"VTK", "XML of VTK"}) {}
    void parse(ComponentDescription& desc) override;

protected:
    io::MeshData readFile(const std::string& path, const io::MeshReadOptions& options) override;
    void publish(const io::MeshData& mesh) override;

private:
    void publishField(const io::DataArray& field);
    void checkOrientation(const io::MeshData& mesh) const;
    std::map<std::string, std::unique_ptr<BaseData>> m_fields;
};

/// Loader of stereolithography files (STL), text or binary. Corners at the same place become one point.
class MeshSTLLoader : public FormatLoader
{
public:
    MeshSTLLoader() : FormatLoader({"stereolithography"})
    {
        ignoreAttribute("mergePositionUsingMap", "how equal corners are found makes no difference");
    }

    Input<Index> d_headerSize{
        this, {.name = "headerSize", .help = "Bytes before the number of facets in a binary file", .unit = "1"}, 80};
    Input<bool> d_forceBinary{
        this, {.name = "forceBinary", .help = "Read a binary file although it starts with the word solid"}, false};

protected:
    void setOptions(io::MeshReadOptions& options) const override;
};

/// Loader of object file format files (OFF), in text.
class MeshOffLoader : public FormatLoader
{
public:
    MeshOffLoader() : FormatLoader({"object file format"}) {}
};

/// Loader of a sequence of files, numbered in their names, that follow each other while the simulation runs. File k of
/// the sequence, from 0, is shown from the first step on that begins at the time (k − 1) stepDuration or later, as in
/// SOFA: the one that `filename` names is that of the initial state.
class OffSequenceLoader : public MeshOffLoader
{
public:
    Input<int> d_nbOfFiles{
        this,
        {.name = "nbOfFiles",
         .help = "Number of files in the sequence: that of filename and those with the numbers after "
                 "its own",
         .range = Range::atLeast(1.)},
        1};
    Input<double> d_stepDuration{
        this,
        {.name = "stepDuration", .help = "How long each file is shown", .unit = "s", .range = Range::positive()},
        0.04};

    OffSequenceLoader();
    /// Checks that all files are there.
    void init() override;
    void reset() override { showFile(0); }
    void archive(Archive& a) override;
    void handleEvent(const Event& e) override;

protected:
    io::MeshData makeMesh(const io::MeshReadOptions& options) override;

private:
    void showFile(std::int64_t file);
    std::int64_t m_file = 0;  ///< of the sequence
};

/// Loader of the text meshes of GiD.
class GIDMeshLoader : public FormatLoader
{
public:
    GIDMeshLoader() : FormatLoader({"GiD"}) {}
};

/// Loader of mass-spring networks (.xs3, .xsp): masses become points, springs edges.
class MeshXspLoader : public FormatLoader
{
public:
    MeshXspLoader() : FormatLoader({"mass-spring network"}) {}
};

/// Loader of tetrahedra of TetGen: files .node and .ele beside each other, of which one is named.
class MeshTetgenLoader : public FormatLoader
{
public:
    MeshTetgenLoader() : FormatLoader({"TetGen"}) {}
};

/// Loader of meshes in the neutral format of Netgen.
class MeshNetgenLoader : public FormatLoader
{
public:
    MeshNetgenLoader() : FormatLoader({"Netgen"}) {}
};

}  // namespace sofa::component
