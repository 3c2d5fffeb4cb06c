// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/fem/FramedElementsForceField.h"
#include "components/fem/RotationMethods.h"
#include "core/objectmodel/DerivedValue.h"
#include "core/visual/Color.h"
#include "core/visual/ColorMap.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

/// How a force field on tetrahedra is drawn, each face in its colour: a member of the component.
struct FaceColors
{
    explicit FaceColors(Component* owner);
    Data<bool> d_drawing;
    Data<Color> d_first, d_second, d_third, d_fourth;
};

/// What the corotational force fields on linear tetrahedra have in common; the mechanics is that of
/// core/fem/elements/CorotationalTetrahedra.h.
class TetrahedronForceFieldBase : public FramedElementsForceField<CorotationalTetrahedra>
{
public:
    Data<Options> d_method;
    Data<Vector<double>> d_localStiffnessFactor{
        this,
        {.name = "localStiffnessFactor",
         .help = "Factors of Young's modulus: with M factors and N elements, element i takes factor i M / N",
         .unit = "1",
         .range = Range::nonNegative()}};
    Data<bool> d_updateStiffnessMatrix{
        this,
        {.name = "updateStiffnessMatrix",
         .help = "Let the strain-displacement matrix follow the deformed shape at each step (not for method small)"},
        false};
    Data<Vector<double>> d_vonMisesPerElement{this,
                                              {.name = "vonMisesPerElement",
                                               .help = "Von Mises stress of each element",
                                               .unit = "Pa",
                                               .readOnly = true,
                                               .saved = false}};
    Data<Vector<double>> d_vonMisesPerNode{this,
                                           {.name = "vonMisesPerNode",
                                            .help = "Von Mises stress of each node: the mean of the elements around",
                                            .unit = "Pa",
                                            .readOnly = true,
                                            .saved = false}};

    VolumetricStrain volumetricStrain{this};

    ElementLists elementLists() override;
    /// Without what is plastic of the strain; with the pressures of the nodes where these share their dilatation.
    void stresses(const Shape& shape, Vector<Mat3>& out) const override;
    /// In the elements' frames; with method small, from Green's strain. What is plastic of it counts as well, as in
    /// SOFA.
    void vonMisesStresses(const Shape& shape, Vector<double>& out) const override;

protected:
    /// `methods` are the choices of the Data `method`, described by `help`; rotationMethod() gives their meaning.
    TetrahedronForceFieldBase(Options methods, std::string_view help);
    /// What the Data `method` selects.
    virtual RotationMethod selectedMethod() const { return rotationMethod(d_method.value()); }

    /// Elements to work on: the topology's.
    virtual Vector<Tetrahedron> elements() const { return topology().tetrahedra(); }
    /// Rest positions to work with: the state's.
    virtual const VecCoord& restShape() const { return restPositions(); }

    ElementNumbering elementNumbering() const override { return {l_topology.get(), {ElementType::Tetrahedra}}; }
    void prepare() override;
    void applyParameters() override { updateMaterial(); }
    bool followElements(const TopologyChange& change) override;
    bool hasPreparedElements() const override;

    /// Sets the material of every element from the Data.
    void updateMaterial();
    /// The same of some elements, where others have theirs.
    void updateMaterial(const Vector<Index>& elements);
    /// Whether stresses that nobody asked for in particular are those of Green's strain: without frames there are no
    /// others.
    bool usesGreenStrain() const { return d_method.value().selected() == "small"; }
    /// Computes the elements' von Mises stresses at x, from the strain in the elements' frames or from Green's strain.
    void computeVonMises(const VecCoord& x, bool greenStrain);

    /// Whether there is something to draw: the flag ForceFields, and elements.
    bool isShown(const DrawTool& tool) const;
    /// The elements at the present positions.
    void drawTetrahedra(DrawTool& tool, const ElementDrawing& how) const;
    /// The elements in these colours, and the rotations.
    void drawFaces(DrawTool& tool, const FaceColors& colors) const;
    /// The points coloured by the von Mises stress, between the least and `alpha` times the largest.
    void drawPointStress(DrawTool& tool, const ColorMap& colors, double alpha) const;
    /// The rotation of the material around each point as a frame (flag Normals).
    void drawRotations(DrawTool& tool) const;

private:
    void averageStress();

    DerivedValue m_meanStress;
};

}  // namespace sofa::component
