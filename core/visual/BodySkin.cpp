// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/visual/BodySkin.h"

#include <algorithm>
#include <cmath>

#include "core/fem/elements/ElementStretch.h"
#include "core/objectmodel/Node.h"
#include "core/topology/ElementsOf.h"
#include "core/visual/ColorMap.h"
#include "core/visual/DrawElements.h"

namespace sofa::core {

namespace {

/// More edges than these are drawn as lines.
constexpr std::size_t manyTubes = 20000;

const Color unknownColor(0.6f, 0.6f, 0.6f);

std::weak_ptr<const Base> ownerOf(const Component& c)
{
    if (c.node())
        for (const auto& other : c.node()->components())
            if (other.get() == &c) return other;
    return {};
}

/// The kinds of the highest dimension; those below are not asked for, so that none are derived.
std::vector<ElementType> highestKinds(const BaseMeshTopology& mesh)
{
    std::vector<ElementType> kinds;
    for (const ElementType t :
         {ElementType::Tetrahedra, ElementType::Hexahedra, ElementType::Prisms, ElementType::Pyramids})
        if (!verticesOf(mesh, t).empty()) kinds.push_back(t);
    if (!kinds.empty()) return kinds;
    if (!mesh.quads().empty()) kinds.push_back(ElementType::Quads);
    if (!mesh.triangles().empty() && !areHalves(mesh.triangles(), mesh.quads()))
        kinds.push_back(ElementType::Triangles);
    if (kinds.empty() && !mesh.edges().empty()) kinds.push_back(ElementType::Edges);
    return kinds;
}

std::size_t cornersOf(const Quad& face) { return face[3] == InvalidIndex ? 3 : 4; }

Vec3 faceNormal(const Quad& f, const Vector<Vec3>& x)
{
    return f[3] == InvalidIndex ? cross(x[f[1]] - x[f[0]], x[f[2]] - x[f[0]])
                                : cross(x[f[2]] - x[f[0]], x[f[3]] - x[f[1]]);
}

}  // namespace

BodySkin::BodySkin(const BaseState& state, const BaseMeshTopology& mesh, const ElementResults* stress)
    : m_state(&state), m_mesh(&mesh), m_stress(stress), m_stateAlive(ownerOf(state)), m_meshAlive(ownerOf(mesh))
{
    update();
}

bool BodySkin::isCurrent() const
{
    if (!m_known || m_revision != m_mesh->revision() || m_counts[0] != m_state->size()) return false;
    if (m_revision != 0) return true;
    // It does not tell when it changes: its lists are as long as they were.
    for (const ElementType t : m_elements.kinds)
        if (m_counts[static_cast<std::size_t>(t)] != verticesOf(*m_mesh, t).size()) return false;
    return true;
}

void BodySkin::update()
{
    if (isCurrent()) return;
    m_known = true;
    m_revision = m_mesh->revision();
    m_faces.clear();
    m_lines.clear();
    m_elementCount = 0;
    m_dimension = 0;
    m_elements = m_stress ? m_stress->resultElements() : ElementNumbering{m_mesh, highestKinds(*m_mesh)};
    m_counts = {};
    m_counts[0] = m_state->size();
    readPositions();
    if (m_rest.size() != m_now.size()) m_rest = m_now;
    for (const ElementType t : m_elements.kinds) {
        const auto all = verticesOf(*m_mesh, t);
        m_counts[static_cast<std::size_t>(t)] = all.size();
        if (!all.empty()) m_dimension = std::max(m_dimension, dimensionOf(t));
        addFaces(t, m_elementCount);
        m_elementCount += static_cast<Index>(all.size() / nodeCount(t));
    }
    splitAtSharpEdges();
}

/// Of volumes, the faces that no other element has, turned outwards.
void BodySkin::addFaces(ElementType type, Index first)
{
    const auto all = verticesOf(*m_mesh, type);
    const std::size_t n = nodeCount(type), count = all.size() / n;
    const auto exists = [&](std::size_t e) {
        return std::ranges::all_of(all.subspan(e * n, n), [&](Index v) { return v < m_rest.size(); });
    };
    if (type == ElementType::Edges) {
        for (std::size_t e = 0; e < count; ++e)
            if (exists(e)) m_lines.push_back({all[e * n], all[e * n + 1]});
        return;
    }
    const auto faces = facesOf(type);
    for (std::size_t e = 0; e < count; ++e) {
        if (!exists(e)) continue;
        for (const Quad& local : faces) {
            Face face;
            face.element = first + static_cast<Index>(e);
            for (std::size_t k = 0; k < 4; ++k)
                face.corners[k] = local[k] == InvalidIndex ? InvalidIndex : all[e * n + local[k]];
            m_faces.push_back(face);
        }
    }
}

void BodySkin::splitAtSharpEdges()
{
    if (m_dimension == 3) {
        // The sorted vertices of each face, and its number.
        Vector<std::pair<Quad, std::size_t>> keys(m_faces.size());
        for (std::size_t f = 0; f < m_faces.size(); ++f) keys[f] = {sortedVertices(m_faces[f].corners), f};
        std::ranges::sort(keys);
        Vector<char> border(m_faces.size(), 0);
        for (std::size_t i = 0, j = 0; i < keys.size(); i = j) {
            for (j = i + 1; j < keys.size() && keys[j].first == keys[i].first;) ++j;
            if (j == i + 1) border[keys[i].second] = 1;
        }
        // Outwards is away from the middle of the element.
        Vector<Vec3> middles(m_elementCount);
        Vector<double> counts(m_elementCount, 0.);
        for (const Face& f : m_faces)
            for (std::size_t k = 0; k < cornersOf(f.corners); ++k) {
                middles[f.element] += m_rest[f.corners[k]];
                counts[f.element] += 1.;
            }
        Vector<Face> kept;
        for (std::size_t i = 0; i < m_faces.size(); ++i) {
            if (!border[i]) continue;
            Face f = m_faces[i];
            const Vec3 out = m_rest[f.corners[0]] - middles[f.element] / counts[f.element];
            if (dot(faceNormal(f.corners, m_rest), out) < 0.) {
                if (cornersOf(f.corners) == 3)
                    std::swap(f.corners[1], f.corners[2]);
                else
                    std::swap(f.corners[1], f.corners[3]);
            }
            kept.push_back(f);
        }
        m_faces = std::move(kept);
    }

    // Faces around each point, and whether each edge has two faces.
    const std::size_t points = m_rest.size();
    Vector<Vec3> normals;
    Vector<Edge> edges;
    Vector<Index> begin(points + 1, 0), around;
    for (const Face& f : m_faces) {
        normals.push_back(normalized(faceNormal(f.corners, m_rest)));
        const std::size_t n = cornersOf(f.corners);
        for (std::size_t k = 0; k < n; ++k) {
            ++begin[f.corners[k] + 1];
            const Index a = f.corners[k], b = f.corners[(k + 1) % n];
            edges.push_back({std::min(a, b), std::max(a, b)});
        }
    }
    std::ranges::sort(edges);
    m_closed = !edges.empty();
    for (std::size_t i = 0, j = 0; i < edges.size() && m_closed; i = j) {
        for (j = i + 1; j < edges.size() && edges[j] == edges[i];) ++j;
        m_closed = j == i + 2;
    }
    for (std::size_t p = 0; p < points; ++p) begin[p + 1] += begin[p];
    around.resize(begin.back());
    Vector<Index> next(begin.begin(), begin.end());
    for (std::size_t i = 0; i < m_faces.size(); ++i)
        for (std::size_t k = 0; k < cornersOf(m_faces[i].corners); ++k)
            around[next[m_faces[i].corners[k]]++] = static_cast<Index>(i);

    // At each point, faces with a common edge that is not sharp share a drawn vertex.
    m_points.clear();
    Vector<Quad> drawn(m_faces.size(), Quad{InvalidIndex, InvalidIndex, InvalidIndex, InvalidIndex});
    Vector<std::size_t> group;
    const auto neighbours = [&](const Quad& f, Index p) {
        const std::size_t n = cornersOf(f);
        const auto k = static_cast<std::size_t>(std::ranges::find(f, p) - f.begin());
        return Edge{f[(k + 1) % n], f[(k + n - 1) % n]};
    };
    for (std::size_t p = 0; p < points; ++p) {
        const std::span<const Index> here(around.data() + begin[p], begin[p + 1] - begin[p]);
        group.resize(here.size());
        for (std::size_t i = 0; i < group.size(); ++i) group[i] = i;
        for (std::size_t i = 0; i < here.size(); ++i) {
            const Edge a = neighbours(m_faces[here[i]].corners, static_cast<Index>(p));
            for (std::size_t j = 0; j < i; ++j) {
                const Edge b = neighbours(m_faces[here[j]].corners, static_cast<Index>(p));
                const bool common = a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1];
                if (!common || group[i] == group[j] || dot(normals[here[i]], normals[here[j]]) < sharpCosine) continue;
                const std::size_t from = group[i], to = group[j];
                for (std::size_t& g : group)
                    if (g == from) g = to;
            }
        }
        for (std::size_t i = 0; i < here.size(); ++i) {
            const auto first = static_cast<std::size_t>(std::ranges::find(group, group[i]) - group.begin());
            const Quad& corners = m_faces[here[i]].corners;
            const auto k =
                static_cast<std::size_t>(std::ranges::find(corners, static_cast<Index>(p)) - corners.begin());
            Index vertex = static_cast<Index>(m_points.size());
            if (first < i) {
                const Quad& other = m_faces[here[first]].corners;
                const auto there = std::ranges::find(other, static_cast<Index>(p)) - other.begin();
                vertex = drawn[here[first]][static_cast<std::size_t>(there)];
            } else {
                m_points.push_back(static_cast<Index>(p));
            }
            drawn[here[i]][k] = vertex;
        }
    }
    for (std::size_t i = 0; i < m_faces.size(); ++i) {
        Quad& corners = m_faces[i].corners;
        // A collapsed face has one point twice.
        for (std::size_t k = 0; k < cornersOf(corners); ++k)
            if (drawn[i][k] == InvalidIndex)
                drawn[i][k] =
                    drawn[i][static_cast<std::size_t>(std::ranges::find(corners, corners[k]) - corners.begin())];
        corners = drawn[i];
    }

