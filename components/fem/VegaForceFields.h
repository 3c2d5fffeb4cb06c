// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/fem/HyperelasticForceField.h"
#include "core/fem/materials/LinearElasticity.h"

namespace sofa::component {

/// The force models of Vega FEM with the parameters E and ν of each element, on elements of any kind.
template <class Types>
class YoungPoissonForceField : public HyperelasticForceField<Types>
{
public:
    Data<Vector<double>> d_youngModulus{this,
                                        {.name = "youngModulus",
                                         .help = "Young's modulus: one value, or one per element (region, material)",
                                         .unit = "Pa",
                                         .range = Range::nonNegative()},
                                        {1e6}};
    Data<Vector<double>> d_poissonRatio{
        this,
        {.name = "poissonRatio",
         .help = "Poisson's ratio: one value, or one per element (region, material); auxetic materials have "
                 "a negative one",
         .unit = "1",
         .range = Range::open(-1., 0.5)},
        {0.45}};

protected:
    /// Of element e. Throws std::runtime_error on invalid values.
    LameParameters lame(Index e) const;
    void parametersOf(Index e, Vector<double>& p) const override;
    std::vector<ElementData> elementValues() override
    {
        std::vector<ElementData> all = HyperelasticForceField<Types>::elementValues();
        all.insert(all.end(), {{&d_youngModulus}, {&d_poissonRatio}});
        return all;
    }
};

/// St Venant-Kirchhoff material (Vega FEM's StVK): Ψ = λ/2 tr(E)² + μ E :
/// E, E = ½ (Fᵀ F − I).
template <class Types>
class StVKFEMForceField final : public YoungPoissonForceField<Types>
{
protected:
    int quadraturePoints() const override { return 3; }  // exact for its polynomial on affine shapes
    MaterialEvaluation material() const override;
};

/// Isotropic hyperelastic materials that recover from inversion (Vega FEM's InvertibleFEM; Irving, Teran and Fedkiw
/// 2004): StVK and neoHookean with E and ν, MooneyRivlin with μ₀₁, μ₁₀, v₁.
template <class Types>
class InvertibleFEMForceField final : public YoungPoissonForceField<Types>
{
public:
    Data<Options> d_material{
        this,
        {.name = "material",
         .help = "StVK and neoHookean (youngModulus, poissonRatio) or MooneyRivlin (mu01, mu10, v1)"},
        Options({"StVK", "neoHookean", "MooneyRivlin"}, 1)};
    Data<Vector<double>> d_mu01{
        this,
        {.name = "mu01",
         .help = "Mooney-Rivlin: coefficient of the second invariant, one value or one per element (region, material)",
         .unit = "Pa"},
        {}};
    Data<Vector<double>> d_mu10{
        this,
        {.name = "mu10",
         .help = "Mooney-Rivlin: coefficient of the first invariant, one value or one per element (region, material)",
         .unit = "Pa"},
        {}};
    Data<Vector<double>> d_v1{
        this,
        {.name = "v1",
         .help = "Mooney-Rivlin: coefficient of the volume change, one value or one per element (region, material)",
         .unit = "Pa",
         .range = Range::nonNegative()},
        {}};
    Data<double> d_inversionThreshold{
        this,
        {.name = "inversionThreshold",
         .help = "Principal stretches below it are raised to it, so that inverted elements recover; a large negative "
                 "number switches this off",
         .unit = "1"},
        0.1};
    Data<double> d_compressionResistance{
        this,
        {.name = "compressionResistance",
         .help = "Factor of an additional energy against compression, times E/(1 - 2 nu); 0: none",
         .unit = "1",
         .range = Range::nonNegative()},
        0.};

protected:
    MaterialEvaluation material() const override;
    void parametersOf(Index e, Vector<double>& p) const override;
    std::vector<ElementData> elementValues() override
    {
        std::vector<ElementData> all = YoungPoissonForceField<Types>::elementValues();
        all.insert(all.end(), {{&d_mu01}, {&d_mu10}, {&d_v1}});
        return all;
    }
    void prepare() override;
};

}  // namespace sofa::component
