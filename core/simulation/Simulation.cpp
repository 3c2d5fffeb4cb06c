// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/simulation/Simulation.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <numeric>

#include "core/behavior/Converging.h"
#include "core/factory/Registry.h"
#include "core/io/DataRepository.h"
#include "core/io/SceneOutput.h"
#include "core/log/Reason.h"
#include "core/log/Timer.h"
#include "core/objectmodel/ComponentError.h"
#include "core/objectmodel/Transient.h"
#include "core/scene/SceneDocument.h"
#include "core/simulation/Checkpoint.h"
#include "core/simulation/IdleComponents.h"
#include "core/topology/TopologyChange.h"
#include "core/visitor/ExecutionPlan.h"
#include "core/visitor/StatePropagation.h"

namespace sofa::core {

namespace {

/// Runs one life-cycle function of a component; an exception becomes a failure of that component.
template <class F>
void guarded(Component& c, F&& f)
{
    const PhaseScope phase(Registry::instance().nameOf(c).c_str());
    try {
        f(c);
    } catch (const std::exception& e) {
        c.fail(reasonOf(e));
    }
}

void checkRequired(Component& c)
{
    for (const BaseData* d : c.data())
        if (d->isRequired() && !d->isSet())
            c.fail("required attribute '" + d->name() + "' (" + d->typeName() +
                   ") is missing: " + std::string(d->help()));
    for (BaseLink* l : c.links()) {
        if (l->isRequired() && !l->isSet())
            c.fail("required link '" + std::string(l->name()) + "' is missing: " + std::string(l->help()));
    }
}

}  // namespace

bool initGraph(Node& scope)
{
    bool good = true;
    const auto nodes = scope.descendants(true);
    for (Node* n : nodes) {
        // A component may add others while it initialises: they are initialised in their turn.
        for (std::size_t i = 0; i < n->components().size(); ++i) {
            const std::shared_ptr<Component> c = n->components()[i];
            checkRequired(*c);
            if (!c->isInitialised())
                for (BaseLink* l : c->links()) l->beginInit();
            if (c->isValid()) guarded(*c, [](Component& k) { k.initialise(&Component::init); });
            good = good && c->isValid();
        }
    }
    for (auto it = nodes.rbegin(); it != nodes.rend(); ++it) {
        const auto list = (*it)->components();
        for (auto c = list.rbegin(); c != list.rend(); ++c) {
            if ((*c)->isValid()) guarded(**c, [](Component& k) { k.initialise(&Component::bwdInit); });
            (*c)->setInitialised((*c)->isValid());
            good = good && (*c)->isValid();
        }
    }
    return good;
}

namespace {

/// What initialisation made since `first` is made again when the scene is opened: its text does not say it.
void leaveOutOfDocument(Node& root, std::uint64_t first)
{
    if (const auto& document = root.scene().document) document->leaveOut(first);
}

}  // namespace

bool Simulation::init()
{
    const Session::Scope session(*m_session);
    const SceneOutput output(SceneOutput::Nothing);
    const PhaseScope phase("Initialisation");
    const Data<Options>& compatibility = m_root->d_compatibility;
    const std::size_t atLoading = m_root->compatibility() == Compatibility::Sofa ? 1 : 0;
    if (compatibility.value().index() != atLoading) {
        m_root->message(Severity::Error,
                        "compatibility was '" + compatibility.value().names()[atLoading] +
                            "' when components were read, and cannot change any more: write it in the scene, or load "
                            "the scene with it (runSofa --compatibility)",
                        compatibility.location);
        return false;
    }
    if (!(m_root->dt() > 0.)) {
        m_root->message(Severity::Error, "dt is " + m_root->d_dt.text() + " s: the time step must be positive",
                        m_root->d_dt.location);
        return false;
    }
    const std::uint64_t first = Base::nextSerial();
    const bool initialised = initGraph(*m_root);
    leaveOutOfDocument(*m_root, first);
    if (!initialised) return false;
    beginAsInitialised();
    m_steps = 0;
    warnOfIdleComponents(*m_root);
    try {
        loadOwnCheckpoint();
    } catch (const std::exception& e) {
        m_root->message(m_root->isLenient() ? Severity::Warning : Severity::Error,
                        std::string("attribute 'checkpoint': ") + e.what(), m_root->d_checkpoint.location);
        return m_root->isLenient();
    }
    m_lastGoodTime = m_root->time();
    m_root->scene().running = true;
    m_root->scene().unsettled = false;
    try {
        m_root->propagateEvent(SimulationInitDoneEvent());
    } catch (const std::exception& e) {
        m_root->message(Severity::Error, reasonOf(e));
        return false;
    }
    return true;
}

/// What follows the initialisation of components: their state is that in which the scene begins.
void Simulation::beginAsInitialised()
{
    projectState(*m_root);
    propagateState(*m_root);
    for (Node* n : m_root->descendants(true))
        for (const auto& c : n->components()) {
            const PhaseScope component(Registry::instance().nameOf(*c).c_str());
            c->storeResetState();
        }
    rememberExtent();
}

/// The state with which the scene says that it begins.
void Simulation::loadOwnCheckpoint()
{
    if (!m_root->d_checkpoint.value().text.empty()) loadCheckpoint(*this, requireFile(m_root->d_checkpoint));
}

void Simulation::step(double dt)
{
    const Session::Scope session(*m_session);
    const SceneOutput output(SceneOutput::InFolders);
    auto* loop = m_root->get<AnimationLoop>(Search::Local);
    if (!loop) throw SimulationError("the root node has no animation loop");
    if (m_interrupted) throw SimulationError("the step before this one was interrupted: reset the scene first");
    settleOrThrow();
    ScopedTimer t("Step");
    try {
        loop->step(dt);
    } catch (const SimulationError&) {
        throw;
    } catch (const Interrupted&) {
        m_interrupted = true;
        throw;
    } catch (const std::exception& e) {
        throw SimulationError(reasonOf(e) + " (at t = " + toText(m_root->time()) + " s, step " +
                              std::to_string(m_steps + 1) + ")");
    }
    ++m_steps;
    if (m_guard) checkFinite(dt > 0. ? dt : m_root->dt());
    m_lastGoodTime = m_root->time();
}

void Simulation::rememberExtent()
{
    BoundingBox box;
    m_speed = 0.;
    for (const BaseState* s : ExecutionPlan::of(*m_root).independentStates()) {
        for (Index i = 0; i < s->size(); ++i) box.include(s->pointPosition(i));
        if (!s->isAllocated(vec_id::velocity) || s->derivSize() == 0) continue;
        const double* v = s->scalars(vec_id::velocity);
        const std::size_t linear = std::min<std::size_t>(3, s->derivSize());
        for (std::size_t i = 0; i < s->derivScalars(); i += s->derivSize())
            m_speed = std::max(m_speed, std::sqrt(std::inner_product(v + i, v + i + linear, v + i, 0.)));
    }
    const bool any = box.low[0] <= box.high[0];
    m_center = any ? (box.low + box.high) * 0.5 : Vec3();
    m_extent = any ? norm(box.high - box.low) : 0.;
}

void Simulation::checkExtent(const BaseState& s, const AnimationLoop& loop, double dt)
{
    const double factor = loop.d_divergenceFactor.value();
    if (factor == 0.) return;
    // A scene of one point, and joints without a place in space, have no extent of their own: 1 m, or 1 rad.
    const bool inSpace = s.derivSize() >= 2 && m_extent > 0.;
    const double t = m_root->time(), extent = inSpace ? m_extent : std::max(m_extent, 1.);
    const double limit = factor * (extent + m_speed * t + 0.5 * norm(m_root->gravity()) * t * t);
    const char* what = "position";
    Index i = s.firstBeyond(vec_id::position, m_center, limit);
    if (i == InvalidIndex && s.isAllocated(vec_id::velocity)) {
        i = s.firstFaster(vec_id::velocity, limit / dt, factor / dt);
        what = "velocity";
    }
    if (i == InvalidIndex) return;
    const Vec3 x = s.pointPosition(i);
    throw SimulationError("the simulation diverged: the " + std::string(what) + " of point " + std::to_string(i) +
                          " of " + s.pathName() + " (" + s.className() + "), at (" + toText(x) +
                          "), is beyond what the scene can mean after step " + std::to_string(m_steps) +
                          ": farther than " + toText(limit) + " m, which is divergenceFactor=\"" +
                          loop.d_divergenceFactor.text() + "\" of " + loop.pathName() +
                          " times extent and free motion of the scene, or there within a step; the last good time is " +
                          toText(m_lastGoodTime) + " s");
}

void Simulation::checkFinite(double dt)
{
    const auto* loop = m_root->get<AnimationLoop>(Search::Local);
    const ExecutionPlan& plan = ExecutionPlan::of(*m_root);
    for (const BaseState* s : plan.independentStates()) {
        const char* what = "position";
        Index i = s->firstNonFinite(vec_id::position);
        if (i == InvalidIndex && s->isAllocated(vec_id::velocity)) {
            i = s->firstNonFinite(vec_id::velocity);
            what = "velocity";
        }
        if (i == InvalidIndex) {
            checkExtent(*s, *loop, dt);
            continue;
        }
        throw SimulationError("the simulation diverged: " + std::string(what) + " of point " + std::to_string(i) +
                              " of " + s->pathName() + " (" + s->className() + ") is not finite after step " +
                              std::to_string(m_steps) + "; the last good time is " + toText(m_lastGoodTime) + " s");
    }
}

namespace {

/// All components, kept alive: some may take others out of the scene.
std::vector<std::shared_ptr<Component>> everyComponent(const Node& root)
{
    std::vector<std::shared_ptr<Component>> all;
    for (const Node* n : root.descendants(true)) all.insert(all.end(), n->components().begin(), n->components().end());
    return all;
}

/// Makes links of an object that is initialised once more lead where they should; false, with a report unless the
/// object is transient, if they do not.
bool renewLinks(Base& object)
{
    bool good = object.resolveDataLinks(!isTransient(object));
    for (BaseLink* l : object.links()) {
        std::string error;
        if (l->renew(error)) continue;
        if (!isTransient(object))
            object.message(Severity::Error, "link '" + std::string(l->name()) + "': " + error, l->location);
        good = false;
    }
    return good;
}

/// What left the scene for good; it may still come back, and is initialised once more then.
void cleanUpRemoved(Base& object, const Node& root)
{
    if (const Node* n = object.linkContext(); n && &n->root() == &root) return;
    if (auto* c = dynamic_cast<Component*>(&object)) return c->cleanup();
    for (const auto& c : everyComponent(dynamic_cast<Node&>(object))) c->cleanup();
}

}  // namespace

bool Simulation::settle()
{
    const Session::Scope session(*m_session);
    const SceneOutput output(SceneOutput::InFolders);
    SceneState& scene = m_root->scene();
    if (!scene.unsettled) return true;
    if (m_interrupted) return true;  // the reset that must come settles it
    const PhaseScope phase("Settling the changed scene");
    scene.running = false;  // what initialisation adds is initialised with the rest
    if (!m_memory) m_memory = std::make_shared<SceneMemory>(*m_root);
    m_memory->rollBack(*m_root);
    bool good = true;
    const auto renew = [&good](Base& object) {
        if (renewLinks(object)) return true;
        if (!isTransient(object)) return good = false;
        return false;
    };
    for (Node* n : m_root->descendants(true)) renew(*n);
    for (const auto& c : everyComponent(*m_root)) {
        c->setValid(true);
        c->undoInit();
        if (renew(*c)) continue;
        c->setValid(false);
        if (isTransient(*c)) c->node()->removeComponent(*c);  // such as the hold of the mouse on what has gone
    }
    const std::uint64_t first = Base::nextSerial();
    good = initGraph(*m_root) && good;
    leaveOutOfDocument(*m_root, first);
    if (good) {
        beginAsInitialised();
        m_memory->restore(*m_root);
        m_memory.reset();
        scene.unsettled = false;
    }
    for (const auto& object : std::exchange(scene.removed, {})) cleanUpRemoved(*object, *m_root);
    scene.running = true;
    return good;
}

void Simulation::settleOrThrow()
{
    if (!settle())
        throw SimulationError("the scene was changed and cannot go on: components lack what they need, as reported");
}

void Simulation::reset()
{
    const Session::Scope session(*m_session);
    const SceneOutput output(SceneOutput::InFolders);
    settleOrThrow();
    restoreElements(*m_root);
    for (const auto& c : everyComponent(*m_root)) c->reset();
    m_root->d_time.resetToDefault();
    m_steps = 0;
    m_interrupted = false;
    projectState(*m_root);
    propagateState(*m_root);
    rememberExtent();
    try {
        loadOwnCheckpoint();
    } catch (const std::exception& e) {
        throw SimulationError(e.what());
    }
    m_lastGoodTime = m_root->time();
}

void Simulation::cleanup()
{
    const Session::Scope session(*m_session);
    const SceneOutput output(SceneOutput::InFolders);
    m_root->scene().running = false;
    m_root->scene().removed.clear();
    m_memory.reset();
    std::exception_ptr failed;
    for (const auto& c : everyComponent(*m_root)) try {
            c->cleanup();
        } catch (const std::exception& e) {
            if (!failed) failed = std::make_exception_ptr(ComponentError(*c, e));
        }
    if (failed) std::rethrow_exception(failed);
}

Simulation::Energy Simulation::energyOf(Node& scope)
{
    Energy e;
    const MechanicalParams mp;
    const ExecutionPlan& plan = ExecutionPlan::of(scope);
    for (const BaseMass* m : plan.masses()) e.kinetic += m->kineticEnergy(mp);
    for (const BaseForceField* f : plan.forceFields()) {
        const double p = f->potentialEnergy(mp);
        if (std::isfinite(p)) e.potential += p;
    }
    return e;
}

std::vector<std::string> Simulation::unconverged() const
{
    std::vector<std::string> names;
    for (Node* n : m_root->descendants())
        for (const auto& c : n->components())
            if (const auto* s = dynamic_cast<const Converging*>(c.get()); s && !s->converged())
                names.push_back(c->pathName() + " (" + c->className() + ") " + s->failure());
    return names;
}

}  // namespace sofa::core