    m_tubeRadius = 0.;
    BoundingBox box;
    for (const Edge& e : m_lines) {
        m_tubeRadius += norm(m_rest[e[1]] - m_rest[e[0]]);
        box.include(m_rest[e[0]]);
        box.include(m_rest[e[1]]);
    }
    if (!m_lines.empty())
        m_tubeRadius =
            std::min(0.15 * m_tubeRadius / static_cast<double>(m_lines.size()), 0.01 * norm(box.high - box.low));
}

void BodySkin::readPositions()
{
    const auto read = [this](Vector<Vec3>& to, VecCoordId id) {
        to.resize(m_state->isAllocated(id) ? m_state->size() : 0);
        for (Index i = 0; i < to.size(); ++i) to[i] = m_state->pointPosition(i, id);
    };
    read(m_now, vec_id::position);
    read(m_rest, vec_id::restPosition);
}

void BodySkin::averageOverPoints()
{
    const auto sum = [this](const auto& f) {
        Index e = 0;
        for (const ElementType t : m_elements.kinds) {
            const auto all = verticesOf(*m_mesh, t);
            const std::size_t n = nodeCount(t);
            for (std::size_t i = 0; i + n <= all.size(); i += n, ++e)
                for (const Index v : all.subspan(i, n))
                    if (v < m_now.size()) f(e, v, n);
        }
    };
    if (m_valuesOfPoints) {
        m_ofElements.assign(m_elementCount, 0.);
        sum([&](Index e, Index v, std::size_t n) { m_ofElements[e] += m_ofPoints[v] / static_cast<double>(n); });
        return;
    }
    m_ofPoints.assign(m_now.size(), 0.);
    m_around.assign(m_now.size(), 0);
    sum([&](Index e, Index v, std::size_t) {
        if (!std::isfinite(m_ofElements[e])) return;
        m_ofPoints[v] += m_ofElements[e];
        ++m_around[v];
    });
    for (std::size_t v = 0; v < m_ofPoints.size(); ++v)
        m_ofPoints[v] = m_around[v] > 0 ? m_ofPoints[v] / m_around[v] : std::numeric_limits<double>::quiet_NaN();
}

