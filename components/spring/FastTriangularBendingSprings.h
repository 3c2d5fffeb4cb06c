// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/spring/TriangleHinges.h"

namespace sofa::component {

/// Linear bending stiffness of a surface of triangles (Volino and Magnenat-Thalmann, Simple linear bending stiffness in
/// particle systems, Symposium on Computer Animation 2006).
///
/// The bending vector R of TriangleHinges has the weights
///
///     α_A = |N_B| / (|N_A| + |N_B|),  α_B = |N_A| / (|N_A| + |N_B|),
///     α_C = −|N_D| / (|N_C| + |N_D|),  α_D = −|N_C| / (|N_C| + |N_D|),
///
/// with the areas |N| of the four triangles that three of the points form at rest. R is the vector between the points
/// where the lines A B and C D are nearest, if the four points are in one plane at rest: then R = 0 there. With the
/// heights h of the two triangles over the edge, its length l, and the bending stiffness k [N m],
///
///     λ = ⅔ k (h_A + h_B) / (h_A h_B)² l.
///
/// SOFA's assembled matrix lacks the blocks of D; its matrix-free product has them, as both have here.
class FastTriangularBendingSprings final : public TriangleHinges
{
public:
    core::Data<double> d_minDistValidity{this,
                                         {.name = "minDistValidity",
                                          .help = "Edges have no spring where they, or the line between the vertices "
                                                  "opposite to them, are not longer than this at rest",
                                          .unit = "m",
                                          .range = core::Range::nonNegative()},
                                         1e-6};

protected:
    bool weigh(const core::Vec3& a, const core::Vec3& b, const core::Vec3& c, const core::Vec3& d,
               Hinge& hinge) const override;
};

}  // namespace sofa::component
