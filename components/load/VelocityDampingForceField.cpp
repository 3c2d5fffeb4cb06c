// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/load/VelocityDampingForceField.h"

#include <algorithm>

#include "core/factory/Registry.h"

namespace sofa::component {

using core::Index;
using core::MechanicalParams;

template <class D>
UniformVelocityDampingForceField<D>::UniformVelocityDampingForceField()
{
    this->addAlias(d_dampingCoefficient, "damping");
}

template <class D>
void UniformVelocityDampingForceField<D>::addForce(const MechanicalParams&, VecDeriv& f, const VecCoord&,
                                                   const VecDeriv& v)
{
    const double c = d_dampingCoefficient.value();
    for (std::size_t i = 0; i < f.size(); ++i) f[i] -= v[i] * c;
}

template <class D>
void UniformVelocityDampingForceField<D>::addDForce(const MechanicalParams& mp, const core::MultiVecDerivId& df)
{
    if (!d_implicit.value() || mp.bFactor == 0.) return;
    const double c = mp.bFactor * d_dampingCoefficient.value();
    core::State<D>& s = this->state();
    const auto out = s.write(df.at(s));
    const VecDeriv& dx = s.read(mp.dx.at(s));
    for (std::size_t i = 0; i < out.size(); ++i) out[i] -= dx[i] * c;
}

template <class D>
void UniformVelocityDampingForceField<D>::buildDamping(const MechanicalParams&, core::BlockSink& b)
{
    if (!d_implicit.value()) return;
    const auto block = core::Mat<D::derivSize, D::derivSize>::diagonal(Deriv::filled(-d_dampingCoefficient.value()));
    for (Index i = 0; i < this->state().size(); ++i) b.add(i, i, block);
}

template <class D>
void DiagonalVelocityDampingForceField<D>::addForce(const MechanicalParams&, VecDeriv& f, const VecCoord&,
                                                    const VecDeriv& v)
{
    const VecDeriv& c = d_dampingCoefficients.value();
    if (c.empty()) return;
    for (std::size_t i = 0; i < f.size(); ++i) {
        const Deriv& k = c[std::min(i, c.size() - 1)];
        for (std::size_t j = 0; j < D::derivSize; ++j) f[i][j] -= v[i][j] * k[j];
    }
}

template <class D>
void DiagonalVelocityDampingForceField<D>::addDForce(const MechanicalParams& mp, const core::MultiVecDerivId& df)
{
    const VecDeriv& c = d_dampingCoefficients.value();
    if (c.empty() || mp.bFactor == 0.) return;
    core::State<D>& s = this->state();
    const auto out = s.write(df.at(s));
    const VecDeriv& dx = s.read(mp.dx.at(s));
    for (std::size_t i = 0; i < out.size(); ++i) {
        const Deriv& k = c[std::min(i, c.size() - 1)];
        for (std::size_t j = 0; j < D::derivSize; ++j) out[i][j] -= dx[i][j] * k[j] * mp.bFactor;
    }
}

template <class D>
void DiagonalVelocityDampingForceField<D>::buildDamping(const MechanicalParams&, core::BlockSink& b)
{
    const VecDeriv& c = d_dampingCoefficients.value();
    if (c.empty()) return;
    for (Index i = 0; i < this->state().size(); ++i)
        b.add(i, i, core::Mat<D::derivSize, D::derivSize>::diagonal(-c[std::min<std::size_t>(i, c.size() - 1)]));
}

#define SOFA_INSTANTIATE(D)                             \
    template class UniformVelocityDampingForceField<D>; \
    template class DiagonalVelocityDampingForceField<D>;
SOFA_STATE_TYPES(SOFA_INSTANTIATE)
#undef SOFA_INSTANTIATE

static const core::RegisterComponent registeredUniformVelocityDampingForceField =
    core::RegisterComponent("UniformVelocityDampingForceField", "ForceField", "Sofa.Component.MechanicalLoad")
        .help("Viscous drag with one coefficient for all points")
        .example("component/load/VelocityDampingForceField.scn")
        .add<UniformVelocityDampingForceField, core::Vec3Types, core::Vec2Types, core::Vec1Types, core::Vec6Types,
             core::Rigid3Types, core::Rigid2Types>();

static const core::RegisterComponent registeredDiagonalVelocityDampingForceField =
    core::RegisterComponent("DiagonalVelocityDampingForceField", "ForceField", "Sofa.Component.MechanicalLoad")
        .help("Viscous drag with a coefficient for each scalar of each point")
        .example("component/load/VelocityDampingForceField.scn")
        .add<DiagonalVelocityDampingForceField, core::Vec3Types, core::Vec2Types, core::Vec1Types, core::Vec6Types,
             core::Rigid3Types, core::Rigid2Types>();

}  // namespace sofa::component
