// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/Mapping.h"

namespace sofa::component {

/// Bends points along a direction, by the square of their distance from a centre.
///
/// With d = x − c, for each point:
///   x_out = x + a |d|² n                 positions [m], a in 1/m, n without dimension
///   J = I + 2 a n dᵀ                     v_out = J v, f_in += Jᵀ f_out
///   ∂(Jᵀ f)/∂x = 2 a (n · f) I           geometric stiffness at output force f
///
/// This is the law that the template starts with: replace it by yours, here and in the test.
class PluginNameMapping : public core::Mapping<core::Vec3Types, core::Vec3Types>
{
public:
    core::Data<double> d_amount{
        this, {.name = "amount", .help = "Displacement at the distance of one metre", .unit = "1/m"}, 0.1};
    core::Data<core::Vec3> d_center{
        this, {.name = "center", .help = "Point that stays where it is", .unit = "m"}, core::Vec3()};
    core::Data<core::Vec3> d_direction{
        this, {.name = "direction", .help = "Direction of the displacement", .unit = "1"}, core::Vec3{0., 1., 0.}};

    using Mapping::apply;
    using Mapping::buildGeometricStiffness;
    void init() override;
    void apply(OutVecCoord& out, const InVecCoord& in) override;
    void buildJacobian(JacobianMatrix& j, const InVecCoord& in) override;
    void buildGeometricStiffness(core::BlockSink& k, const OutVecDeriv& f, const InVecCoord& in) override;
    bool isLinear() const override { return false; }
};

}  // namespace sofa::component
