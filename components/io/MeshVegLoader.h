// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/io/MaterialMeshLoader.h"

namespace sofa::component {

using namespace sofa::core;

/// Loader of the volumetric meshes of the Vega library (.veg): tetrahedra or hexahedra with their materials. What the
/// reader makes of the format is described in core/io/VegFormat.h.
///
/// Each set also becomes a Data set_<name> with its elements.
class MeshVegLoader : public MaterialMeshLoader
{
public:
    Output<Vector<std::string>> d_setNames{
        this, property("setNames", "Names of the sets of elements; the first one, allElements, has all", {})};
    Output<Vector<Vector<Index>>> d_sets{this, property("sets", "Elements of each set", {})};
    Output<Vector<Index>> d_regionSets{this, property("regionSets", "Set of each region: index in setNames", {})};
    Output<Vector<Index>> d_regionMaterials{
        this, property("regionMaterials", "Material of each region: index in materialNames", {})};

protected:
    io::MeshData readFile(const std::string& path, const io::MeshReadOptions& options) override;
    void publish(const io::MeshData& mesh) override;

private:
    void publishSets();

    io::VegMesh m_mesh;  ///< what was read, until it is published
};

}  // namespace sofa::component
