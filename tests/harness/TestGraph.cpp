// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "tests/harness/TestGraph.h"

#include <algorithm>

namespace sofa::test {

core::Component& addComponent(core::Node& node, const std::string& type, const Attributes& attributes)
{
    core::ComponentDescription desc;
    desc.type = type;
    for (const auto& [name, value] : attributes) {
        if (name == "template")
            desc.templ = value;
        else
            desc.set(name, value);
    }
    auto c = core::Registry::instance().create(&node, desc);
    node.addComponent(c);
    c->parse(desc);
    for (const auto& a : desc.attributes)
        if (!a.used) throw std::runtime_error(type + " has no attribute '" + a.name + "'");
    return *c;
}

bool initialise(core::Node& root)
{
    const auto nodes = root.descendants();
    const auto forEach = [](const core::Node& n, auto&& f) {
        const auto components = n.components();  // a copy: init may add some
        for (const auto& c : components) f(*c);
    };
    for (core::Node* n : nodes) forEach(*n, [](core::Component& c) { c.resolveDataLinks(true); });
    for (core::Node* n : nodes) forEach(*n, [](core::Component& c) { c.init(); });
    for (auto n = nodes.rbegin(); n != nodes.rend(); ++n) forEach(**n, [](core::Component& c) { c.bwdInit(); });
    bool valid = true;
    for (core::Node* n : nodes) forEach(*n, [&](core::Component& c) { valid = valid && c.isValid(); });
    return valid;
}

std::vector<core::Vec3> cubePoints()
{
    return {{0., 0., 0.}, {1., 0., 0.}, {1., 1., 0.}, {0., 1., 0.},
            {0., 0., 1.}, {1., 0., 1.}, {1., 1., 1.}, {0., 1., 1.}};
}

core::Vector<core::Hexahedron> cubeHexahedron() { return {{0, 1, 2, 3, 4, 5, 6, 7}}; }

core::Vector<core::Tetrahedron> cubeTetrahedra()
{
    return {{0, 1, 3, 4}, {1, 2, 3, 6}, {1, 6, 4, 5}, {3, 4, 6, 7}, {1, 3, 4, 6}};
}

}  // namespace sofa::test
