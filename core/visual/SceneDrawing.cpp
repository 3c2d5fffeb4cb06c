// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/visual/SceneDrawing.h"

#include <atomic>

#include "core/behavior/BaseState.h"
#include "core/behavior/Solvers.h"

namespace sofa::core {

DisplayFlags ownDisplayFlags(const Node& node)
{
    DisplayFlags own;
    for (const auto& [name, value] : node.displayAttributes()) {
        bool on = false;
        std::string error;
        if (parseText(value, on, error)) own.apply((on ? "show" : "hide") + name.substr(4));
    }
    if (const auto* setting = node.get<DisplaySetting>(Search::Local))
        own = DisplayFlags::merged(own, setting->displayFlags());
    return own;
}

DisplayFlags displayFlagsOf(const Node& node)
{
    const DisplayFlags own = ownDisplayFlags(node);
    return node.parents().empty() ? own : DisplayFlags::merged(displayFlagsOf(*node.parents().front()), own);
}

SceneDrawing::SceneDrawing()
{
    static std::atomic<std::uint64_t> drawings{0};
    m_nextSlot = m_nextRevision = (drawings++ << 40) + 1;
}

std::shared_ptr<const DrawList> SceneDrawing::draw(Node& root, const DisplayFlags& chosen)
{
    ++m_pictures;
    if (auto* loop = root.get<VisualLoop>(Search::Local)) loop->update();
    // A viewer may still hold the last picture.
    std::shared_ptr<DrawList>& list = m_lists[m_pictures % 2];
    if (!list || list.use_count() > 1) list = std::make_shared<DrawList>();
    std::vector<DrawScope> scopes = std::move(list->scopes);
    std::vector<DrawItem> items = std::move(list->items);
    *list = {};
    items.clear();
    list->scopes = std::move(scopes);
    list->items = std::move(items);
    list->time = root.time();

    struct Place
    {
        std::uint32_t scope;
        DisplayFlags flags;
    };
    std::unordered_map<const Node*, Place> places;
    const std::vector<Node*> nodes = root.descendants();
    // The scene is as large as its states; meshes of loaders and topologies may lie elsewhere.
    BoundingBox states;
    for (const Node* n : nodes)
        for (const BaseState* s : n->getAll<BaseState>()) states.include(s->boundingBox());

    DrawTool tool(*list);
    tool.m_sceneSize = states.valid() ? norm(states.high - states.low) : 1.;
    tool.m_nextSlot = &m_nextSlot;
    tool.m_nextRevision = &m_nextRevision;
    list->scopes.resize(nodes.size());
    std::uint32_t next = 0;
    for (Node* n : nodes) {
        const std::uint32_t index = next++;
        Place place{index, ownDisplayFlags(*n)};
        std::uint32_t parent = 0;
        if (n == &root) {
            place.flags = DisplayFlags::merged(displayFlagsOf(*n), chosen);
        } else if (!n->parents().empty()) {
            const auto above = places.find(n->parents().front());
            if (above != places.end()) {
                parent = above->second.scope;
                place.flags = DisplayFlags::merged(above->second.flags, place.flags);
            }
        }
        places.emplace(n, place);
        DrawScope& scope = list->scopes[index];  // of an earlier picture
        scope.parent = parent;
        scope.path = n->pathName();
        scope.shaders.clear();
        scope.clipPlanes.clear();
        scope.frame.reset();
        scope.frameBelow = false;
        tool.m_scope = index;
        tool.m_flags = place.flags;
        for (const auto& c : n->components()) {
            if (!c->isValid()) continue;
            Drawn& drawn = m_drawn[c.get()];
            if (drawn.component.lock() != c) {
                drawn.component = c;
                drawn.slots.clear();
            }
            drawn.picture = m_pictures;
            tool.m_component = c.get();
            tool.m_slots = &drawn.slots;
            tool.m_used = 0;
            const std::size_t before = list->items.size();
            c->draw(tool);
            if (list->items.size() > before) list->box.include(c->boundingBox());
        }
    }
    if (!list->box.valid()) list->box = states;
    std::erase_if(m_drawn, [this](const auto& d) { return d.second.picture != m_pictures; });
    return list;
}

}  // namespace sofa::core
