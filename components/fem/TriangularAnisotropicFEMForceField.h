// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/fem/TriangularFEMForceField.h"

namespace sofa::component {

/// Membrane of triangles with fibres, in plane stress with a thickness of one metre: Young's modulus E₁
/// (`youngModulus`) along the fibres and E₂ (`transverseYoungModulus`) across them, Poisson's ratio ν (`poissonRatio`)
/// of the contraction across the fibres when these are pulled. With the strains f along the fibres, g across and the
/// engineering shear h,
///
///     ψ = ½ (E₁ f² + 2 ν E₂ f g + E₂ g²)/(1 − ν² E₂/E₁) + ½ G h²,   G = E₁/(2 (1 + ν))        [N/m]
///
/// (Jones, "Mechanics of Composite Materials", 1999, section 2.6); E₂ = E₁ is TriangularFEMForceField. Frames and
/// methods are those of core/fem/elements/CorotationalTriangles.h. Fibres run in the direction `fiberAngle`, measured
/// in the plane x y from x towards y, or in circles about the first point of `fiberCenter`, at rest and projected onto
/// each triangle.
///
/// Unlike SOFA's: one transverse modulus may do for all triangles (SOFA reads beyond the list), with method small
/// fibres keep their direction in the axes of the scene (SOFA takes that in the frame of the triangle for it), fibres
/// normal to a triangle are an error, and so are moduli for which the energy has no minimum.
class TriangularAnisotropicFEMForceField final : public TriangularFEMForceField
{
public:
    Data<Vector<double>> d_transverseYoungModulus{
        this,
        {.name = "transverseYoungModulus",
         .help = "Young's modulus across the fibres: one value, one per triangle (triangles without a value take the "
                 "first), or one per region",
         .unit = "Pa",
         .range = Range::nonNegative()},
        {1000.}};
    Data<double> d_fiberAngle{
        this,
        {.name = "fiberAngle",
         .help = "Direction of the fibres in degrees, from the x axis of the scene towards the y axis",
         .unit = "deg"},
        0.};
    Data<VecCoord> d_fiberCenter{
        this,
        {.name = "fiberCenter",
         .help = "A point about which the fibres run in circles, instead of in the direction fiberAngle",
         .unit = "m"}};
    Data<bool> d_showFiber{
        this, {.name = "showFiber", .help = "Draw the direction of the fibres", .group = "Visualization"}, true};
    Data<VecDeriv> d_localFiberDirection{
        this,
        {.name = "localFiberDirection",
         .help = "Direction of the fibres in each triangle a b c: parts along a b and a c, as a unit vector",
         .unit = "1",
         .readOnly = true,
         .saved = false}};

    TriangularAnisotropicFEMForceField();

    /// In the fibres' law, at the last force.
    void stresses(const Shape& shape, Vector<Mat3>& out) const override;
    void vonMisesStresses(const Shape& shape, Vector<double>& out) const override;
    /// What TriangularFEMForceField draws, and a line along the fibres of each triangle.
    void draw(DrawTool& tool) override;

protected:
    std::vector<ElementData> elementValues() override
    {
        return {{&d_poissonRatio}, {&d_youngModulus}, {&d_transverseYoungModulus}};
    }
    void prepare() override;
    /// The directions of fibres are made with all elements.
    bool followElements(const TopologyChange&) override { return false; }
    CorotationalTriangles::Material membraneMaterial(Index e) const override;

private:
    /// Unit vector of the fibres of triangle e at rest, in its plane. Throws std::runtime_error if there is none.
    Vec3 fiber(Index e) const;
};

}  // namespace sofa::component
