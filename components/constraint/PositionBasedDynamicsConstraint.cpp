// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/constraint/PositionBasedDynamicsConstraint.h"

#include "core/factory/Registry.h"
#include "core/objectmodel/Node.h"

namespace sofa::component {

using namespace core;

template <class D>
void PositionBasedDynamicsProjectiveConstraint<D>::init()
{
    Base::init();
    if (!this->isValid()) return;
    const std::size_t points = this->state().size();
    for (const auto& [name, size] :
         {std::pair("position", d_position.value().size()), std::pair("velocity", d_velocity.value().size()),
          std::pair("old_position", d_oldPosition.value().size())})
        if (size != points && !(size == 0 && std::string_view(name) != "position"))
            return this->fail(std::string(name) + " has " + std::to_string(size) + " values; expected " +
                              std::to_string(points) + ", one for each point of '" + this->state().pathName() + "'");
    m_old = d_oldPosition.value();
    m_velocity = d_velocity.value();
}

template <class D>
void PositionBasedDynamicsProjectiveConstraint<D>::reset()
{
    if (!this->isValid() || !this->l_state) return;
    m_old = this->state().positions();
    m_velocity.assign(m_old.size(), {});
    publish();
}

template <class D>
void PositionBasedDynamicsProjectiveConstraint<D>::publish()
{
    d_velocity.setValue(m_velocity);
    d_oldPosition.setValue(m_old);
}

template <class D>
void PositionBasedDynamicsProjectiveConstraint<D>::projectVelocity(VecDeriv& v) const
{
    if (m_velocity.size() == v.size()) v = m_velocity;
}

template <class D>
void PositionBasedDynamicsProjectiveConstraint<D>::projectPosition(const MechanicalParams&, const MultiVecCoordId& id)
{
    const double dt = this->node()->dt();
    if (!this->isValid() || !this->isActive() || dt == 0.) return;
    // Targets of the present positions: asked for before these are written.
    const VecCoord targets = d_position.value();
    const auto x = this->state().write(id.at(this->state()));
    if (targets.size() != (*x).size()) {
        this->msgError() << "position has " << targets.size() << " values; expected " << (*x).size();
        return;
    }
    if (m_old.size() != targets.size()) m_old = *x;
    m_velocity.resize(targets.size());
    for (std::size_t i = 0; i < targets.size(); ++i) {
        D::add((*x)[i], D::difference(targets[i], (*x)[i]) * d_stiffness.value());
        m_velocity[i] = D::difference((*x)[i], m_old[i]) / dt;
    }
    m_old = *x;
    publish();
}

static const RegisterComponent registeredPositionBasedDynamicsProjectiveConstraint =
    RegisterComponent("PositionBasedDynamicsProjectiveConstraint", "ProjectiveConstraint",
                      "Sofa.Component.Constraint.Projective")
        .help("Points go to target positions, and velocities follow from them")
        .alias("PositionBasedDynamicsConstraint")
        .example("component/constraint/PositionBasedDynamicsProjectiveConstraint.scn")
        .add<PositionBasedDynamicsProjectiveConstraint, Vec3Types, Vec1Types, Vec2Types, Vec6Types, Rigid3Types>();

}  // namespace sofa::component
