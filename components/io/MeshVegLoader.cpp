// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/io/MeshVegLoader.h"

#include <algorithm>
#include <utility>

#include "components/io/LoaderUtilities.h"
#include "core/factory/Registry.h"

namespace sofa::component {

namespace {

using Kind = io::VegMaterial::Kind;

const char* kindName(Kind kind)
{
    switch (kind) {
        case Kind::Isotropic:
            return "isotropic (ENU)";
        case Kind::Orthotropic:
            return "orthotropic";
        default:
            return "Mooney-Rivlin";
    }
}

/// get(material) for each element; empty unless `filled`.
template <class Get>
auto perElement(const io::VegMesh& mesh, bool filled, Get get)
{
    Vector<std::decay_t<decltype(get(mesh.materials[0]))>> values;
    if (filled)
        for (std::size_t i = 0; i < mesh.elementMaterial.size(); ++i) values.push_back(get(mesh.materialOf(i)));
    return values;
}

}  // namespace

void MeshVegLoader::parse(ComponentDescription& desc)
{
    MeshLoader::parse(desc);
    // Read now, so that links find the sets of the file.
    if (d_filename.isSet() && d_filename.linkPath().empty()) run();
}

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
    publishMaterials();
    publishSets();
    m_mesh = {};
}

void MeshVegLoader::publishMaterials()
{
    std::array<bool, 3> used{};
    for (const Index m : m_mesh.elementMaterial) used[static_cast<std::size_t>(m_mesh.materials[m].kind)] = true;
    const bool isotropic = used[0], orthotropic = used[1], mooneyRivlin = used[2];
    if (isotropic + orthotropic + mooneyRivlin > 1) {
        std::string kinds;
        for (const Kind k : {Kind::Isotropic, Kind::Orthotropic, Kind::MooneyRivlin})
            if (used[static_cast<std::size_t>(k)]) kinds += (kinds.empty() ? "" : " and ") + std::string(kindName(k));
        msgWarning() << "the mesh has " << kinds << " materials: "
                     << (mooneyRivlin ? "only their density is given"
                                      : "all are given as orthotropic, youngModulus and poissonRatio are empty");
    }
    const bool allIsotropic = isotropic && !orthotropic && !mooneyRivlin;
    const bool allMooneyRivlin = mooneyRivlin && !isotropic && !orthotropic;
    const bool linear = orthotropic && !mooneyRivlin;
    const auto list = [&](bool filled, auto get) { return perElement(m_mesh, filled, get); };
    using M = io::VegMaterial;
    d_density.setValue(list(true, [](const M& m) { return m.density; }));
    d_youngModulus.setValue(list(allIsotropic, [](const M& m) { return m.youngModulus; }));
    d_poissonRatio.setValue(list(allIsotropic, [](const M& m) { return m.poissonRatio; }));
    d_mu01.setValue(list(allMooneyRivlin, [](const M& m) { return m.mu01; }));
    d_mu10.setValue(list(allMooneyRivlin, [](const M& m) { return m.mu10; }));
    d_v1.setValue(list(allMooneyRivlin, [](const M& m) { return m.v1; }));
    d_orthotropicModuli.setValue(list(linear, [](const M& m) { return m.toOrthotropic().moduli; }));
    d_orthotropicRatios.setValue(list(linear, [](const M& m) { return m.toOrthotropic().ratios; }));
    d_orthotropicShearModuli.setValue(list(linear, [](const M& m) { return m.toOrthotropic().shearModuli; }));
    d_orthotropicAxes.setValue(list(linear, [](const M& m) { return m.axes; }));

    Vector<std::string> names;
    for (const M& m : m_mesh.materials) names.push_back(m.name);
    d_materialNames.setValue(std::move(names));
    d_materialIndices.setValue(std::exchange(m_mesh.elementMaterial, {}));
}

void MeshVegLoader::publishSets()
{
    Vector<std::string> names;
    Vector<Vector<Index>> sets;
    for (auto& [name, data] : m_setElements) data->setValue({});
    for (io::VegSet& s : m_mesh.sets) {
        const auto [it, isNew] = m_setElements.try_emplace("set_" + s.name);
        if (isNew)
            it->second = std::make_unique<Data<Vector<Index>>>(
                this, DataInfo{.name = it->first,
                               .help = "Elements of the set of this name in the file",
                               .group = "Material",
                               .readOnly = true,
                               .saved = false});
        // Of several sets of one name the first one counts, as for regions.
        if (std::find(names.begin(), names.end(), s.name) == names.end()) it->second->setValue(s.elements);
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

const RegisterComponent registered =
    RegisterComponent("MeshVegLoader", "MeshLoader", "Sofa.Component.IO.Mesh")
        .help(
            "Reads tetrahedra or hexahedra with their materials, sets and regions from a file of the Vega library "
            "(.veg)")
        .example("component/io/MeshVegLoader.scn")
        .add<MeshVegLoader>();

}  // namespace

}  // namespace sofa::component
