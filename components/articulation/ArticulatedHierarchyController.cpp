// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/articulation/ArticulatedHierarchyController.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "core/behavior/StateLookup.h"
#include "core/factory/Registry.h"
#include "core/interaction/MouseWheelEvent.h"
#include "core/objectmodel/Archive.h"
#include "core/visitor/StatePropagation.h"

namespace sofa::component {

namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

/// The part of a joint that a number moves; nullptr if it moves none.
const JointDescription::Part* partOf(const JointDescription& joint, Index number)
{
    const auto at = std::ranges::find(joint.parts, number, &JointDescription::Part::number);
    return at == joint.parts.end() ? nullptr : &*at;
}

}  // namespace

void ArticulatedHierarchyController::init()
{
    std::string error;
    if (!l_container.resolve(error)) return fail("container: " + error);
    if (!l_container) l_container.set(node()->get<ArticulatedHierarchyContainer>(Search::Down));
    if (!l_container) return fail("there is no ArticulatedHierarchyContainer in its node or below");
    m_numbers = findMechanicalState<State<Vec1Types>>(*node(), Search::Down);
    if (!m_numbers) return fail("there is no state of type Vec1 in its node or below, with the numbers of the joints");
}

void ArticulatedHierarchyController::bwdInit()
{
    if (const std::string why = problem(); !why.empty()) fail(why);
}

std::string ArticulatedHierarchyController::problem() const
{
    const std::vector<JointDescription> joints = l_container->joints();
    for (const Index number : d_articulationsIndices.value())
        if (number >= m_numbers->size() ||
            std::ranges::none_of(joints, [number](const JointDescription& j) { return partOf(j, number); }))
            return "articulationsIndices: no articulation has the number " + toText(number);
    for (const std::string& key : d_bindingKeys.value())
        if (key.size() != 1) return "bindingKeys: '" + key + "' is no key; expected a character for each";
    if (d_bindingKeys->size() != d_articulationsIndices->size())
        return "there are " + std::to_string(d_bindingKeys->size()) + " bindingKeys for " +
               std::to_string(d_articulationsIndices->size()) + " articulationsIndices; expected as many";
    return {};
}

void ArticulatedHierarchyController::reset()
{
    m_chosen.reset();
    m_button.reset();
    m_notches = 0.;
}

void ArticulatedHierarchyController::archive(Archive& a)
{
    std::int64_t chosen = m_chosen ? static_cast<std::int64_t>(*m_chosen) : -1,
                 button = m_button ? static_cast<std::int64_t>(*m_button) : -1;
    a(chosen);
    a(button);
    a(m_notches);
    if (!a.loading()) return;
    m_chosen = chosen < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(chosen));
    m_button = button < 0 ? std::nullopt : std::optional(static_cast<MouseButton>(button));
}

void ArticulatedHierarchyController::keyPressed(char key)
{
    const auto& keys = d_bindingKeys.value();
    for (std::size_t i = 0; i < std::min(keys.size(), d_articulationsIndices->size()); ++i) {
        if (keys[i].size() != 1 || lower(keys[i][0]) != lower(key)) continue;
        if (m_chosen == i)
            m_chosen.reset();
        else
            m_chosen = i;
        return;
    }
}

void ArticulatedHierarchyController::handleEvent(const Event& e)
{
    if (!isValid() || !m_numbers || !l_container) return;
    if (const auto* key = dynamic_cast<const KeyEvent*>(&e)) {
        if (key->pressed()) keyPressed(key->key());
    } else if (const auto* b = dynamic_cast<const MouseButtonEvent*>(&e)) {
        if (!b->pressed())
            m_button.reset();
        else if (b->button() != MouseButton::Middle)
            m_button = b->button();
    } else if (const auto* w = dynamic_cast<const MouseWheelEvent*>(&e)) {
        m_notches += w->notches();
    } else if (const auto* begin = dynamic_cast<const AnimateBeginEvent*>(&e)) {
        apply(begin->dt());
    }
}

