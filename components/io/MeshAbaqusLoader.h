// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/io/MaterialMeshLoader.h"
#include "core/io/AbaqusFormat.h"

namespace sofa::component {

using namespace sofa::core;

/// Loader of input files of Abaqus and CalculiX (.inp): the mesh, its sets and the materials of its elements. What the
/// reader makes of the format is described in core/io/AbaqusFormat.h.
///
/// Material lists belong to the elements of one kind, the first of tetrahedra, hexahedra, prisms, pyramids, triangles,
/// quads and edges that the mesh has. Each element set becomes a Data set_<name> with its elements of that kind, and
/// set_<name>_triangles and so on with those of others; each node set a Data nodes_<name> with its points. Points and
/// blanks in names become '_'.
class MeshAbaqusLoader : public MaterialMeshLoader
{
public:
    Output<Vector<std::string>> d_setNames{this, property("setNames", "Names of the sets of elements", {})};
    Output<Vector<Vector<Index>>> d_sets{
        this, property("sets", "Elements of each set, of the kind that the material lists are for", {})};
    Output<Vector<std::string>> d_nodeSetNames{this, property("nodeSetNames", "Names of the sets of points", {})};
    Output<Vector<Vector<Index>>> d_nodeSets{this, property("nodeSets", "Points of each set", {})};

protected:
    io::MeshData readFile(const std::string& path, const io::MeshReadOptions& options) override;
    void publish(const io::MeshData& mesh) override;

private:
    void publishMaterialsOf(const io::MeshData& mesh, io::CellKind kind);
    void publishSets(const io::MeshData& mesh, io::CellKind kind);

    std::vector<io::VegMaterial> m_materials;  ///< what was read, until it is published
};

}  // namespace sofa::component
