// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/spring/TriangleHinges.h"

namespace sofa::component {

/// Quadratic bending energy of a surface of triangles that hardly stretches (Bergou, Wardetzky, Harmon, Zorin and
/// Grinspun, "A quadratic bending model for inextensible surfaces", Symposium on Geometry Processing 2006).
///
/// The vector R of TriangleHinges is the integral of the Laplacian of the positions over what belongs to the edge C D,
/// on elements whose nodes are the middles of edges (Crouzeix and Raviart), with the cotangents of the angles at rest:
///
///     α_A = −cot ∠ACD − cot ∠ADC,   α_B = −cot ∠BCD − cot ∠BDC,
///     α_C = cot ∠ADC + cot ∠BDC,    α_D = cot ∠ACD + cot ∠BCD,         λ = k / (|ACD| + |BCD|)
///
/// with the areas of the triangles and the bending stiffness k = E h³/(12 (1 − ν²)) of a plate with the thickness h
/// [N m]. As long as lengths do not change, R is l φ normal to the surface for an edge of length l with the small angle
/// φ between its triangles, and E = ½ k l² φ²/(|ACD| + |BCD|).
///
/// The paper has λ three times as large. Since hinges hold a curvature at edges alone, that is three times the energy
/// ½ k ∫ κ² dA of a sheet of equilateral triangles with the curvature κ in one direction; the factor here makes both
/// the same (Seung and Nelson, "Defects in flexible membranes with crystalline order", Physical Review A 38, 1988, have
/// it for angles). With two principal curvatures such a sheet is a plate, ½ k ∫ a² + b² − ⅔ a b dA: its Poisson's ratio
/// is −⅓. Squares cut in two are right along their sides and across their diagonals, and three times too stiff along
/// their diagonals: irregular meshes are better.
class QuadraticBendingForceField final : public TriangleHinges
{
protected:
    bool weigh(const core::Vec3& a, const core::Vec3& b, const core::Vec3& c, const core::Vec3& d,
               Hinge& hinge) const override;
};

}  // namespace sofa::component
