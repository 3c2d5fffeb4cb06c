// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/mapping/DualQuaternionBlend.h"

namespace sofa::component {

namespace {

Quat pure(const Vec3& v) { return {v[0], v[1], v[2], 0.}; }
Quat sum(const Quat& a, const Quat& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]}; }
Quat times(const Quat& a, double s) { return {a[0] * s, a[1] * s, a[2] * s, a[3] * s}; }
double product(const Quat& a, const Quat& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]; }

/// ½ (to q − q from)
Quat dualOf(const Quat& q, const Vec3& from, const Vec3& to)
{
    return times(sum(pure(to) * q, times(q * pure(from), -1.)), 0.5);
}

/// Half of a unit rotation vector: an axis from 3 on, none for translations.
Quat halfTurn(std::size_t axis)
{
    Quat q{0., 0., 0., 0.};
    if (axis >= 3) q[axis - 3] = 0.5;
    return q;
}
/// Half of a unit translation along an axis before 3.
Quat halfShift(std::size_t axis)
{
    Quat q{0., 0., 0., 0.};
    if (axis < 3) q[axis] = 0.5;
    return q;
}

}  // namespace

DualQuaternionBlend::DualQuaternionBlend(const std::vector<Motion>& motions, const Vec3& x0)
    : m_x0(x0), m_sum{{0., 0., 0., 0.}, {0., 0., 0., 0.}}
{
    Quat first;
    for (const Motion& m : motions) {
        const Quat q = m.now.orientation * m.rest.orientation.conjugate();
        if (m_parts.empty()) first = q;
        const Quat turn = times(q, product(first, q) < 0. ? -m.weight : m.weight);
        m_parts.push_back({turn, m.rest.center, m.now.center});
        m_sum.real = sum(m_sum.real, turn);
        m_sum.dual = sum(m_sum.dual, dualOf(turn, m.rest.center, m.now.center));
    }
    m_norm2 = product(m_sum.real, m_sum.real);
    m_position = form(m_sum, m_sum.real) / m_norm2;
}

/// Bilinear: vec(a_real x0 b* + 2 a_dual b*).
Vec3 DualQuaternionBlend::form(const Dual& a, const Quat& b) const
{
    const Quat back = b.conjugate();
    return (a.real * pure(m_x0) * back).imaginary() + (a.dual * back).imaginary() * 2.;
}

DualQuaternionBlend::Dual DualQuaternionBlend::changeOf(const Part& p, std::size_t axis)
{
    const Quat turned = halfTurn(axis) * p.turn;
    return {turned, sum(dualOf(turned, p.from, p.to), halfShift(axis) * p.turn)};
}

DualQuaternionBlend::Dual DualQuaternionBlend::secondChangeOf(const Part& p, std::size_t axis, std::size_t then)
{
    const Quat first = halfTurn(axis) * p.turn, second = halfTurn(then) * p.turn;
    const Quat both = halfTurn(axis) * second;
    return {both, sum(dualOf(both, p.from, p.to), sum(halfShift(axis) * second, halfShift(then) * first))};
}

/// Of the position, with the change of b and e.
Vec3 DualQuaternionBlend::derivative(const Dual& d) const
{
    return (form(d, m_sum.real) + form(m_sum, d.real) - m_position * (2. * product(m_sum.real, d.real))) / m_norm2;
}

Mat<3, 6> DualQuaternionBlend::jacobian(std::size_t j) const
{
    Mat<3, 6> out;
    for (std::size_t a = 0; a < 6; ++a) {
        const Vec3 column = derivative(changeOf(m_parts[j], a));
        for (std::size_t r = 0; r < 3; ++r) out[r][a] = column[r];
    }
    return out;
}

Mat<6, 6> DualQuaternionBlend::stiffness(std::size_t j, std::size_t k, const Vec3& f) const
{
    Mat<6, 6> out;
    for (std::size_t b = 0; b < 6; ++b) {
        const Dual then = changeOf(m_parts[k], b);
        const Vec3 moved = derivative(then);
        const double thenNorm = 2. * product(m_sum.real, then.real);
        for (std::size_t a = 0; a < 6; ++a) {
            const Dual first = changeOf(m_parts[j], a);
            Vec3 second = form(first, then.real) + form(then, first.real) -
                          m_position * (2. * product(first.real, then.real)) -
                          moved * (2. * product(m_sum.real, first.real)) - derivative(first) * thenNorm;
            if (j == k) {
                const Dual both = secondChangeOf(m_parts[j], a, b);
                second += form(both, m_sum.real) + form(m_sum, both.real) -
                          m_position * (2. * product(m_sum.real, both.real));
            }
            out[a][b] = dot(f, second) / m_norm2;
        }
    }
    return out;
}

}  // namespace sofa::component
