// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/objectmodel/Component.h"

namespace sofa::component {

using namespace sofa::core;

/// A tool of the scene that works while it is switched on, by the scene, by keys or by the middle button of the mouse.
class SwitchedTool : public Component
{
public:
    Data<bool> d_active{this, {.name = "active", .help = "Whether the tool works; keys turn it on and off"}, false};
    Data<std::string> d_key{
        this, {.name = "key", .help = "Key that makes it work while it is pressed, one character; empty: none"}, "1"};
    Data<std::string> d_keySwitch{
        this,
        {.name = "keySwitch",
         .help = "Key that turns it on, and off when it is pressed again, one character; empty: none"},
        "4"};
    Data<bool> d_mouseEvent{
        this, {.name = "mouseEvent", .help = "The middle button of the mouse makes it work while it is pressed"}, true};

    SwitchedTool() { d_listening.setDefault(true); }
    void init() override;
    void reset() override;
    void archive(Archive& a) override;
    void handleEvent(const Event& e) override;

protected:
    /// Warns why nothing happens, once until the reason is another one or it works again (an empty reason).
    void tellWhyNot(const std::string& reason);

private:
    bool m_initiallyActive = false;
    std::string m_told;
};

}  // namespace sofa::component
