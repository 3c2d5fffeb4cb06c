// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/collision/CollisionPipeline.h"

#include <algorithm>
#include <set>
#include <unordered_set>

#include "components/collision/Interpenetration.h"
#include "core/collision/ContactResponse.h"
#include "core/factory/Registry.h"
#include "core/log/Timer.h"
#include "core/objectmodel/Quantity.h"
#include "core/parallel/Parallel.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

void DetectionRun::detect(const std::vector<CollisionModel*>& models)
{
    clear();
    findCorrected(models);
    {
        const ScopedTimer t("BroadPhase");
        broadPhase->findPairs(models, *method, pairs);
    }
    const ScopedTimer t("NarrowPhase");
    method->setSides(method->compatibility() == Compatibility::Exact ? &m_sides : nullptr);
    m_sides.update(pairs);
    narrowPhase->findContacts(pairs, *method, outputs);
    m_sides.remember(outputs, *manager);
}

double DetectionRun::firstPassage(const std::vector<CollisionModel*>& models) const
{
    const IntersectionMethod* timesOfImpact = isComplete() ? method->timesOfImpact() : nullptr;
    if (!timesOfImpact) return 1.;
    std::vector<ModelPair> moving;
    broadPhase->findPairs(models, *timesOfImpact, moving);
    std::erase_if(moving, [this](const ModelPair& m) { return !manager->isNonPenetrating(m); });
    std::vector<DetectionOutput> impacts;
    narrowPhase->findContacts(moving, *timesOfImpact, impacts);
    double first = 1.;
    for (const DetectionOutput& o : impacts)
        for (const DetectedContact& c : o.contacts) first = std::min(first, c.value);
    return first;
}

namespace {

/// Whether a simulation moves the points of a model one by one, not by frames.
bool deforms(const CollisionModel& m)
{
    return m.d_moving.value() && m.d_simulated.value() && !m.node()->get<State<Rigid3Types>>(Search::Up);
}

/// Whether contacts of a pair that are missing at the end of a step are worth a solve: rows of two solids are no better
/// at another place of their turn, what sticks has not touched before, and what rebounds waits for its next step.
bool isCorrected(const ModelPair& m, const ContactManager& manager)
{
    const auto rebounds = [](const CollisionModel* model) { return model->d_contactRestitution.value() > 0.; };
    return EndContacts::covers(m.first->shape(), m.second->shape()) && (deforms(*m.first) || deforms(*m.second)) &&
           !rebounds(m.first) && !rebounds(m.second) && manager.isNonPenetrating(m) && !manager.sticks(m);
}

}  // namespace

void DetectionRun::findCorrected(const std::vector<CollisionModel*>& models)
{
    if (method->maxCorrections() == 0) return;
    bool deform = false, meshes = false;
    for (CollisionModel* m : models) {
        const bool isPart = m->shape() == CollisionShape::Line || m->shape() == CollisionShape::Triangle;
        if (!isPart && !EndContacts::covers(m->shape(), CollisionShape::Triangle)) continue;
        m_corrected.push_back(m);
        meshes = meshes || isPart;
        deform = deform || deforms(*m);
    }
    if (!meshes || !deform) m_corrected.clear();
}

std::size_t DetectionRun::addEndContacts(const CollisionUpdate& motion)
{
    if (maxCorrections() == 0) return 0;
    const ScopedTimer t("EndContacts");
    // What hardly moves stays as far away as its contacts let it.
    const double least = 0.5 * method->correctionTolerance() * method->contactDistance();
    bool moves = false;
    for (CollisionModel* m : m_corrected) {
        m->update(motion);
        moves = moves || longestWay(*m) > least;
    }
    if (!moves) return 0;
    std::vector<ModelPair> near;
    broadPhase->findPairs(m_corrected, *method, near);
    std::erase_if(near, [this](const ModelPair& m) { return !isCorrected(m, *manager); });
    return m_endContacts.find(near, *method, outputs);
}

void DetectionRun::reportInterpenetration(const Component& reporter, const std::vector<CollisionModel*>& models)
{
    if (m_startReported) return;
    m_startReported = true;
    constexpr std::size_t most = 10;
    const std::vector<std::string> texts = describeInterpenetrations(models);
    for (std::size_t k = 0; k < std::min(most, texts.size()); ++k) reporter.msgWarning() << texts[k];
    if (texts.size() > most)
        reporter.msgWarning() << texts.size() - most << " more pairs of models pass through each other at the start";
}

