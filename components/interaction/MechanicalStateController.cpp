// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/interaction/MechanicalStateController.h"

#include <algorithm>
#include <utility>

#include "core/behavior/StateLookup.h"
#include "core/factory/Registry.h"
#include "core/interaction/MouseMotionEvent.h"
#include "core/objectmodel/Archive.h"
#include "core/visitor/StatePropagation.h"

namespace sofa::component {

namespace {

constexpr double turnPerCount = 0.001;  ///< [rad]
constexpr double movePerCount = 0.05;   ///< of the main direction
constexpr double gripperOpening = -0.4;

Quat turn(const Vec3& axis, int counts) { return Quat::fromAxisAngle(axis, turnPerCount * counts); }

/// Moves a frame by a motion of the mouse while a button is pressed.
void move(RigidCoord3& x, MouseButton button, int dx, int dy, const Vec3& mainDirection)
{
    if (button == MouseButton::Left) {
        x.orientation = x.orientation * turn({0., 1., 0.}, dx) * turn({0., 0., 1.}, dy);
    } else if (button == MouseButton::Right) {
        x.center += x.orientation.rotate(mainDirection * (movePerCount * dy));
        x.orientation = x.orientation * turn({1., 0., 0.}, dx);
    }
}

void translate(RigidCoord3& x, MouseButton button, int dx, int dy)
{
    x.center += button == MouseButton::Left    ? Vec3{double(dx), 0., 0.}
                : button == MouseButton::Right ? Vec3{0., double(dy), 0.}
                                               : Vec3{0., 0., double(dy)};
}

}  // namespace

template <class D>
bool MechanicalStateController<D>::canCreate(const Node* node, const ComponentDescription&, std::string& why)
{
    if (!node || findMechanicalState<State<D>>(*node, Search::Local)) return true;
    why = "there is no state of type " + std::string(D::name()) + " in its node";
    return false;
}

template <class D>
void MechanicalStateController<D>::init()
{
    m_state = findMechanicalState<State<D>>(*node(), Search::Local);
    if (!m_state) return fail("it needs a state of type " + std::string(D::name()) + " in its node");
    if (d_index.value() >= m_state->size())
        return fail("index: the point " + d_index.text() + " does not exist; '" + m_state->pathName() + "' has " +
                    std::to_string(m_state->size()));
}

template <class D>
void MechanicalStateController<D>::reset()
{
    m_button.reset();
    m_dx = m_dy = 0;
}

template <class D>
void MechanicalStateController<D>::archive(Archive& a)
{
    int button = m_button ? static_cast<int>(*m_button) : -1;
    a(button);
    a(m_dx);
    a(m_dy);
    if (a.loading()) m_button = button < 0 ? std::nullopt : std::optional(static_cast<MouseButton>(button));
}

template <>
void MechanicalStateController<Rigid3Types>::apply()
{
    const int dx = std::exchange(m_dx, 0), dy = std::exchange(m_dy, 0);
    if (!m_button || (dx == 0 && dy == 0)) return;
    for (const VecCoordId id : {vec_id::position, vec_id::freePosition}) {
        if (!m_state->isAllocated(id)) continue;
        const auto x = m_state->write(id);
        if (d_index.value() >= x.size()) continue;
        RigidCoord3& frame = x[d_index.value()];
        if (d_onlyTranslation.value())
            translate(frame, *m_button, dx, dy);
        else
            move(frame, *m_button, dx, dy, d_mainDirection.value());
    }
    projectState(*node());
    propagateState(*node());
}

template <>
void MechanicalStateController<Vec1Types>::apply()
{
    const double opening = m_button == MouseButton::Middle || d_buttonDeviceState.value() ? gripperOpening : 0.;
    if (!m_state->isAllocated(vec_id::restPosition)) return;
    const auto x = m_state->write(vec_id::restPosition);
    for (std::size_t i = 0; i < std::min<std::size_t>(x.size(), 2); ++i) x[i][0] = opening;
}

template <class D>
void MechanicalStateController<D>::handleEvent(const Event& e)
{
    if (!isValid() || !m_state) return;
    if (const auto* b = dynamic_cast<const MouseButtonEvent*>(&e)) {
        apply();  // what was moved with the buttons as they were
        if (b->pressed())
            m_button = b->button();
        else
            m_button.reset();
    } else if (const auto* m = dynamic_cast<const MouseMotionEvent*>(&e)) {
        m_dx += m->dx();
        m_dy += m->dy();
        if (d_handleEventTriggersUpdate.value()) apply();
    } else if (dynamic_cast<const AnimateBeginEvent*>(&e)) {
        apply();
    }
}

static const RegisterComponent registeredMechanicalStateController =
    RegisterComponent("MechanicalStateController", "Controller", "Sofa.Component.Controller")
        .help("Moves a point of a state as a mouse moves that is read as a device")
        .example("component/interaction/MechanicalStateController.scn")
        .add<MechanicalStateController, Rigid3Types, Vec1Types>();

}  // namespace sofa::component
