// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/fem/LinearElasticForceField.h"
#include "core/math/Decompositions.h"

namespace sofa::component {

/// What heat adds to an elastic body of tetrahedra: with the temperature T of each point, the strain that a tetrahedron
/// has without stress is ε_T = α (T̄ − T₀) I, T̄ the mean of its points. It acts beside the force field of the material,
/// with the same Young's modulus and Poisson's ratio: the energy of both together is ½ (ε − ε_T) : C : (ε − ε_T), of
/// which this component has all but ½ ε : C : ε,
///
///     U = Σ V (−p tr ε + 9/2 κ α² (T̄ − T₀)²),   p = 3 κ α (T̄ − T₀),   κ = λ + ⅔ μ        [J]
///     f_k = V p R ∇N_k                                                                    [N]
///
/// (O. Zienkiewicz, R. Taylor, The Finite Element Method, vol. 1, 2000, section 2.2.3, initial strains; B. Boley,
/// J. Weiner, Theory of Thermal Stresses, 1960). With method `polar` tr ε = tr(RᵀF) − 3 with the rotation R of the
/// polar decomposition F = R S, and forces and stiffness are exact derivatives of that; `small` takes R = I, for force
/// fields of small displacements. A free body expands by α (T − T₀) without stress, in linear and corotational
/// elasticity exactly; in hyperelastic laws, whose stiffness is κ at small strains only, up to terms of second order in
/// that.
///
/// Its stress is that of the whole body, C : (ε − ε_T): that of the material's force field leaves the heat out.
class ThermalExpansionForceField final : public LinearElasticForceField<Vec3Types>
{
public:
    Data<Options> d_method{
        this,
        {.name = "method",
         .help = "polar: expands along axes that turn with each element; small: along fixed ones, for the force "
                 "fields of small displacements"},
        Options({"polar", "small"})};
    Data<Vector<Vec<1>>> d_temperature{
        this,
        {.name = "temperature",
         .help = "Temperature of each point, or one of all: @heat.position of a state of numbers",
         .unit = "K"}};
    Data<double> d_referenceTemperature{
        this,
        {.name = "referenceTemperature", .help = "Temperature at which the rest shape has no stress", .unit = "K"},
        0.};
    Data<Vector<double>> d_expansionCoefficient{
        this,
        {.name = "expansionCoefficient",
         .help = "Strain in each direction for each kelvin: one value, one per element (elements without a value take "
                 "the first), or one per region",
         .unit = "1/K"},
        {1e-5}};

    using ForceField::buildStiffness;
    using ForceField::potentialEnergy;
    void buildStiffness(const MechanicalParams& mp, BlockSink& k) override;
    double potentialEnergy(const MechanicalParams& mp, const VecCoord& x) const override;
    bool hasStiffness() const override { return turns(); }
    void elementEnergies(Vector<double>& out) const override;
    void stresses(const Shape& shape, Vector<Mat3>& out) const override;
    PointLists pointLists() override;
    /// The elements in the colours of their temperatures (flag ForceFields).
    void draw(DrawTool& tool) override;

protected:
    ElementNumbering elementNumbering() const override { return {l_topology.get(), {ElementType::Tetrahedra}}; }
    std::vector<ElementData> elementValues() override;
    void prepare() override;
    /// Parameters are read whenever they are needed.
    void applyParameters() override {}
    bool hasPreparedElements() const override { return topology().tetrahedra() == m_elements; }
    void addElementForces(VecDeriv& f, const VecCoord& x) override;
    void addElementProducts(VecDeriv& df, const VecDeriv& dx, double factor) const override;

private:
    struct Heat
    {
        double pressure = 0.;  ///< p [Pa]
        double energy = 0.;    ///< of the same element, held at its rest shape [J/m³]
    };
    bool turns() const { return d_method.value().selected() == "polar"; }
    /// Throws std::runtime_error if there are neither one temperature nor one for each point.
    void checkTemperature() const;
    Heat heatOf(Index e) const;
    Mat3 gradientOf(Index e, const VecCoord& x) const;
    double energyOf(Index e, const VecCoord& x) const;

    Vector<Tetrahedron> m_elements;
    Vector<std::array<Vec3, 4>> m_gradients;  ///< ∇N_k [1/m]
    Vector<double> m_volumes;                 ///< at rest [m³]
    // Of the last addForce:
    Vector<double> m_loads;  ///< V p [J]
    Vector<Svd3> m_svd;      ///< of F; empty for `small`
};

}  // namespace sofa::component
