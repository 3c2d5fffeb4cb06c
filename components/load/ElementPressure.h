// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/load/LoadedElements.h"

namespace sofa::component {

/// What pressures on edges (N = 2), triangles (3) and quads (4) of a mesh have in common.
///
/// The vector p of `pressure`, a force per length or area at rest M₀, is a dead load shared by the corners:
///     f_i = p M₀ / N,   E = −Σ f_i·x_i,
/// on the elements that LoadedElements chooses.
template <std::size_t N>
class ElementPressure : public LoadedElements<N>
{
public:
    using Base = LoadedElements<N>;
    using VecCoord = core::Vec3Types::VecCoord;
    using VecDeriv = core::Vec3Types::VecDeriv;

    core::Data<core::Vec3> d_pressure{this,
                                      {.name = "pressure",
                                       .help = N == 2 ? "Force per length at rest" : "Force per area at rest",
                                       .unit = N == 2 ? "N/m" : "Pa"}};
    core::Data<core::Vec3> d_normal{
        this, {.name = "normal", .help = "Normal of the planes between which elements are chosen", .unit = "1"}};

    void addForce(const core::MechanicalParams& mp, VecDeriv& f, const VecCoord& x, const VecDeriv& v) override;
    void addDForce(const core::MechanicalParams& mp, const core::MultiVecDerivId& df) override
    {
        if (hasStiffness()) Base::addDForce(mp, df);
    }
    void buildStiffness(const core::MechanicalParams&, core::BlockSink&) override {}
    double potentialEnergy(const core::MechanicalParams& mp, const VecCoord& x) const override;

    using Base::addForce;
    using Base::buildStiffness;
    using Base::potentialEnergy;
    /// Dead loads have none.
    bool hasStiffness() const override { return false; }

protected:
    core::Vec3 planeNormal() const override { return d_normal.value(); }
    core::Vec3 cornerForce(std::size_t i, const VecCoord& x) const override;
};

}  // namespace sofa::component