void DetectionRun::clear()
{
    pairs.clear();
    outputs.clear();
    m_corrected.clear();
}

void DetectionRun::reset()
{
    if (manager) manager->removeResponses();
    m_sides.clear();
    clear();
}

void DetectionRun::archiveResponses(Archive& a, Node& scene)
{
    if (!isComplete()) return;
    manager->archiveResponses(a, scene);
    m_sides.archive(a, scene.getAll<CollisionModel>(Search::Root));
}

std::size_t DetectionRun::contactCount() const
{
    std::size_t n = 0;
    for (const DetectionOutput& o : outputs) n += o.contacts.size();
    return n;
}

std::vector<CollisionModel*> activeModels(const std::vector<CollisionModel*>& models)
{
    const auto isActive = [](const Node& n) {
        return std::ranges::all_of(n.ancestors(), [](const Node* a) { return a->isActive(); });
    };
    std::vector<CollisionModel*> active;
    for (CollisionModel* m : models)
        if (m->isValid() && m->d_active.value() && isActive(*m->node())) active.push_back(m);
    return active;
}

namespace {

std::vector<const DetectionOutput*> pointersTo(const std::vector<DetectionOutput>& outputs)
{
    std::vector<const DetectionOutput*> all;
    all.reserve(outputs.size());
    for (const DetectionOutput& o : outputs) all.push_back(&o);
    return all;
}

/// The contacts of a pipeline in a checkpoint; groups come after all responses.
void archiveContacts(Archive& a, CollisionGroupManager* groups, const std::vector<ContactResponse*>& responses,
                     Node& scene, std::vector<Base*>& made)
{
    if (groups) groups->archiveGroups(a, responses, scene, made);
    std::unordered_set<const Base*> known;  // pairs share points
    for (const ContactResponse* r : responses)
        for (Base* object : r->inserted())
            if (known.insert(object).second) made.push_back(object);
}

}  // namespace

namespace {

/// Contacts as lines between their two points, which are blue; normals point both ways.
struct ContactDrawing
{
    explicit ContactDrawing(DrawTool& t) : tool(t) {}

    DrawTool& tool;
    Scratch<Vec3> points = tool.scratch<Vec3>(), normals = tool.scratch<Vec3>();
    const double length = 0.05 * tool.sceneSize();

    void add(const std::vector<DetectionOutput>& outputs)
    {
        for (const DetectionOutput& output : outputs)
            for (const DetectedContact& c : output.contacts) {
                for (const Vec3& p : {c.point1, c.point2}) points.push_back(p);
                for (const Vec3& p : {c.point1, c.point1 - c.normal * length, c.point2, c.point2 + c.normal * length})
                    normals.push_back(p);
            }
    }
    void draw()
    {
        tool.lines(points, plainStyle(Color(1.f, 0.f, 0.f), 5.f));
        tool.points(points, plainStyle(Color(0.f, 0.f, 1.f), 10.f));
        if (tool.shows(DisplayFlags::Normals)) tool.lines(normals, plainStyle(Color(1.f, 1.f, 0.f)));
    }
};

}  // namespace

void DefaultPipeline::draw(DrawTool& tool)
{
    if (!tool.shows(DisplayFlags::DetectionOutputs) && !d_draw.value()) return;
    ContactDrawing contacts(tool);
    contacts.add(m_run.outputs);
    contacts.draw();
}

void CompositeCollisionPipeline::draw(DrawTool& tool)
{
    if (!tool.shows(DisplayFlags::DetectionOutputs)) return;
    ContactDrawing contacts(tool);
    for (const SubCollisionPipeline* sub : l_subCollisionPipelines.get()) contacts.add(sub->run().outputs);
    contacts.draw();
}

