// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/HyperelasticityFEMForceField.h"

#include <algorithm>

#include "core/factory/Registry.h"
#include "core/fem/materials/NamedMaterials.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

namespace {

Options materialOptions(std::string_view selected)
{
    std::vector<std::string> names = materials().names();
    // In SOFA's order, as scenes may give a number: its newest law is the last. Those of plugins follow.
    std::ranges::stable_sort(names, {}, [](const std::string& name) {
        const MaterialLaw law = materials().get(name)->evaluation.law;
        return law == MaterialLaw::User ? 2 : law == MaterialLaw::StableNeoHookean ? 1 : 0;
    });
    const auto index = static_cast<std::size_t>(std::ranges::find(names, selected) - names.begin());
    return {std::move(names), index};
}

/// The law of a name, and how many parameters it has. Throws std::runtime_error for one that has been withdrawn.
std::pair<MaterialEvaluation, std::size_t> lawOf(const Options& chosen)
{
    const auto m = materials().get(chosen.selected());
    return {m->evaluation, m->parameterCount};
}

}  // namespace

template <class Types>
HyperelasticityFEMForceField<Types>::HyperelasticityFEMForceField(std::string_view defaultMaterial)
    : d_materialName(this, {.name = "materialName", .help = "Law of the material; ParameterSet holds its parameters"},
                     materialOptions(defaultMaterial))
{
    this->ignoreAttribute("AnisotropyDirections",
                          "no material uses them, in SOFA neither: Costa's fibres are the axes of the mesh");
}

template <class Types>
MaterialEvaluation HyperelasticityFEMForceField<Types>::material() const
{
    MaterialEvaluation m = lawOf(d_materialName.value()).first;
    if (d_smallestStretch.value() > 0.) m.smallestStretch = d_smallestStretch.value();
    if (m.law == MaterialLaw::StableNeoHookean) m.projection = this->projectionForRecovery();
    return m;
}

template <class Types>
void HyperelasticityFEMForceField<Types>::parametersOf(Index e, Vector<double>& p) const
{
    const auto [evaluation, count] = lawOf(d_materialName.value());
    const MaterialLaw law = evaluation.law;
    const Vector<double>& given = d_parameterSet.value();
    const std::size_t first = given.size() > count ? this->slotOf(e) * count : 0;
    if (first + count > given.size())
        throw std::runtime_error("ParameterSet has " + std::to_string(given.size()) + " numbers; " +
                                 std::to_string(count) + " for all elements, or for each element, region or material " +
                                 "are needed");
    const auto from = given.begin() + static_cast<std::ptrdiff_t>(first);
    p.assign(from, from + static_cast<std::ptrdiff_t>(count));
    // Scenes give μ before λ.
    if (law == MaterialLaw::NeoHookean || law == MaterialLaw::StVenantKirchhoff || law == MaterialLaw::StableNeoHookean)
        std::swap(p[0], p[1]);
}

template <class Types>
std::vector<ElementData> HyperelasticityFEMForceField<Types>::elementValues()
{
    std::vector<ElementData> all = HyperelasticForceField<Types>::elementValues();
    const std::size_t count = lawOf(d_materialName.value()).second;
    all.push_back({&d_parameterSet, ElementData::Kind::Values, static_cast<Index>(count)});
    return all;
}

template <class Types>
void HyperelasticityFEMForceField<Types>::prepare()
{
    const std::size_t expected = lawOf(d_materialName.value()).second, given = d_parameterSet.value().size();
    if (given == 0 || given % expected != 0)
        throw std::runtime_error("ParameterSet has " + std::to_string(given) + " numbers; materialName=\"" +
                                 d_materialName.value().selected() + "\" needs " + std::to_string(expected));
    if (material().law == MaterialLaw::Costa &&
        (d_smallestStretch.value() > 0. || this->projection(TangentProjection::None) != TangentProjection::None))
        throw std::runtime_error("smallestStretch and tangentProjection are for isotropic materials, not for Costa");
    HyperelasticForceField<Types>::prepare();
}

template <class Types>
int HyperelasticityFEMForceField<Types>::quadraturePoints() const
{
    return material().law == MaterialLaw::StVenantKirchhoff ? 3 : 2;  // exact for its polynomial on affine shapes
}

template <class Types>
std::array<Color, 4> HyperelasticityFEMForceField<Types>::faceColors() const
{
    const Color green(0.f, 1.f, 0.f), yellow(1.f, 1.f, 0.f), cyan(0.f, 1.f, 1.f), magenta(1.f, 0.f, 1.f);
    switch (lawOf(d_materialName.value()).first.law) {
        case MaterialLaw::StVenantKirchhoff:
            return {Color(1.f, 0.f, 0.f), Color(1.f, 0.f, 0.5f), yellow, Color(1.f, 0.5f, 1.f)};
        case MaterialLaw::NeoHookean:
            return {cyan, Color(0.5f, 0.f, 1.f), magenta, Color(1.f, 0.5f, 1.f)};
        case MaterialLaw::MooneyRivlinLog:
            return {green, Color(0.f, 1.f, 0.5f), cyan, Color(0.5f, 1.f, 1.f)};
        default:
            return {green, Color(0.5f, 1.f, 0.f), yellow, Color(1.f, 1.f, 0.5f)};
    }
}

template class HyperelasticityFEMForceField<Vec2Types>;
template class HyperelasticityFEMForceField<Vec3Types>;

static const RegisterComponent registeredHyperelasticityFEMForceField =
    RegisterComponent("HyperelasticityFEMForceField", "ForceField", "Sofa.Component.SolidMechanics.FEM.HyperElastic")
        .help("Hyperelastic materials on elements of any kind")
        .example("component/fem/HyperelasticityFEMForceField.scn")
        .add<HyperelasticityFEMForceField, Vec3Types, Vec2Types>();

}  // namespace sofa::component
