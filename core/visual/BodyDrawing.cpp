// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/visual/BodyDrawing.h"

#include <algorithm>
#include <cmath>

#include "core/behavior/BaseMapping.h"
#include "core/behavior/Solvers.h"
#include "core/behavior/StateLookup.h"
#include "core/objectmodel/Transient.h"
#include "core/visual/BodyVisual.h"
#include "core/visual/DrawElements.h"
#include "core/visual/SolidReach.h"

namespace sofa::core {

namespace {

constexpr std::size_t fieldCount = static_cast<std::size_t>(BodyField::Unset);
constexpr double infinity = std::numeric_limits<double>::infinity();

const Color palette[] = {{0.85f, 0.45f, 0.36f}, {0.33f, 0.56f, 0.78f}, {0.92f, 0.71f, 0.33f}, {0.42f, 0.68f, 0.50f},
                         {0.62f, 0.49f, 0.74f}, {0.29f, 0.66f, 0.68f}, {0.86f, 0.56f, 0.66f}, {0.60f, 0.62f, 0.36f}};
const Color restColor(0.76f, 0.77f, 0.80f);

bool isRigid(const BaseState& s) { return s.coordSize() == 7; }

/// The mesh whose points are those of a state: in its node; of an independent state, also above.
const BaseMeshTopology* meshOf(const BaseState& state, bool independent)
{
    const Node& node = *state.node();
    const auto fits = [&](const BaseMeshTopology* t) { return t && t->isValid() && t->nbPoints() <= state.size(); };
    if (const auto* t = node.get<BaseMeshTopology>(Search::Local)) return fits(t) ? t : nullptr;
    if (!independent) return nullptr;
    const auto* t = node.get<BaseMeshTopology>(Search::Up);
    return fits(t) && t->nbPoints() == state.size() ? t : nullptr;
}

/// A third of the way to the nearest other point, for the most of some of the points.
double ballRadius(const Vector<Vec3>& x, double sceneSize)
{
    constexpr std::size_t samples = 32;
    double smallest = infinity;
    for (std::size_t s = 0; s < std::min(samples, x.size()); ++s) {
        const std::size_t i = s * x.size() / std::min(samples, x.size());
        for (std::size_t j = 0; j < x.size(); ++j)
            if (const double d = norm(x[i] - x[j]); j != i && d > 0.) smallest = std::min(smallest, d);
    }
    return std::min(0.33 * smallest, 0.015 * sceneSize);
}

}  // namespace

BodyDrawing::Skin* BodyDrawing::skinOf(const BaseState& state, const BaseMeshTopology& mesh, std::size_t place,
                                       const ElementResults* source)
{
    Skin& s = m_skins[{&state, &mesh, source}];
    if (!s.surface || !s.surface->isOf(state, mesh)) {
        s.surface = std::make_unique<BodySkin>(state, mesh, source);
        s.slots.clear();
    }
    s.surface->update();
    s.seen = true;
    s.place = place;
    return &s;
}

void BodyDrawing::chooseSkins(Body& body, const States& states)
{
    Skin* own = nullptr;
    // A mesh gives states of numbers (temperatures, angles) no places.
    const auto hasPlaces = [](const BaseState& s) { return s.coordSize() > 1; };
    if (const auto* mesh = hasPlaces(*body.state) ? meshOf(*body.state, true) : nullptr)
        own = skinOf(*body.state, *mesh, body.place);
    const std::size_t dimension = own ? own->surface->dimension() : 0;
    if (dimension != 2)
        for (const auto& [state, place] : states) {
            const auto* mesh = state == body.state || !hasPlaces(*state) ? nullptr : meshOf(*state, false);
            if (!mesh || mesh->topologyType() < ElementType::Triangles) continue;
            Skin* s = skinOf(*state, *mesh, place);
            if (dimension < 2 || (s->surface->dimension() == 2 && s->surface->isClosed())) body.skins.push_back(s);
        }
    if (body.skins.empty() && dimension > 0) body.skins.push_back(own);
}

void BodyDrawing::compile(const std::vector<Node*>& nodes)
{
    for (auto& [key, skin] : m_skins) skin.seen = false;
    std::map<const BaseState*, const BaseState*> above;  // looked up only
    States states;
    std::map<const BaseState*, std::size_t> bodies;
    for (const Node* n : nodes)
        for (const auto& c : n->components())
            if (auto* m = dynamic_cast<const BaseMapping*>(c.get()); m && c->isValid())
                if (const auto inputs = m->inputs(); !inputs.empty() && inputs.front())
                    for (const BaseState* out : m->outputs())
                        if (out) above.emplace(out, inputs.front());
    const auto rootOf = [&](const BaseState* s) {
        for (std::size_t steps = 0; steps <= above.size(); ++steps) {
            const auto i = above.find(s);
            if (i == above.end()) return s;
            s = i->second;
        }
        return s;
    };

    // Slots are kept over a change of the scene: the same things come back.
    std::map<const BaseState*, Slots> pointSlots;
    std::map<const Component*, Slots> shapeSlots;
    for (Body& b : m_bodies) {
        pointSlots[b.state] = std::move(b.slots);
        for (Shape& s : b.shapes) shapeSlots[s.component] = std::move(s.slots);
    }
    for (Shape& s : m_obstacles) shapeSlots[s.component] = std::move(s.slots);
    m_bodies.clear();
    m_obstacles.clear();

    for (std::size_t place = 0; place < nodes.size(); ++place) {
        const bool transient = isTransient(*nodes[place]);
        for (const auto& c : nodes[place]->components()) {
            const auto* s = dynamic_cast<const BaseState*>(c.get());
            if (!s || !s->isMechanical() || !s->isValid() || transient || isTransient(*s)) continue;
            states.emplace_back(s, place);
            if (above.count(s)) continue;
            bodies.emplace(s, m_bodies.size());
            Body b;
            b.state = s;
            b.place = place;
            b.atRest = !nodes[place]->get<OdeSolver>(Search::Up);
            if (auto kept = pointSlots.find(s); kept != pointSlots.end()) b.slots = std::move(kept->second);
            m_bodies.push_back(std::move(b));
        }
    }
    m_onlyNumbers = std::ranges::all_of(states, [](const auto& s) { return s.first->coordSize() == 1; });
    const auto bodyOf = [&](const BaseState* s) -> Body* {
        const auto i = bodies.find(s ? rootOf(s) : nullptr);
        return i == bodies.end() ? nullptr : &m_bodies[i->second];
    };

    std::map<const BaseState*, std::size_t> placeOf(states.begin(), states.end());
    std::map<const Body*, Color> given;
    for (std::size_t place = 0; place < nodes.size(); ++place)
        for (const auto& c : nodes[place]->components()) {
            if (!c->isValid()) continue;
            if (dynamic_cast<const BodyVisual*>(c.get())) {
                const auto* own = dynamic_cast<const BaseState*>(c.get());
                const BaseState* follows =
                    own && above.count(own) ? own : findMechanicalState<BaseState>(*nodes[place], Search::Up);
                if (Body* b = bodyOf(follows)) b->visuals.push_back(c.get());
            }
            if (auto* shape = dynamic_cast<SolidShape*>(c.get())) {
                const BaseState* carrier = shape->shapeState();
                Body* b = bodyOf(carrier);
                if (b && shape->shapeColor()) given.emplace(b, *shape->shapeColor());
                if (!shape->hasShape() || (carrier && !b)) continue;
                Shape s{shape, c.get(), place, {}};
                if (auto kept = shapeSlots.find(c.get()); kept != shapeSlots.end()) s.slots = std::move(kept->second);
                (b ? b->shapes : m_obstacles).push_back(std::move(s));
            }
            if (const auto* source = dynamic_cast<const ElementResults*>(c.get()); source && source->resultState()) {
                Body* b = bodyOf(source->resultState());
                const ElementNumbering elements = source->resultElements();
                const auto at = placeOf.find(source->resultState());
                if (!b || b->stressed || !elements.topology || at == placeOf.end()) continue;
                b->source = source;
                b->stressed = skinOf(*source->resultState(), *elements.topology, at->second, source);
            }
        }

    std::vector<States> own(m_bodies.size());
    for (const auto& s : states)
        if (const auto b = bodies.find(rootOf(s.first)); b != bodies.end()) own[b->second].push_back(s);
    std::size_t colored = 0;
    for (std::size_t i = 0; i < m_bodies.size(); ++i) {
        Body& b = m_bodies[i];
        chooseSkins(b, own[i]);
        const auto color = given.find(&b);
        b.color = color != given.end() ? color->second : b.atRest ? restColor : palette[colored % std::size(palette)];
        if (!b.atRest && b.visuals.empty() && color == given.end()) ++colored;
    }
    std::erase_if(m_skins, [](const auto& s) { return !s.second.seen; });
}

void BodyDrawing::prepare(FlagsOf flags)
{
    m_ranges.assign(fieldCount, {infinity, -infinity});
    m_replaced.clear();
    for (auto& [key, skin] : m_skins) skin.colored = false;
    for (Body& b : m_bodies) {
        const DisplayFlags& here = flags(b.place);
        if (here.state(DisplayFlags::Skins) == DisplayFlags::State::Off) continue;
        b.field = here.field() == BodyField::Unset ? BodyField::None : here.field();
        bool perElement = here.shows(DisplayFlags::ElementColors);
        if (b.field == BodyField::None && b.source && here.field() == BodyField::Unset) {
            // The force field draws by itself where such things are shown.
            const auto shown = b.source->showsStress();
            if (shown == ElementResults::Shown::No || here.shows(DisplayFlags::ForceFields)) continue;
            b.field = BodyField::Stress;
            perElement = perElement || shown == ElementResults::Shown::Elements;
        }
        if (b.field == BodyField::None) continue;
        const bool ofElements = b.field == BodyField::Stress || b.field == BodyField::Strain;
        bool any = false;
        const auto color = [&](Skin* s) {
            if (!s->surface->computeField(b.field)) return;
            s->surface->include(m_ranges[static_cast<std::size_t>(b.field)]);
            s->colored = any = true;
            s->perElement = perElement;
        };
        if (b.stressed && ofElements)
            color(b.stressed);
        else
            for (Skin* s : b.skins) color(s);
        if (any) m_replaced.insert(m_replaced.end(), b.visuals.begin(), b.visuals.end());
    }
    for (const auto& [field, range] : m_given)
        if (auto& own = m_ranges[static_cast<std::size_t>(field)]; own[0] <= own[1]) own = range;
}

void BodyDrawing::setRange(BodyField field, std::optional<std::array<double, 2>> range)
{
    if (range)
        m_given[field] = *range;
    else
        m_given.erase(field);
}

std::optional<BodyDrawing::Value> BodyDrawing::valueAt(std::uint64_t slot, std::size_t triangle,
                                                       const Vec3& point) const
{
    for (const Body& b : m_bodies) {
        const auto of = [&](const Skin* s) -> std::optional<Value> {
            const bool here = s && s->colored && std::ranges::any_of(s->slots, [slot](const DrawTool::Slot& drawn) {
                                  return drawn.id == slot;
                              });
            const auto value = here ? s->surface->valueIn(triangle, point, s->perElement) : std::nullopt;
            return value ? std::optional(Value{b.field, *value}) : std::nullopt;
        };
        if (const auto v = of(b.stressed)) return v;
        for (const Skin* s : b.skins)
            if (const auto v = of(s)) return v;
    }
    return {};
}

bool BodyDrawing::replaces(const Component& visual) const
{
    return !m_replaced.empty() && std::ranges::find(m_replaced, &visual) != m_replaced.end();
}

void BodyDrawing::place(DrawTool& tool, std::size_t place, const DisplayFlags& flags, const Component* owner,
                        Slots& slots)
{
    tool.m_scope = static_cast<std::uint32_t>(place);
    tool.m_flags = flags;
    tool.m_component = owner;
    tool.m_slots = &slots;
    tool.m_used = 0;
    tool.m_scratch->rewind();
}

void BodyDrawing::drawPoints(DrawTool& tool, Body& body)
{
    const DrawStyle style = litStyle(body.color);
    const double sceneSize = tool.sceneSize() > 0. ? tool.sceneSize() : 1.;  // of one point alone
    if (isRigid(*body.state)) {
        auto frames = tool.scratch<RigidCoord3>();
        auto scalars = tool.scratch<double>();
        scalars.resize(body.state->size() * 7);
        body.state->getScalars(vec_id::position, scalars.data());
        for (std::size_t i = 0; i < scalars.size(); i += 7) {
            const double* s = &scalars[i];
            RigidCoord3 frame;
            frame.center = {s[0], s[1], s[2]};
            for (std::size_t k = 0; k < 4; ++k) frame.orientation[k] = s[3 + k];
            frames.push_back(frame);
        }
        tool.frames(frames, 0.05 * sceneSize, style);
        return;
    }
    const auto points = drawnPoints(tool, *body.state);
    if (body.radius == 0.) body.radius = ballRadius(points, sceneSize);
    tool.spheres(points, {&body.radius, 1}, style);
}

void BodyDrawing::draw(DrawTool& tool, FlagsOf flags)
{
    // Of solids; models of collisions know their boxes after the first step only.
    const auto includeSolids = [&](std::size_t firstItem) {
        for (std::size_t i = firstItem; i < tool.list().items.size(); ++i) {
            const DrawItem& item = tool.list().items[i];
            BoundingBox box;
            for (const SolidInstance& s : item.geometry->solids) {
                box.include(Vec3(s.center - reachOf(s)));
                box.include(Vec3(s.center + reachOf(s)));
            }
            tool.list().includeBox(item.scope, box);
        }
    };
    const auto styled = [&](const Color& color) {
        DrawStyle style = litStyle(color);
        style.wireframe = tool.wireframe();
        return style;
    };
    for (Body& b : m_bodies) {
        bool colored = b.stressed && b.stressed->colored;
        for (const Skin* s : b.skins) colored = colored || s->colored;
        const auto drawSkin = [&](Skin& s) {
            place(tool, s.place, flags(s.place), &s.surface->state(), s.slots);
            if (s.colored)
                s.surface->drawField(tool, styled(Color()), s.perElement, m_ranges[static_cast<std::size_t>(b.field)]);
            else
                s.surface->draw(tool, styled(b.color));
            tool.list().includeBox(static_cast<std::uint32_t>(s.place), s.surface->state().boundingBox());
        };
        if (colored) {
            if (b.stressed && b.stressed->colored) drawSkin(*b.stressed);
            for (Skin* s : b.skins)
                if (s->colored) drawSkin(*s);
            continue;
        }
        if (!b.visuals.empty() || !flags(b.place).shows(DisplayFlags::Skins)) continue;
        for (Skin* s : b.skins)
            if (flags(s->place).shows(DisplayFlags::Skins)) drawSkin(*s);
        if (!b.skins.empty()) continue;
        const std::size_t firstItem = tool.list().items.size();
        for (Shape& s : b.shapes) {
            place(tool, s.place, flags(s.place), s.component, s.slots);
            s.shape->drawShape(tool, styled(s.shape->shapeColor().value_or(b.color)));
        }
        if (b.shapes.empty() && (b.state->coordSize() > 1 || m_onlyNumbers)) {
            place(tool, b.place, flags(b.place), b.state, b.slots);
            drawPoints(tool, b);
        }
        includeSolids(firstItem);
    }
    for (Shape& s : m_obstacles) {
        if (!flags(s.place).shows(DisplayFlags::Skins)) continue;
        place(tool, s.place, flags(s.place), s.component, s.slots);
        const std::size_t firstItem = tool.list().items.size();
        s.shape->drawShape(tool, styled(s.shape->shapeColor().value_or(restColor)));
        includeSolids(firstItem);
    }

    static const ColorMap map("Blue to Red");
    place(tool, 0, flags(0), nullptr, m_legends);
    for (std::size_t f = 0; f < fieldCount; ++f)
        if (m_ranges[f][0] <= m_ranges[f][1])
            tool.legend(titleOf(static_cast<BodyField>(f)), map, m_ranges[f][0], m_ranges[f][1]);
}

double BodyDrawing::lowestAtRest(const Vec3& up) const
{
    double lowest = infinity;
    const auto include = [&](const BoundingBox& box) {
        if (!box.valid()) return;
        double low = 0.;
        for (std::size_t i = 0; i < 3; ++i) low += std::min(up[i] * box.low[i], up[i] * box.high[i]);
        lowest = std::min(lowest, low);
    };
    for (const Body& b : m_bodies)
        if (b.atRest) include(b.state->boundingBox());
    return lowest;
}

}  // namespace sofa::core