bool BodySkin::computeField(BodyField field)
{
    update();
    m_ofElements.clear();
    m_ofPoints.clear();
    if (m_dimension == 0) return false;
    readPositions();
    const bool atRest = m_rest.size() == m_now.size();
    m_valuesOfPoints = field == BodyField::Displacement || field == BodyField::Velocity;
    if (field == BodyField::Velocity) {
        if (!m_state->isAllocated(vec_id::velocity)) return false;
        const std::size_t n = m_state->derivSize();
        m_velocities.resize(m_state->derivScalars());
        m_state->getScalars(vec_id::velocity, m_velocities.data());
        m_ofPoints.resize(m_now.size());
        for (std::size_t i = 0; i < m_ofPoints.size(); ++i) {
            double sum = 0.;
            for (std::size_t k = 0; k < std::min<std::size_t>(n, 3); ++k)
                sum += m_velocities[i * n + k] * m_velocities[i * n + k];
            m_ofPoints[i] = std::sqrt(sum);
        }
    } else if (field == BodyField::Displacement) {
        if (!atRest) return false;
        m_ofPoints.resize(m_now.size());
        for (std::size_t i = 0; i < m_ofPoints.size(); ++i) m_ofPoints[i] = norm(m_now[i] - m_rest[i]);
    } else if (field == BodyField::Strain) {
        if (!atRest) return false;
        m_ofElements.reserve(m_elementCount);
        forEachElement({m_elements, m_rest, m_now}, [&](ElementType t, std::span<const Index> e, bool exists) {
            m_ofElements.push_back(principalStrain(exists ? elementStretch(t, e, m_rest, m_now) : ElementStretch{}));
        });
    } else if (field == BodyField::Stress) {
        if (!m_stress || !atRest) return false;
        Vector<double>& values = m_elements.parts > 1 ? m_ofParts : m_ofElements;
        m_stress->vonMisesStresses({m_elements, m_rest, m_now}, values);
        if (values.size() != m_elementCount * m_elements.parts) {
            m_ofElements.clear();
            return false;
        }
        if (m_elements.parts > 1) {
            m_ofElements.assign(m_elementCount, 0.);
            for (std::size_t i = 0; i < values.size(); ++i)
                m_ofElements[i / m_elements.parts] += values[i] / m_elements.parts;
        }
    } else {
        return false;
    }
    averageOverPoints();
    return true;
}

