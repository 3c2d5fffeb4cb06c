// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/io/MeshVegLoader.h"

#include <algorithm>
#include <utility>

#include "components/io/LoaderUtilities.h"
#include "core/factory/Registry.h"

namespace sofa::component {

io::MeshData MeshVegLoader::readFile(const std::string& path, const io::MeshReadOptions& options)
{
    m_mesh = {};
    const io::SourceText source = io::loadSource(path);
    requireFormat(source, {"Vega"});
    m_mesh = io::parseVeg(source);
    return orient(io::toMeshData(m_mesh), options);
}

void MeshVegLoader::publish(const io::MeshData& mesh)
{
    // Where something failed after the file was read, there is no mesh, and no materials belong to it.
    if (mesh.positions.empty()) m_mesh = {};
    publishMaterials(m_mesh.materials, std::move(m_mesh.elementMaterial));
    publishSets();
    m_mesh = {};
}

void MeshVegLoader::publishSets()
{
    Vector<std::string> names;
    Vector<Vector<Index>> sets;
    clearSets();
    for (io::VegSet& s : m_mesh.sets) {
        // Of several sets of one name the first one counts, as for regions.
        if (std::ranges::find(names, s.name) == names.end())
            publishSet("set_" + s.name, "Elements of the set of this name in the file", s.elements);
        names.push_back(s.name);
        sets.push_back(std::move(s.elements));
    }
    d_setNames.setValue(std::move(names));
    d_sets.setValue(std::move(sets));
    Vector<Index> regionSets, regionMaterials;
    for (const io::VegRegion& r : m_mesh.regions) {
        regionSets.push_back(r.set);
        regionMaterials.push_back(r.material);
    }
    d_regionSets.setValue(std::move(regionSets));
    d_regionMaterials.setValue(std::move(regionMaterials));
}

namespace {

const RegisterComponent registeredMeshVegLoader =
    RegisterComponent("MeshVegLoader", "MeshLoader", "Sofa.Component.IO.Mesh")
        .help(
            "Reads tetrahedra or hexahedra with their materials, sets and regions from a file of the Vega library "
            "(.veg)")
        .example("component/io/MeshVegLoader.scn")
        .add<MeshVegLoader>();

}  // namespace

}  // namespace sofa::component
