// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/spring/RestShapeSpringsForceField.h"

#include "core/factory/Registry.h"
#include "core/math/RotationVector.h"

namespace sofa::component {

using core::MechanicalParams;

template <class D>
RestShapeSpringsForceField<D>::RestShapeSpringsForceField()
{
    this->ignoreAttribute("pivot_points", "it has none in SOFA either");
    for (const char* name : {"damping", "angularDamping"})
        this->ignoreAttribute(name, "the springs have no damping; use rayleighStiffness");
    this->m_tracker.track(d_stiffness);
    this->m_tracker.track(d_angularStiffness);
    this->m_tracker.track(d_activeDirections);
}

template <class D>
void RestShapeSpringsForceField<D>::bwdInit()
{
    if (!this->isValid()) return;
    if (d_stiffness.value().empty()) d_stiffness.setValue({100.});
    if (D::isRigid) {
        // As many as stiffnesses; missing ones are 100.
        const auto a = d_angularStiffness.edit();
        a->resize(d_stiffness.value().size(), 100.);
    }
    Base::bwdInit();
}

template <class D>
void RestShapeSpringsForceField<D>::springsFound()
{
    m_diagonals.resize(m_points.size());
    for (std::size_t i = 0; i < m_points.size(); ++i) m_diagonals[i] = diagonal(i);
}

template <class D>
typename D::Deriv RestShapeSpringsForceField<D>::diagonal(std::size_t spring) const
{
    const double k = Base::valueOf(d_stiffness.value(), spring);
    const auto& active = d_activeDirections.value();
    Deriv d;
    for (std::size_t i = 0; i < Position::size; ++i) d[i] = active[i] ? k : 0.;
    if constexpr (D::isRigid) {
        const double angular = Base::valueOf(d_angularStiffness.value(), spring);
        for (std::size_t i = Position::size; i < D::derivSize; ++i) d[i] = active[i] ? angular : 0.;
    }
    return d;
}

template <class D>
void RestShapeSpringsForceField<D>::addForce(const MechanicalParams&, VecDeriv& f, const VecCoord& x, const VecDeriv&)
{
    this->updateSprings();
    const VecCoord& target = targets();
    m_turns.assign(D::isRigid && d_tangent.value() ? m_points.size() : 0, core::Vec3{});
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        const Deriv d = D::difference(x[m_points[i]], target[m_targets[i]]);
        if constexpr (std::is_same_v<D, core::Rigid3Types>)
            if (!m_turns.empty()) m_turns[i] = D::angular(d);
        const Deriv& k = m_diagonals[i];
        Deriv& out = f[m_points[i]];
        for (std::size_t j = 0; j < D::derivSize; ++j) out[j] -= d[j] * k[j];
    }
}

template <class D>
void RestShapeSpringsForceField<D>::addDForce(const MechanicalParams& mp, const core::MultiVecDerivId& df)
{
    const double factor = mp.stiffnessFactor(this->d_rayleighStiffness.value());
    core::State<D>& s = this->state();
    const auto out = s.write(df.at(s));
    const VecDeriv& dx = s.read(mp.dx.at(s));
    for (std::size_t i = 0; i < m_points.size(); ++i) out[m_points[i]] += block(i) * dx[m_points[i]] * factor;
}

template <class D>
core::Mat<D::derivSize, D::derivSize> RestShapeSpringsForceField<D>::block(std::size_t spring) const
{
    const Deriv& k = m_diagonals[spring];
    auto block = core::Mat<D::derivSize, D::derivSize>::diagonal(-k);
    if constexpr (std::is_same_v<D, core::Rigid3Types>) {
        if (spring >= m_turns.size()) return block;
        const core::Mat3 turn = core::rotationVectorDerivative(m_turns[spring]);
        for (std::size_t r = 0; r < 3; ++r)
            for (std::size_t c = 0; c < 3; ++c) block[3 + r][3 + c] = -k[3 + r] * turn[r][c];
    }
    return block;
}

template <class D>
void RestShapeSpringsForceField<D>::buildStiffness(const MechanicalParams&, core::BlockSink& sink)
{
    for (std::size_t i = 0; i < m_points.size(); ++i) sink.add(m_points[i], m_points[i], block(i));
}

template <class D>
double RestShapeSpringsForceField<D>::potentialEnergy(const MechanicalParams&, const VecCoord& x) const
{
    const VecCoord& target = targets();
    double energy = 0.;
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        const Deriv d = D::difference(x[m_points[i]], target[m_targets[i]]);
        const Deriv& k = m_diagonals[i];
        for (std::size_t j = 0; j < D::derivSize; ++j) energy += 0.5 * k[j] * d[j] * d[j];
    }
    // The torque of single directions of a rotation vector has no potential.
    if constexpr (D::isRigid) {
        const auto& active = d_activeDirections.value();
        const bool some = active[3] || active[4] || active[5], allThree = active[3] && active[4] && active[5];
        if (some && !allThree) return std::numeric_limits<double>::quiet_NaN();
    }
    return energy;
}

template class RestShapeSpringsForceField<core::Vec1Types>;
template class RestShapeSpringsForceField<core::Vec3Types>;
template class RestShapeSpringsForceField<core::Rigid3Types>;

static const core::RegisterComponent registeredRestShapeSpringsForceField =
    core::RegisterComponent("RestShapeSpringsForceField", "ForceField", "Sofa.Component.SolidMechanics.Spring")
        .help("Springs that pull points to their rest positions or to another state")
        .example("component/spring/RestShapeSpringsForceField.scn")
        .add<RestShapeSpringsForceField, core::Vec3Types, core::Vec1Types, core::Rigid3Types>();

}  // namespace sofa::component
