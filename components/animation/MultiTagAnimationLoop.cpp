// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/animation/MultiTagAnimationLoop.h"

#include <algorithm>

#include "components/animation/StepPhases.h"
#include "core/collision/CollisionDetection.h"
#include "core/factory/Registry.h"
#include "core/objectmodel/Node.h"
#include "core/visitor/ExecutionPlan.h"

namespace sofa::component {

using namespace core;

std::size_t MultiTagAnimationLoop::groupOf(const Component& c) const
{
    return static_cast<std::size_t>(std::ranges::find_if(m_groups, [&c](const std::string& t) { return c.hasTag(t); }) -
                                    m_groups.begin());
}

void MultiTagAnimationLoop::bwdInit()
{
    std::string error;
    if (!l_targetNode.resolve(error)) return fail("targetNode: " + error);
    const TagSet& tags = d_tags.value();
    if (tags.empty()) return fail("it has no tags: give it those of the integrators, as in tags=\"heat mechanics\"");
    const std::vector<OdeSolver*> solvers = target().getAll<OdeSolver>(Search::Down);
    m_groups = d_order.value();
    if (!m_groups.empty() && (m_groups.size() != tags.size() || TagSet(m_groups.begin(), m_groups.end()) != tags))
        return fail("order is '" + d_order.text() + "'; expected each of its tags '" + d_tags.text() + "' once");
    if (m_groups.empty())
        for (const OdeSolver* s : solvers)
            for (const std::string& t : tags)
                if (s->hasTag(t) && std::ranges::find(m_groups, t) == m_groups.end()) m_groups.push_back(t);
    for (const std::string& t : tags)
        if (std::ranges::none_of(solvers, [&t](const OdeSolver* s) { return s->hasTag(t); }))
            return fail("no integrator carries its tag '" + t + "'");
    for (const OdeSolver* s : solvers)
        if (groupOf(*s) == m_groups.size())
            msgWarning() << "the integrator '" << s->pathName() << "' carries none of the tags '" << d_tags.text()
                         << "': what it integrates does not move";
}

namespace {

/// The external forces of states that others have set before a step: each group gets them, though the end of an
/// integration clears them.
class GivenForces
{
public:
    explicit GivenForces(Node& target)
    {
        const ExecutionPlan& plan = ExecutionPlan::of(target);
        for (const auto* list : {&plan.independentStates(), &plan.mappedStates()})
            for (BaseState* s : *list) {
                if (!s->isAllocated(vec_id::externalForce) || s->maxNorm(vec_id::externalForce) == 0.) continue;
                m_forces.emplace_back(s, Vector<double>());
                m_forces.back().second.resize(s->derivScalars());
                s->getScalars(vec_id::externalForce, m_forces.back().second.data());
            }
    }
    void restore() const
    {
        for (const auto& [s, f] : m_forces) s->setScalars(vec_id::externalForce, f.data());
    }

private:
    std::vector<std::pair<BaseState*, Vector<double>>> m_forces;
};

}  // namespace

void MultiTagAnimationLoop::step(double dt)
{
    Node& scene = target();
    if (dt == 0.) dt = scene.dt();
    phases::begin(scene, dt);
    const GivenForces given(scene);
    for (std::size_t g = 0; g < m_groups.size(); ++g) {
        if (g > 0) given.restore();
        computeCollisions(scene, dt, {}, [&](const CollisionPipeline& p) {
            const std::size_t own = groupOf(p);
            return own == g || (g == 0 && own == m_groups.size());
        });
        phases::integrate(
            scene, dt, vec_id::position, vec_id::velocity, [](Node&) { return false; },
            [&](const OdeSolver& s) { return groupOf(s) == g; });
        // Constraints that move states of later groups would move them before these begin their step.
        if (g + 1 == m_groups.size())
            phases::projectAndPropagate(scene, dt);
        else
            for (const OdeSolver* s : scene.getAll<OdeSolver>(Search::Down))
                if (groupOf(*s) == g && !s->isSuspended()) phases::projectAndPropagate(s->scope(), dt);
        phases::endIntegration(scene, dt);
    }
    scene.root().d_time.setValue(scene.time() + dt);
    phases::finish(scene, dt);
}

static const RegisterComponent registeredMultiTagAnimationLoop =
    RegisterComponent("MultiTagAnimationLoop", "AnimationLoop", "Sofa.Component.AnimationLoop")
        .help("Time step of groups of integrators, by their tags, one group after another")
        .example("component/animation/MultiTagAnimationLoop.scn")
        .add<MultiTagAnimationLoop>();

}  // namespace sofa::component
