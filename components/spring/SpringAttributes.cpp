// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/spring/SpringAttributes.h"

#include <algorithm>

namespace sofa::component {

void distributeAttribute(core::Base& owner, core::ComponentDescription& desc, const std::string& attribute,
                         const std::vector<std::string>& data)
{
    const auto concerns = [&](const core::Attribute& a) {
        if (a.name == attribute) return true;
        const core::BaseData* d = owner.findData(a.name);
        return d && std::find(data.begin(), data.end(), d->name()) != data.end();
    };
    std::vector<core::Attribute*> found;
    for (core::Attribute& a : desc.attributes)
        if (!a.used && concerns(a)) found.push_back(&a);
    std::stable_sort(found.begin(), found.end(), [](const auto* a, const auto* b) { return a->name < b->name; });
    for (core::Attribute* a : found) {
        if (a->name == attribute)
            for (const std::string& name : data) owner.setAttribute(name, a->value, a->where);
        else
            owner.setAttribute(a->name, a->value, a->where);
        a->used = true;
    }
}

}  // namespace sofa::component
