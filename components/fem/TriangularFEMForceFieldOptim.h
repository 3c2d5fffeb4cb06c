// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/fem/TriangularFEMForceField.h"

namespace sofa::component {

/// Membrane of linear triangles in plane stress with a thickness of one metre, strains taken on the triangles at rest
/// (method undeformed of core/fem/elements/CorotationalTriangles.h). The same law as TriangularFEMForceField for small
/// strains.
///
/// Stresses are those of the material, positive in tension; SOFA's class has minus one half of them.
class TriangularFEMForceFieldOptim final : public TriangleMembrane
{
public:
    Data<double> d_restScale{
        this,
        {.name = "restScale",
         .help = "Factor of the lengths at rest: below 1 the membrane is stretched at its rest position",
         .unit = "1",
         .range = Range::positive()},
        1.};
    Data<bool> d_computePrincipalStress{
        this,
        {.name = "computePrincipalStress", .help = "Write the largest principal stress to stressMaxValue"},
        false};
    Data<double> d_stressMaxValue{
        this,
        {.name = "stressMaxValue",
         .help = "Largest principal stress of all triangles, at least 0, if computePrincipalStress or showStressVector",
         .unit = "Pa",
         .readOnly = true,
         .saved = false},
        0.};
    Data<bool> d_showStressVector{
        this,
        {.name = "showStressVector",
         .help = "Draw the principal stresses of the triangles as arrows; needs showStressThreshold",
         .group = "Visualization"},
        false};
    Data<double> d_showStressThreshold{
        this,
        {.name = "showStressThreshold",
         .help = "Principal stress below which a triangle has no arrows, > 0; at 0 none has",
         .unit = "Pa",
         .range = Range::nonNegative(),
         .group = "Visualization"},
        0.};

    TriangularFEMForceFieldOptim();
    void setDeclared(std::string_view name, std::string_view text) override;

    /// With the flag ForceFields: the axes of the frame of each triangle (red, green), its shape at rest in that frame
    /// (orange) and lines from the corners of that shape to the points (blue); or arrows along the principal stresses,
    /// the largest of them 1 m long.
    void draw(DrawTool& tool) override;

protected:
    CorotationalTriangles::Method method() const override { return CorotationalTriangles::Method::undeformed; }
    double restScale() const override { return d_restScale.value(); }
    void addElementForces(VecDeriv& f, const VecCoord& x) override;

private:
    void drawFrames(DrawTool& tool, const VecCoord& x) const;
    void drawStresses(DrawTool& tool, const VecCoord& x) const;
};

}  // namespace sofa::component
