// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/interaction/SwitchedTool.h"

#include "core/interaction/MouseButtonEvent.h"

namespace sofa::component {

void SwitchedTool::init()
{
    m_initiallyActive = d_active.value();
    for (const auto* d : {&d_key, &d_keySwitch})
        if (d->value().size() > 1)
            fail(d->name() + ": one character is expected, or nothing for no key, not '" + d->value() + "'");
}

void SwitchedTool::reset()
{
    d_active.setValue(m_initiallyActive);
    m_told.clear();
}

void SwitchedTool::tellWhyNot(const std::string& reason)
{
    if (!reason.empty() && reason != m_told) message(Severity::Warning, reason);
    m_told = reason;
}

void SwitchedTool::archive(Archive& a)
{
    Component::archive(a);
    bool active = d_active.value();
    a(active);
    if (a.loading()) d_active.setValue(active);
}

void SwitchedTool::handleEvent(const Event& e)
{
    if (const auto* button = dynamic_cast<const MouseButtonEvent*>(&e)) {
        if (d_mouseEvent.value() && button->button() == MouseButton::Middle) d_active.setValue(button->pressed());
        return;
    }
    const auto* key = dynamic_cast<const KeyEvent*>(&e);
    if (!key) return;
    const std::string pressed(1, key->key());
    if (pressed == d_key.value())
        d_active.setValue(key->pressed());
    else if (pressed == d_keySwitch.value() && key->pressed())
        d_active.setValue(!d_active.value());
}

}  // namespace sofa::component
