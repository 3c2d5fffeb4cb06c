// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/behavior/MultiMapping.h"

#include <sstream>

#include "core/objectmodel/Node.h"

namespace sofa::core {

std::vector<BaseState*> findStatesFor(const Node* node, const ComponentDescription& desc, std::string_view link,
                                      std::string& why)
{
    std::vector<BaseState*> states;
    const Attribute* a = desc.find(link);
    std::istringstream paths(a ? a->value : std::string());
    for (std::string path; paths >> path;) {
        std::string error;
        const std::vector<Base*> found = findByPath(*node, path, error);
        const auto isState = [](Base* b) { return dynamic_cast<BaseState*>(b) != nullptr; };
        const auto state = std::ranges::find_if(found, isState);
        if (state == found.end()) {
            why = std::string(link) + ": '" + path + "': " + (error.empty() ? "it is no state" : error);
            return {};
        }
        states.push_back(dynamic_cast<BaseState*>(*state));
    }
    if (states.empty()) why = "it needs '" + std::string(link) + "': paths of the states that it follows";
    return states;
}

}  // namespace sofa::core
