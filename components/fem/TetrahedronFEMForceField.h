// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/fem/TetrahedronForceFieldBase.h"
#include "core/visual/Color.h"

namespace sofa::component {

/// Corotational linear elasticity on tetrahedra, optionally with plasticity; equations, units and sources are in
/// core/fem/elements/CorotationalTetrahedra.h.
///
/// On a topology without tetrahedra, each hexahedron is cut into six, mirrored in turn so that the cuts of neighbouring
/// cells of a grid match. Differences from SOFA:
///   - `initialPoints` that the scene sets are used as the rest shape; SOFA overwrites them with the rest position.
///   - `computeVonMisesStress="1"` takes the gradients in the frame in which the displacements are; SOFA mixes two
///   frames.
///   - `updateStiffnessMatrix` with method large updates all entries of the strain-displacement matrix, as with polar;
///     SOFA updates those of the normal strains only.
class TetrahedronFEMForceField : public TetrahedronForceFieldBase
{
public:
    Data<VecCoord> d_initialPoints{
        this, {.name = "initialPoints", .help = "Rest shape; default: the rest position of the state", .unit = "m"}};
    Data<double> d_plasticMaxThreshold{
        this,
        {.name = "plasticMaxThreshold",
         .help = "Largest 2-norm of the plastic strain times six times the element's volume; 0: no plasticity",
         .unit = "m^3",
         .range = Range::nonNegative()},
        0.};
    Data<double> d_plasticYieldThreshold{
        this,
        {.name = "plasticYieldThreshold",
         .help = "2-norm of the elastic strain times six times the element's volume above which it yields",
         .unit = "m^3",
         .range = Range::nonNegative()},
        0.0001};
    Data<double> d_plasticCreep{
        this,
        {.name = "plasticCreep",
         .help = "Part of the elastic strain that becomes plastic at each evaluation of the force",
         .unit = "1",
         .range = Range::closed(0., 1.)},
        0.9};
    Data<int> d_computeVonMisesStress{this,
                                      {.name = "computeVonMisesStress",
                                       .help = "Von Mises stress after each step: 0 only while it is shown, 1 from the "
                                               "strain in the elements' frames (not for method "
                                               "small), 2 from Green's strain",
                                       .range = Range::closed(0, 2)},
                                      0};
    Data<Vector<Color>> d_vonMisesStressColors{this,
                                               {.name = "vonMisesStressColors",
                                                .help = "Colour of each node for its stress",
                                                .readOnly = true,
                                                .saved = false}};
    Data<bool> d_updateStiffness{
        this,
        {.name = "updateStiffness", .help = "Apply Young's modulus and Poisson's ratio anew at the start of each step"},
        false};

    Data<bool> d_drawHeterogeneousTetra{
        this,
        {.name = "drawHeterogeneousTetra", .help = "Colour elements by Young's modulus", .group = "Visualization"},
        false};
    Data<std::string> d_showStressColorMap{this,
                                           {.name = "showStressColorMap",
                                            .help = "Colours of the stress: Blue to Red, Red to Blue, HSV, ...",
                                            .group = "Visualization"},
                                           "Blue to Red"};
    Data<float> d_showStressAlpha{this,
                                  {.name = "showStressAlpha",
                                   .help = "Factor of the largest stress in the colour map",
                                   .unit = "1",
                                   .range = Range::nonNegative(),
                                   .group = "Visualization"},
                                  1.f};
    Data<bool> d_showVonMisesStressPerNode{
        this,
        {.name = "showVonMisesStressPerNode", .help = "Draw the nodes coloured by stress", .group = "Visualization"},
        false};
    Data<bool> d_showVonMisesStressPerNodeColorMap{this,
                                                   {.name = "showVonMisesStressPerNodeColorMap",
                                                    .help = "Draw the elements coloured by the stress of their nodes",
                                                    .group = "Visualization"},
                                                   false};
    Data<bool> d_showVonMisesStressPerElement{this,
                                              {.name = "showVonMisesStressPerElement",
                                               .help = "Draw the elements coloured by stress",
                                               .group = "Visualization"},
                                              false};
    Data<double> d_showElementGapScale{this,
                                       {.name = "showElementGapScale",
                                        .help = "Gap drawn between elements: 0 none, 1 all of the element",
                                        .unit = "1",
                                        .range = Range::closed(0., 1.),
                                        .group = "Visualization"},
                                       0.333};

    TetrahedronFEMForceField();

    void init() override;
    void reset() override;
    void handleEvent(const Event& e) override;
    /// The plastic strains of the elements that stay survive.
    void followTopology(const TopologyChange& change) override;
    /// The plastic strains.
    void archive(Archive& a) override;
    /// The elements (flag ForceFields), by default each face in one of four blues, and the rotations of the material
    /// around the points (Normals).
    void draw(DrawTool& tool) override;
    Shown showsStress() const override;
    void vonMisesStresses(const Shape& shape, Vector<double>& out) const override;

protected:
    Vector<Tetrahedron> elements() const override;
    const VecCoord& restShape() const override;
    ElementNumbering elementNumbering() const override;
    void prepare() override;
    bool followElements(const TopologyChange& change) override;
    bool hasPreparedElements() const override;

private:
    /// Whether stresses are computed from Green's strain.
    bool wantsGreenStrain() const { return d_computeVonMisesStress.value() == 2 || usesGreenStrain(); }
    void updateStress();
    void colorStress();

    bool m_initialPointsGiven = false;
    bool m_cuts = false;  ///< hexahedra are cut into tetrahedra: there were no tetrahedra at the beginning
    Vector<Hexahedron> m_cutHexahedra;  ///< those that were cut
    DerivedValue m_stressColors;
    VecCoord m_shownPositions;  ///< for which stresses were computed to be shown
};

}  // namespace sofa::component
