// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/articulation/Articulation.h"

#include "core/factory/Registry.h"
#include "core/objectmodel/Node.h"

namespace sofa::component {

namespace {

/// The center to which an articulation in a node belongs: the next one at or above it.
const ArticulationCenter* centerOf(const Node& node)
{
    for (const Node* n : node.ancestors())
        if (const auto* center = n->get<ArticulationCenter>(Search::Local)) return center;
    return nullptr;
}

}  // namespace

Articulation::Articulation() { addAlias(d_axis, "rotationAxis"); }

std::vector<ArticulationCenter*> ArticulatedHierarchyContainer::centers() const
{
    std::vector<ArticulationCenter*> all;
    for (Node* n : node()->descendants())
        for (auto* center : n->getAll<ArticulationCenter>(Search::Local)) all.push_back(center);
    return all;
}

std::vector<Articulation*> ArticulatedHierarchyContainer::articulationsOf(const ArticulationCenter& center)
{
    std::vector<Articulation*> all;
    for (Node* n : center.node()->descendants()) {
        if (centerOf(*n) != &center) continue;
        for (auto* a : n->getAll<Articulation>(Search::Local)) all.push_back(a);
    }
    return all;
}

namespace {

RegisterComponent articulated(const char* name, const char* help)
{
    return RegisterComponent(name, "Articulation", "ArticulatedSystemPlugin")
        .help(help)
        .example("component/articulation/ArticulatedSystemMapping.scn");
}

const RegisterComponent registeredArticulation =
    articulated("Articulation", "One degree of freedom of a joint: an angle about an axis, or a way along it")
        .add<Articulation>();
const RegisterComponent registeredArticulationCenter =
    articulated("ArticulationCenter", "A joint between two bodies of an articulated system").add<ArticulationCenter>();
const RegisterComponent registeredArticulatedHierarchyContainer =
    articulated("ArticulatedHierarchyContainer", "The joints of an articulated system, which are in its node and below")
        .add<ArticulatedHierarchyContainer>();

}  // namespace

}  // namespace sofa::component
