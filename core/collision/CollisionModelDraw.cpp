// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/collision/CollisionModel.h"
#include "core/visual/DrawElements.h"

namespace sofa::core {

namespace {

/// Boxes of a hierarchy, level by level: the deeper, the more transparent. Those of the primitives come last, unless
/// they are very many.
void drawHierarchy(DrawTool& tool, const geometry::Bvh& tree, const Vector<geometry::Aabb>& primitives, Color color)
{
    constexpr std::size_t manyPrimitives = 4096;
    auto boxes = tool.scratch<BoundingBox>();
    const auto add = [&](const geometry::Aabb& b) {
        if (b.valid()) boxes.push_back({b.lower, b.upper});
    };
    const auto drawLevel = [&] {
        tool.boxEdges(boxes, plainStyle(color));
        color[3] *= 0.8f;
        boxes.clear();
    };
    const auto nodes = tree.nodes();
    auto level = tool.scratch<std::uint32_t>(), next = tool.scratch<std::uint32_t>();
    if (!nodes.empty()) level.push_back(0);
    for (; !level.empty(); level.swap(next)) {
        for (const std::uint32_t n : level) add(tree.nodeBounds(n));
        drawLevel();
        next.clear();
        for (const std::uint32_t n : level)
            for (std::size_t k = 0; k < nodes[n].count; ++k)
                if ((nodes[n].child[k] & geometry::bvhPrimitive) == 0) next.push_back(nodes[n].child[k]);
    }
    if (primitives.size() > manyPrimitives) return;
    for (const geometry::Aabb& b : primitives) add(b);
    drawLevel();
}

/// Solids as drawn: each kind at once.
struct Solids
{
    explicit Solids(DrawTool& t) : tool(t) {}

    DrawTool& tool;
    Scratch<Vec3> capsuleEnds = tool.scratch<Vec3>(), cylinderEnds = tool.scratch<Vec3>(),
                  halfSizes = tool.scratch<Vec3>();
    Scratch<double> capsuleRadii = tool.scratch<double>(), cylinderRadii = tool.scratch<double>();
    Scratch<RigidCoord3> frames = tool.scratch<RigidCoord3>();
    Scratch<Vec3> formPoints = tool.scratch<Vec3>();
    Scratch<Triangle> formTriangles = tool.scratch<Triangle>();

