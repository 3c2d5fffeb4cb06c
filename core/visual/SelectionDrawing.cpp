// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/visual/SelectionDrawing.h"

#include <algorithm>

#include "core/objectmodel/Node.h"
#include "core/visual/DrawElements.h"

namespace sofa::core {

namespace {

constexpr std::size_t readablePoints = 2000;
constexpr Color highlight{0.7f, 0.f, 1.f};  // rare in scenes, seen on light and dark

DrawStyle over(DrawStyle style)
{
    style.layer = DrawStyle::Layer::Overlay;
    return style;
}

void drawBox(DrawTool& tool, const BoundingBox& box)
{
    if (box.valid()) tool.boxEdges({&box, 1}, over(plainStyle(highlight, 2.f)));
}

/// The value of a Data of this name and type; nullptr if there is none.
template <class T>
const Vector<T>* listOf(const Component& component, std::string_view name)
{
    const auto* data = dynamic_cast<const Data<Vector<T>>*>(component.findData(name));
    return data ? &data->value() : nullptr;
}

/// Elements of a kind that a component has, as a mesh or as a Data of this name.
template <std::size_t N>
const Vector<std::array<Index, N>>& elementsOf(const Component& component, std::string_view name,
                                               const Vector<std::array<Index, N>>& (BaseMeshTopology::*ofMesh)() const)
{
    static const Vector<std::array<Index, N>> empty;
    if (const auto* mesh = dynamic_cast<const BaseMeshTopology*>(&component)) return (mesh->*ofMesh)();
    const auto* list = listOf<std::array<Index, N>>(component, name);
    return list ? *list : empty;
}

/// The points of a state, of a mesh (or those of the state that it describes), or a Data of that name.
Scratch<Vec3> pointsOf(DrawTool& tool, const Component& component)
{
    if (const auto* state = dynamic_cast<const BaseState*>(&component)) return drawnPoints(tool, *state);
    auto out = tool.scratch<Vec3>();
    if (const auto* mesh = dynamic_cast<const BaseMeshTopology*>(&component)) {
        if (mesh->hasPositions())
            for (Index i = 0; i < mesh->nbPoints(); ++i) out.push_back(mesh->pointPosition(i));
        else if (const auto* state = component.node() ? component.node()->get<BaseState>() : nullptr)
            return drawnPoints(tool, *state);
    } else if (const auto* list = listOf<Vec3>(component, "position")) {
        out.assign(list->begin(), list->end());
    }
    return out;
}

void drawFaces(DrawTool& tool, std::span<const Vec3> points, const Vector<Triangle>& triangles,
               const Vector<Quad>& quads)
{
    DrawStyle style = over(plainStyle(Color(highlight[0], highlight[1], highlight[2], 0.3f)));
    style.depthWrite = false;
    const auto exists = [&](const auto& e) {
        return std::ranges::all_of(e, [&](Index v) { return v < points.size(); });
    };
    tool.geometry(style, [&](Geometry& g) {
        g.positions.reserve(points.size());
        for (const Vec3& p : points) g.positions.push_back(Vec3f(p));
        for (const Triangle& t : triangles)
            if (exists(t)) g.triangles.push_back(t);
        for (const Quad& q : quads)
            if (exists(q)) g.addQuad(q[0], q[1], q[2], q[3]);
    });
}

/// The number of each point, in text of a height in space [m].
void drawNumbers(DrawTool& tool, std::span<const Vec3> points, double height)
{
    tool.geometry(over(plainStyle(highlight)), [&](Geometry& g) {
        g.labels.reserve(points.size());
        for (std::size_t i = 0; i < points.size(); ++i)
            g.labels.push_back({Vec3f(points[i]), std::to_string(i), static_cast<float>(height), true, highlight});
    });
}

}  // namespace

BoundingBox selectedBox(const Base& selected)
{
    BoundingBox box;
    if (const auto* component = dynamic_cast<const Component*>(&selected)) {
        box = component->boundingBox();
        return box.valid() || !component->node() ? box : selectedBox(*component->node());
    }
    if (const auto* node = dynamic_cast<const Node*>(&selected))
        node->visit(Search::Down, [&box](Component& c) {
            box.include(c.boundingBox());
            return true;
        });
    return box;
}

void drawSelection(DrawTool& tool, const Node& node, const SelectionDescription& how)
{
    if (how.nodeBox) drawBox(tool, selectedBox(node));
}

void drawSelection(DrawTool& tool, const Component& component, const SelectionDescription& how)
{
    if (how.componentBox) drawBox(tool, component.boundingBox());
    const auto points = pointsOf(tool, component);
    if (points.empty()) return;
    const DrawStyle lines = over(plainStyle(highlight));
    if (how.surfaces) {
        const auto& triangles = elementsOf<3>(component, "triangles", &BaseMeshTopology::triangles);
        const auto& quads = elementsOf<4>(component, "quads", &BaseMeshTopology::quads);
        drawFaces(tool, points, triangles, quads);
        drawElementEdges(tool, ElementType::Triangles, triangles, points, lines);
        drawElementEdges(tool, ElementType::Quads, quads, points, lines);
    }
    if (how.volumes) {
        drawElementEdges(tool, ElementType::Tetrahedra,
                         elementsOf<4>(component, "tetrahedra", &BaseMeshTopology::tetrahedra), points, lines);
        drawElementEdges(tool, ElementType::Hexahedra,
                         elementsOf<8>(component, "hexahedra", &BaseMeshTopology::hexahedra), points, lines);
    }
    if (how.positions) tool.points(points, over(plainStyle(highlight, 6.f)));
    if (how.indices && points.size() <= readablePoints) drawNumbers(tool, points, how.scale * tool.sceneSize());
}

}  // namespace sofa::core
