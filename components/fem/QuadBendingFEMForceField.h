// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/fem/LinearElasticForceField.h"
#include "components/fem/TensorMassForceField.h"

namespace sofa::component {

/// Plate of bilinear quads for small displacements: plane stress in the plane of each quad at rest, and shear across it
/// (Reissner and Mindlin's plate: Hughes, "The Finite Element Method", section 5.2) where the lines through the
/// thickness do not turn:
///
///     E = ½ t ∫ λ (tr ε)² + 2μ ε:ε + ⅚ μ |∇w|² dA,   λ = E ν/(1 − ν²),   μ = E/(2 (1 + ν))        [J]
///
/// with the strain ε of the displacements in the plane, the deflection w across it and the thickness t. Points have no
/// rotations, and those of the plate are zero, as in SOFA: what it resists is not the curvature but the slope, like a
/// membrane under the tension ⅚ μ t. Sheets that bend need QuadraticBendingForceField or springs. The stiffness is that
/// at rest. A rotation of the body is taken for a strain.
///
/// What SOFA computes is another plate wherever a quad is not a rectangle along the x and the y axis of the scene: its
/// directions in and across the plane are x, y and z for all quads, whatever their plane, with the lengths of the first
/// and the last side, which are measured anew at each force, with the stiffness of these lengths, so that there is no
/// potential. It integrates the shear at one point, which lets the corners of a quad move to and fro alternately
/// without force. With `compatibility="sofa"` all this is so here. Its matrix for direct solvers takes blocks of three
/// of what has five numbers a point; ours is that of the products. The method "large" does not exist there either.
class QuadBendingFEMForceField final : public TensorMassForceField<LinearElasticForceField<Vec3Types>>
{
public:
    Data<double> d_thickness{
        this, {.name = "thickness", .help = "Thickness of the plate", .unit = "m", .range = Range::positive()}, 1.};
    Data<Options> d_method{
        this, {.name = "method", .help = "small: small displacements; there is no other one"}, Options({"small"})};

    QuadBendingFEMForceField();

    using TensorMassForceField::potentialEnergy;
    /// NaN with SOFA's stiffness, which changes with the lengths of sides.
    double potentialEnergy(const MechanicalParams& mp, const VecCoord& x) const override;
    void elementEnergies(Vector<double>& out) const override;
    /// The quads (flag ForceFields).
    void draw(DrawTool& tool) override;

protected:
    ElementNumbering elementNumbering() const override { return {l_topology.get(), {ElementType::Quads}}; }
    void prepare() override;
    bool hasPreparedElements() const override { return topology().quads() == m_quads; }
    void addElementForces(VecDeriv& f, const VecCoord& x) override;

private:
    /// Gradients of the shape functions at a point of quadrature, and its weight [1/m, m²].
    struct Sample
    {
        std::array<Vec3, 4> gradients;
        double weight = 0.;
    };
    struct Plate
    {
        std::array<Sample, 3> plane;
        Vec3 normal;
        LameParameters material;  ///< of plane stress, times the thickness [N/m]
    };
    bool likeSofa() const { return compatibility() == Compatibility::Sofa; }
    /// Finds the plates whose corners are at x, and the tensors.
    void measure(const VecCoord& x);
    Plate plateOf(Index e, const VecCoord& x) const;
    static Plate rectangle(const std::array<Vec3, 4>& corners);
    /// K_ij of quad e.
    Mat3 block(Index e, std::size_t i, std::size_t j) const;

    Vector<Quad> m_quads;
    Vector<Plate> m_plates;
};

}  // namespace sofa::component
