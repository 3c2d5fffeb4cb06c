// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/visual/DrawTool.h"

namespace sofa::core {

namespace {

Vec3f single(const Vec3& v) { return Vec3f(v); }

void append(DrawArray<Vec3f>& out, std::span<const Vec3> in)
{
    out.reserve(out.size() + in.size());
    for (const Vec3& v : in) out.push_back(single(v));
}

/// Two unit vectors that complete a unit vector to a right-handed frame.
std::array<Vec3, 2> across(const Vec3& z)
{
    const Vec3 other = std::abs(z[0]) < 0.6 ? Vec3{1., 0., 0.} : Vec3{0., 1., 0.};
    Vec3 x = cross(other, z);
    x *= 1. / norm(x);
    return {x, cross(z, x)};
}

SolidInstance placed(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& at, const Color& color)
{
    SolidInstance s;
    for (std::size_t i = 0; i < 3; ++i) {
        s.axes[i] = static_cast<float>(a[i]);
        s.axes[3 + i] = static_cast<float>(b[i]);
        s.axes[6 + i] = static_cast<float>(c[i]);
    }
    s.center = single(at);
    s.color = color;
    return s;
}

/// A cylinder or cone from one point to another; nothing if they are the same.
void addAxial(DrawArray<SolidInstance>& out, const Vec3& from, const Vec3& to, double radius, const Color& color)
{
    const Vec3 z = to - from;
    const double length = norm(z);
    if (!(length > 0.)) return;
    const auto [x, y] = across(z * (1. / length));
    out.push_back(placed(x * radius, y * radius, z, from, color));
}

/// Takes the numbers of arrays over from the last geometry where the content is the same; true if all is.
template <class T>
bool settle(DrawArray<T>& now, const DrawArray<T>* before, std::uint64_t& next)
{
    if (before && now == *before) {
        now.revision = before->revision;
        return true;
    }
    now.revision = next++;
    return false;
}

bool settleAll(Geometry& g, const Geometry* b, std::uint64_t& next)
{
    bool same = b != nullptr && b->solid == g.solid;
    const auto one = [&](auto member) { same &= settle(g.*member, b ? &(b->*member) : nullptr, next); };
    one(&Geometry::positions);
    one(&Geometry::normals);
    one(&Geometry::colors);
    one(&Geometry::texCoords);
    one(&Geometry::tangents);
    one(&Geometry::bitangents);
    one(&Geometry::attributes);
    one(&Geometry::points);
    one(&Geometry::lines);
    one(&Geometry::triangles);
    one(&Geometry::quads);
    one(&Geometry::patches);
    one(&Geometry::solids);
    one(&Geometry::labels);
    return same;
}

}  // namespace

void Geometry::clear()
{
    positions.clear();
    normals.clear();
    colors.clear();
    texCoords.clear();
    tangents.clear();
    bitangents.clear();
    attributes.clear();
    points.clear();
    lines.clear();
    triangles.clear();
    quads.clear();
    patches.clear();
    solids.clear();
    labels.clear();
    solid = Solid::Sphere;
}

void DrawList::clear()
{
    items.clear();
    lights.clear();
    lighting.reset();
    background.reset();
    camera.reset();
    viewer.reset();
    viewports.clear();
    cornerFrame.reset();
    legends.clear();
    surroundings = axes = false;
    ground.reset();
    passes.clear();
    orderIndependentTransparency = false;
    transparencyDepthScale = DrawList{}.transparencyDepthScale;
    srgb = false;
    box = {};
    time = 0.;
    step = 0;
}

std::optional<RigidCoord3> DrawList::frameOf(std::uint32_t scope) const
{
    std::optional<RigidCoord3> total;
    for (std::uint32_t i = scope;; i = scopes[i].parent) {
        const DrawScope& s = scopes[i];
        if (s.frame && (i == scope || s.frameBelow)) {
            if (total)
                total = RigidCoord3{s.frame->apply(total->center), s.frame->orientation * total->orientation};
            else
                total = s.frame;
        }
        if (s.parent == i) return total;
    }
}

void DrawList::includeBox(std::uint32_t scope, const BoundingBox& ofScope)
{
    if (!ofScope.valid()) return;
    const auto frame = frameOf(scope);
    if (!frame) return box.include(ofScope);
    for (unsigned corner = 0; corner < 8; ++corner) {
        Vec3 p;
        for (std::size_t a = 0; a < 3; ++a) p[a] = (corner >> a & 1 ? ofScope.high : ofScope.low)[a];
        box.include(frame->apply(p));
    }
}

const ShaderDescription* DrawList::shaderOf(std::uint32_t scope) const
{
    for (std::uint32_t i = scope;; i = scopes[i].parent) {
        const auto& shaders = scopes[i].shaders;
        for (auto s = shaders.rbegin(); s != shaders.rend(); ++s)
            if (!(*s)->passive) return s->get();
        if (scopes[i].parent == i) return nullptr;
    }
}

void DrawList::clipPlanesOf(std::uint32_t scope, std::vector<Vec<4, float>>& planes) const
{
    planes.clear();
    for (std::uint32_t i = scope;; i = scopes[i].parent) {
        planes.insert(planes.end(), scopes[i].clipPlanes.begin(), scopes[i].clipPlanes.end());
        if (scopes[i].parent == i) return;
    }
}

DrawTool::Slot& DrawTool::nextSlot()
{
    if (m_used == m_slots->size()) m_slots->push_back({(*m_nextSlot)++, {}, {}, {}, {}});
    return (*m_slots)[m_used++];
}

void DrawTool::legend(std::string_view title, const ColorMap& colors, double low, double high)
{
    constexpr std::size_t steps = 16;
    const auto& known = nextSlot().legend;
    const bool same = known && known->title == title && known->low == low && known->high == high &&
                      known->colors.front() == colors.at(0.) && known->colors[steps / 2] == colors.at(0.5) &&
                      known->colors.back() == colors.at(1.);
    if (!same) {
        LegendDescription made;
        made.title = title;
        made.low = low;
        made.high = high;
        for (std::size_t i = 0; i <= steps; ++i) made.colors.push_back(colors.at(static_cast<double>(i) / steps));
        (*m_slots)[m_used - 1].legend = std::make_shared<const LegendDescription>(std::move(made));
    }
    m_list.legends.push_back((*m_slots)[m_used - 1].legend);
}

void DrawTool::geometry(const DrawStyle& style, FunctionRef<void(Geometry&)> fill, std::optional<std::uint64_t> version)
{
    Slot& slot = nextSlot();
    if (!version || !slot.current || slot.version != version) {
        // A viewer may still be drawing the last but one.
        if (!slot.spare || slot.spare.use_count() > 1) slot.spare = std::make_shared<Geometry>();
        slot.spare->clear();
        fill(*slot.spare);
        if (!settleAll(*slot.spare, slot.current.get(), *m_nextRevision)) std::swap(slot.current, slot.spare);
        slot.version = version;
    }
    if (slot.current->empty()) return;
    m_list.items.push_back({slot.id, m_component, m_scope, style, slot.current});
}

void DrawTool::again(const DrawStyle& style)
{
    if (m_used == 0) return;
    const Slot& slot = (*m_slots)[m_used - 1];
    if (slot.current && !slot.current->empty())
        m_list.items.push_back({slot.id, m_component, m_scope, style, slot.current});
}

void DrawTool::points(std::span<const Vec3> positions, const DrawStyle& style)
{
    geometry(style, [&](Geometry& g) {
        append(g.positions, positions);
        g.points.resize(positions.size());
        for (std::size_t i = 0; i < positions.size(); ++i) g.points[i] = static_cast<Index>(i);
    });
}

void DrawTool::lines(std::span<const Vec3> ends, const DrawStyle& style)
{
    geometry(style, [&](Geometry& g) {
        append(g.positions, ends);
        g.lines.resize(ends.size() / 2);
        for (std::size_t i = 0; i < g.lines.size(); ++i)
            g.lines[i] = {static_cast<Index>(2 * i), static_cast<Index>(2 * i + 1)};
    });
}

void DrawTool::lines(std::span<const Vec3> positions, std::span<const Edge> edges, const DrawStyle& style)
{
    geometry(style, [&](Geometry& g) {
        append(g.positions, positions);
        g.lines.assign(edges.begin(), edges.end());
    });
}

void DrawTool::triangles(std::span<const Vec3> positions, std::span<const Triangle> faces, const DrawStyle& style,
                         std::span<const Vec3> normals, std::span<const Color> colors)
{
    geometry(style, [&](Geometry& g) {
        append(g.positions, positions);
        append(g.normals, normals);
        g.colors.assign(colors.begin(), colors.end());
        g.triangles.assign(faces.begin(), faces.end());
    });
}

void DrawTool::quads(std::span<const Vec3> positions, std::span<const Quad> faces, const DrawStyle& style,
                     std::span<const Vec3> normals)
{
    geometry(style, [&](Geometry& g) {
        append(g.positions, positions);
        append(g.normals, normals);
        g.triangles.reserve(2 * faces.size());
        g.quads.reserve(faces.size());
        for (const Quad& q : faces) g.addQuad(q[0], q[1], q[2], q[3]);
    });
}

void DrawTool::spheres(std::span<const Vec3> centers, std::span<const double> radii, const DrawStyle& style,
                       std::span<const Color> colors)
{
    if (radii.empty()) return;
    geometry(style, [&](Geometry& g) {
        g.solid = Solid::Sphere;
        g.solids.reserve(centers.size());
        for (std::size_t i = 0; i < centers.size(); ++i) {
            const double r = radii[std::min(i, radii.size() - 1)];
            g.solids.push_back(
                placed({r, 0., 0.}, {0., r, 0.}, {0., 0., r}, centers[i], i < colors.size() ? colors[i] : style.color));
        }
    });
}

void DrawTool::cylinders(std::span<const Vec3> ends, std::span<const double> radii, const DrawStyle& style)
{
    if (radii.empty()) return;
    geometry(style, [&](Geometry& g) {
        g.solid = Solid::Cylinder;
        g.solids.reserve(ends.size() / 2);
        for (std::size_t i = 0; i + 1 < ends.size(); i += 2)
            addAxial(g.solids, ends[i], ends[i + 1], radii[std::min(i / 2, radii.size() - 1)], style.color);
    });
}

void DrawTool::capsules(std::span<const Vec3> ends, std::span<const double> radii, const DrawStyle& style)
{
    if (radii.empty()) return;
    const auto radius = [&](std::size_t i) { return radii[std::min(i, radii.size() - 1)]; };
    geometry(style, [&](Geometry& g) {
        g.solid = Solid::Cylinder;
        for (std::size_t i = 0; i + 1 < ends.size(); i += 2)
            addAxial(g.solids, ends[i], ends[i + 1], radius(i / 2), style.color);
    });
    geometry(style, [&](Geometry& g) {
        g.solid = Solid::Sphere;
        for (std::size_t i = 0; i < ends.size(); ++i) {
            const double r = radius(i / 2);
            g.solids.push_back(placed({r, 0., 0.}, {0., r, 0.}, {0., 0., r}, ends[i], style.color));
        }
    });
}

void DrawTool::arrows(std::span<const Vec3> ends, std::span<const double> radii, const DrawStyle& style)
{
    if (radii.empty()) return;
    const auto radius = [&](std::size_t i) { return radii[std::min(i / 2, radii.size() - 1)]; };
    // The head takes a fifth of the length, twice as wide as the shaft.
    constexpr double head = 0.2;
    geometry(style, [&](Geometry& g) {
        g.solid = Solid::Cylinder;
        for (std::size_t i = 0; i + 1 < ends.size(); i += 2)
            addAxial(g.solids, ends[i], ends[i + 1] - (ends[i + 1] - ends[i]) * head, radius(i), style.color);
    });
    geometry(style, [&](Geometry& g) {
        g.solid = Solid::Cone;
        for (std::size_t i = 0; i + 1 < ends.size(); i += 2)
            addAxial(g.solids, ends[i + 1] - (ends[i + 1] - ends[i]) * head, ends[i + 1], 2. * radius(i), style.color);
    });
}

void DrawTool::frames(std::span<const RigidCoord3> frames, double size, const DrawStyle& style)
{
    const Color colors[] = {{1.f, 0.f, 0.f}, {0.f, 1.f, 0.f}, {0.f, 0.f, 1.f}};
    for (const bool cones : {false, true})
        geometry(style, [&](Geometry& g) {
            g.solid = cones ? Solid::Cone : Solid::Cylinder;
            g.solids.reserve(3 * frames.size());
            for (const RigidCoord3& f : frames)
                for (std::size_t i = 0; i < 3; ++i) {
                    const Vec3 neck = f.apply(Vec3::unit(i) * (0.8 * size)), end = f.apply(Vec3::unit(i) * size);
                    if (cones)
                        addAxial(g.solids, neck, end, 0.05 * size, colors[i]);
                    else
                        addAxial(g.solids, f.center, neck, 0.025 * size, colors[i]);
                }
        });
}

void DrawTool::boxes(std::span<const RigidCoord3> frames, std::span<const Vec3> halfSizes, const DrawStyle& style)
{
    if (halfSizes.empty()) return;
    geometry(style, [&](Geometry& g) {
        g.solid = Solid::Cube;
        g.solids.reserve(frames.size());
        for (std::size_t i = 0; i < frames.size(); ++i) {
            const Vec3& h = halfSizes[std::min(i, halfSizes.size() - 1)];
            const Quat& q = frames[i].orientation;
            g.solids.push_back(placed(q.rotate(Vec3::unit(0)) * h[0], q.rotate(Vec3::unit(1)) * h[1],
                                      q.rotate(Vec3::unit(2)) * h[2], frames[i].center, style.color));
        }
    });
}

void DrawTool::boxEdges(std::span<const BoundingBox> boxes, const DrawStyle& style)
{
    geometry(style, [&](Geometry& g) {
        for (const BoundingBox& b : boxes) {
            if (!b.valid()) continue;
            const auto first = static_cast<Index>(g.positions.size());
            for (unsigned i = 0; i < 8; ++i)
                g.positions.push_back(
                    single({i & 1 ? b.high[0] : b.low[0], i & 2 ? b.high[1] : b.low[1], i & 4 ? b.high[2] : b.low[2]}));
            for (unsigned i = 0; i < 8; ++i)
                for (unsigned bit = 1; bit < 8; bit *= 2)
                    if (!(i & bit)) g.lines.push_back({first + i, first + i + bit});
        }
    });
}

void DrawTool::labels(std::span<const TextLabel> labels, const DrawStyle& style)
{
    geometry(style, [&](Geometry& g) { g.labels.assign(labels.begin(), labels.end()); });
}

void DrawTool::indices(std::span<const Vec3> positions, double size, const Color& color)
{
    DrawStyle style;
    style.color = color;
    geometry(style, [&](Geometry& g) {
        g.labels.reserve(positions.size());
        for (std::size_t i = 0; i < positions.size(); ++i)
            g.labels.push_back({single(positions[i]), std::to_string(i), static_cast<float>(size), false, color});
    });
}

}  // namespace sofa::core
