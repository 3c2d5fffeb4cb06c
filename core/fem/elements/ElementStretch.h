// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <span>

#include "core/fem/materials/LinearElasticity.h"
#include "core/mesh/Elements.h"

namespace sofa::core {

/// How far an element is stretched in its middle, along the principal directions of its own dimensions: the square
/// roots of the eigenvalues of C = Fᵀ F for the gradient F of the deformation from the rest shape. Rotations do not
/// enter.
struct ElementStretch
{
    std::size_t dimension = 0;          ///< of the element; 0 where the rest shape has no extent
    std::array<double, 3> values{};     ///< as many as the dimension
    std::array<Vec3, 3> rest{}, now{};  ///< principal directions at rest, and where they are now; zero if it vanished
};

/// `vertices` are indices in both lists of points [m].
ElementStretch elementStretch(ElementType type, std::span<const Index> vertices, std::span<const Vec3> rest,
                              std::span<const Vec3> now);
/// Green's principal strain (s² − 1)/2 of the largest size [1]; NaN without a dimension.
double principalStrain(const ElementStretch& stretch);
/// Green's strain ½ (FᵀF − 1) [1]; NaN without a dimension.
Mat3 greenStrain(const ElementStretch& stretch);
/// Cauchy stress [Pa] of Hooke's law for the strains s − 1, turned with the element: no stress acts across elements of
/// lower dimension than space. `material`: in the dimension of the element. NaN without a dimension.
Mat3 hookeStress(const ElementStretch& stretch, const LameParameters& material);

}  // namespace sofa::core
