// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// Strain and stress of tetrahedra on packs, for the texts of their kernels.
#pragma once

#include "core/fem/kernels/FrameSource.h"

// NOLINTBEGIN(misc-definitions-in-headers)
namespace sofa::core {

namespace {

/// Rows of the symmetric matrix V σ for a displacement gradient with rows g.
struct Stress
{
    Pack xx, yy, zz, xy, yz, zx;
};
SOFA_PACK void stress(const Vector3 (&g)[3], const Pack& lambda, const Pack& mu, Stress& s)
{
    const Pack pressure = lambda * (g[0].x + g[1].y + g[2].z), mu2 = mu + mu;
    s.xx = pressure + mu2 * g[0].x;
    s.yy = pressure + mu2 * g[1].y;
    s.zz = pressure + mu2 * g[2].z;
    s.xy = mu * (g[0].y + g[1].x);
    s.yz = mu * (g[1].z + g[2].y);
    s.zx = mu * (g[2].x + g[0].z);
}
/// r = −s a
SOFA_PACK void minusTimes(const Stress& s, const Vector3& a, Vector3& r)
{
    r.x = -(s.xx * a.x + s.xy * a.y + s.zx * a.z);
    r.y = -(s.xy * a.x + s.yy * a.y + s.yz * a.z);
    r.z = -(s.zx * a.x + s.yz * a.y + s.zz * a.z);
}
/// Rows of Σ_k u_k a_kᵀ
SOFA_PACK void gradient(const Vector3 (&u)[3], const Vector3 (&a)[3], Vector3 (&g)[3])
{
    for (int k = 0; k < 3; ++k) {
        Vector3 x, y, z;
        times(a[k], u[k].x, x);
        times(a[k], u[k].y, y);
        times(a[k], u[k].z, z);
        if (k == 0) {
            g[0] = x;
            g[1] = y;
            g[2] = z;
            continue;
        }
        g[0] = {g[0].x + x.x, g[0].y + x.y, g[0].z + x.z};
        g[1] = {g[1].x + y.x, g[1].y + y.y, g[1].z + y.z};
        g[2] = {g[2].x + z.x, g[2].y + z.y, g[2].z + z.z};
    }
}

/// Gradients of the shape functions: area vectors over six times the volume.
SOFA_PACK void shapeGradients(const Vector3 (&e)[3], Vector3 (&a)[3])
{
    cross(e[1], e[2], a[0]);
    cross(e[2], e[0], a[1]);
    cross(e[0], e[1], a[2]);
    Pack volume6;
    dot(e[0], a[0], volume6);
    const Pack scale = 1. / volume6;
    for (int k = 0; k < 3; ++k) times(a[k], scale, a[k]);
}

}  // namespace

}  // namespace sofa::core
// NOLINTEND(misc-definitions-in-headers)
