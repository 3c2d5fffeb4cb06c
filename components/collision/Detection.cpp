// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>

#include "core/collision/CollisionDetection.h"
#include "core/factory/Registry.h"
#include "core/geometry/BvhPairs.h"
#include "core/log/Timer.h"

namespace sofa::component {

using namespace sofa::core;

namespace {

/// Compares every two models.
class BruteForceBroadPhase : public BroadPhase
{
public:
    Data<Vector<Vec3>> d_box{
        this,
        {.name = "box", .help = "Two corners of a box; models outside of it are ignored. Default: none", .unit = "m"}};

    void findPairs(const std::vector<CollisionModel*>& models, const IntersectionMethod& method,
                   std::vector<ModelPair>& pairs) override
    {
        const double distance = method.alarmDistance();
        std::vector<const CollisionModel*> inside;
        const Vector<Vec3>& corners = d_box.value();
        geometry::Aabb region;
        for (const Vec3& c : corners) region.include(c);
        const auto compare = [&](const CollisionModel& a, const CollisionModel& b) {
            if (!a.d_simulated.value() && !b.d_simulated.value()) return;
            if (!a.canCollideWith(b) || !b.canCollideWith(a)) return;
            bool swapped = false;
            if (!method.find(a.shape(), b.shape(), swapped)) return;
            if (!a.box().overlaps(b.box(), distance)) return;
            pairs.push_back(swapped ? ModelPair{&b, &a} : ModelPair{&a, &b});
        };
        for (const CollisionModel* m : models) {
            if (m->size() == 0) continue;
            if (corners.size() == 2 && !m->box().overlaps(region)) continue;
            if (m->d_selfCollision.value()) compare(*m, *m);
            for (const CollisionModel* other : inside) compare(*m, *other);
            inside.push_back(m);
        }
    }
};

/// Candidate pairs of primitives by the hierarchies of their boxes, then the tests of the method.
class BVHNarrowPhase : public NarrowPhase
{
public:
    void findContacts(const std::vector<ModelPair>& pairs, const IntersectionMethod& method,
                      std::vector<DetectionOutput>& outputs) override
    {
        outputs.clear();
        for (const ModelPair& pair : pairs) {
            const CollisionModel &a = *pair.first, &b = *pair.second;
            bool swapped = false;
            const PrimitiveTest test = method.find(a.shape(), b.shape(), swapped);
            if (!test) continue;
            DetectionOutput output{pair, {}};
            if (&a == &b) {
                for (const auto& [i, j] : m_pairs.within(a.tree(), method.alarmDistance()))
                    if (a.canCollide(j, a, i)) test(method, a, j, a, i, output.contacts);
            } else {
                const bool oneNode = a.node() == b.node();
                for (const auto& [i, j] : m_pairs.between(a.tree(), b.tree(), method.alarmDistance()))
                    if (!oneNode || a.canCollide(i, b, j)) test(method, a, i, b, j, output.contacts);
            }
            if (!output.contacts.empty()) outputs.push_back(std::move(output));
        }
    }

private:
    geometry::BvhPairs m_pairs;
};

/// The pipeline of a scene: the models below its node, compared by the phases and the method that it finds there.
class DefaultPipeline : public CollisionPipeline
{
public:
    Data<bool> d_verbose{
        this, {.name = "verbose", .help = "Report the number of pairs and contacts at each step"}, false};
    Data<bool> d_draw{this, {.name = "draw", .help = "Show the detected contacts"}, false};
    Data<int> d_depth{this, {.name = "depth", .help = "Depth of the trees of boxes in SOFA; without effect here"}, 6};
    Data<unsigned> d_contactCount{
        this,
        {.name = "contactCount", .help = "Contacts detected in the present step", .readOnly = true, .saved = false},
        0u};

    void init() override
    {
        const auto need = [this]<class T>(T*& to, const char* what) {
            to = node()->get<T>(Search::Down);
            if (!to) msgWarning() << "there is no " << what << " below its node: no collision is detected";
            return to != nullptr;
        };
        m_ready = need(m_method, "intersection method (MinProximityIntersection, ...)");
        m_ready = need(m_broadPhase, "broad phase (BruteForceBroadPhase, ...)") && m_ready;
        m_ready = need(m_narrowPhase, "narrow phase (BVHNarrowPhase, ...)") && m_ready;
        m_ready = need(m_manager, "contact manager (CollisionResponse, ...)") && m_ready;
    }
    void reset() override
    {
        if (!m_ready) return;
        m_manager->removeResponses();
        m_outputs.clear();
    }
    void cleanup() override { reset(); }

    void computeCollisionReset() override
    {
        if (m_ready) m_manager->removeResponses();
    }
    void computeCollisionDetection() override
    {
        m_outputs.clear();
        if (!m_ready) return;
        std::vector<CollisionModel*> models;
        for (auto* m : node()->getAll<CollisionModel>(Search::Down))
            if (m->isValid() && m->d_active.value() && isActive(*m->node())) models.push_back(m);
        {
            const ScopedTimer t("Boxes");
            for (CollisionModel* m : models) m->update();
        }
        std::vector<ModelPair> pairs;
        {
            const ScopedTimer t("BroadPhase");
            m_broadPhase->findPairs(models, *m_method, pairs);
        }
        {
            const ScopedTimer t("NarrowPhase");
            m_narrowPhase->findContacts(pairs, *m_method, m_outputs);
        }
        std::size_t contacts = 0;
        for (const DetectionOutput& o : m_outputs) contacts += o.contacts.size();
        d_contactCount.setValue(static_cast<unsigned>(contacts));
        if (d_verbose.value())
            msgInfo() << models.size() << " models, " << pairs.size() << " pairs, " << contacts << " contacts";
    }
    void computeCollisionResponse() override
    {
        if (m_ready) m_manager->respond(m_outputs, *m_method, *node());
    }

private:
    static bool isActive(const Node& n)
    {
        return std::ranges::all_of(n.ancestors(), [](const Node* a) { return a->isActive(); });
    }

    bool m_ready = false;
    IntersectionMethod* m_method = nullptr;
    BroadPhase* m_broadPhase = nullptr;
    NarrowPhase* m_narrowPhase = nullptr;
    ContactManager* m_manager = nullptr;
    std::vector<DetectionOutput> m_outputs;
};

const RegisterComponent pipeline =
    RegisterComponent("CollisionPipeline", "CollisionPipeline", "Sofa.Component.Collision.Detection.Algorithm")
        .help("Collision detection and response of the models below its node, once per step")
        .example("component/collision/Spheres.scn")
        .add<DefaultPipeline>();
const RegisterComponent broadPhase =
    RegisterComponent("BruteForceBroadPhase", "BroadPhase", "Sofa.Component.Collision.Detection.Algorithm")
        .help("Compares the boxes of every two collision models")
        .alias("ParallelBruteForceBroadPhase")
        .example("component/collision/Spheres.scn")
        .add<BruteForceBroadPhase>();
const RegisterComponent narrowPhase =
    RegisterComponent("BVHNarrowPhase", "NarrowPhase", "Sofa.Component.Collision.Detection.Algorithm")
        .help("Compares the boxes of primitives, and then the primitives whose boxes are near")
        .alias("ParallelBVHNarrowPhase")
        .example("component/collision/Spheres.scn")
        .add<BVHNarrowPhase>();

}  // namespace

}  // namespace sofa::component
