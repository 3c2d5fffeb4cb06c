// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "PluginNameMapping.h"

#include "core/factory/Registry.h"

namespace sofa::component {

using namespace sofa::core;

void PluginNameMapping::init()
{
    if (!findStates()) return;
    output().resize(input().size());
    Mapping::init();
}

void PluginNameMapping::apply(OutVecCoord& out, const InVecCoord& in)
{
    for (std::size_t i = 0; i < in.size(); ++i) {
        const Vec3 d = in[i] - *d_center;
        out[i] = in[i] + *d_direction * (*d_amount * dot(d, d));
    }
}

void PluginNameMapping::buildJacobian(JacobianMatrix& j, const InVecCoord& in)
{
    j.clear();
    for (std::size_t i = 0; i < in.size(); ++i) {
        const Vec3 d = in[i] - *d_center;
        Mat<3, 3> block;
        for (std::size_t r = 0; r < 3; ++r)
            for (std::size_t c = 0; c < 3; ++c)
                block(r, c) = (r == c ? 1. : 0.) + 2. * *d_amount * (*d_direction)[r] * d[c];
        j.appendRow();
        j.append(static_cast<Index>(i), block);
    }
}

void PluginNameMapping::buildGeometricStiffness(BlockSink& k, const OutVecDeriv& f, const InVecCoord&)
{
    for (std::size_t i = 0; i < f.size(); ++i) {
        const double s = 2. * *d_amount * dot(*d_direction, f[i]);
        k.addIdentity(static_cast<Index>(i), static_cast<Index>(i), s, 3);
    }
}

static const RegisterComponent registered =
    RegisterComponent("PluginNameMapping", "Mapping", "PluginName")
        .help("Bends points along a direction, by the square of their distance from a centre")
        .example("PluginName.scn")
        .add<PluginNameMapping>();

}  // namespace sofa::component
