// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/visual/VisualModelImpl.h"

#include <numbers>

#include "core/factory/Registry.h"
#include "core/io/DataRepository.h"
#include "core/io/MeshReader.h"
#include "core/objectmodel/Node.h"
#include "core/visual/Color.h"
#include "core/visual/SurfaceMaker.h"

namespace sofa::component {

bool readValue(TextCursor& c, FaceGroup& v)
{
    const std::string_view material = c.token();
    if (material.empty()) return c.fail("a group: material, group, material index, and three ranges");
    v.materialName = std::string(material);
    v.groupName = std::string(c.token());
    for (int* i :
         {&v.materialId, &v.firstEdge, &v.edgeCount, &v.firstTriangle, &v.triangleCount, &v.firstQuad, &v.quadCount})
        if (!core::readValue(c, *i)) return false;
    return true;
}

void writeValue(std::string& out, const FaceGroup& v)
{
    out += v.materialName.empty() ? "-" : v.materialName;
    out += ' ';
    out += v.groupName.empty() ? "-" : v.groupName;
    for (const int i :
         {v.materialId, v.firstEdge, v.edgeCount, v.firstTriangle, v.triangleCount, v.firstQuad, v.quadCount}) {
        out += ' ';
        core::writeValue(out, i);
    }
}

namespace {

template <class T>
T parsed(std::string_view text)
{
    T v{};
    std::string error;
    if (!parseText(text, v, error)) throw std::runtime_error(error);
    return v;
}

}  // namespace

VisualModelImpl::VisualModelImpl()
{
    bind(vec_id::position, d_position);
    bind(vec_id::restPosition, d_restPosition);
    bind(vec_id::normal, d_normal);
    addAlias(d_filename, "fileMesh");
    addAlias(d_enable, "isEnabled");
    declareAttributes();
}

void VisualModelImpl::declareAttributes()
{
    ignoreAttribute("fixMergedUVSeams", "texture coordinates are never merged: a point of a seam has several vertices");
    declareAttribute("color", "Colour of the material: a name, #rrggbb, or numbers");
    declareAttribute("normals", "The same as useNormals");
    declareAttribute("castshadow", "Cast shadows");
    declareAttribute("flip", "Reverse the faces");
    declareAttribute("scale", "Initial scale, the same along each axis");
    for (const std::string axis : {"x", "y", "z"}) {
        declareAttribute("s" + axis, "Component " + axis + " of scale3d");
        declareAttribute("r" + axis, "Component " + axis + " of rotation [deg]");
        declareAttribute("d" + axis, "Component " + axis + " of translation [m]");
    }
    for (const std::string axis : {"u", "v"}) {
        declareAttribute("s" + axis, "Component " + axis + " of scaleTex");
        declareAttribute("d" + axis, "Component " + axis + " of translationTex");
    }
}

void VisualModelImpl::setDeclared(std::string_view name, std::string_view t)
{
    if (name == "color") return setColor(parsed<Color>(t).rgba);
    if (name == "normals") return d_useNormals.setValue(parsed<bool>(t));
    if (name == "castshadow") m_castShadow = parsed<bool>(t);
    if (name == "flip") m_flip = true;
    // Scenes write three numbers at times: SOFA takes the first one for all axes.
    if (name == "scale") d_scale.setValue(Vec3::filled(readAttribute(TextCursor(t).token())));
    if (name.size() != 2) return;
    const auto axis = static_cast<std::size_t>(name[1] - 'x');
    if (axis < 3) {
        Data<Vec3>& d = name[0] == 's' ? d_scale : name[0] == 'r' ? d_rotation : d_translation;
        d.edit()[axis] = readAttribute(t);
    } else {
        auto& d = name[0] == 's' ? d_scaleTex : d_translationTex;
        d.edit()[static_cast<std::size_t>(name[1] - 'u')] = parsed<float>(t);
    }
}

void VisualModelImpl::setColor(const Vec<4, float>& c)
{
    const auto m = d_material.edit();
    m->ambient = {0.2f * c[0], 0.2f * c[1], 0.2f * c[2], c[3]};
    m->diffuse = m->specular = m->emissive = c;
}

void VisualModelImpl::flipFaces()
{
    for (Edge& e : d_edges.edit()) std::reverse(e.begin(), e.end());
    for (Triangle& t : d_triangles.edit()) std::reverse(t.begin(), t.end());
    for (Quad& q : d_quads.edit()) std::reverse(q.begin(), q.end());
    for (Vec3& n : d_normal.edit()) n = -n;
}

void VisualModelImpl::resize(Index n)
{
    setSize(n);
    if (d_position.value().size() != n) d_position.edit()->resize(n);
    if (!d_restPosition.value().empty() && d_restPosition.value().size() != n) d_restPosition.edit()->resize(n);
}

void VisualModelImpl::takeMesh(const io::MeshData& mesh)
{
    const bool split = !mesh.vertexPositionIndex.empty();
    if (split) {
        d_vertices.setValue(mesh.positions);
        d_vertPosIdx.setValue(mesh.vertexPositionIndex);
        if (d_useNormals.value()) d_vertNormIdx.setValue(mesh.vertexNormalIndex);
        splitPositions();
    } else {
        d_position.setValue(mesh.positions);
    }
    d_triangles.setValue(mesh.triangles);
    d_quads.setValue(mesh.quads);
    if (d_keepLines.value()) d_edges.setValue(mesh.edges);
    Vector<Vec<2, float>> uv;
    for (const Vec2& t : mesh.texCoords) uv.push_back({static_cast<float>(t[0]), static_cast<float>(t[1])});
    if (!uv.empty()) d_texcoords.setValue(std::move(uv));

    if (mesh.materials.empty()) return;
    Vector<Material> materials(mesh.materials.begin(), mesh.materials.end());
    d_materials.setValue(std::move(materials));
    if (mesh.defaultMaterial >= 0 && !d_material.isSet())
        d_material.setValue(mesh.materials[static_cast<std::size_t>(mesh.defaultMaterial)]);
    Vector<FaceGroup> groups;
    const auto collect = [&](io::CellKind kind, int FaceGroup::*first, int FaceGroup::*count) {
        for (const io::CellRange& r : mesh.ranges[static_cast<std::size_t>(kind)]) {
            FaceGroup g;
            g.materialName = r.material;
            g.groupName = r.group;
            g.materialId = r.materialId;
            g.*first = static_cast<int>(r.first);
            g.*count = static_cast<int>(r.count);
            groups.push_back(std::move(g));
        }
    };
    if (d_keepLines.value()) collect(io::CellKind::Edge, &FaceGroup::firstEdge, &FaceGroup::edgeCount);
    collect(io::CellKind::Triangle, &FaceGroup::firstTriangle, &FaceGroup::triangleCount);
    collect(io::CellKind::Quad, &FaceGroup::firstQuad, &FaceGroup::quadCount);
    d_groups.setValue(std::move(groups));
}

bool VisualModelImpl::load()
{
    if (!d_position.value().empty() || !d_vertices.value().empty()) return true;
    try {
        io::MeshReadOptions options;
        options.handleSeams = !d_texturename.value().text.empty() || d_putOnlyTexCoords.value();
        takeMesh(io::readMesh(requireFile(d_filename), options));
        return true;
    } catch (const std::runtime_error& e) {
        message(Severity::Warning, std::string(e.what()) + "; nothing is drawn", d_filename.location);
        return false;
    }
}

/// Positions of split vertices: one for each position index that occurs.
void VisualModelImpl::splitPositions()
{
    const Vector<Vec3>& v = d_vertices.value();
    const Vector<Index>& index = d_vertPosIdx.value();
    Index n = 0;
    for (const Index i : index) n = std::max(n, i + 1);
    Vector<Vec3> x(n);
    for (std::size_t i = 0; i < std::min(v.size(), index.size()); ++i) x[index[i]] = v[i];
    d_position.unlink();
    d_position.setValue(std::move(x));
}

void VisualModelImpl::copyTopology()
{
    d_triangles.setValue(l_topology->triangles());
    d_quads.setValue(l_topology->quads());
    if (m_initialised && m_flip) flipFaces();
    m_topologySizes[0] = d_triangles.value().size();
    m_topologySizes[1] = d_quads.value().size();
}

void VisualModelImpl::takeTopology()
{
    if (!l_topology) l_topology.set(node()->get<BaseMeshTopology>(Search::Up));
    if (!l_topology) return;
    m_useTopology = true;
    if (d_position.value().empty() && d_vertices.value().empty()) {
        Vector<Vec3> x;
        if (l_topology->hasPositions()) {
            for (Index i = 0; i < l_topology->nbPoints(); ++i) x.push_back(l_topology->pointPosition(i));
        } else if (l_topology->node()) {
            for (const BaseState* s : l_topology->node()->getAll<BaseState>(Search::Up)) {
                if (!s->isMechanical()) continue;
                for (Index i = 0; i < s->size(); ++i) x.push_back(s->pointPosition(i));
                break;
            }
        }
        d_position.setValue(std::move(x));
    }
    copyTopology();
}

void VisualModelImpl::transform()
{
    const Vec3 s = d_scale.value(), t = d_translation.value();
    const Quat q = Quat::fromEulerXYZ(d_rotation.value() * (std::numbers::pi / 180.));
    const bool turned = d_rotation.value() != Vec3{};
    if (s == Vec3{1., 1., 1.} && t == Vec3{} && !turned) return;
    for (Vec3& x : d_position.edit()) {
        for (std::size_t k = 0; k < 3; ++k) x[k] *= s[k];
        if (turned) x = q.rotate(x);
        x += t;
    }
    d_translation.resetToDefault();
    d_rotation.resetToDefault();
    d_scale.resetToDefault();
}

bool VisualModelImpl::checkFaces()
{
    const std::size_t n = d_vertPosIdx.value().empty() ? d_position.value().size() : d_vertices.value().size();
    const auto check = [&](const auto& elements, const char* kind) {
        for (std::size_t i = 0; i < elements.size(); ++i)
            for (const Index v : elements[i]) {
                if (v < n) continue;
                fail(std::string(kind) + ' ' + std::to_string(i) + " refers to vertex " + std::to_string(v) +
                     ", but there are " + std::to_string(n) + " vertices");
                return false;
            }
        return true;
    };
    return check(d_triangles.value(), "triangle") && check(d_quads.value(), "quad");
}

void VisualModelImpl::init()
{
    std::string error;
    if (!l_topology.resolve(error)) return fail("topology: " + error);
    const bool isMade = node()->get<SurfaceMaker>(Search::Local) != nullptr;
    if (!d_filename.value().text.empty()) {
        load();
    } else {
        if (!d_vertPosIdx.value().empty() && d_vertices.value().empty()) {
            d_vertices.setValue(d_position.value());
            splitPositions();
        }
        if (!isMade && (d_position.value().empty() || (!d_triangles.isSet() && !d_quads.isSet()))) takeTopology();
    }
    if (m_flip) flipFaces();
    m_initialised = true;
    setSize(static_cast<Index>(d_position.value().size()));
    if (d_position.value().empty() && !l_topology && d_filename.value().text.empty() && !isMade) {
        msgWarning() << "it has nothing to show: give it a mesh file, a loader (src), or a topology";
        return;
    }
    transform();
    if (d_initRestPositions.value()) d_restPosition.setValue(d_position.value());
    transformTexture();
    if (!d_texturename.value().text.empty()) {
        try {
            requireFile(d_texturename);
        } catch (const std::runtime_error& e) {
            message(Severity::Warning, std::string("texture: ") + e.what(), d_texturename.location);
        }
    }
    if (!m_useTopology && !checkFaces()) return;
    updateVisual();
}

void VisualModelImpl::transformTexture()
{
    const Vec<2, float> s = d_scaleTex.value(), t = d_translationTex.value();
    if (s != Vec<2, float>{1.f, 1.f} || t != Vec<2, float>{})
        for (auto& uv : d_texcoords.edit()) uv = {uv[0] * s[0] + t[0], uv[1] * s[1] + t[1]};
}

void VisualModelImpl::storeResetState() { m_resetPosition = d_position.value(); }

void VisualModelImpl::reset()
{
    if (m_resetPosition.size() == d_position.value().size()) d_position.setValue(m_resetPosition);
    updateVisual();
}

void VisualModelImpl::computeVertices()
{
    const Vector<Index>& index = d_vertPosIdx.value();
    if (index.empty()) return;
    const Vector<Vec3>& x = d_position.value();
    const Vector<Vec3>& before = d_vertices.value();
    bool same = before.size() == index.size();
    for (std::size_t i = 0; same && i < index.size(); ++i) same = index[i] >= x.size() || before[i] == x[index[i]];
    if (same) return;
    const auto v = d_vertices.edit();
    v->resize(index.size());
    for (std::size_t i = 0; i < v.size(); ++i)
        if (index[i] < x.size()) v[i] = x[index[i]];
}

/// Whether vertices, faces or texture coordinates are others than at the last call.
bool VisualModelImpl::shapeChanged()
{
    const std::uint64_t faces = versionOf({&d_triangles, &d_quads, &d_texcoords, &d_vertPosIdx, &d_vertNormIdx,
                                           &d_updateNormals, &d_updateTangents, &d_computeTangents});
    const Vector<Vec3>& v = drawnVertices();
    if (faces == m_facesVersion && d_normal.value().size() == v.size() && v == m_normalsOf) return false;
    m_facesVersion = faces;
    m_normalsOf = v;
    return true;
}

void VisualModelImpl::computeNormals()
{
    const Vector<Vec3>& v = drawnVertices();
    if (v.empty() || (!d_updateNormals.value() && d_normal.value().size() == v.size())) return;
    ++m_normalUpdates;
    const Vector<Index>& shared = d_vertNormIdx.value();
    const bool grouped = shared.size() == v.size();
    Index count = static_cast<Index>(v.size());
    if (grouped) count = *std::max_element(shared.begin(), shared.end()) + 1;
    m_sums.assign(count, Vec3{});
    const auto add = [&](Index i, const Vec3& n) { m_sums[grouped ? shared[i] : i] += n; };
    const auto inside = [&](const auto& face) {
        return std::all_of(face.begin(), face.end(), [&](Index i) { return i < v.size(); });
    };
    for (const Triangle& t : d_triangles.value()) {
        if (!inside(t)) continue;
        const Vec3 n = cross(v[t[1]] - v[t[0]], v[t[2]] - v[t[0]]);
        for (const Index i : t) add(i, n);
    }
    for (const Quad& q : d_quads.value()) {
        if (!inside(q)) continue;
        for (std::size_t k = 0; k < 4; ++k) {
            const Vec3& x = v[q[k]];
            add(q[k], cross(v[q[(k + 1) % 4]] - x, v[q[(k + 3) % 4]] - x));
        }
    }
    for (Vec3& n : m_sums) n = normalized(n);
    const auto normals = d_normal.edit();
    normals->resize(v.size());
    for (std::size_t i = 0; i < v.size(); ++i) normals[i] = m_sums[grouped ? shared[i] : i];
}

/// Projection from the centre of the bounding box to a sphere: longitude and latitude in [0, 1].
void VisualModelImpl::computeTextureCoordinates()
{
    const Vector<Vec3>& v = drawnVertices();
    BoundingBox box;
    for (const Vec3& p : v) box.include(p);
    if (!box.valid()) return;
    const Vec3 center = (box.low + box.high) * 0.5;
    Vector<Vec<2, float>> uv(v.size());
    for (std::size_t i = 0; i < v.size(); ++i) {
        const Vec3 d = normalized(v[i] - center);
        uv[i] = {static_cast<float>(0.5 + std::atan2(d[1], d[0]) / (2. * std::numbers::pi)),
                 static_cast<float>(0.5 + std::asin(std::clamp(d[2], -1., 1.)) / std::numbers::pi)};
    }
    d_texcoords.setValue(std::move(uv));
}

/// In each triangle the position is an affine function of (u, v); its derivatives are the tangents. With edges a, b and
/// texture edges (u₁, v₁), (u₂, v₂): t ∝ v₂ a − v₁ b, s ∝ u₁ b − u₂ a. Vertices take the mean over their triangles.
void VisualModelImpl::computeTangents()
{
    const Vector<Vec3>& x = drawnVertices();
    const auto& uv = d_texcoords.value();
    if (uv.size() != x.size() || x.empty()) return;
    Vector<Vec3> tangents(x.size()), bitangents(x.size());
    const auto add = [&](Index i, Index j, Index k) {
        if (i >= x.size() || j >= x.size() || k >= x.size()) return;
        const Vec3 a = x[j] - x[i], b = x[k] - x[i];
        const Vec<2, float> p = uv[j] - uv[i], q = uv[k] - uv[i];
        const Vec3 t = normalized(a * static_cast<double>(q[1]) - b * static_cast<double>(p[1]));
        const Vec3 s = normalized(b * static_cast<double>(p[0]) - a * static_cast<double>(q[0]));
        for (const Index n : {i, j, k}) {
            tangents[n] += t;
            bitangents[n] += s;
        }
    };
    for (const Triangle& t : d_triangles.value()) add(t[0], t[1], t[2]);
    for (const Quad& q : d_quads.value()) {
        add(q[0], q[1], q[2]);
        add(q[0], q[2], q[3]);
    }
    for (Vec3& t : tangents) t = normalized(t);
    for (Vec3& t : bitangents) t = normalized(t);
    d_tangents.setValue(std::move(tangents));
    d_bitangents.setValue(std::move(bitangents));
}

bool VisualModelImpl::usesTangents() const
{
    return d_computeTangents.value() ||
           std::ranges::any_of(d_materials.value(), [](const Material& m) { return !m.bumpTexture.empty(); });
}

void VisualModelImpl::updateVisual()
{
    if (m_useTopology && l_topology && d_handleDynamicTopology.value() &&
        (l_topology->triangles().size() != m_topologySizes[0] || l_topology->quads().size() != m_topologySizes[1]))
        copyTopology();
    computeVertices();
    if (!shapeChanged()) return;
    computeNormals();
    if (d_computeTextureCoordinates.value()) {
        computeTextureCoordinates();
        shapeChanged();
    }
    if (usesTangents() && (d_updateTangents.value() || d_tangents.value().empty())) computeTangents();
}

BoundingBox VisualModelImpl::boundingBox() const
{
    BoundingBox box;
    for (const Vec3& x : d_position.value()) box.include(x);
    return box;
}

static const RegisterComponent registeredVisualModelImpl =
    RegisterComponent("VisualModelImpl", "VisualModel", "Sofa.Component.Visual")
        .help("Surface that is shown in a viewer; its vertices follow mappings")
        .alias("VisualModel")
        .example("component/visual/VisualModelImpl.scn")
        .add<VisualModelImpl>();

}  // namespace sofa::component
