// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/elements/RecoveredGradients.h"

#include <cmath>

#include "core/fem/elements/FiniteElements.h"

namespace sofa::core {

void recoverGradients(const Vector<BezierTetrahedron>& elements, const MiddlePoints& middles, const Vector<Vec3>& rest,
                      const Vector<Vec3>& x, Vector<Mat3>& gradients)
{
    gradients.assign(middles.first, {});
    Vector<double> volumes(middles.first, 0.);
    Vector<Vec3> memory;
    const Vector<Vec3>& all = middles.extended(x, memory);
    for (const BezierTetrahedron& t : elements) {
        const auto local = TetrahedronShape::gradients({});
        const Mat3 j = elementJacobian(std::array{rest[t[0]], rest[t[1]], rest[t[2]], rest[t[3]]}, local);
        const double weight = std::abs(determinant(j));
        if (weight == 0.) continue;
        const std::array<Vec3, 4> b = spatialGradients(j, local);
        for (std::size_t v = 0; v < 4; ++v) {
            for (std::size_t k = 0; k < 4; ++k)
                if (k != v) gradients[t[v]] += outer((all[t[bezierControl[v][k]]] - all[t[v]]) * (2. * weight), b[k]);
            volumes[t[v]] += weight;
        }
    }
    for (std::size_t v = 0; v < gradients.size(); ++v)
        if (volumes[v] > 0.) gradients[v] *= 1. / volumes[v];
}

}  // namespace sofa::core