void DefaultPipeline::init()
{
    const auto need = [this]<class T>(T*& to, const char* what) {
        to = node()->get<T>(Search::Down);
        if (!to) msgWarning() << "there is no " << what << " below its node: no collision is detected";
    };
    need(m_run.method, "intersection method (MinProximityIntersection, ...)");
    need(m_run.broadPhase, "broad phase (BruteForceBroadPhase, ...)");
    m_run.narrowPhase = node()->get<NarrowPhase>(Search::Down);
    if (!m_run.narrowPhase && m_run.broadPhase) m_run.narrowPhase = m_run.broadPhase->narrowPhase();
    if (!m_run.narrowPhase) need(m_run.narrowPhase, "narrow phase (BVHNarrowPhase, ...)");
    need(m_run.manager, "contact manager (CollisionResponse, ...)");
    m_groups = node()->get<CollisionGroupManager>(Search::Down);
}

void DefaultPipeline::reset()
{
    if (m_groups && m_run.manager) m_groups->dissolve(m_run.manager->responses(), node());
    m_run.reset();
}

void DefaultPipeline::cleanup()
{
    reset();
    m_run.forget();
    m_groups = nullptr;
}

void DefaultPipeline::computeCollisionReset()
{
    if (m_run.isComplete()) m_run.manager->removeResponses();
}

void DefaultPipeline::computeCollisionDetection()
{
    m_run.clear();
    if (!m_run.isComplete()) return;
    const std::vector<CollisionModel*> models = activeModels(node()->getAll<CollisionModel>(Search::Down));
    {
        const ScopedTimer t("Boxes");
        const CollisionUpdate wanted = m_run.wanted(d_depth.value(), node()->dt(), motion());
        for (CollisionModel* m : models) m->update(wanted);
    }
    m_run.reportInterpenetration(*this, models);
    m_run.detect(models);
    d_contactCount.setValue(static_cast<unsigned>(m_run.contactCount()));
    if (d_verbose.value())
        msgInfo() << models.size() << " models, " << m_run.pairs.size() << " pairs, " << m_run.contactCount()
                  << " contacts";
}

void DefaultPipeline::computeCollisionResponse()
{
    if (!m_run.isComplete()) return;
    m_run.manager->respond(m_run.outputs, *m_run.method, *node());
    if (m_groups) m_groups->regroup(m_run.manager->responses(), *node());
}

int DefaultPipeline::maxImpacts() const { return m_run.maxImpacts(); }

double DefaultPipeline::firstPassage(const CollisionUpdate& motion)
{
    if (maxImpacts() == 0) return 1.;
    const std::vector<CollisionModel*> models = activeModels(node()->getAll<CollisionModel>(Search::Down));
    for (CollisionModel* m : models) m->update(m_run.wanted(d_depth.value(), motion.dt, motion));
    return m_run.firstPassage(models);
}

int DefaultPipeline::maxCorrections() const { return m_run.maxCorrections(); }

std::size_t DefaultPipeline::addEndContacts(const CollisionUpdate& motion)
{
    if (maxCorrections() == 0) return 0;
    CollisionUpdate wanted = motion;
    wanted.orderDepth = d_depth.value();
    const std::size_t added = m_run.addEndContacts(wanted);
    d_contactCount.setValue(static_cast<unsigned>(m_run.contactCount()));
    return added;
}

std::vector<const DetectionOutput*> DefaultPipeline::detected() const { return pointersTo(m_run.outputs); }

void DefaultPipeline::archiveTransients(Archive& a, std::vector<Base*>& made)
{
    if (!m_run.isComplete()) return;
    if (a.loading()) reset();
    m_run.archiveResponses(a, *node());
    archiveContacts(a, m_groups, m_run.manager->responses(), *node(), made);
}

void SubCollisionPipeline::init()
{
    std::string error;
    for (BaseLink* link : links())
        if (!link->resolve(error)) return fail(std::string(link->name()) + ": " + error);
    m_run.method = l_intersectionMethod.get();
    m_run.broadPhase = l_broadPhase.get();
    m_run.narrowPhase = l_narrowPhase.get();
    m_run.manager = l_contactManager.get();
    if (!m_run.narrowPhase && m_run.broadPhase) m_run.narrowPhase = m_run.broadPhase->narrowPhase();
    const auto missing = [this](bool there, const char* link, const char* what) {
        if (!there) fail(std::string("give the link '") + link + "': " + what);
    };
    missing(!models().empty(), "collisionModels", "models that shall be compared");
    missing(m_run.method, "intersectionMethod", "an intersection method (MinProximityIntersection, ...)");
    missing(m_run.broadPhase, "broadPhaseDetection", "a broad phase (BruteForceBroadPhase, ...)");
    missing(m_run.narrowPhase || !m_run.broadPhase, "narrowPhaseDetection", "a narrow phase (BVHNarrowPhase, ...)");
    missing(m_run.manager, "contactManager", "a contact manager (CollisionResponse, ...)");
}

