// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/State.h"
#include "core/collision/ContactPoints.h"
#include "core/interaction/Picking.h"
#include "core/objectmodel/Transient.h"

namespace sofa::component {

using namespace sofa::core;

/// The picked place as a point of a state of its own, or a point of the body's state; and a component that acts on it.
/// What was made for it goes with the hold.
class PointHold
{
public:
    /// False, with the reason in `why`, for what nothing moves.
    bool take(const Picked& picked, std::string& why);
    /// Adds a transient component that acts on the state.
    template <class C>
    C& add()
    {
        auto c = std::make_shared<C>();
        c->setName("mouse");
        setTransient(*c);
        c->l_state.set(m_state);
        m_state->node()->addComponent(c);
        c->init();
        m_component = c;
        return *c;
    }
    void drop();
    State<Vec3Types>& state() const { return *m_state; }
    Index point() const { return m_point; }
    /// Where the point has to be for the picked place to be at `target`: it is the centre of a picked sphere.
    Vec3 anchorFor(const Vec3& target) const { return target + m_offset; }
    Vec3 position() const { return m_state->positions()[m_point]; }
    /// Whether what it holds has left the scene.
    bool isLost() const { return m_component && !(m_state && m_component->node()); }
    ~PointHold() { drop(); }

private:
    /// Takes the picked place of a rigid body without a collision model, as a point that follows the body.
    bool takeFrame(const Picked& picked, std::string& why);

    std::unique_ptr<ContactPoints> m_points;
    Tracked<State<Vec3Types>> m_state;
    Index m_point = 0;
    Vec3 m_offset;
    std::shared_ptr<Component> m_component;
    std::shared_ptr<Node> m_frame;  ///< a point on a rigid body that has no collision model
};

}  // namespace sofa::component
