// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/behavior/MultiMapping.h"

#include <sstream>

namespace sofa::core {

std::vector<BaseState*> findStatesFor(const Node* node, const ComponentDescription& desc, std::string_view link,
                                      std::string& why)
{
    std::vector<BaseState*> states;
    const Attribute* a = desc.find(link);
    std::istringstream paths(a ? a->value : std::string());
    for (std::string path; paths >> path;) {
        ComponentDescription one;
        one.set(std::string(link), path);
        BaseState* state = findStateFor(node, one, link, why);
        if (!state) return {};
        states.push_back(state);
    }
    if (states.empty()) why = "it needs '" + std::string(link) + "': paths of the states that it follows";
    return states;
}

}  // namespace sofa::core
