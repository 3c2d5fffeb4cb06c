// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/behavior/Momentum.h"

#include <Eigen/Dense>

namespace sofa::core {

void giveMomentum(State<Vec3Types>& state, const BaseMass& mass, const Vec6& wanted)
{
    Vector<Vec3>& v = *state.write(vec_id::velocity);
    const Vector<Vec3>& x = state.positions();
    const Vec6 lacking = wanted - mass.momentum(MechanicalParams());
    const Vector<Vec3> before = v;
    Vec3 center;
    for (const Vec3& p : x) center += p * (1. / static_cast<double>(x.size()));
    const auto rigid = [&](const Vec3& a, const Vec3& spin, std::size_t i) { return a + cross(spin, x[i] - center); };
    Eigen::Matrix<double, 6, 6> response;
    for (int mode = 0; mode < 6; ++mode) {
        Vec3 a, spin;
        (mode < 3 ? a : spin)[static_cast<std::size_t>(mode % 3)] = 1.;
        for (std::size_t i = 0; i < x.size(); ++i) v[i] = rigid(a, spin, i);
        const Vec6 m = mass.momentum(MechanicalParams());
        for (int k = 0; k < 6; ++k) response(k, mode) = m[static_cast<std::size_t>(k)];
    }
    Eigen::Matrix<double, 6, 1> right;
    for (int k = 0; k < 6; ++k) right[k] = lacking[static_cast<std::size_t>(k)];
    const Eigen::Matrix<double, 6, 1> motion = response.fullPivLu().solve(right);
    const Vec3 a{motion[0], motion[1], motion[2]}, spin{motion[3], motion[4], motion[5]};
    for (std::size_t i = 0; i < x.size(); ++i) v[i] = before[i] + rigid(a, spin, i);
}

}  // namespace sofa::core