std::vector<Index> ArticulatedHierarchyController::chainOf(Index number) const
{
    std::vector<Index> chain{number};
    if (!d_propagateUserInteraction.value()) return chain;
    const std::vector<JointDescription> joints = l_container->joints();
    const auto first =
        std::ranges::find_if(joints, [number](const JointDescription& j) { return partOf(j, number) != nullptr; });
    if (first == joints.end()) return chain;
    const JointDescription::Part model = *partOf(*first, number);
    const auto isLike = [&model](const JointDescription::Part& p) {
        return p.rotates == model.rotates && p.translates == model.translates && p.axis == model.axis;
    };
    // Joints are as many as there can be in a chain.
    for (const JointDescription* at = &*first; chain.size() <= joints.size();) {
        const JointDescription::Part* found = nullptr;
        const JointDescription* behind = nullptr;
        for (const JointDescription& j : joints) {
            if (found || j.parent != at->child) continue;
            const auto like = std::ranges::find_if(j.parts, isLike);
            if (like == j.parts.end()) continue;
            found = &*like;
            behind = &j;
        }
        if (!found) break;
        chain.push_back(found->number);
        at = behind;
    }
    return chain;
}

template <class F>
void ArticulatedHierarchyController::change(F f)
{
    for (const VecCoordId id : {vec_id::position, vec_id::freePosition}) {
        if (!m_numbers->isAllocated(id)) continue;
        const auto x = m_numbers->write(id);
        f(*x);
    }
    projectState(*node());
    propagateState(*node());
}

void ArticulatedHierarchyController::apply(double)
{
    const double notches = std::exchange(m_notches, 0.);
    const double steps = 2. * notches + (m_button ? (*m_button == MouseButton::Left ? 1. : -1.) : 0.);
    if (!m_chosen || *m_chosen >= d_articulationsIndices->size() || steps == 0.) return;
    const std::vector<Index> chain = chainOf(d_articulationsIndices.value()[*m_chosen]);
    const double part = steps * d_angleDelta.value() / static_cast<double>(chain.size());
    change([&](Vector<Vec<1>>& x) {
        for (const Index i : chain)
            if (i < x.size()) x[i][0] += part;
    });
}

std::string ArticulatedHierarchyBVHController::problem() const
{
    const BvhFile* motion = l_container->motion();
    if (!motion) return "'" + l_container->pathName() + "' has no file with a motion; give it a filename";
    if (numbers()->size() != motion->channels)
        return "the file of '" + l_container->pathName() + "' has " + std::to_string(motion->channels) +
               " channels, but '" + numbers()->pathName() + "' has " + std::to_string(numbers()->size()) + " numbers";
    return {};
}

void ArticulatedHierarchyBVHController::handleEvent(const Event& e)
{
    if (dynamic_cast<const AnimateBeginEvent*>(&e)) ArticulatedHierarchyController::handleEvent(e);
}

void ArticulatedHierarchyBVHController::apply(double dt)
{
    const BvhFile* motion = l_container->motion();
    if (!motion) return;
    const double now = d_useExternalTime.value() ? d_externalTime.value() : node()->time();
    if (!d_useExternalTime.value() && dt > 0. && numbers()->isAllocated(vec_id::velocity)) {
        const auto v = numbers()->write(vec_id::velocity);
        for (std::size_t c = 0; c < std::min<std::size_t>(motion->channels, v.size()); ++c)
            v[c][0] = (motion->valueAt(now + dt, c) - motion->valueAt(now, c)) / dt;
    }
    change([&](Vector<Vec<1>>& x) {
        for (std::size_t c = 0; c < std::min<std::size_t>(motion->channels, x.size()); ++c)
            x[c][0] = motion->valueAt(now, c);
    });
}

static const RegisterComponent registeredArticulatedHierarchyController =
    RegisterComponent("ArticulatedHierarchyController", "Controller", "ArticulatedSystemPlugin")
        .help("Moves numbers of an articulated system by keys and the mouse")
        .example("component/articulation/ArticulatedHierarchyController.scn")
        .add<ArticulatedHierarchyController>();
static const RegisterComponent registeredArticulatedHierarchyBVHController =
    RegisterComponent("ArticulatedHierarchyBVHController", "Controller", "ArticulatedSystemPlugin")
        .help("Moves the numbers of an articulated system as a BVH file says")
        .example("component/articulation/ArticulatedHierarchyBVHController.scn")
        .add<ArticulatedHierarchyBVHController>();

}  // namespace sofa::component
