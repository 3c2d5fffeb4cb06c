// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/visual/VisualStyle.h"

#include "core/factory/Registry.h"
#include "core/objectmodel/Node.h"

namespace sofa::component {

DisplayFlags VisualStyle::flagsOf(const Node& node)
{
    DisplayFlags own;
    for (const auto& [name, value] : node.displayAttributes()) {
        bool on = false;
        std::string error;
        if (parseText(value, on, error)) own.apply((on ? "show" : "hide") + name.substr(4));
    }
    if (const auto* style = node.get<VisualStyle>(Search::Local))
        own = DisplayFlags::merged(own, style->d_displayFlags.value());
    return node.parents().empty() ? own : DisplayFlags::merged(flagsOf(*node.parents().front()), own);
}

bool VisualStyle::shows(const Node& node, DisplayFlags::Flag flag)
{
    const DisplayFlags::State s = flagsOf(node).state(flag);
    return s == DisplayFlags::State::Unset ? flag == DisplayFlags::VisualModels : s == DisplayFlags::State::On;
}

static const RegisterComponent registered = RegisterComponent("VisualStyle", "Visual", "Sofa.Component.Visual")
                                                .help("What viewers show of its node and of everything below")
                                                .example("component/visual/VisualStyle.scn")
                                                .add<VisualStyle>();

}  // namespace sofa::component