void BodySkin::include(std::array<double, 2>& range) const
{
    for (const double v : m_valuesOfPoints ? m_ofPoints : m_ofElements) {
        if (!std::isfinite(v)) continue;
        range[0] = std::min(range[0], v);
        range[1] = std::max(range[1], v);
    }
}

std::optional<double> BodySkin::valueIn(std::size_t triangle, const Vec3& point, bool perElement) const
{
    const auto known = [](double v) { return std::isfinite(v) ? std::optional(v) : std::nullopt; };
    for (const Face& f : m_faces) {
        // A quad is drawn as two triangles.
        const std::size_t parts = cornersOf(f.corners) - 2;
        if (triangle >= parts) {
            triangle -= parts;
            continue;
        }
        if (perElement) return f.element < m_ofElements.size() ? known(m_ofElements[f.element]) : std::nullopt;
        const std::array<Index, 3> p{m_points[f.corners[0]], m_points[f.corners[triangle + 1]],
                                     m_points[f.corners[triangle + 2]]};
        for (const Index i : p)
            if (i >= m_now.size() || i >= m_ofPoints.size()) return {};
        // Parts of the triangle that the corners have at its point below the given one.
        const Vec3 a = m_now[p[1]] - m_now[p[0]], b = m_now[p[2]] - m_now[p[0]], x = point - m_now[p[0]];
        const Vec3 n = cross(a, b);
        const double area = norm2(n);
        if (!(area > 0.)) return known(m_ofPoints[p[0]]);
        const double u = std::clamp(dot(cross(x, b), n) / area, 0., 1.);
        const double v = std::clamp(dot(cross(a, x), n) / area, 0., 1. - u);
        return known((1. - u - v) * m_ofPoints[p[0]] + u * m_ofPoints[p[1]] + v * m_ofPoints[p[2]]);
    }
    return {};
}

const BezierTopology* BodySkin::curved() const
{
    const auto* mesh = dynamic_cast<const BezierTopology*>(m_mesh);
    if (!mesh || m_elements.topology != m_mesh || m_elements.kinds.size() != 1) return nullptr;
    const std::size_t count = m_elements.kinds.front() == ElementType::Tetrahedra  ? mesh->bezierTetrahedra().size()
                              : m_elements.kinds.front() == ElementType::Triangles ? mesh->bezierTriangles().size()
                                                                                   : 0;
    return count == m_elementCount ? mesh : nullptr;
}

