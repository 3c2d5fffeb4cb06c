// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/topology/MeshLoader.h"
#include "core/log/Reason.h"

#include "core/io/DataRepository.h"
#include "core/io/MeshOperations.h"

namespace sofa::core {

bool readValue(TextCursor& c, PrimitiveGroup& v)
{
    v.group = c.token();
    // SOFA writes a material without a name as nothing between two spaces.
    v.material = c.rest().starts_with("  ") ? std::string_view() : c.token();
    return readValue(c, v.materialId) && readValue(c, v.first) && readValue(c, v.count);
}

void writeValue(std::string& out, const PrimitiveGroup& v)
{
    const auto quoted = [](const std::string& name) {
        return name.empty() || name.find_first_of(" \t\n'") != std::string::npos ? '"' + name + '"' : name;
    };
    out += quoted(v.group) + ' ' + quoted(v.material) + ' ' + std::to_string(v.materialId) + ' ' +
           std::to_string(v.first) + ' ' + std::to_string(v.count);
}

MeshLoader::MeshLoader(Source source)
    : d_filename(this,
                 {.name = "filename",
                  .help = source == Source::File ? "File to read" : "Accepted for scenes of SOFA: nothing is read",
                  .required = source == Source::File})
{
    addAlias(d_tetrahedra, "tetras");
    addAlias(d_hexahedra, "hexas");
    addAlias(d_prisms, "pentas");
    addAlias(d_prisms, "pentahedra");
    addAlias(d_prismsGroups, "pentahedraGroups");
    declareAttribute("scale", "Factor on scale3d");
}

void MeshLoader::setDeclared(std::string_view name, std::string_view text)
{
    if (name != "scale") return Engine::setDeclared(name, text);
    // Old scenes give three numbers; SOFA of today passes over them, with an error message.
    TextCursor c(text);
    m_scale = readAttribute(c.token());
    if (c.atEnd()) return;
    m_scale = 1.;
    msgWarning() << "scale: \"" << text << "\" is not one number, and has no effect; scale3d takes three";
}

void MeshLoader::parse(ComponentDescription& desc)
{
    Engine::parse(desc);
    if (m_scale != 1.) d_scale3d.setValue(d_scale3d.value() * m_scale);
    m_scale = 1.;
}

void MeshLoader::init() { run(); }

BoundingBox MeshLoader::boundingBox() const
{
    BoundingBox b;
    if (!isValid()) return b;
    for (const Vec3& p : d_position.value()) b.include(p);
    return b;
}

io::MeshData MeshLoader::makeMesh(const io::MeshReadOptions& options)
{
    return readFile(requireFile(d_filename), options);
}

io::MeshData MeshLoader::load()
{
    io::MeshReadOptions options;
    options.triangulate = d_triangulate.value();
    options.flipNormals = d_flipNormals.value();
    setOptions(options);
    io::MeshData mesh = makeMesh(options);
    for (const std::string& note : mesh.notes) message(Severity::Warning, note);
    transform(mesh);
    if (addsSubelements()) io::createSubelements(mesh);
    if (d_onlyAttachedPoints.value()) io::removeUnattachedPoints(mesh);
    if (mesh.normals.size() != mesh.positions.size()) io::computeNormals(mesh);
    return mesh;
}

void MeshLoader::transform(io::MeshData& mesh) const
{
    const Mat<4, 4>& m = d_transformation.value();
    if (m == Mat<4, 4>::identity()) {
        const Vec3 &s = d_scale3d.value(), &r = d_rotation.value(), &t = d_translation.value();
        if (s == Vec3{1., 1., 1.} && r == Vec3{} && t == Vec3{}) return;
        io::applyTransform(mesh, io::makeTransform(s, r, t));
        return;
    }
    if (m[3] != Vec4{0., 0., 0., 1.})
        throw std::runtime_error("transformation: expected a last row of 0 0 0 1, found " + toText(m[3]));
    if (d_scale3d.isSet() || d_rotation.isSet() || d_translation.isSet())
        msgInfo() << "the transformation matrix takes the place of scale, rotation and translation";
    io::AffineTransform t;
    t.linear = m.block<3, 3>(0, 0);
    for (std::size_t i = 0; i < 3; ++i) t.translation[i] = m[i][3];
    io::applyTransform(mesh, t);
}

namespace {

Vector<PrimitiveGroup> primitiveGroups(const io::MeshData& mesh, io::CellKind kind)
{
    Vector<PrimitiveGroup> out;
    for (const io::CellRange& r : mesh.ranges[static_cast<std::size_t>(kind)])
        out.push_back({r.group, r.material, r.materialId, static_cast<int>(r.first), static_cast<int>(r.count)});
    return out;
}

template <class T>
Vector<T> toVector(std::vector<T>& v)
{
    return Vector<T>(std::make_move_iterator(v.begin()), std::make_move_iterator(v.end()));
}

}  // namespace

void MeshLoader::store(io::MeshData& mesh)
{
    d_edgesGroups.setValue(primitiveGroups(mesh, io::CellKind::Edge));
    d_trianglesGroups.setValue(primitiveGroups(mesh, io::CellKind::Triangle));
    d_quadsGroups.setValue(primitiveGroups(mesh, io::CellKind::Quad));
    d_tetrahedraGroups.setValue(primitiveGroups(mesh, io::CellKind::Tetrahedron));
    d_hexahedraGroups.setValue(primitiveGroups(mesh, io::CellKind::Hexahedron));
    d_prismsGroups.setValue(primitiveGroups(mesh, io::CellKind::Prism));
    d_pyramidsGroups.setValue(primitiveGroups(mesh, io::CellKind::Pyramid));
    d_polygonsGroups.setValue({});
    d_polylines.setValue(toVector(mesh.polylines));
    d_polygons.setValue(toVector(mesh.polygons));
    d_highOrderEdgePositions.setValue(io::highOrderEdgePositions(mesh));
    d_edges.setValue(std::move(mesh.edges));
    d_triangles.setValue(std::move(mesh.triangles));
    d_quads.setValue(std::move(mesh.quads));
    d_tetrahedra.setValue(std::move(mesh.tetrahedra));
    d_hexahedra.setValue(std::move(mesh.hexahedra));
    d_prisms.setValue(std::move(mesh.prisms));
    d_pyramids.setValue(std::move(mesh.pyramids));
    d_highOrderTrianglePositions.setValue({});
    d_highOrderQuadPositions.setValue({});
    d_highOrderTetrahedronPositions.setValue({});
    d_highOrderHexahedronPositions.setValue({});
    d_position.setValue(std::move(mesh.positions));
    d_normals.setValue(std::move(mesh.normals));
}

void MeshLoader::doUpdate()
{
    io::MeshData mesh;
    setValid(true);
    try {
        mesh = load();
    } catch (const std::exception& e) {
        fail(reasonOf(e));
        mesh = {};
    }
    publish(mesh);
    store(mesh);
}

}  // namespace sofa::core
