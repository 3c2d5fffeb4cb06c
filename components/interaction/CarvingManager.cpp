// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/interaction/CarvingManager.h"

#include <algorithm>

#include "components/interaction/PickedElement.h"
#include "core/factory/Registry.h"
#include "core/objectmodel/Node.h"

namespace sofa::component {

namespace {

std::size_t revisionOf(const BaseMeshTopology& mesh) { return mesh.revision(); }

/// Of the core of a body from an element.
double distance(const geometry::ConvexBody& body, std::span<const Index> element, ElementType type,
                const BaseState& state)
{
    std::vector<Vec3> x;
    for (const Index v : element) x.push_back(state.pointPosition(v));
    return elementDistance(body, type, x);
}

}  // namespace

CarvingManager::CarvingManager()
{
    for (const char* name : {"toolModelPath", "modelTool"}) addAlias(l_toolModel, name);
    for (const char* name : {"surfaceModel", "modelSurface"}) addAlias(l_surfaceModel, name);
    ignoreAttribute("omniEvent", "there are no buttons of haptic devices; keys and mouseEvent turn the tool on");
    ignoreAttribute("activatorName", "it named a haptic device; keys and mouseEvent turn the tool on");
}

void CarvingManager::init()
{
    std::string error;
    if (!l_toolModel.resolve(error)) return fail("toolModel: " + error);
    if (!l_surfaceModel.resolve(error)) return fail("surfaceModelPath: " + error);
    const auto models = node()->root().getAll<CollisionModel>(Search::Down);
    if (!l_toolModel)
        for (CollisionModel* m : models)
            if (!l_toolModel && m->hasTag("CarvingTool")) l_toolModel.set(m);
    if (!l_toolModel)
        return fail("it needs a tool: give a collision model the tag \"CarvingTool\", or toolModel=\"@path\"");
    if (std::ranges::none_of(models, [&](const CollisionModel* m) { return isCarved(*m); }))
        return fail(
            "there is nothing to carve: give collision models the tag \"CarvingSurface\", or "
            "surfaceModelPath=\"@path\"");
    if (node()->root().getAll<CollisionPipeline>(Search::Down).empty())
        return fail("it needs a CollisionPipeline, which detects what the tool touches");
    SwitchedTool::init();
}

void CarvingManager::reset()
{
    SwitchedTool::reset();
    m_found.clear();
    d_removed.setValue(0u);
}

void CarvingManager::archive(Archive& a)
{
    SwitchedTool::archive(a);
    unsigned removed = d_removed.value();
    a(removed);
    if (!a.loading()) return;
    d_removed.setValue(removed);
    m_found.clear();
}

bool CarvingManager::isCarved(const CollisionModel& m) const
{
    return l_surfaceModel ? l_surfaceModel.get() == &m : m.hasTag("CarvingSurface");
}

void CarvingManager::handleEvent(const Event& e)
{
    if (!isValid()) return;
    SwitchedTool::handleEvent(e);
    if (dynamic_cast<const CollisionEndEvent*>(&e)) {
        m_found.clear();
        if (d_active.value()) find();
    } else if (dynamic_cast<const AnimateEndEvent*>(&e)) {
        carve();
        m_found.clear();
    }
}

void CarvingManager::find()
{
    const CollisionModel* tool = l_toolModel.get();
    for (const auto* pipeline : node()->root().getAll<CollisionPipeline>(Search::Down))
        for (const DetectionOutput* output : pipeline->detected()) {
            const auto [a, b] = output->models;
            const bool second = b != tool;  // the surface
            const CollisionModel* surface = second ? b : a;
            if ((a != tool && b != tool) || !isCarved(*surface)) continue;
            for (const DetectedContact& c : output->contacts) {
                if (!(c.value < d_carvingDistance.value())) continue;
                try {
                    const BaseMeshTopology* mesh = surface->topology();
                    if (!mesh) throw std::runtime_error("'" + surface->pathName() + "' is not on a mesh");
                    const RemovableElement e = elementOn(*mesh, surface->vertices(second ? c.primitive2 : c.primitive1),
                                                         surface->state(), second ? c.point2 : c.point1);
                    m_found[e.topology].revision = revisionOf(*e.topology);
                    spread(e, surface->state(), second ? c.primitive1 : c.primitive2);
                } catch (const std::runtime_error& e) {
                    tellWhyNot(std::string("nothing is carved: ") + e.what());
                    return;
                }
            }
        }
}

void CarvingManager::spread(const RemovableElement& from, const BaseState& state, Index primitive)
{
    const StoredTopology::List& list = *from.topology->list(from.type);
    auto& elements = m_found[from.topology].elements;
    const geometry::ConvexBody tool = l_toolModel->bodyAt(primitive, 0.);
    const double reach = std::max(0., d_carvingDistance.value()) + tool.radius;
    std::set<Index> seen{from.index};
    std::vector<Index> next{from.index};
    while (!next.empty()) {
        const Index e = next.back();
        next.pop_back();
        elements.emplace(from.type, e);
        for (const Index v : list.element(e))
            for (const Index other : list.around(v))
                if (seen.insert(other).second && distance(tool, list.element(other), from.type, state) < reach)
                    next.push_back(other);
    }
}

void CarvingManager::carve()
{
    for (auto& [mesh, found] : m_found) {
        if (revisionOf(*mesh) != found.revision) continue;  // others were faster; the next step finds what is left
        std::map<ElementType, Vector<Index>> byType;
        for (const auto& [type, e] : found.elements) byType[type].push_back(e);
        for (auto& [type, elements] : byType) {
            const auto count = static_cast<unsigned>(elements.size());
            try {
                removeElements(*mesh, type, std::move(elements));
                d_removed.setValue(d_removed.value() + count);
                tellWhyNot({});
            } catch (const std::runtime_error& e) {
                tellWhyNot(std::string("nothing is carved: ") + e.what());
            }
        }
    }
}

static const RegisterComponent registeredCarvingManager =
    RegisterComponent("CarvingManager", "Controller", "SofaCarving")
        .help("Removes the elements of meshes that a tool touches")
        .example("demos/carving.scn")
        .add<CarvingManager>();

}  // namespace sofa::component
