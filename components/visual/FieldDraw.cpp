// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <cmath>

#include "components/visual/FieldDisplays.h"
#include "core/objectmodel/Node.h"

namespace sofa::component {

namespace {

Vec3f single(const Vec3& v) { return Vec3f(v); }

/// Colour at s ∈ [0, 1] on a row of colours.
Color along(const Vector<Color>& row, double s)
{
    if (row.empty()) return {};
    const double place = std::clamp(s, 0., 1.) * static_cast<double>(row.size() - 1);
    const auto i = std::min(static_cast<std::size_t>(place), row.size() - 1);
    const std::size_t j = std::min(i + 1, row.size() - 1);
    const auto w = static_cast<float>(place - static_cast<double>(i));
    Color c;
    for (std::size_t k = 0; k < 4; ++k) c[k] = row[i][k] + (row[j][k] - row[i][k]) * w;
    return c;
}

/// The points of the state beside or above, else those of the topology.
void appendPointsOf(const Node& node, Vector<Vec3>& x)
{
    const BaseState* state = nullptr;
    node.visit(Search::Up, [&state](Component& c) {
        const auto* s = dynamic_cast<const BaseState*>(&c);
        if (s && s->isMechanical()) state = s;
        return !state;
    });
    for (Index i = 0; state && i < state->size(); ++i) x.push_back(state->pointPosition(i));
    if (state) return;
    if (const auto* t = node.get<BaseMeshTopology>(Search::Up); t && t->hasPositions())
        for (Index i = 0; i < t->nbPoints(); ++i) x.push_back(t->pointPosition(i));
}

}  // namespace

void OglColorMap::draw(DrawTool& tool)
{
    if (!isShown(tool) || !d_showLegend.value()) return;
    const std::uint64_t version = versionOf({&d_paletteSize, &d_colorScheme, &d_legendOffset, &d_legendSize,
                                             &d_legendTitle, &d_min, &d_max, &d_legendRangeScale});
    if (!m_legend || m_legendVersion != version) {
        LegendDescription legend;
        legend.title = d_legendTitle.value();
        const Index n = std::clamp<Index>(d_paletteSize.value(), 2, 256);
        for (Index i = 0; i < n; ++i) legend.colors.push_back(colorOf(static_cast<double>(i) / (n - 1), 0., 1.));
        const double scale = static_cast<double>(d_legendRangeScale.value());
        legend.low = static_cast<double>(d_min.value()) * scale;
        legend.high = static_cast<double>(d_max.value()) * scale;
        legend.placed = true;
        legend.x = d_legendOffset.value()[0];
        legend.y = d_legendOffset.value()[1];
        legend.titleSize = static_cast<float>(d_legendSize.value());
        m_legend = std::make_shared<const LegendDescription>(std::move(legend));
        m_legendVersion = version;
    }
    tool.list().legends.push_back(m_legend);
}

/// The values to be shown, and in `second` those of quads beside those of triangles; none if their number fits nothing.
const Vector<double>* DataDisplay::values(std::size_t points, std::size_t triangles, std::size_t quads,
                                          const Vector<double>*& second)
{
    second = nullptr;
    const auto complain = [this](const Data<Vector<double>>& d, std::size_t expected) {
        msgWarning() << d.name() << " has " << d.value().size() << " values, but " << expected << " are needed";
    };
    const auto fits = [&](const Data<Vector<double>>& d, std::size_t expected) {
        if (d.value().size() == expected) return true;
        complain(d, expected);
        return false;
    };
    if (!d_pointData.value().empty()) return fits(d_pointData, points) ? &d_pointData.value() : nullptr;
    for (const auto& [t, q, corners] :
         {std::tuple{&d_triangleData, &d_quadData, std::array<std::size_t, 2>{1, 1}},
          std::tuple{&d_pointTriangleData, &d_pointQuadData, std::array<std::size_t, 2>{3, 4}}}) {
        if (t->value().empty() && q->value().empty()) continue;
        if (!fits(*t, triangles * corners[0]) || !fits(*q, quads * corners[1])) return nullptr;
        second = &q->value();
        return &t->value();
    }
    return nullptr;
}

void DataDisplay::updateVisual()
{
    double low = std::numeric_limits<double>::infinity(), high = -low;
    // As in draw(): values of points before those of faces, those before values of corners.
    const Data<Vector<double>>* shown[][2] = {
        {&d_pointData, &d_pointData}, {&d_triangleData, &d_quadData}, {&d_pointTriangleData, &d_pointQuadData}};
    for (const auto& pair : shown) {
        if (pair[0]->value().empty() && pair[1]->value().empty()) continue;
        for (const auto* d : pair)
            for (const double x : d->value()) {
                if (!std::isfinite(x)) continue;
                low = std::min(low, x);
                high = std::max(high, x);
            }
        break;
    }
    if (low > high) return;
    if (const auto& user = d_userRange.value(); user[0] < user[1]) {
        const auto from = static_cast<double>(user[0]), to = static_cast<double>(user[1]);
        low = d_maximalRange.value() ? std::max(low, from) : from;
        high = d_maximalRange.value() ? std::min(high, to) : to;
    }
    if (!m_range) m_range = {low, high};
    m_range = {std::min((*m_range)[0], low), std::max((*m_range)[1], high)};
    if (d_maximalRange.value()) {
        low = (*m_range)[0];
        high = (*m_range)[1];
    }
    if (d_currentMin.value() != low) d_currentMin.setValue(low);
    if (d_currentMax.value() != high) d_currentMax.setValue(high);
}

void DataDisplay::draw(DrawTool& tool)
{
    if (!d_enable.value() || !tool.shows(DisplayFlags::VisualModels) || !node()) return;
    m_points.assign(d_position.value().begin(), d_position.value().end());
    if (m_points.empty()) appendPointsOf(*node(), m_points);
    static const Vector<Triangle> noTriangles;
    static const Vector<Quad> noQuads;
    const auto& triangles = l_topology ? l_topology->triangles() : noTriangles;
    const auto& quads = l_topology ? l_topology->quads() : noQuads;
    const Vector<double>* second = nullptr;
    const Vector<double>* first = values(m_points.size(), triangles.size(), quads.size(), second);
    if (!first) return;
    updateVisual();
    const double low = d_currentMin.value(), high = d_currentMax.value();

    static const OglColorMap defaults;
    const OglColorMap& map = l_colorMap ? *l_colorMap : defaults;
    const auto opacity = static_cast<float>(d_transparency.value());
    const auto colorOf = [&](double v) {
        Color c = std::isnan(v) ? d_colorNaN.value() : map.colorOf(v, low, high);
        c[3] = opacity;
        return c;
    };
    // Without highlights, the colours of the style are enough.
    const float shininess = std::max(d_shininess.value(), 1.f);
    if (d_shininess.value() >= 0.f && (!m_surface || m_surface->shininess != shininess)) {
        SurfaceDescription surface;
        surface.specular = {0.5f, 0.5f, 0.5f};
        surface.useSpecular = true;
        surface.shininess = shininess;
        surface.vertexColors = true;
        m_surface = std::make_shared<const SurfaceDescription>(surface);
    }
    const auto surface = d_shininess.value() >= 0.f ? m_surface : nullptr;
    DrawStyle style;
    style.wireframe = tool.wireframe();
    style.blend = opacity < 1.f;
    style.depthWrite = opacity >= 1.f;
    const bool faces = !triangles.empty() || !quads.empty();
    if (!second && !faces) {
        style.size = 10.f;
        style.lit = false;
        tool.geometry(style, [&](Geometry& g) {
            for (std::size_t i = 0; i < m_points.size(); ++i) {
                g.points.push_back(static_cast<Index>(i));
                g.positions.push_back(single(m_points[i]));
                g.colors.push_back(colorOf((*first)[i]));
            }
        });
        return;
    }
    if (!second) {
        // Smooth: each point has one normal and one colour.
        style.surface = surface;
        tool.geometry(style, [&](Geometry& g) {
            g.triangles.assign(triangles.begin(), triangles.end());
            const auto beyond = [&](const auto& face) {
                return std::any_of(face.begin(), face.end(), [&](Index i) { return i >= m_points.size(); });
            };
            std::erase_if(g.triangles, beyond);
            for (const Quad& q : quads)
                if (!beyond(q)) g.addQuad(q[0], q[1], q[2], q[3]);
            auto normals = tool.scratch<Vec3>();
            normals.resize(m_points.size());
            for (const Triangle& t : g.triangles) {
                const Vec3 n = cross(m_points[t[1]] - m_points[t[0]], m_points[t[2]] - m_points[t[0]]);
                for (const Index i : t) normals[i] += n;
            }
            for (std::size_t i = 0; i < m_points.size(); ++i) {
                g.positions.push_back(single(m_points[i]));
                g.normals.push_back(single(normalized(normals[i])));
                g.colors.push_back(colorOf((*first)[i]));
            }
        });
        return;
    }
    // Faces have corners of their own; values of faces are shown without light, so that colours can be read.
    const bool corners = first == &d_pointTriangleData.value();
    style.lit = corners;
    if (corners) style.surface = surface;
    tool.geometry(style, [&](Geometry& g) {
        const auto add = [&](const auto& face, const Vector<double>& v, std::size_t index) {
            const auto from = static_cast<Index>(g.positions.size());
            if (std::any_of(face.begin(), face.end(), [&](Index i) { return i >= m_points.size(); })) return;
            for (std::size_t k = 0; k < face.size(); ++k) {
                g.positions.push_back(single(m_points[face[k]]));
                g.colors.push_back(colorOf(v[corners ? index * face.size() + k : index]));
            }
            if (face.size() == 4)
                g.addQuad(from, from + 1, from + 2, from + 3);
            else
                g.triangles.push_back({from, from + 1, from + 2});
        };
        for (std::size_t i = 0; i < triangles.size(); ++i) add(triangles[i], *first, i);
        for (std::size_t i = 0; i < quads.size(); ++i) add(quads[i], *second, i);
    });
}

void VisualMesh::draw(DrawTool& tool)
{
    if (!isShown(tool) || !l_topology) return;
    const Vector<Vec3>& x = d_position.value();
    const Vector<double>& values = d_vertexValues.value();
    const bool coloured = values.size() >= x.size() && !values.empty();
    auto perVertex = tool.scratch<Color>();
    if (coloured) {
        const auto [low, high] =
            std::minmax_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(x.size()));
        const ColorMap defaults("Red to Blue");
        perVertex.reserve(x.size());
        for (std::size_t i = 0; i < x.size(); ++i)
            perVertex.push_back(
                d_colorMap.value().empty()
                    ? defaults.of(values[i], *low, *high)
                    : along(d_colorMap.value(), *high > *low ? (values[i] - *low) / (*high - *low) : 0.));
    }
    DrawStyle style;
    style.lit = d_lighting.value();
    style.wireframe = tool.wireframe();
    const double keep = 1. - d_elementSpace.value();
    tool.geometry(style, [&](Geometry& g) {
        // Corners of the element moved towards its centre, then its faces on them; each face has its own corners, so
        // that it is flat.
        const auto add = [&](const auto& element, const Color& color, std::span<const std::array<int, 4>> faces) {
            Vec3 center{};
            for (const Index i : element) {
                if (i >= x.size()) return;
                center += x[i];
            }
            center *= 1. / static_cast<double>(element.size());
            for (const auto& face : faces) {
                const auto from = static_cast<Index>(g.positions.size());
                Index n = 0;
                for (const int k : face) {
                    if (k < 0) continue;
                    const Index i = element[static_cast<std::size_t>(k)];
                    g.positions.push_back(single(center + (x[i] - center) * keep));
                    g.colors.push_back(coloured ? perVertex[i] : color);
                    ++n;
                }
                if (n == 2) g.lines.push_back({from, from + 1});
                if (n == 3) g.triangles.push_back({from, from + 1, from + 2});
                if (n == 4) g.addQuad(from, from + 1, from + 2, from + 3);
            }
        };
        using Faces = std::array<int, 4>;
        static constexpr Faces tetrahedron[] = {{0, 2, 1, -1}, {0, 1, 3, -1}, {1, 2, 3, -1}, {0, 3, 2, -1}};
        static constexpr Faces hexahedron[] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                               {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
        static constexpr Faces prism[] = {{0, 2, 1, -1}, {3, 4, 5, -1}, {0, 1, 4, 3}, {1, 2, 5, 4}, {2, 0, 3, 5}};
        static constexpr Faces pyramid[] = {{0, 3, 2, 1}, {0, 1, 4, -1}, {1, 2, 4, -1}, {2, 3, 4, -1}, {3, 0, 4, -1}};
        static constexpr Faces quad[] = {{0, 1, 2, 3}}, triangle[] = {{0, 1, 2, -1}}, edge[] = {{0, 1, -1, -1}};
        const BaseMeshTopology& t = *l_topology;
        const bool volumes =
            !t.tetrahedra().empty() || !t.hexahedra().empty() || !t.prisms().empty() || !t.pyramids().empty();
        for (const auto& e : t.tetrahedra()) add(e, {0.2f, 0.5f, 0.9f}, tetrahedron);
        for (const auto& e : t.hexahedra()) add(e, {0.3f, 0.7f, 0.5f}, hexahedron);
        for (const auto& e : t.prisms()) add(e, {0.8f, 0.6f, 0.2f}, prism);
        for (const auto& e : t.pyramids()) add(e, {0.8f, 0.4f, 0.5f}, pyramid);
        if (volumes) return;
        for (const auto& e : t.triangles()) add(e, {0.3f, 0.7f, 0.7f}, triangle);
        for (const auto& e : t.quads()) add(e, {0.5f, 0.7f, 0.3f}, quad);
        if (t.triangles().empty() && t.quads().empty())
            for (const auto& e : t.edges()) add(e, {0.1f, 0.1f, 0.1f}, edge);
    });
}

template <class D>
void VisualPointCloud<D>::draw(DrawTool& tool)
{
    if (!isShown(tool)) return;
    auto x = tool.scratch<Vec3>();
    for (const auto& c : d_position.value()) x.push_back(D::position(c));
    DrawStyle style;
    style.color = d_color.value();
    switch (d_drawMode.value().index()) {
        case 0:
            style.size = d_pointSize.value();
            tool.points(x, style);
            break;
        case 1: {
            auto radii = tool.scratch<double>();
            for (const float r : d_sphereRadius.value()) radii.push_back(static_cast<double>(r));
            if (radii.empty()) radii.push_back(1.);
            tool.spheres(x, radii, style);
            break;
        }
        default:
            if constexpr (std::is_same_v<D, Rigid3Types>) {
                tool.frames(d_position.value(), static_cast<double>(d_pointSize.value()));
            } else if constexpr (std::is_same_v<D, Rigid2Types>) {
                auto frames = tool.scratch<RigidCoord3>();
                for (const auto& c : d_position.value())
                    frames.push_back({D::position(c), Quat::fromAxisAngle({0., 0., 1.}, c.angle)});
                tool.frames(frames, static_cast<double>(d_pointSize.value()));
            }
    }
    // The scale is a part of the size of the scene; labels have it in pixels.
    if (d_showIndices.value())
        tool.indices(x, 14. * static_cast<double>(d_indicesScale.value()), d_indicesColor.value());
}

void VisualVectorField::draw(DrawTool& tool)
{
    if (!isShown(tool)) return;
    const Vector<Vec3>&x = d_position.value(), &v = d_vector.value();
    auto ends = tool.scratch<Vec3>();
    double longest = 0.;
    for (std::size_t i = 0; i < std::min(x.size(), v.size()); ++i) {
        ends.push_back(x[i]);
        ends.push_back(x[i] + v[i] * d_vectorScale.value());
        longest = std::max(longest, norm(ends[2 * i + 1] - ends[2 * i]));
    }
    DrawStyle style;
    style.color = d_color.value();
    if (d_drawMode.value().index() == 0)
        tool.lines(ends, style);
    else if (d_drawMode.value().index() == 1)
        tool.cylinders(ends, 0.02 * longest, style);
    else
        tool.arrows(ends, 0.02 * longest, style);
}

template <class D>
void TrailRenderer<D>::draw(DrawTool& tool)
{
    if (!isShown(tool)) return;
    DrawStyle style;
    style.size = d_thickness.value();
    tool.geometry(style, [&](Geometry& g) {
        const double span = std::max(1., static_cast<double>(d_nbSteps.value()) - 1.);
        for (const Vector<Vec3>& trail : m_trails)
            for (std::size_t i = 0; i < trail.size(); ++i) {
                const auto n = static_cast<Index>(g.positions.size());
                if (i > 0) g.lines.push_back({n - 1, n});
                g.positions.push_back(single(trail[i]));
                g.colors.push_back(along(d_color.value(), static_cast<double>(i) / span));
            }
    });
}

void CylinderVisualModel::draw(DrawTool& tool)
{
    if (!d_enable.value() || !tool.shows(DisplayFlags::VisualModels)) return;
    const Vector<Vec3>& x = d_position.value();
    auto ends = tool.scratch<Vec3>();
    for (const Edge& e : d_edges.value())
        if (e[0] < x.size() && e[1] < x.size()) ends.insert(ends.end(), {x[e[0]], x[e[1]]});
    DrawStyle style;
    style.color = d_color.value();
    style.wireframe = tool.wireframe();
    tool.cylinders(ends, static_cast<double>(d_radius.value()), style);
}

void PointSplatModel::draw(DrawTool& tool)
{
    if (!isShown(tool) || !node()) return;
    auto x = tool.scratch<Vec3>();
    appendPointsOf(*node(), x);
    const Vector<float>& data = d_pointData.value();
    auto colors = tool.scratch<Color>();
    for (std::size_t i = 0; i < x.size(); ++i) {
        Color c = d_color.value();
        const float m = i < data.size() ? 0.5f + 2.f * data[i] / 255.f : 1.f;
        for (std::size_t k = 0; k < 3; ++k) c[k] = std::min(1.f, m * c[k]);
        c[3] *= d_alpha.value();
        colors.push_back(c);
    }
    DrawStyle style;
    style.color = d_color.value();
    style.color[3] *= d_alpha.value();
    style.lit = false;
    style.depthWrite = style.color[3] >= 1.f;
    const auto radius = static_cast<double>(d_radius.value());
    tool.spheres(x, {&radius, 1}, style, colors);
}

/// Each tetrahedron (a hexahedron is six) is cut by every plane that meets it: the section is a triangle or a quad.
void SlicedVolumetricModel::draw(DrawTool& tool)
{
    if (!isShown(tool) || !node()) return;
    const auto* topology = node()->get<BaseMeshTopology>(Search::Up);
    if (!topology) return;
    auto x = tool.scratch<Vec3>();
    appendPointsOf(*node(), x);
    const Vec3 normal = normalized(Vec3{1., 1., 1.});
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const Vec3& p : x) {
        low = std::min(low, dot(normal, p));
        high = std::max(high, dot(normal, p));
    }
    if (!(high > low)) return;
    const double spacing = (high - low) / d_nbSlices.value();
    DrawStyle style;
    style.color = d_color.value();
    style.color[3] = d_alpha.value();
    style.lit = false;
    style.depthWrite = false;
    tool.geometry(style, [&](Geometry& g) {
        const auto cut = [&](const Tetrahedron& t) {
            std::array<double, 4> h;
            for (std::size_t i = 0; i < 4; ++i) {
                if (t[i] >= x.size()) return;
                h[i] = (dot(normal, x[t[i]]) - low) / spacing;
            }
            const auto [first, last] = std::minmax_element(h.begin(), h.end());
            // Planes lie in the middle of their slices.
            for (double plane = std::ceil(*first - 0.5) + 0.5; plane < *last; plane += 1.) {
                std::array<std::size_t, 4> below{}, above{};
                std::size_t nb = 0, na = 0;
                for (std::size_t i = 0; i < 4; ++i)
                    if (h[i] < plane)
                        below[nb++] = i;
                    else
                        above[na++] = i;
                const auto at = [&](std::size_t a, std::size_t b) {
                    const double w = (plane - h[a]) / (h[b] - h[a]);
                    g.positions.push_back(single(x[t[a]] + (x[t[b]] - x[t[a]]) * w));
                };
                const auto from = static_cast<Index>(g.positions.size());
                if (nb == 2 && na == 2) {
                    at(below[0], above[0]);
                    at(below[0], above[1]);
                    at(below[1], above[1]);
                    at(below[1], above[0]);
                    g.addQuad(from, from + 1, from + 2, from + 3);
                } else if (nb == 1 || na == 1) {
                    for (std::size_t i = 0; i < 3; ++i) nb == 1 ? at(below[0], above[i]) : at(below[i], above[0]);
                    g.triangles.push_back({from, from + 1, from + 2});
                }
            }
        };
        for (const Tetrahedron& t : topology->tetrahedra()) cut(t);
        static constexpr int six[6][4] = {{0, 5, 1, 6}, {0, 1, 3, 6}, {1, 3, 6, 2},
                                          {6, 3, 0, 7}, {6, 7, 0, 5}, {7, 5, 4, 0}};
        for (const Hexahedron& e : topology->hexahedra())
            for (const auto& s : six)
                cut({e[static_cast<std::size_t>(s[0])], e[static_cast<std::size_t>(s[1])],
                     e[static_cast<std::size_t>(s[2])], e[static_cast<std::size_t>(s[3])]});
    });
}

BoundingBox CylinderVisualModel::boundingBox() const
{
    BoundingBox box;
    for (const Vec3& x : d_position.value()) box.include(x);
    return box;
}

template void VisualPointCloud<Vec3Types>::draw(DrawTool&);
template void VisualPointCloud<Vec2Types>::draw(DrawTool&);
template void VisualPointCloud<Vec1Types>::draw(DrawTool&);
template void VisualPointCloud<Rigid3Types>::draw(DrawTool&);
template void VisualPointCloud<Rigid2Types>::draw(DrawTool&);
template void TrailRenderer<Vec3Types>::draw(DrawTool&);
template void TrailRenderer<Vec2Types>::draw(DrawTool&);
template void TrailRenderer<Vec1Types>::draw(DrawTool&);
template void TrailRenderer<Rigid3Types>::draw(DrawTool&);

}  // namespace sofa::component
