// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/simulation/BodyMesh.h"

#include <algorithm>
#include <limits>

#include "core/behavior/ProjectiveConstraint.h"
#include "core/visitor/ExecutionPlan.h"
#include "core/visual/StressSource.h"

namespace sofa::core {

namespace {

using io::DataArray;
using io::MeshData;

/// The first three numbers of each point, or the numbers from `first` on; padded with zeros.
void addVectors(MeshData& mesh, const std::string& name, const Vector<double>& values, std::size_t width,
                std::size_t first = 0, std::size_t count = 3)
{
    DataArray array{name, std::max<std::size_t>(count, 3), {}};
    const std::size_t points = width ? values.size() / width : 0;
    array.values.assign(points * array.components, 0.);
    for (std::size_t i = 0; i < points; ++i)
        for (std::size_t k = 0; k < count && first + k < width; ++k)
            array.values[i * array.components + k] = values[i * width + first + k];
    mesh.pointData.push_back(std::move(array));
}

/// Velocities or forces: of frames, the part of the motion in space and that of the rotation.
void addDerivatives(MeshData& mesh, const std::string& name, const Vector<double>& values, const BaseState& s)
{
    const std::size_t width = s.derivSize();
    if (s.coordSize() == 7) {
        addVectors(mesh, name, values, width);
        addVectors(mesh, name + " (angular)", values, width, 3);
    } else {
        addVectors(mesh, name, values, width, 0, width == 6 ? 6 : 3);
    }
}

Vector<double> scalars(const BaseState& s, VecDerivId id)
{
    Vector<double> out(s.derivScalars());
    s.getScalars(id, out.data());
    return out;
}

Vector<Vec3> points(const BaseState& s, VecCoordId id)
{
    Vector<Vec3> out(s.size());
    for (Index i = 0; i < s.size(); ++i) out[i] = s.pointPosition(i, id);
    return out;
}

void addElements(MeshData& mesh, const BaseMeshTopology* topology)
{
    if (!topology) {
        mesh.points.resize(mesh.positions.size());
        for (std::size_t i = 0; i < mesh.points.size(); ++i) mesh.points[i] = static_cast<Index>(i);
        return;
    }
    const BaseMeshTopology& t = *topology;
    mesh.tetrahedra = t.tetrahedra();
    mesh.hexahedra = t.hexahedra();
    mesh.prisms = t.prisms();
    mesh.pyramids = t.pyramids();
    if (!mesh.tetrahedra.empty() || !mesh.hexahedra.empty() || !mesh.prisms.empty() || !mesh.pyramids.empty()) return;
    mesh.triangles = t.triangles();
    mesh.quads = t.quads();
    if (mesh.triangles.empty() && mesh.quads.empty()) mesh.edges = t.edges();
    if (mesh.triangles.empty() && mesh.quads.empty() && mesh.edges.empty()) addElements(mesh, nullptr);
}

std::size_t countOf(const BaseMeshTopology& t, ElementType kind)
{
    switch (kind) {
        case ElementType::Points:
            return t.nbPoints();
        case ElementType::Edges:
            return t.edges().size();
        case ElementType::Triangles:
            return t.triangles().size();
        case ElementType::Quads:
            return t.quads().size();
        case ElementType::Tetrahedra:
            return t.tetrahedra().size();
        case ElementType::Pyramids:
            return t.pyramids().size();
        case ElementType::Prisms:
            return t.prisms().size();
        case ElementType::Hexahedra:
            return t.hexahedra().size();
    }
    return 0;
}

/// Where the elements of a kind begin among the cells of a file, and whether it has them.
std::optional<std::size_t> placeOf(const MeshData& mesh, ElementType kind)
{
    // The order of cellData: see io::VtkCellList::ordered.
    const std::pair<ElementType, std::size_t> order[] = {
        {ElementType::Points, mesh.points.size()},         {ElementType::Edges, mesh.edges.size()},
        {ElementType::Triangles, mesh.triangles.size()},   {ElementType::Quads, mesh.quads.size()},
        {ElementType::Tetrahedra, mesh.tetrahedra.size()}, {ElementType::Hexahedra, mesh.hexahedra.size()},
        {ElementType::Prisms, mesh.prisms.size()},         {ElementType::Pyramids, mesh.pyramids.size()}};
    std::size_t at = 0;
    for (const auto& [k, n] : order) {
        if (k == kind) return n > 0 ? std::optional(at) : std::nullopt;
        at += n;
    }
    return std::nullopt;
}

void addStresses(MeshData& mesh, const Body& body, const StressSource& source, const std::string& name)
{
    const ElementNumbering numbering = source.stressedElements();
    if (source.stressedState() != body.state || !body.topology || numbering.topology != body.topology) return;
    Vector<double> stresses;
    const VecCoordId rest = body.state->isAllocated(vec_id::restPosition) ? vec_id::restPosition : vec_id::position;
    source.vonMisesStresses(numbering, points(*body.state, rest), mesh.positions, stresses);
    DataArray array{name, 1, {}};
    const std::size_t cells = mesh.points.size() + mesh.edges.size() + mesh.triangles.size() + mesh.quads.size() +
                              mesh.tetrahedra.size() + mesh.hexahedra.size() + mesh.prisms.size() +
                              mesh.pyramids.size();
    array.values.assign(cells, std::numeric_limits<double>::quiet_NaN());
    std::size_t next = 0;
    for (const ElementType kind : numbering.kinds) {
        const auto place = placeOf(mesh, kind);
        for (std::size_t e = 0; e < countOf(*body.topology, kind); ++e) {
            double sum = 0.;
            for (Index part = 0; part < numbering.parts && next < stresses.size(); ++part) sum += stresses[next++];
            if (place) array.values[*place + e] = sum / numbering.parts;
        }
    }
    mesh.cellData.push_back(std::move(array));
}

}  // namespace

std::vector<Body> bodiesOf(Node& root)
{
    std::vector<Body> bodies;
    const auto& independent = ExecutionPlan::of(root).independentStates();
    for (BaseState* s : root.getAll<BaseState>(Search::Down)) {
        if (!s->node() || s->size() == 0) continue;
        const auto* topology = s->node()->get<BaseMeshTopology>(Search::Local);
        const bool onPoints = topology && topology->topologyType() != ElementType::Points;
        const bool isFree = std::find(independent.begin(), independent.end(), s) != independent.end();
        if (onPoints || isFree) bodies.push_back({s, onPoints ? topology : nullptr, isFree});
    }
    return bodies;
}

io::MeshData bodyMesh(const Body& body, Node& root, ProbeForces& forces)
{
    BaseState& s = *body.state;
    MeshData mesh;
    mesh.positions = points(s, vec_id::position);
    addElements(mesh, body.topology);
    if (s.isAllocated(vec_id::restPosition)) {
        Vector<double> displacement;
        const Vector<Vec3> rest = points(s, vec_id::restPosition);
        for (std::size_t i = 0; i < rest.size(); ++i)
            for (std::size_t k = 0; k < 3; ++k) displacement.push_back(mesh.positions[i][k] - rest[i][k]);
        addVectors(mesh, "displacement", displacement, 3);
    }
    if (s.coordSize() == 7) {
        Vector<double> coordinates(s.size() * 7);
        s.getScalars(vec_id::position, coordinates.data());
        addVectors(mesh, "orientation", coordinates, 7, 3, 4);
    }
    if (s.isAllocated(vec_id::velocity)) addDerivatives(mesh, "velocity", scalars(s, vec_id::velocity), s);
    if (!body.independent) return mesh;
    addDerivatives(mesh, "force", forces.total(s), s);
    Vector<double> reaction;
    for (auto* c : root.getAll<BaseProjectiveConstraint>(Search::Down)) {
        if (c->states() != std::vector<BaseState*>{&s}) continue;
        const NumberList list = forces.reaction(*c);
        reaction.resize(list.values.size(), 0.);
        for (std::size_t i = 0; i < reaction.size(); ++i) reaction[i] += list.values[i];
    }
    if (!reaction.empty()) addDerivatives(mesh, "reaction", reaction, s);
    std::vector<const StressSource*> sources;
    for (auto* c : root.getAll<Component>(Search::Down))
        if (const auto* source = dynamic_cast<const StressSource*>(c); source && source->stressedState() == &s)
            sources.push_back(source);
    for (const StressSource* source : sources)
        addStresses(
            mesh, body, *source,
            sources.size() == 1 ? "vonMises" : "vonMises (" + dynamic_cast<const Component&>(*source).name() + ")");
    return mesh;
}

}  // namespace sofa::core
