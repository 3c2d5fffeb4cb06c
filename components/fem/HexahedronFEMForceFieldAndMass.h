// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <span>

#include "components/fem/HexahedronFEMForceField.h"
#include "core/behavior/Mass.h"
#include "core/fem/elements/ElementMassMatrix.h"

namespace sofa::component {

/// HexahedronFEMForceField and the mass of its elements in one component.
///
/// The mass is the consistent one, m_ij = ∫ ρ Nᵢ Nⱼ [kg] over the rest shape, by 2 × 2 × 2 Gauss points, or with
/// `lumpedMass` its row sums on the diagonal. Cells of a sparse grid are scaled by the part that is filled. Gravity
/// acts with the row sums. For solvers it is a mass and a force field, each by its own interface
/// (core/behavior/Mass.h).
///
/// SOFA's matrix is another one: the integral of Nᵢ over [−1, 1]³, which is 1, is taken to be 8/27 for products Nᵢ Nⱼ
/// of all i and j alike, and multiplied by ρV, so that a body has 64 · 8/27 ≈ 19 times its mass against accelerations,
/// and once its mass against gravity: it falls with g/19. Scenes with compatibility="sofa" get that.
///
/// SOFA's HexahedralFEMForceFieldAndMass is the same law (see HexahedronFEMForceField) with the same mass.
class HexahedronFEMForceFieldAndMass : public Mass<Vec3Types, HexahedronFEMForceField>, public EqualElementMass
{
public:
    using Law = HexahedronFEMForceField;
    using VecCoord = Vec3Types::VecCoord;
    using VecDeriv = Vec3Types::VecDeriv;

    Data<double> d_density{
        this,
        {.name = "density", .help = "Mass density of the elements", .unit = "kg/m^3", .range = Range::positive()},
        1.};
    Data<bool> d_lumpedMass{
        this, {.name = "lumpedMass", .help = "Sum the rows on the diagonal: the mass matrix becomes diagonal"}, false};

    HexahedronFEMForceFieldAndMass();

    void addMDx(VecDeriv& f, const VecDeriv& dx, const VecCoord& x, double factor) const override;
    void accFromF(VecDeriv& a, const VecDeriv& f, const VecCoord& x) const override;
    void buildMass(BlockSink& m, const VecCoord& x) const override;
    bool isDiagonal() const override { return d_lumpedMass.value(); }
    /// [kg]: what gravity acts on.
    double pointMass(Index i) const override { return i < m_pointMass.size() ? m_pointMass[i] : 0.; }
    const Mat<8>* elementMatrix(const Vector<Hexahedron>& elements) const override { return m_equal.matrix(elements); }
    /// The elements, and the points (flag BehaviorModels).
    void draw(DrawTool& tool) override;

    using Mass::accFromF;
    using Mass::addMDx;
    using Mass::buildMass;

protected:
    using ElementNodes = std::array<Vec3, 8>;
    void prepare() override;
    /// Masses are made with the elements, all of them.
    bool followElements(const TopologyChange&) override { return false; }
    void addWeight(VecDeriv& f, const VecCoord& x) const override;
    /// The mass matrix of element e with these nodes at rest [kg].
    virtual Mat<8> massOf(Index e, const ElementNodes& nodes) const;
    bool likeSofa() const { return compatibility() == Compatibility::Sofa; }

    ElementMassMatrix m_mass;
    EqualHexahedra m_equal;
    Vector<double> m_pointMass;
};

}  // namespace sofa::component
