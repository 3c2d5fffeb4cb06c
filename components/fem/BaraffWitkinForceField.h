// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/fem/ElementForceField.h"
#include "core/fem/elements/BaraffWitkinCloth.h"

namespace sofa::component {

/// Cloth of Baraff and Witkin on the triangles of a mesh, as Vega FEM's clothBW; energies, units and sources are in
/// core/fem/elements/BaraffWitkinCloth.h.
class BaraffWitkinForceField final : public ElementForceField<Vec3Types>, public ElementResults
{
public:
    Data<Vector<double>> d_tensileStiffness{
        this,
        {.name = "tensileStiffness",
         .help = "Resistance to stretch along u and v: one value, or one per triangle",
         .unit = "Pa",
         .range = Range::nonNegative()},
        {6500.}};
    Data<Vector<double>> d_shearStiffness{this,
                                          {.name = "shearStiffness",
                                           .help = "Resistance to shear: one value, or one per triangle",
                                           .unit = "Pa",
                                           .range = Range::nonNegative()},
                                          {100.}};
    Data<Vector<double>> d_bendStiffnessU{
        this,
        {.name = "bendStiffnessU",
         .help = "Resistance to bending across edges along u: one value, or one per triangle",
         .unit = "N m",
         .range = Range::nonNegative()},
        {0.0002}};
    Data<Vector<double>> d_bendStiffnessV{
        this,
        {.name = "bendStiffnessV",
         .help = "Resistance to bending across edges along v: one value, or one per triangle",
         .unit = "N m",
         .range = Range::nonNegative()},
        {0.0002}};
    Data<Vector<Vec2>> d_uv{
        this,
        {.name = "uv",
         .help = "Coordinates of the points on the cloth; default: in each triangle u runs along its first edge",
         .unit = "m"}};
    Data<Vec2> d_restStretch{
        this, {.name = "restStretch", .help = "Stretch along u and v without tension", .unit = "1"}, {1., 1.}};
    Data<bool> d_useRestAngles{
        this, {.name = "useRestAngles", .help = "Bending is zero at rest; else where the cloth is flat"}, true};
    Data<Options> d_bending{
        this,
        {.name = "bending",
         .help =
             "exact: bending forces are the derivative of the energy; constantEdges: those of Vega, which takes the "
             "lengths of edges as constant"},
        Options({"exact", "constantEdges"})};

    using ForceField::buildStiffness;
    using ForceField::potentialEnergy;
    void buildStiffness(const MechanicalParams& mp, BlockSink& k) override;
    double potentialEnergy(const MechanicalParams& mp, const VecCoord& x) const override;
    /// The triangles (flag ForceFields).
    void draw(DrawTool& tool) override;

    BaseState* resultState() const override { return l_state.get(); }
    ElementNumbering resultElements() const override { return elementNumbering(); }
    /// None: the stiffness grows with the size of triangles, so that the law has energies, but no stress.
    void stresses(const Shape&, Vector<Mat3>& out) const override { out.clear(); }
    /// That of a triangle, and half of the bending across each of its inner edges.
    void elementEnergies(Vector<double>& out) const override { m_cloth.energies(state().positions(), out); }
    std::vector<Parameter> materialParameters() override { return elementParameters(); }

    /// The mechanics, prepared by init.
    const BaraffWitkinCloth& mechanics() const { return m_cloth; }

protected:
    ElementNumbering elementNumbering() const override { return {l_topology.get(), {ElementType::Triangles}}; }
    std::vector<ElementData> elementValues() override
    {
        return {{&d_tensileStiffness}, {&d_shearStiffness}, {&d_bendStiffnessU}, {&d_bendStiffnessV}};
    }
    void prepare() override;
    bool hasPreparedElements() const override;
    void addElementForces(VecDeriv& f, const VecCoord& x) override;
    void addElementProducts(VecDeriv& df, const VecDeriv& dx, double factor) const override;

private:
    BaraffWitkinCloth m_cloth;
};

}  // namespace sofa::component