template <class ColorOf>
void BodySkin::fill(Geometry& g, bool perElement, const ColorOf* colorOf)
{
    if (const BezierTopology* mesh = curved()) {
        const Vector<Vec3>& x = mesh->middlePoints().extended(m_now, m_control);
        const auto colorAt = [&](Index element, Index vertex) {
            return colorOf ? (*colorOf)(element, m_points[vertex]) : Color();
        };
        m_curves.fill(g, m_faces, m_points, *mesh, x);
        if (colorOf) CurvedSkin::fillColors(g, m_faces, colorAt);
        return;
    }
    m_normals.assign(m_points.size(), {});
    for (const Face& f : m_faces) {
        Quad at = f.corners;
        for (std::size_t k = 0; k < cornersOf(f.corners); ++k) at[k] = m_points[f.corners[k]];
        const Vec3 n = faceNormal(at, m_now);
        for (std::size_t k = 0; k < cornersOf(f.corners); ++k) m_normals[f.corners[k]] += n;
    }
    const auto normalOf = [&](Index v) {
        const Vec3 n = normalized(m_normals[v], Vec3{0., 0., 1.});
        return Vec3f(std::isfinite(n[0] + n[1] + n[2]) ? n : Vec3{0., 0., 1.});
    };
    const auto add = [&](Index v, Index element) {
        g.positions.push_back(Vec3f(m_now[m_points[v]]));
        g.normals.push_back(normalOf(v));
        if (colorOf) g.colors.push_back((*colorOf)(element, m_points[v]));
    };
    const auto face = [&](const Quad& c) {
        if (c[3] == InvalidIndex)
            g.triangles.push_back({c[0], c[1], c[2]});
        else
            g.addQuad(c[0], c[1], c[2], c[3]);
    };
    if (perElement) {
        g.positions.reserve(4 * m_faces.size());
        g.normals.reserve(4 * m_faces.size());
        for (const Face& f : m_faces) {
            Quad own = f.corners;
            for (std::size_t k = 0; k < cornersOf(f.corners); ++k) {
                own[k] = static_cast<Index>(g.positions.size());
                add(f.corners[k], f.element);
            }
            face(own);
        }
        return;
    }
    g.positions.reserve(m_points.size());
    g.normals.reserve(m_points.size());
    for (Index v = 0; v < m_points.size(); ++v) add(v, 0);
    for (const Face& f : m_faces) face(f.corners);
}

void BodySkin::drawTubes(DrawTool& tool, const DrawStyle& style)
{
    if (m_lines.size() > manyTubes) return drawEdges(tool, m_lines, m_now, style.color, 2.f);
    auto ends = tool.scratch<Vec3>();
    auto joints = tool.scratch<Vec3>();
    auto used = tool.scratch<int>();
    used.assign(m_now.size(), 0);
    ends.reserve(2 * m_lines.size());
    for (const Edge& e : m_lines)
        for (const Index v : e) {
            ends.push_back(m_now[v]);
            if (!used[v]++) joints.push_back(m_now[v]);
        }
    tool.cylinders(ends, m_tubeRadius, style);
    tool.spheres(joints, {&m_tubeRadius, 1}, style);
}

void BodySkin::draw(DrawTool& tool, const DrawStyle& style)
{
    update();
    readPositions();
    if (m_now.size() != m_counts[0]) return;
    if (!m_lines.empty()) drawTubes(tool, style);
    if (m_faces.empty()) return;
    tool.geometry(style, [this](Geometry& g) { fill<Color (*)(Index, Index)>(g, false, nullptr); });
}

void BodySkin::drawField(DrawTool& tool, const DrawStyle& style, bool perElement, const std::array<double, 2>& range)
{
    static const ColorMap map("Blue to Red");
    const auto colorOf = [&](Index element, Index point) {
        const double v = perElement ? m_ofElements[element] : m_ofPoints[point];
        return std::isfinite(v) ? map.of(v, range[0], range[1]) : unknownColor;
    };
    if (!m_lines.empty())
        tool.geometry(plainStyle(Color(), 4.f), [&](Geometry& g) {
            for (Index e = 0; e < m_lines.size(); ++e)
                for (const Index v : m_lines[e]) {
                    if (v == m_lines[e][0])
                        g.lines.push_back(
                            {static_cast<Index>(g.positions.size()), static_cast<Index>(g.positions.size() + 1)});
                    g.positions.push_back(Vec3f(m_now[v]));
                    g.colors.push_back(colorOf(e, v));
                }
        });
    if (!m_faces.empty()) tool.geometry(style, [&](Geometry& g) { fill(g, perElement, &colorOf); });
}

}  // namespace sofa::core
