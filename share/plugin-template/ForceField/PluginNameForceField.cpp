// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "PluginNameForceField.h"

#include "core/factory/Registry.h"

namespace sofa::component {

using namespace sofa::core;

void PluginNameForceField::addForce(const MechanicalParams&, VecDeriv& f, const VecCoord& x, const VecDeriv&)
{
    const double k = *d_stiffness;
    const Vec3& center = *d_center;
    m_offsets.resize(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        const Vec3 d = m_offsets[i] = x[i] - center;
        f[i] -= d * (k * dot(d, d));
    }
}

void PluginNameForceField::buildStiffness(const MechanicalParams&, BlockSink& k)
{
    for (std::size_t i = 0; i < m_offsets.size(); ++i) {
        const Vec3& d = m_offsets[i];
        Mat<3, 3> block;
        for (std::size_t r = 0; r < 3; ++r)
            for (std::size_t c = 0; c < 3; ++c)
                block(r, c) = -*d_stiffness * ((r == c ? dot(d, d) : 0.) + 2. * d[r] * d[c]);
        k.add(static_cast<Index>(i), static_cast<Index>(i), block);
    }
}

double PluginNameForceField::potentialEnergy(const MechanicalParams&, const VecCoord& x) const
{
    double energy = 0.;
    for (const Vec3& point : x) {
        const Vec3 d = point - *d_center;
        energy += 0.25 * *d_stiffness * dot(d, d) * dot(d, d);
    }
    return energy;
}

static const RegisterComponent registered =
    RegisterComponent("PluginNameForceField", "ForceField", "PluginName")
        .help("Pulls every point towards a centre with a force that grows with the cube of the distance")
        .example("PluginName.scn")
        .add<PluginNameForceField>();

}  // namespace sofa::component
