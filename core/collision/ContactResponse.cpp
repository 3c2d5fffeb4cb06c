// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/collision/ContactResponse.h"

#include <algorithm>

namespace sofa::core {

namespace {

std::map<std::string, ResponseCreator>& creators()
{
    static std::map<std::string, ResponseCreator> all;
    return all;
}

}  // namespace

void registerContactResponse(const std::string& name, ResponseCreator creator)
{
    creators()[name] = std::move(creator);
}

const ResponseCreator* findContactResponse(const std::string& name)
{
    const auto it = creators().find(name);
    return it == creators().end() ? nullptr : &it->second;
}

std::vector<std::string> contactResponseNames()
{
    std::vector<std::string> names;
    for (const auto& [name, creator] : creators()) names.push_back(name);
    return names;
}

void keepNearest(Vector<DetectedContact>& contacts)
{
    // By id, then in the order of detection.
    Vector<std::size_t> order(contacts.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return contacts[a].id < contacts[b].id; });
    Vector<char> kept(contacts.size(), 0);
    for (std::size_t begin = 0; begin < order.size();) {
        std::size_t nearest = order[begin], end = begin + 1;
        for (; end < order.size() && contacts[order[end]].id == contacts[nearest].id; ++end)
            if (contacts[order[end]].value < contacts[nearest].value) nearest = order[end];
        kept[nearest] = 1;
        begin = end;
    }
    std::size_t to = 0;
    for (std::size_t k = 0; k < contacts.size(); ++k)
        if (kept[k]) contacts[to++] = contacts[k];
    contacts.resize(to);
}

}  // namespace sofa::core
