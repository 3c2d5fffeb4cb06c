// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/visual/VisualModelImpl.h"
#include "core/io/DataRepository.h"
#include "core/objectmodel/Node.h"

namespace sofa::component {

namespace {

Color used(bool use, const Vec<4, float>& c) { return use ? Color(c[0], c[1], c[2], c[3]) : Color(0.f, 0.f, 0.f, 1.f); }

}  // namespace

void VisualModelImpl::finishStyle(DrawStyle& style, SurfaceDescription&, bool transparent) const
{
    style.blend = transparent;
    style.depthWrite = !transparent;
}

/// Without a use, a part of the material is black; a shininess of 0 means no highlights.
DrawStyle VisualModelImpl::styleOf(const Material& m, std::shared_ptr<const TextureDescription> texture,
                                   std::shared_ptr<const TextureDescription> bumps) const
{
    auto surface = std::make_shared<SurfaceDescription>();
    surface->ambient = used(m.useAmbient, m.ambient);
    surface->diffuse = used(m.useDiffuse, m.diffuse);
    surface->specular = used(m.useSpecular, m.specular);
    surface->emissive = used(m.useEmissive, m.emissive);
    surface->shininess = std::min(m.useShininess ? m.shininess : 45.f, 128.f);
    surface->useSpecular = m.useSpecular && surface->shininess > 0.f;
    surface->useEmissive = m.useEmissive;
    surface->texture = std::move(texture);
    surface->normalMap = std::move(bumps);
    surface->castsShadow = m_castShadow;
    surface->primitive = primitive();
    surface->tags.assign(d_tags.value().begin(), d_tags.value().end());
    DrawStyle style;
    style.color = surface->diffuse;
    finishStyle(style, *surface, m.useDiffuse && m.diffuse[3] < 1.f);
    style.surface = std::move(surface);
    return style;
}

void VisualModelImpl::updateStyles()
{
    const std::uint64_t version = versionOf({&d_material, &d_materials, &d_groups, &d_texturename, &d_srgbTexturing,
                                             &d_triangles, &d_quads, &d_tags, &d_putOnlyTexCoords}) +
                                  styleVersion();
    if (m_stylesVersion == version) return;
    m_stylesVersion = version;
    m_styles.clear();
    const auto texture = [&](const std::string& file) {
        auto t = std::make_shared<TextureDescription>();
        t->file = file;
        t->srgb = d_srgbTexturing.value();
        return t;
    };
    std::shared_ptr<const TextureDescription> own;
    if (!d_texturename.value().text.empty())
        if (const auto file = findFile(d_texturename.value().text, d_texturename)) own = texture(*file);
    const auto& groups = d_groups.value();
    const auto& materials = d_materials.value();
    const auto triangles = static_cast<int>(d_triangles.value().size());
    const auto add = [&](DrawStyle style, int first, int count) {
        if (count == 0) return;
        style.firstTriangle = first;
        style.triangleCount = count;
        m_styles.push_back(std::move(style));
    };
    for (const FaceGroup& g : groups) {
        const bool known = g.materialId >= 0 && static_cast<std::size_t>(g.materialId) < materials.size();
        const Material& m = known ? materials[static_cast<std::size_t>(g.materialId)] : d_material.value();
        const auto find = [&](const std::string& name) {
            // Beside the mesh, as material libraries mean it, or wherever files are found.
            std::string folder = d_filename.value().text;
            folder.resize(folder.rfind('/') == std::string::npos ? 0 : folder.rfind('/') + 1);
            const auto file = findFile(folder + name, d_filename);
            return file ? file : findFile(name, d_filename);
        };
        std::shared_ptr<const TextureDescription> image = own, bumps;
        if (!image && known && !m.diffuseTexture.empty())
            if (const auto file = find(m.diffuseTexture)) image = texture(*file);
        if (known && !m.bumpTexture.empty())
            if (const auto file = find(m.bumpTexture)) {
                auto t = std::make_shared<TextureDescription>();
                t->file = *file;
                t->bumpHeight = 0.02f;
                bumps = std::move(t);
            }
        const DrawStyle style = styleOf(m, image, bumps);
        add(style, g.firstTriangle, g.triangleCount);
        add(style, triangles + 2 * g.firstQuad, 2 * g.quadCount);
    }
    if (groups.empty()) m_styles.push_back(styleOf(d_material.value(), own, nullptr));
}

void VisualModelImpl::fill(Geometry& g) const
{
    const Vector<Vec3>& x = drawnVertices();
    g.positions.reserve(x.size());
    for (const Vec3& v : x) g.positions.push_back(Vec3f(v));
    const auto directions = [&](const Vector<Vec3>& from, DrawArray<Vec3f>& to) {
        if (from.size() != x.size()) return;
        to.reserve(from.size());
        for (const Vec3& v : from) to.push_back(Vec3f(v));
    };
    directions(d_normal.value(), g.normals);
    directions(d_tangents.value(), g.tangents);
    directions(d_bitangents.value(), g.bitangents);
    if (d_texcoords.value().size() == x.size())
        g.texCoords.assign(d_texcoords.value().begin(), d_texcoords.value().end());
    for (const VertexAttributeSource* s : node()->getAll<VertexAttributeSource>(Search::Local))
        if (VertexAttribute a = s->attribute(); a.values.size() == x.size() * static_cast<std::size_t>(a.components))
            g.attributes.push_back(std::move(a));
    using Primitive = SurfaceDescription::Primitive;
    const Primitive kind = primitive();
    if (kind == Primitive::Points) {
        g.points.resize(x.size());
        for (std::size_t i = 0; i < x.size(); ++i) g.points[i] = static_cast<Index>(i);
        return;
    }
    const auto inside = [&](const auto& face) {
        return std::all_of(face.begin(), face.end(), [&](Index i) { return i < x.size(); });
    };
    // The ranges of the groups count on every face being there: one with a vertex too many becomes a point.
    g.triangles.reserve(d_triangles.value().size() + 2 * d_quads.value().size());
    for (const Triangle& t : d_triangles.value()) g.triangles.push_back(inside(t) ? t : Triangle{});
    for (const Quad& q : d_quads.value()) {
        const bool valid = inside(q);
        if (kind == Primitive::LinesAdjacency && valid) {
            g.lines.push_back({q[0], q[1]});
            g.lines.push_back({q[2], q[3]});
        }
        if (valid)
            g.addQuad(q[0], q[1], q[2], q[3]);
        else
            g.triangles.insert(g.triangles.end(), 2, Triangle{});
    }
}

void VisualModelImpl::surface(Vector<Vec3>& vertices, Vector<Triangle>& triangles) const
{
    using Primitive = SurfaceDescription::Primitive;
    if (!d_enable.value() || primitive() == Primitive::Points) return;
    vertices = d_position.value();
    const Vector<Index>& point = d_vertPosIdx.value();
    const auto add = [&](Index a, Index b, Index c) {
        Triangle t{a, b, c};
        for (Index& v : t) v = point.empty() ? v : v < point.size() ? point[v] : InvalidIndex;
        triangles.push_back(t);
    };
    for (const Triangle& t : d_triangles.value()) add(t[0], t[1], t[2]);
    for (const Quad& q : d_quads.value()) {
        add(q[0], q[1], q[2]);
        add(q[0], q[2], q[3]);
    }
}

void VisualModelImpl::draw(DrawTool& tool)
{
    if (!d_enable.value() || !tool.shows(DisplayFlags::VisualModels) || !node()) return;
    updateVisual();
    if (drawnVertices().empty()) return;
    updateStyles();
    std::uint64_t version = versionOf({&d_position, &d_vertices, &d_vertPosIdx, &d_normal, &d_tangents, &d_bitangents,
                                       &d_texcoords, &d_triangles, &d_quads}) +
                            styleVersion();
    node()->forOwn<VertexAttributeSource>([&version](const auto& s) { version += s.attributeVersion(); });
    bool first = true;
    for (DrawStyle style : m_styles) {
        style.wireframe = tool.wireframe();
        if (primitive() == SurfaceDescription::Primitive::Points) style.lit = false;
        if (first)
            tool.geometry(
                style, [this](Geometry& g) { fill(g); }, version);
        else
            tool.again(style);
        first = false;
    }
    if (!d_edges.value().empty()) {
        DrawStyle style = m_styles.empty() ? DrawStyle{} : m_styles.front();
        style.surface = nullptr;
        tool.lines(drawnVertices(), d_edges.value(), style);
    }
    if (tool.shows(DisplayFlags::Normals) && d_normal.value().size() == drawnVertices().size()) {
        const BoundingBox box = boundingBox();
        const double length = 0.03 * norm(box.high - box.low);
        auto ends = tool.scratch<Vec3>();
        for (std::size_t i = 0; i < drawnVertices().size(); ++i) {
            ends.push_back(drawnVertices()[i]);
            ends.push_back(drawnVertices()[i] + d_normal.value()[i] * length);
        }
        DrawStyle style;
        style.color = {0.3f, 0.5f, 1.f};  // seen on white and on black (SOFA's are white)
        tool.lines(ends, style);
    }
}

}  // namespace sofa::component