void SubCollisionPipeline::reset() { m_run.reset(); }

void SubCollisionPipeline::cleanup()
{
    reset();
    m_run.forget();
}

void CompositeCollisionPipeline::init()
{
    std::string error;
    if (!l_subCollisionPipelines.resolve(error)) return fail("subCollisionPipelines: " + error);
    if (l_subCollisionPipelines.get().empty())
        msgWarning() << "give the link 'subCollisionPipelines': without one no collision is detected";
    m_groups = node()->get<CollisionGroupManager>(Search::Down);
}

void CompositeCollisionPipeline::bwdInit()
{
    std::set<const CollisionModel*> known;
    std::map<const ContactManager*, const SubCollisionPipeline*> managers;
    for (const SubCollisionPipeline* sub : l_subCollisionPipelines.get()) {
        known.insert(sub->models().begin(), sub->models().end());
        if (const auto [it, isNew] = managers.emplace(sub->run().manager, sub); !isNew && sub->run().manager)
            fail("the sub pipelines '" + it->second->pathName() + "' and '" + sub->pathName() +
                 "' have the same contact manager; each needs one of its own");
    }
    for (const CollisionModel* m : node()->getAll<CollisionModel>(Search::Down))
        if (!known.contains(m)) msgWarning() << "no sub pipeline has the collision model '" << m->pathName() << "'";
}

std::vector<ContactResponse*> CompositeCollisionPipeline::responses() const
{
    std::vector<ContactResponse*> all;
    for (const SubCollisionPipeline* sub : l_subCollisionPipelines.get()) {
        if (!sub->run().isComplete()) continue;
        const auto some = sub->run().manager->responses();
        all.insert(all.end(), some.begin(), some.end());
    }
    return all;
}

void CompositeCollisionPipeline::reset()
{
    if (m_groups) m_groups->dissolve(responses(), node());
    for (SubCollisionPipeline* sub : l_subCollisionPipelines.get()) sub->reset();
}

void CompositeCollisionPipeline::cleanup()
{
    reset();
    m_groups = nullptr;
}

void CompositeCollisionPipeline::computeCollisionReset()
{
    for (SubCollisionPipeline* sub : l_subCollisionPipelines.get())
        if (sub->run().isComplete()) sub->run().manager->removeResponses();
}

bool CompositeCollisionPipeline::areIndependent() const
{
    std::set<const Base*> taken;
    for (const SubCollisionPipeline* sub : l_subCollisionPipelines.get()) {
        std::set<const Base*> own{sub->run().broadPhase, sub->run().narrowPhase, sub->run().method};
        for (const CollisionModel* m : sub->models()) own.insert(m->node());
        for (const Base* b : own)
            if (!taken.insert(b).second) return false;
    }
    return true;
}

void CompositeCollisionPipeline::computeCollisionDetection()
{
    const auto& subs = l_subCollisionPipelines.get();
    std::vector<std::vector<CollisionModel*>> models;
    std::vector<CollisionModel*> once;  // boxes of a model are computed once, though several pipelines may have it
    for (const SubCollisionPipeline* sub : subs) {
        const ScopedTimer t("Boxes");
        models.push_back(activeModels(sub->models()));
        for (CollisionModel* m : models.back())
            if (std::ranges::find(once, m) == once.end()) {
                once.push_back(m);
                m->update(sub->run().wanted(sub->d_depth.value(), node()->dt(), motion()));
            }
    }
    for (std::size_t k = 0; k < subs.size(); ++k) subs[k]->run().reportInterpenetration(*subs[k], models[k]);
    const auto detect = [&](std::size_t k) {
        subs[k]->run().clear();
        if (subs[k]->run().isComplete()) subs[k]->run().detect(models[k]);
    };
    if (!d_parallelDetection.value() || !areIndependent()) {
        for (std::size_t k = 0; k < subs.size(); ++k) detect(k);
        return;
    }
    for (const CollisionModel* m : once) (void)m->tree();  // made now, so that no two threads do it at once
    parallelFor(0, subs.size(), 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) detect(k);
    });
}