    void add(const geometry::ConvexBody& b)
    {
        using Kind = geometry::ConvexBody::Kind;
        if (b.kind == Kind::Box) {
            RigidCoord3 frame;
            frame.center = b.box.center;
            frame.orientation = Quat::fromMatrix(b.box.axes);
            frames.push_back(frame);
            halfSizes.push_back(b.box.halfExtents);
        } else if (b.kind == Kind::Cylinder) {
            cylinderEnds.insert(cylinderEnds.end(), {b.points[0], b.points[1]});
            cylinderRadii.push_back(b.cylinderRadius);
        } else if (b.kind == Kind::Segment) {
            capsuleEnds.insert(capsuleEnds.end(), {b.points[0], b.points[1]});
            capsuleRadii.push_back(b.radius);
        } else if (b.kind == Kind::Form) {
            addForm(b);
        }
    }
    /// The points that lie farthest along the directions of a globe.
    void addForm(const geometry::ConvexBody& b)
    {
        constexpr Index meridians = 24, parallels = 11;
        const auto first = static_cast<Index>(formPoints.size());
        const auto add = [&](double polar, double around) {
            const Vec3 n = b.box.axes * Vec3{std::sin(polar) * std::cos(around), std::sin(polar) * std::sin(around),
                                             std::cos(polar)};
            formPoints.push_back(b.support(n) + n * b.radius);
        };
        add(0., 0.);
        for (Index p = 1; p <= parallels; ++p)
            for (Index m = 0; m < meridians; ++m)
                add(std::numbers::pi * p / (parallels + 1), 2. * std::numbers::pi * m / meridians);
        add(std::numbers::pi, 0.);
        const auto at = [&](Index p, Index m) { return first + 1 + (p - 1) * meridians + m % meridians; };
        const Index last = first + 1 + parallels * meridians;
        for (Index m = 0; m < meridians; ++m) {
            formTriangles.push_back({first, at(1, m), at(1, m + 1)});
            for (Index p = 1; p < parallels; ++p) {
                formTriangles.push_back({at(p, m), at(p + 1, m), at(p + 1, m + 1)});
                formTriangles.push_back({at(p, m), at(p + 1, m + 1), at(p, m + 1)});
            }
            formTriangles.push_back({at(parallels, m), last, at(parallels, m + 1)});
        }
    }
    void draw(const DrawStyle& style)
    {
        if (!frames.empty()) tool.boxes(frames, halfSizes, style);
        if (!capsuleEnds.empty()) tool.capsules(capsuleEnds, capsuleRadii, style);
        if (!cylinderEnds.empty()) tool.cylinders(cylinderEnds, cylinderRadii, style);
        if (!formTriangles.empty()) tool.triangles(formPoints, formTriangles, style);
    }
};

}  // namespace

bool CollisionModel::showsHierarchy(const DrawTool& tool) const
{
    return tool.shows(DisplayFlags::BoundingCollisionModels);
}

void CollisionModel::draw(DrawTool& tool)
{
    if (!d_active.value()) return;
    if (tool.shows(DisplayFlags::CollisionModels)) drawPrimitives(tool);
    if (showsHierarchy(tool) && size() > 0) drawHierarchy(tool, tree(), boxes(), d_color.value());
}

bool CollisionModel::hasShape() const { return shape() == CollisionShape::Sphere || shape().info().solid; }

std::optional<Color> CollisionModel::shapeColor() const
{
    return d_color.isSet() ? std::optional<Color>(d_color.value()) : std::nullopt;
}

void CollisionModel::drawShape(DrawTool& tool, const DrawStyle& style)
{
    const Index n = currentSize(), points = state().size();
    const auto exists = [&](Index i) { return std::ranges::all_of(vertices(i), [&](Index v) { return v < points; }); };
    if (shape() == CollisionShape::Sphere) {
        auto centers = tool.scratch<Vec3>();
        auto radii = tool.scratch<double>();
        for (Index i = 0; i < n; ++i) {
            if (!exists(i)) continue;
            centers.push_back(vertex(i, 0));
            radii.push_back(radius(i));
        }
        tool.spheres(centers, radii, style);
        return;
    }
    Solids solids(tool);
    for (Index i = 0; i < n; ++i) {
        if (!exists(i)) continue;
        try {
            solids.add(presentBody(i));
        } catch (const std::runtime_error&) {
            continue;  // sizes that the user has just made invalid: the next detection tells
        }
    }
    solids.draw(style);
}

void CollisionModel::drawPrimitives(DrawTool& tool)
{
    const Index n = currentSize(), points = state().size();
    const Color& color = d_color.value();
    DrawStyle style = litStyle(color);
    style.wireframe = tool.wireframe();
    const auto exists = [&](Index i) { return std::ranges::all_of(vertices(i), [&](Index v) { return v < points; }); };
    if (shape() == CollisionShape::Point) {
        auto positions = tool.scratch<Vec3>();
        for (Index i = 0; i < n; ++i)
            if (exists(i)) positions.push_back(vertex(i, 0));
        tool.points(positions, plainStyle(color, 3.f));
    } else if (shape() == CollisionShape::Line) {
        auto edges = tool.scratch<Edge>();
        for (Index i = 0; i < n; ++i)
            if (exists(i)) edges.push_back({vertices(i)[0], vertices(i)[1]});
        tool.lines(drawnPoints(tool, state()), edges, plainStyle(color));
    } else if (shape() == CollisionShape::Triangle) {
        const auto positions = drawnPoints(tool, state());
        auto triangles = tool.scratch<Triangle>();
        auto normals = tool.scratch<Vec3>();
        for (Index i = 0; i < n; ++i) {
            if (!exists(i)) continue;
            const auto v = vertices(i);
            triangles.push_back({v[0], v[1], v[2]});
            if (!tool.shows(DisplayFlags::Normals)) continue;
            const Vec3 a = positions[v[0]], b = positions[v[1]], c = positions[v[2]];
            const Vec3 middle = (a + b + c) / 3.;
            normals.push_back(middle);
            normals.push_back(middle + normalized(cross(b - a, c - a)) * (0.02 * tool.sceneSize()));
        }
        // The back of a surface that has one is shown by its sides.
        const bool back = !bothSide() && !tool.wireframe();
        if (back) style.cull = DrawStyle::Cull::Back;
        tool.triangles(positions, triangles, style);
        if (back) {
            style.cull = DrawStyle::Cull::Front;
            style.wireframe = true;
            tool.again(style);
        }
        if (tool.shows(DisplayFlags::Normals)) tool.lines(normals, plainStyle(Color()));
    } else if (shape() == CollisionShape::Tetrahedron) {
        auto tetrahedra = tool.scratch<Tetrahedron>();
        for (Index i = 0; i < n; ++i)
            if (exists(i)) tetrahedra.push_back({vertices(i)[0], vertices(i)[1], vertices(i)[2], vertices(i)[3]});
        ElementDrawing how;
        how.faceColors = {&color, 1};
        drawElements(tool, ElementType::Tetrahedra, tetrahedra, drawnPoints(tool, state()), how);
    } else if (shape() == CollisionShape::Sphere) {
        drawShape(tool, litStyle(color));
    } else if (shape().info().solid) {
        drawShape(tool, style);
    }  // others are drawn by their classes
}

}  // namespace sofa::core
