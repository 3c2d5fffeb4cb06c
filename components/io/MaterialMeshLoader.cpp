// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/io/MaterialMeshLoader.h"

#include <utility>

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
auto perElement(std::span<const io::VegMaterial> materials, const Vector<Index>& indices, bool filled, Get get)
{
    Vector<std::decay_t<decltype(get(materials[0]))>> values;
    if (filled)
        for (const Index m : indices) values.push_back(get(materials[m]));
    return values;
}

}  // namespace

void MaterialMeshLoader::parse(ComponentDescription& desc)
{
    MeshLoader::parse(desc);
    if (d_filename.isSet() && d_filename.linkPath().empty()) run();
}

void MaterialMeshLoader::publishMaterials(std::span<const io::VegMaterial> materials, Vector<Index> indices)
{
    std::array<bool, 3> used{};
    bool allDense = true, allElastic = true;
    for (const Index m : indices) {
        const io::VegMaterial& material = materials[m];
        used[static_cast<std::size_t>(material.kind)] = true;
        allDense = allDense && material.density > 0.;
        allElastic = allElastic && (material.kind != Kind::Isotropic || material.youngModulus > 0.);
    }
    const bool isotropic = used[0], orthotropic = used[1], mooneyRivlin = used[2];
    if (isotropic + orthotropic + mooneyRivlin > 1) {
        std::string kinds;
        for (const Kind k : {Kind::Isotropic, Kind::Orthotropic, Kind::MooneyRivlin})
            if (used[static_cast<std::size_t>(k)]) kinds += (kinds.empty() ? "" : " and ") + std::string(kindName(k));
        msgWarning() << "the mesh has " << kinds << " materials: "
                     << (mooneyRivlin ? "only their density is given"
                                      : "all are given as orthotropic, youngModulus and poissonRatio are empty");
    }
    const bool allIsotropic = allElastic && isotropic && !orthotropic && !mooneyRivlin;
    const bool allMooneyRivlin = mooneyRivlin && !isotropic && !orthotropic;
    const bool linear = allElastic && orthotropic && !mooneyRivlin;
    const auto list = [&](bool filled, auto get) { return perElement(materials, indices, filled, get); };
    using M = io::VegMaterial;
    d_density.setValue(list(allDense, [](const M& m) { return m.density; }));
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
    for (const M& m : materials) names.push_back(m.name);
    d_materialNames.setValue(std::move(names));
    d_materialIndices.setValue(std::move(indices));
}

void MaterialMeshLoader::clearSets()
{
    for (auto& [name, data] : m_sets) data->setValue({});
}

void MaterialMeshLoader::publishSet(const std::string& data, std::string_view help, Vector<Index> members)
{
    const auto [it, isNew] = m_sets.try_emplace(data);
    if (isNew)
        it->second = std::make_unique<Data<Vector<Index>>>(
            this, DataInfo{.name = it->first, .help = help, .group = "Material", .readOnly = true, .saved = false});
    it->second->setValue(std::move(members));
}

}  // namespace sofa::component