void CompositeCollisionPipeline::computeCollisionResponse()
{
    for (SubCollisionPipeline* sub : l_subCollisionPipelines.get())
        if (sub->run().isComplete()) sub->run().manager->respond(sub->run().outputs, *sub->run().method, *sub->node());
    if (m_groups) m_groups->regroup(responses(), *node());
}

int CompositeCollisionPipeline::maxImpacts() const
{
    int most = 0;
    for (const SubCollisionPipeline* sub : l_subCollisionPipelines.get())
        most = std::max(most, sub->run().maxImpacts());
    return most;
}

double CompositeCollisionPipeline::firstPassage(const CollisionUpdate& motion)
{
    double first = 1.;
    for (const SubCollisionPipeline* sub : l_subCollisionPipelines.get()) {
        if (sub->run().maxImpacts() == 0) continue;
        const std::vector<CollisionModel*> models = activeModels(sub->models());
        for (CollisionModel* m : models) m->update(sub->run().wanted(sub->d_depth.value(), motion.dt, motion));
        first = std::min(first, sub->run().firstPassage(models));
    }
    return first;
}

int CompositeCollisionPipeline::maxCorrections() const
{
    int most = 0;
    for (const SubCollisionPipeline* sub : l_subCollisionPipelines.get())
        most = std::max(most, sub->run().maxCorrections());
    return most;
}

std::size_t CompositeCollisionPipeline::addEndContacts(const CollisionUpdate& motion)
{
    std::size_t added = 0;
    for (SubCollisionPipeline* sub : l_subCollisionPipelines.get()) {
        CollisionUpdate wanted = motion;
        wanted.orderDepth = sub->d_depth.value();
        added += sub->run().addEndContacts(wanted);
    }
    return added;
}

std::vector<const DetectionOutput*> CompositeCollisionPipeline::detected() const
{
    std::vector<const DetectionOutput*> all;
    for (const SubCollisionPipeline* sub : l_subCollisionPipelines.get()) {
        const auto some = pointersTo(sub->run().outputs);
        all.insert(all.end(), some.begin(), some.end());
    }
    return all;
}

void CompositeCollisionPipeline::archiveTransients(Archive& a, std::vector<Base*>& made)
{
    if (a.loading()) reset();
    for (SubCollisionPipeline* sub : l_subCollisionPipelines.get()) sub->run().archiveResponses(a, *sub->node());
    archiveContacts(a, m_groups, responses(), *node(), made);
}

namespace {

// DefaultPipeline has it as Data, which is older.
constexpr const char* countHelp = "Contacts detected in the present step";
const RegisterQuantity ofSub({.name = "contactCount", .help = countHelp},
                             [](SubCollisionPipeline& p) { return static_cast<unsigned>(p.run().contactCount()); });
const RegisterQuantity ofAll({.name = "contactCount", .help = countHelp}, [](CompositeCollisionPipeline& p) {
    std::size_t n = 0;
    for (const SubCollisionPipeline* sub : p.l_subCollisionPipelines.get()) n += sub->run().contactCount();
    return static_cast<unsigned>(n);
});

}  // namespace

static const RegisterComponent registeredCollisionPipeline =
    RegisterComponent("CollisionPipeline", "CollisionPipeline", "Sofa.Component.Collision.Detection.Algorithm")
        .help("Collision detection and response of the models below its node, once per step")
        .alias("DefaultCollisionPipeline")
        .example("component/collision/Spheres.scn")
        .add<DefaultPipeline>();
static const RegisterComponent registeredSubCollisionPipeline =
    RegisterComponent("SubCollisionPipeline", "CollisionPipeline", "Sofa.Component.Collision.Detection.Algorithm")
        .help("Collision detection and response of the models that it names, for a CompositeCollisionPipeline")
        .example("component/collision/CompositeCollisionPipeline.scn")
        .add<SubCollisionPipeline>();
static const RegisterComponent registeredCompositeCollisionPipeline =
    RegisterComponent("CompositeCollisionPipeline", "CollisionPipeline", "Sofa.Component.Collision.Detection.Algorithm")
        .help("Several collision pipelines: each compares its own models, with its own methods")
        .example("component/collision/CompositeCollisionPipeline.scn")
        .add<CompositeCollisionPipeline>();

}  // namespace sofa::component
