// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/spring/SpringLaw.h"

#include <algorithm>

namespace sofa::component {

template <class D>
void SpringLaw<D>::addForce(const Springs& springs, core::Vector<Matrix>& k, VecDeriv& f1, VecDeriv& f2,
                            const VecCoord& x1, const VecCoord& x2, const VecDeriv& v1, const VecDeriv& v2,
                            double leastLength, bool projected, bool repulsive)
{
    k.resize(springs.size());
    for (std::size_t i = 0; i < springs.size(); ++i) {
        const LinearSpring& s = springs[i];
        const auto force = evaluate(s, x1[s.m1], x2[s.m2], v1[s.m1], v2[s.m2], leastLength, projected, repulsive, k[i]);
        Position::addTo(f1[s.m1], force);
        Position::subtractFrom(f2[s.m2], force);
    }
}

template <class D>
void SpringLaw<D>::dampingBlocks(const Springs& springs, core::Vector<Matrix>& b, const VecCoord& x1,
                                 const VecCoord& x2, double leastLength, bool repulsive)
{
    b.assign(springs.size(), {});
    for (std::size_t i = 0; i < springs.size(); ++i) {
        const LinearSpring& s = springs[i];
        const auto d = Position::of(x2[s.m2]) - Position::of(x1[s.m1]);
        const double length = norm(d);
        if (!s.enabled || !(length > leastLength) || !acts(s, length, repulsive)) continue;
        b[i] = outer(d, d) * (s.kd / (length * length));
    }
}

template <class D>
void SpringLaw<D>::addDForce(const Springs& springs, const core::Vector<Matrix>& k, VecDeriv& df1, VecDeriv& df2,
                             const VecDeriv& dx1, const VecDeriv& dx2, double factor)
{
    const std::size_t n = std::min(springs.size(), k.size());
    for (std::size_t i = 0; i < n; ++i) {
        const LinearSpring& s = springs[i];
        const auto dforce = k[i] * (Position::ofDeriv(dx2[s.m2]) - Position::ofDeriv(dx1[s.m1])) * factor;
        Position::addTo(df1[s.m1], dforce);
        Position::subtractFrom(df2[s.m2], dforce);
    }
}

template <class D>
void SpringLaw<D>::buildStiffness(const Springs& springs, const core::Vector<Matrix>& k, core::BlockSink& k11,
                                  core::BlockSink& k12, core::BlockSink& k21, core::BlockSink& k22)
{
    const std::size_t n = std::min(springs.size(), k.size());
    for (std::size_t i = 0; i < n; ++i) {
        const LinearSpring& s = springs[i];
        const auto block = Position::block(k[i]);
        const auto minus = -block;
        k11.add(s.m1, s.m1, minus);
        k12.add(s.m1, s.m2, block);
        k21.add(s.m2, s.m1, block);
        k22.add(s.m2, s.m2, minus);
    }
}

template <class D>
double SpringLaw<D>::energy(const Springs& springs, const VecCoord& x1, const VecCoord& x2, bool repulsive)
{
    double sum = 0.;
    for (const LinearSpring& s : springs) {
        if (!s.enabled) continue;
        const double length = norm(Position::of(x2[s.m2]) - Position::of(x1[s.m1])), elongation = length - s.initpos;
        if (!acts(s, length, repulsive)) continue;
        sum += 0.5 * s.ks * elongation * elongation;
    }
    return sum;
}

template struct SpringLaw<core::Vec1Types>;
template struct SpringLaw<core::Vec2Types>;
template struct SpringLaw<core::Vec3Types>;
template struct SpringLaw<core::Vec6Types>;
template struct SpringLaw<core::Rigid3Types>;

}  // namespace sofa::component
