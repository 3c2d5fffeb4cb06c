// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/visual/SceneDrawing.h"

#include <algorithm>
#include <atomic>
#include <span>

#include "core/behavior/BaseMapping.h"
#include "core/behavior/BaseState.h"
#include "core/behavior/Solvers.h"
#include "core/visual/DrawElements.h"
#include "core/visual/SelectionDrawing.h"

namespace sofa::core {

namespace {

DisplayFlags flagsOf(const std::map<std::string, std::string>& attributes)
{
    DisplayFlags own;
    for (const auto& [name, value] : attributes) {
        bool on = false;
        std::string error;
        if (parseText(value, on, error)) own.apply((on ? "show" : "hide") + name.substr(4));
    }
    return own;
}

/// The box that the scene says its node has; not valid if it says none.
BoundingBox givenBox(const Node& node)
{
    BoundingBox box;
    const Vector<double>& b = node.d_bbox.value();
    if (!node.d_bbox.isSet() || b.size() != 6) return box;
    box.include(Vec3{b[0], b[1], b[2]});
    box.include(Vec3{b[3], b[4], b[5]});
    return box;
}

/// The states that a mapping moves; none where a link of it is not set.
std::vector<const BaseState*> followersOf(const BaseMapping& m)
{
    const auto inputs = m.inputs(), outputs = m.outputs();
    if (std::ranges::count(inputs, nullptr) > 0 || std::ranges::count(outputs, nullptr) > 0) return {};
    return {outputs.begin(), outputs.end()};
}

/// The points that follow others, and lines to what they follow (flag Mappings; MechanicalMappings for those of states
/// with dynamics).
void drawFollowers(DrawTool& tool, const BaseMapping& m, std::span<const BaseState* const> followers)
{
    const bool all = tool.shows(DisplayFlags::Mappings);
    const auto isShown = [all](const BaseState* s) { return all || s->isMechanical(); };
    if (std::ranges::none_of(followers, isShown)) return;
    auto ends = tool.scratch<Vec3>();
    m.appendLinks(ends);
    for (const BaseState* s : followers) {
        if (!isShown(s)) continue;
        drawMapping(tool, drawnPoints(tool, *s), ends);
        ends.clear();
    }
}

}  // namespace

DisplayFlags ownDisplayFlags(const Node& node)
{
    const DisplayFlags own = flagsOf(node.displayAttributes());
    const auto* setting = node.get<DisplaySetting>(Search::Local);
    return setting ? DisplayFlags::merged(own, setting->displayFlags()) : own;
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

void SceneDrawing::compile(Node& root)
{
    if (!m_nodes.update(root)) return;
    m_places.clear();
    std::unordered_map<const Node*, std::uint32_t> indices;
    for (Node* n : m_nodes.nodes()) {
        Place place;
        place.node = n;
        const auto index = static_cast<std::uint32_t>(m_places.size());
        if (n != &root && !n->parents().empty())
            if (const auto above = indices.find(n->parents().front()); above != indices.end())
                place.parent = above->second;
        indices.emplace(n, index);
        place.path = n->pathName();
        place.setting = n->get<DisplaySetting>(Search::Local);
        place.attributes = n->displayAttributes();
        place.ofAttributes = flagsOf(place.attributes);
        for (const BaseState* s : n->getAll<BaseState>()) place.states.push_back(s);
        m_places.push_back(std::move(place));
    }
    m_bodies.compile(m_nodes.nodes());
}

void SceneDrawing::placeGround(DrawList& list, const Node& root, const BoundingBox& states)
{
    const Vec3 gravity = root.gravity();
    if (!(norm(gravity) > 0.) || !list.box.valid()) return;
    const Vec3 up = gravity / -norm(gravity);
    const auto lowest = [&up](const BoundingBox& box) {
        double sum = 0.;
        for (std::size_t i = 0; i < 3; ++i) sum += std::min(up[i] * box.low[i], up[i] * box.high[i]);
        return sum;
    };
    // What moves needs room below it, unless something stands there that holds it up.
    BoundingBox all = list.box;
    all.include(states);
    const double low = lowest(all), size = norm(all.high - all.low), room = low - 0.2 * size;
    if (!m_groundLevel) m_groundLevel = m_bodies.lowestAtRest(up) <= low + 0.02 * size ? low - 0.001 * size : room;
    if (low < *m_groundLevel) m_groundLevel = room;
    list.ground = GroundDescription{up, *m_groundLevel};
}

void SceneDrawing::drawSelected(DrawTool& tool, std::string_view selected)
{
    const SelectionDescription how = tool.list().viewer.value_or(ViewerDescription{}).selection;
    tool.m_slots = &m_selection;
    tool.m_used = 0;
    tool.m_component = nullptr;
    m_scratch.rewind();
    for (std::uint32_t index = 0; index < m_places.size(); ++index) {
        const Place& place = m_places[index];
        tool.m_scope = index;
        tool.m_flags = {};
        if (place.path == selected) return drawSelection(tool, *place.node, how);
        // A component's path is that of its node, a slash and its name.
        const std::size_t length = place.path == "/" ? 0 : place.path.size();
        if (selected.size() <= length || selected.substr(0, length) != std::string_view(place.path).substr(0, length) ||
            selected[length] != '/')
            continue;
        for (const auto& c : place.node->components())
            if (c->isValid() && c->name() == selected.substr(length + 1)) return drawSelection(tool, *c, how);
    }
}

void SceneDrawing::setHidden(std::set<std::string> paths) { m_hidden = std::move(paths); }

bool SceneDrawing::isHidden(const Place& place, const Component& c) const
{
    return !m_hidden.empty() && m_hidden.contains((place.path == "/" ? "" : place.path) + '/' + c.name());
}

std::shared_ptr<const DrawList> SceneDrawing::draw(Node& root, const DisplayFlags& chosen, std::string_view selected)
{
    ++m_frames;
    if (auto* loop = root.get<VisualLoop>(Search::Local)) loop->update();
    compile(root);
    // A viewer may still hold the last frame.
    std::shared_ptr<DrawList>& list = m_lists[m_frames % 2];
    if (!list || list.use_count() > 1) list = std::make_shared<DrawList>();
    list->clear();
    list->time = root.time();

    // The scene is as large as its states; meshes of loaders and topologies may lie elsewhere. States of numbers are
    // angles, temperatures, ...: they count as places where there is nothing else.
    BoundingBox states, numbers;
    for (const Place& p : m_places)
        for (const BaseState* s : p.states) (s->coordSize() > 1 ? states : numbers).include(s->boundingBox());
    if (!states.valid()) states = numbers;

    DrawTool tool(*list);
    tool.m_sceneSize = states.valid() ? norm(states.high - states.low) : 1.;
    tool.m_sceneBox = states;
    tool.m_scratch = &m_scratch;
    tool.m_nextSlot = &m_nextSlot;
    tool.m_nextRevision = &m_nextRevision;
    list->scopes.resize(m_places.size());
    if (m_places.empty()) return list;
    for (std::uint32_t index = 0; index < m_places.size(); ++index) {
        Place& place = m_places[index];
        const Node& n = *place.node;
        if (place.attributes != n.displayAttributes()) {
            place.attributes = n.displayAttributes();
            place.ofAttributes = flagsOf(place.attributes);
        }
        place.flags = place.ofAttributes;
        if (place.setting) place.flags = DisplayFlags::merged(place.flags, place.setting->displayFlags());
        if (index > 0)
            place.flags = DisplayFlags::merged(m_places[place.parent].flags, place.flags);
        else if (!n.parents().empty())
            place.flags = DisplayFlags::merged(displayFlagsOf(*n.parents().front()), place.flags);
        if (index == 0) place.flags = DisplayFlags::merged(place.flags, chosen);
        place.hidden = (index > 0 && m_places[place.parent].hidden) || m_hidden.contains(place.path);
    }
    static const DisplayFlags nothing = [] {
        DisplayFlags flags;
        for (int f = 0; f < DisplayFlags::Count; ++f)
            flags.set(static_cast<DisplayFlags::Flag>(f), DisplayFlags::State::Off);
        return flags;
    }();
    const auto flagsOfPlace = [this](std::size_t i) -> const DisplayFlags& {
        return m_places[i].hidden ? nothing : m_places[i].flags;
    };
    m_bodies.prepare(flagsOfPlace);
    for (std::uint32_t index = 0; index < m_places.size(); ++index) {
        const Place& place = m_places[index];
        const Node& n = *place.node;
        DrawScope& scope = list->scopes[index];  // of an earlier frame
        scope.parent = place.parent;
        scope.path = place.path;
        scope.shaders.clear();
        scope.clipPlanes.clear();
        scope.frame.reset();
        scope.frameBelow = false;
        tool.m_scope = index;
        tool.m_flags = place.flags;
        BoundingBox shown = givenBox(n);
        for (const auto& c : n.components()) {
            if (!c->isValid() || m_bodies.replaces(*c) || place.hidden || isHidden(place, *c)) continue;
            Drawn& drawn = m_drawn[c.get()];
            if (drawn.component.lock() != c) {
                drawn.component = c;
                drawn.slots.clear();
            }
            drawn.frame = m_frames;
            tool.m_component = c.get();
            tool.m_slots = &drawn.slots;
            tool.m_used = 0;
            m_scratch.rewind();
            const std::size_t before = list->items.size();
            c->draw(tool);
            if (tool.shows(DisplayFlags::Mappings) || tool.shows(DisplayFlags::MechanicalMappings))
                if (const auto* m = dynamic_cast<const BaseMapping*>(c.get())) {
                    if (drawn.followersAt != root.changeCount()) drawn.followers = followersOf(*m);
                    drawn.followersAt = root.changeCount();
                    drawFollowers(tool, *m, drawn.followers);
                }
            if (list->items.size() > before) shown.include(c->boundingBox());
        }
        list->includeBox(index, shown);
    }
    m_bodies.draw(tool, flagsOfPlace);
    if (!list->box.valid()) list->box = states;
    list->surroundings = m_places.front().flags.shows(DisplayFlags::Surroundings);
    list->axes = m_places.front().flags.shows(DisplayFlags::Axes);
    if (list->surroundings && !list->background) placeGround(*list, root, states);
    if (!selected.empty()) drawSelected(tool, selected);
    std::erase_if(m_drawn, [this](const auto& d) { return d.second.frame != m_frames; });
    return list;
}

}  // namespace sofa::core
