// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/behavior/Mass.h"

#include "core/objectmodel/Node.h"

namespace sofa::core {

template <class D>
void Mass<D>::init()
{
    ForceField<D>::init();
    if (this->compatibility() == Compatibility::Sofa) m_inertiaTurns = false;
}

template <class D>
typename D::Deriv Mass<D>::gravityDeriv() const
{
    Deriv g;
    D::setLinear(g, this->node()->gravity());
    return g;
}

template <class D>
void Mass<D>::addForce(const MechanicalParams&, VecDeriv& f, const VecCoord& x, const VecDeriv&)
{
    if (d_separateGravity.value()) return;
    const VecDeriv g(f.size(), gravityDeriv());
    addMDx(f, g, x, 1.);
}

template <class D>
double Mass<D>::potentialEnergy(const MechanicalParams&, const VecCoord& x) const
{
    const VecDeriv g(x.size(), gravityDeriv());
    VecDeriv weight(x.size());
    addMDx(weight, g, x, 1.);
    double e = 0.;
    for (std::size_t i = 0; i < x.size(); ++i) e -= core::dot(D::position(x[i]), D::linear(weight[i]));
    return e;
}

template <class D>
void Mass<D>::addMDx(const MechanicalParams& mp, const MultiVecDerivId& f, double factor)
{
    State<D>& s = this->state();
    addMDx(*s.write(f.at(s)), s.read(mp.dx.at(s)), s.read(mp.xMass.at(s)), factor);
}

template <class D>
void Mass<D>::accFromF(const MechanicalParams& mp, const MultiVecDerivId& a, const MultiVecDerivId& f)
{
    if (!isDiagonal())
        throw std::runtime_error(this->pathName() + " (" + this->className() +
                                 "): this mass matrix is not diagonal; its inverse needs a linear solver");
    State<D>& s = this->state();
    accFromF(*s.write(a.at(s)), s.read(f.at(s)), s.read(mp.xMass.at(s)));
}

template <class D>
void Mass<D>::buildMass(const MechanicalParams& mp, MatrixAccumulator& m)
{
    State<D>& s = this->state();
    buildMass(m.sink(s, s), s.read(mp.xMass.at(s)));
}

template <class D>
void Mass<D>::addGravityToV(const MechanicalParams& mp, const MultiVecDerivId& v)
{
    if (!d_separateGravity.value()) return;
    State<D>& s = this->state();
    const Deriv g = gravityDeriv() * mp.dt;
    for (Deriv& d : s.write(v.at(s))) d += g;
}

template <class D>
double Mass<D>::kineticEnergy(const MechanicalParams& mp) const
{
    const State<D>& s = this->state();
    const VecDeriv& v = s.read(mp.v.at(s));
    VecDeriv p(v.size());
    addMDx(p, v, s.read(mp.x.at(s)), 1.);
    double e = 0.;
    for (std::size_t i = 0; i < v.size(); ++i) e += core::dot(p[i], v[i]);
    return 0.5 * e;
}

template <class D>
Vec6 Mass<D>::momentum(const MechanicalParams& mp) const
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

#define SOFA_INSTANTIATE(D) template class Mass<D>;
SOFA_STATE_TYPES(SOFA_INSTANTIATE)
#undef SOFA_INSTANTIATE

}  // namespace sofa::core
