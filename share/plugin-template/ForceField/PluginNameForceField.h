// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/ForceField.h"

namespace sofa::component {

/// Pulls every point towards a centre with a force that grows with the cube of the distance.
///
/// With d = x − c, for each point:
///   E = ¼ k |d|⁴                        energy [J], k in N/m³
///   f = −∂E/∂x = −k |d|² d              force [N]
///   ∂f/∂x = −k (|d|² I + 2 d dᵀ)        symmetric, negative semi-definite; zero at the centre
///
/// This is the law that the template starts with: replace it by yours, here and in the test.
class PluginNameForceField : public core::ForceField<core::Vec3Types>
{
public:
    core::Data<double> d_stiffness{this,
                                   {.name = "stiffness",
                                    .help = "Force at the distance of one metre, divided by its cube",
                                    .unit = "N/m^3",
                                    .range = core::Range::nonNegative()},
                                   1.};
    core::Data<core::Vec3> d_center{this, {.name = "center", .help = "Point that attracts", .unit = "m"}, core::Vec3()};

    using ForceField::addForce;
    using ForceField::buildStiffness;
    using ForceField::potentialEnergy;
    void addForce(const core::MechanicalParams& mp, VecDeriv& f, const VecCoord& x, const VecDeriv& v) override;
    void buildStiffness(const core::MechanicalParams& mp, core::BlockSink& k) override;
    double potentialEnergy(const core::MechanicalParams& mp, const VecCoord& x) const override;

private:
    std::vector<core::Vec3> m_offsets;  ///< d of every point at the last addForce [m]
};

}  // namespace sofa::component
