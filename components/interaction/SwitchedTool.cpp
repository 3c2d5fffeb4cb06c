// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/interaction/SwitchedTool.h"

namespace sofa::component {

void SwitchedTool::init() { m_initiallyActive = d_active.value(); }

void SwitchedTool::reset() { d_active.setValue(m_initiallyActive); }

void SwitchedTool::archive(Archive& a)
{
    Component::archive(a);
    bool active = d_active.value();
    a(active);
    if (a.loading()) d_active.setValue(active);
}

void SwitchedTool::handleEvent(const Event& e)
{
    const auto* key = dynamic_cast<const KeyEvent*>(&e);
    if (!key) return;
    const std::string pressed(1, key->key());
    if (pressed == d_key.value())
        d_active.setValue(key->pressed());
    else if (pressed == d_keySwitch.value() && key->pressed())
        d_active.setValue(!d_active.value());
}

}  // namespace sofa::component
