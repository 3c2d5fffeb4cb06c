// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/load/PlanePenalty.h"

#include <algorithm>
#include <cmath>

namespace sofa::component {

using core::Index;

template <class D>
void PlanePenalty<D>::addForce(VecDeriv& f, const VecCoord& x, const VecDeriv& v, const Range& range,
                               core::Vector<Index>& contacts) const
{
    const double limit = maxForce * maxForce;
    for (std::size_t i = range.first; i < range.second; ++i) {
        const double delta = depth(x[i]);
        if (!bilateral && !(delta < 0.)) continue;
        Vector force = normal * (-stiffness * delta) - Position::ofDeriv(v[i]) * (-damping * delta);
        const double amplitude = norm2(force);
        if (limit > 0. && amplitude > limit) force *= std::sqrt(limit / amplitude);
        Position::addTo(f[i], force);
        contacts.push_back(static_cast<Index>(i));
    }
}

template <class D>
auto PlanePenalty<D>::derivative(Index point, const Coord& x, const typename D::Deriv& v) const -> Derivative
{
    const double delta = depth(x);
    const Vector velocity = Position::ofDeriv(v), force = normal * (-stiffness * delta) + velocity * (damping * delta);
    Derivative d{point, outer(velocity * damping - normal * stiffness, normal), {}};
    for (std::size_t i = 0; i < Position::size; ++i) d.dfdv[i][i] = damping * delta;
    const double amplitude = norm(force);
    if (maxForce > 0. && amplitude > maxForce) {
        // f F / |f|: what is along f does not change.
        auto across = outer(force, force) * (-1. / (amplitude * amplitude));
        for (std::size_t i = 0; i < Position::size; ++i) across[i][i] += 1.;
        d.dfdx = across * d.dfdx * (maxForce / amplitude);
        d.dfdv = across * d.dfdv * (maxForce / amplitude);
    }
    return d;
}

template <class D>
void PlanePenalty<D>::addDForce(VecDeriv& df, const VecDeriv& dx, double factor,
                                const core::Vector<Index>& contacts) const
{
    const double scale = -stiffness * factor;
    for (const Index i : contacts) Position::addTo(df[i], normal * (scale * dot(Position::ofDeriv(dx[i]), normal)));
}

template <class D>
void PlanePenalty<D>::addStiffness(core::BlockSink& k, const core::Vector<Index>& contacts) const
{
    const auto block = Position::block(outer(normal, normal) * -stiffness);
    for (const Index i : contacts) k.add(i, i, block);
}

template <class D>
double PlanePenalty<D>::energy(const VecCoord& x, const Range& range) const
{
    double energy = 0.;
    for (std::size_t i = range.first; i < range.second; ++i) {
        const double delta = depth(x[i]);
        if (bilateral || delta < 0.) energy += 0.5 * stiffness * delta * delta;
    }
    return energy;
}

template <class D>
void PlanePenalty<D>::appendDepths(core::Vector<core::Vec3>& lines, const VecCoord& x, const Range& range) const
{
    for (std::size_t i = range.first; i < range.second; ++i) {
        const double delta = depth(x[i]);
        if (!(delta < 0.)) continue;
        const Vector p = Position::of(x[i]) - normal * delta;
        core::Vec3 shown;
        for (std::size_t k = 0; k < std::min<std::size_t>(3, Position::size); ++k) shown[k] = p[k];
        lines.push_back(D::position(x[i]));
        lines.push_back(shown);
    }
}

template struct PlanePenalty<core::Vec1Types>;
template struct PlanePenalty<core::Vec2Types>;
template struct PlanePenalty<core::Vec3Types>;
template struct PlanePenalty<core::Vec6Types>;
template struct PlanePenalty<core::Rigid3Types>;

}  // namespace sofa::component
