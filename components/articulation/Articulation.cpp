// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/articulation/Articulation.h"

#include "core/behavior/StateLookup.h"
#include "core/factory/Registry.h"
#include "core/io/DataRepository.h"
#include "core/log/Reason.h"
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

bool ArticulatedHierarchyContainer::fit(BaseState& state, std::size_t count, const char* what)
{
    if (state.size() == count) return true;
    if (state.size() > 1) {
        fail("'" + d_filename.value().text + "' has " + std::to_string(count) + ' ' + what + ", but '" +
             state.pathName() + "' has " + std::to_string(state.size()));
        return false;
    }
    state.resize(static_cast<Index>(count));
    return true;
}

void ArticulatedHierarchyContainer::init()
{
    m_motion.reset();
    if (d_filename.value().text.empty()) return;
    try {
        m_motion = std::make_unique<BvhFile>(BvhFile::read(requireFile(d_filename)));
    } catch (const std::exception& e) {
        setValid(false);
        return message(Severity::Error, std::string("filename: ") + reasonOf(e), d_filename.location);
    }
    auto* numbers = findMechanicalState<State<Vec1Types>>(*node(), Search::Local);
    if (!numbers) return fail("it needs a state of type Vec1 in its node, for the channels of the file");
    if (!fit(*numbers, m_motion->channels, "channels")) return;
    if (auto* bodies = findMechanicalState<State<Rigid3Types>>(*node(), Search::Down))
        fit(*bodies, m_motion->joints.size() + 1, "joints, with the base");
}

std::vector<JointDescription> ArticulatedHierarchyContainer::joints() const
{
    std::vector<JointDescription> all;
    if (m_motion) {
        Index number = 0;
        for (const BvhFile::Joint& j : m_motion->joints) {
            JointDescription joint;
            joint.parent = j.parent == BvhFile::none ? 0 : static_cast<Index>(j.parent + 1);
            joint.child = static_cast<Index>(all.size() + 1);
            joint.onParent = j.offset;
            joint.place = d_filename.value().text + ", joint " + j.name;
            for (const BvhFile::Channel& c : j.channels) {
                Vec3 axis;
                axis[c.axis] = 1.;
                joint.parts.push_back({axis, c.rotates, !c.rotates, number++, joint.place});
            }
            all.push_back(std::move(joint));
        }
        return all;
    }
    for (ArticulationCenter* center : centers()) {
        JointDescription joint;
        joint.parent = center->d_parentIndex.value();
        joint.child = center->d_childIndex.value();
        joint.onParent = center->d_posOnParent.value();
        joint.onChild = center->d_posOnChild.value();
        joint.process = center->d_articulationProcess.value();
        joint.place = center->pathName();
        joint.center = center;
        for (const Articulation* a : articulationsOf(*center))
            joint.parts.push_back({a->d_axis.value(), a->d_rotation.value(), a->d_translation.value(),
                                   a->d_articulationIndex.value(), a->pathName()});
        all.push_back(std::move(joint));
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
    articulated("ArticulatedHierarchyContainer",
                "The joints of an articulated system, which are in its node and below, or in a BVH file")
        .add<ArticulatedHierarchyContainer>();

}  // namespace

}  // namespace sofa::component
