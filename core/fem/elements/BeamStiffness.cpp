// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/elements/BeamStiffness.h"

#include <numbers>

namespace sofa::core {

BeamSection BeamSection::tube(double radius, double innerRadius)
{
    const double r2 = radius * radius, i2 = innerRadius * innerRadius;
    BeamSection s;
    s.area = std::numbers::pi * (r2 - i2);
    s.inertiaY = s.inertiaZ = 0.25 * std::numbers::pi * (r2 * r2 - i2 * i2);
    s.torsion = s.inertiaY + s.inertiaZ;
    return s;
}

Mat<12, 12> beamStiffness(double young, double poisson, const BeamSection& section, double length)
{
    Mat<12, 12> k;
    const double shear = 0.5 * young / (1. + poisson);
    const auto spring = [&](std::size_t i, double stiffness) {
        k(i, i) = k(i + 6, i + 6) = stiffness;
        k(i, i + 6) = k(i + 6, i) = -stiffness;
    };
    spring(0, young * section.area / length);
    spring(3, shear * section.torsion / length);

    // Bending with deflection v and rotation θ = s v′; s is the sign by which a rotation about the third axis tilts x.
    const auto bend = [&](std::size_t v, std::size_t theta, double s, double inertia, double shearArea) {
        const double ei = young * inertia;
        const double phi = shearArea > 0. ? 12. * ei / (shear * shearArea * length * length) : 0.;
        const double d = ei / ((1. + phi) * length);
        const double vv = 12. * d / (length * length), vt = s * 6. * d / length, same = (4. + phi) * d,
                     other = (2. - phi) * d;
        const auto set = [&](std::size_t i, std::size_t j, double value) { k(i, j) = k(j, i) = value; };
        set(v, v, vv);
        set(v + 6, v + 6, vv);
        set(v, v + 6, -vv);
        set(v, theta, vt);
        set(v, theta + 6, vt);
        set(v + 6, theta, -vt);
        set(v + 6, theta + 6, -vt);
        set(theta, theta, same);
        set(theta + 6, theta + 6, same);
        set(theta, theta + 6, other);
    };
    bend(1, 5, 1., section.inertiaZ, section.shearY);
    bend(2, 4, -1., section.inertiaY, section.shearZ);
    return k;
}

}  // namespace sofa::core
