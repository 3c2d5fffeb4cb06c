// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/Mass.h"
#include "core/objectmodel/Node.h"

/// The functions of Mass<DataTypes, Law>, for the one file that instantiates a mass that is a law of force too
/// (core/behavior/Mass.cpp has those of plain masses); everybody else includes core/behavior/Mass.h.
namespace sofa::core {

template <class D, class Law>
void Mass<D, Law>::init()
{
    Law::init();
    if (this->compatibility() == Compatibility::Sofa) m_inertiaTurns = false;
}

template <class D, class Law>
typename D::Deriv Mass<D, Law>::gravityDeriv() const
{
    Deriv g;
    D::setLinear(g, this->node()->gravity());
    return g;
}

template <class D, class Law>
void Mass<D, Law>::addWeight(VecDeriv& f, const VecCoord& x) const
{
    const VecDeriv g(f.size(), gravityDeriv());
    addMDx(f, g, x, 1.);
}

template <class D, class Law>
void Mass<D, Law>::addForce(const MechanicalParams& mp, VecDeriv& f, const VecCoord& x, const VecDeriv& v)
{
    if constexpr (hasLaw) Law::addForce(mp, f, x, v);
    if (!d_separateGravity.value()) addWeight(f, x);
}

template <class D, class Law>
double Mass<D, Law>::potentialEnergy(const MechanicalParams& mp, const VecCoord& x) const
{
    VecDeriv weight(x.size());
    addWeight(weight, x);
    double e = 0.;
    for (std::size_t i = 0; i < x.size(); ++i) e -= core::dot(D::position(x[i]), D::linear(weight[i]));
    if constexpr (hasLaw) e += Law::potentialEnergy(mp, x);
    return e;
}

template <class D, class Law>
void Mass<D, Law>::addMDx(const MechanicalParams& mp, const MultiVecDerivId& f, double factor)
{
    State<D>& s = this->state();
    addMDx(*s.write(f.at(s)), s.read(mp.dx.at(s)), s.read(mp.xMass.at(s)), factor);
}

template <class D, class Law>
void Mass<D, Law>::accFromF(const MechanicalParams& mp, const MultiVecDerivId& a, const MultiVecDerivId& f)
{
    if (!isDiagonal())
        throw std::runtime_error(this->pathName() + " (" + this->className() +
                                 "): this mass matrix is not diagonal; its inverse needs a linear solver");
    State<D>& s = this->state();
    accFromF(*s.write(a.at(s)), s.read(f.at(s)), s.read(mp.xMass.at(s)));
}

template <class D, class Law>
void Mass<D, Law>::buildMass(const MechanicalParams& mp, MatrixAccumulator& m)
{
    State<D>& s = this->state();
    buildMass(m.sink(s, s), s.read(mp.xMass.at(s)));
}

template <class D, class Law>
void Mass<D, Law>::addGravityToV(const MechanicalParams& mp, const MultiVecDerivId& v)
{
    if (!d_separateGravity.value()) return;
    State<D>& s = this->state();
    const Deriv g = gravityDeriv() * mp.dt;
    for (Deriv& d : s.write(v.at(s))) d += g;
}

template <class D, class Law>
double Mass<D, Law>::kineticEnergy(const MechanicalParams& mp) const
{
    const State<D>& s = this->state();
    const VecDeriv& v = s.read(mp.v.at(s));
    VecDeriv p(v.size());
    addMDx(p, v, s.read(mp.x.at(s)), 1.);
    double e = 0.;
    for (std::size_t i = 0; i < v.size(); ++i) e += core::dot(p[i], v[i]);
    return 0.5 * e;
}

template <class D, class Law>
Vec6 Mass<D, Law>::momentum(const MechanicalParams& mp) const
{
    const State<D>& s = this->state();
    const VecCoord& x = s.read(mp.x.at(s));
    const VecDeriv& v = s.read(mp.v.at(s));
    VecDeriv p(v.size());
    addMDx(p, v, x, 1.);
    Vec6 sum;
    for (std::size_t i = 0; i < v.size(); ++i) {
        const Vec3 l = D::linear(p[i]);
        Vec3 a = cross(D::position(x[i]), l);
        if constexpr (std::is_same_v<D, Rigid3Types>) a += D::angular(p[i]);
        if constexpr (std::is_same_v<D, Rigid2Types>) a[2] += p[i][2];
        for (std::size_t k = 0; k < 3; ++k) {
            sum[k] += l[k];
            sum[k + 3] += a[k];
        }
    }
    return sum;
}

}  // namespace sofa::core
