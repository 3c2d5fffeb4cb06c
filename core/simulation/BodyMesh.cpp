// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/simulation/BodyMesh.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/behavior/ConstraintCorrection.h"
#include "core/behavior/ProjectiveConstraint.h"
#include "core/fem/ElementResults.h"
#include "core/io/VtkCells.h"
#include "core/objectmodel/DataNumbers.h"
#include "core/topology/BezierTopology.h"
#include "core/topology/ElementsOf.h"
#include "core/visitor/ExecutionPlan.h"

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

void addElements(MeshData& mesh, const Body& body)
{
    if (!body.topology || body.dimension == 0) {
        mesh.points.resize(mesh.positions.size());
        for (std::size_t i = 0; i < mesh.points.size(); ++i) mesh.points[i] = static_cast<Index>(i);
        return;
    }
    const BaseMeshTopology& t = *body.topology;
    if (body.dimension == 1) {
        mesh.edges = t.edges();
    } else if (body.dimension == 2) {
        mesh.quads = t.quads();
        if (!areHalves(t.triangles(), t.quads())) mesh.triangles = t.triangles();
    } else {
        mesh.tetrahedra = t.tetrahedra();
        mesh.hexahedra = t.hexahedra();
        mesh.prisms = t.prisms();
        mesh.pyramids = t.pyramids();
    }
}

bool hasElements(const ElementNumbering& n, std::size_t dimension)
{
    return std::ranges::any_of(n.kinds, [&](ElementType type) {
        return dimensionOf(type) == dimension && elementCount(*n.topology, type) > 0;
    });
}

bool isOn(const Body& body, const ElementResults& source)
{
    const ElementNumbering n = source.resultElements();
    return body.topology && body.state == source.resultState() && body.topology == n.topology &&
           hasElements(n, body.dimension);
}

/// Makes tetrahedra of the second order of quadratic Bézier ones: control points of edges go to the middle of their
/// curves, displacements and velocities too, and edges of degree 1 get a point there.
void putOnCurves(MeshData& mesh, const BezierTopology& curved, const Vector<Edge>& edges)
{
    const Vector<Index>& control = curved.edgeControlPoints();
    const MiddlePoints& middles = curved.middlePoints();
    const bool isLinear = std::ranges::all_of(control, [](Index c) { return c == InvalidIndex; });
    if (isLinear || mesh.positions.size() != middles.first) return;
    Index added = middles.first;
    for (std::size_t e = 0; e < edges.size(); ++e)
        mesh.midsideNodes.push_back({edges[e], control[e] == InvalidIndex ? added++ : control[e]});
    const auto move = [&](double* values, std::size_t width) {
        for (const io::MidsideNode& m : mesh.midsideNodes)
            for (std::size_t k = 0; k < width; ++k) {
                const double chord = 0.5 * (values[m.ends[0] * width + k] + values[m.ends[1] * width + k]);
                double& value = values[m.node * width + k];
                value = m.node >= middles.first ? chord : 0.5 * (chord + value);
            }
    };
    mesh.positions.resize(added);
    move(mesh.positions[0].data(), 3);
    for (DataArray& array : mesh.pointData) {
        array.values.resize(added * array.components);
        if (array.name == "displacement" || array.name == "velocity") move(array.values.data(), array.components);
    }
}

/// Where the cells of a kind begin among all those of the mesh, and how many cells there are.
std::pair<std::size_t, std::size_t> cellsOf(const MeshData& mesh, io::CellKind wanted)
{
    std::size_t at = 0, all = 0;
    for (const io::CellKind kind : io::cellOrder) {
        if (kind == wanted) at = all;
        all += mesh.cellCount(kind);
    }
    return {at, all};
}

io::CellKind cellKindOf(ElementType type)
{
    switch (type) {
        case ElementType::Points:
            return io::CellKind::Point;
        case ElementType::Edges:
            return io::CellKind::Edge;
        case ElementType::Triangles:
            return io::CellKind::Triangle;
        case ElementType::Quads:
            return io::CellKind::Quad;
        case ElementType::Tetrahedra:
            return io::CellKind::Tetrahedron;
        case ElementType::Pyramids:
            return io::CellKind::Pyramid;
        case ElementType::Prisms:
            return io::CellKind::Prism;
        case ElementType::Hexahedra:
            return io::CellKind::Hexahedron;
    }
    return io::CellKind::Point;
}

NumberList quantity(Base& object, std::string_view name)
{
    NumberList out;
    if (const BaseData* d = object.findReadable(name)) numbersOf(*d, out);
    return out;
}

/// What the value of a cell is of those of its parts.
enum class PartsAre
{
    Averaged,
    Summed
};

/// Adds values of elements as values of cells. A list that has nothing of them is left out.
void addElementField(MeshData& mesh, const ElementNumbering& numbering, const std::string& name, const NumberList& list,
                     PartsAre partsAre)
{
    if (list.values.empty()) return;
    const std::size_t width = list.width, cells = cellsOf(mesh, io::CellKind::Point).second;
    DataArray array{name, width, Vector<double>(cells * width, std::numeric_limits<double>::quiet_NaN())};
    const double* next = list.values.data();
    const double* const end = next + list.values.size();
    Vector<double> sum;
    for (const ElementType type : numbering.kinds) {
        // Triangles may be halves of quads (addElements).
        const bool halves = type == ElementType::Triangles && mesh.triangles.empty() && !mesh.quads.empty();
        const io::CellKind kind = halves ? io::CellKind::Quad : cellKindOf(type);
        const std::size_t parts = numbering.parts * (halves ? 2u : 1u);
        const std::size_t first = cellsOf(mesh, kind).first;
        const std::size_t cellsThere = elementCount(*numbering.topology, type) * numbering.parts / parts;
        const double share = partsAre == PartsAre::Summed ? 1. : 1. / static_cast<double>(parts);
        for (std::size_t e = 0; e < cellsThere; ++e) {
            sum.assign(width, 0.);
            for (std::size_t part = 0; part < parts && next < end; ++part)
                for (double& v : sum) v += *next++;
            if (mesh.cellCount(kind) == cellsThere)
                for (std::size_t k = 0; k < width; ++k) array.values[(first + e) * width + k] = sum[k] * share;
        }
    }
    if (std::ranges::any_of(array.values, [](double v) { return !std::isnan(v); }))
        mesh.cellData.push_back(std::move(array));
}

}  // namespace

BodyMeshes::BodyMeshes(Node& scope)
    : m_forces(scope.root()), m_touches(!scope.root().getAll<ContactManager>(Search::Down).empty())
{
    const auto& list = ExecutionPlan::of(scope.root()).independentStates();
    const std::set<const BaseState*> independent(list.begin(), list.end());
    for (Component* c : scope.getAll<Component>(Search::Down)) {
        if (auto* s = dynamic_cast<BaseState*>(c); s && s->size() > 0) {
            const auto* topology = s->node()->get<BaseMeshTopology>(Search::Local);
            const std::size_t dimension = topology ? dimensionOf(topology->topologyType()) : 0;
            if (dimension == 0) topology = nullptr;
            const bool isFree = independent.count(s) > 0;
            if (topology || isFree) m_bodies.push_back({s, topology, dimension, isFree, s});
        }
        if (auto* constraint = dynamic_cast<BaseProjectiveConstraint*>(c);
            constraint && constraint->states().size() == 1)
            m_constraints.emplace(constraint->states()[0], constraint);
        if (const auto* source = dynamic_cast<const ElementResults*>(c);
            source && c->isValid() && source->resultState() && source->resultElements().topology)
            m_sources.push_back(c);
    }
    for (Component* c : m_sources) addSource(*c, independent);
}

void BodyMeshes::addSource(Component& c, const std::set<const BaseState*>& independent)
{
    const auto& source = dynamic_cast<const ElementResults&>(c);
    const ElementNumbering elements = source.resultElements();
    for (std::size_t dimension = 3; dimension > 0; --dimension) {
        Body body{source.resultState(), elements.topology, dimension, true, &c};
        body.independent = independent.count(body.state) > 0;
        if (isOn(body, source) &&
            std::ranges::none_of(m_bodies, [&](const Body& b) { return b.dimension == dimension && isOn(b, source); }))
            m_bodies.push_back(body);
    }
}

Vector<double> BodyMeshes::reaction(const BaseState& s)
{
    Vector<double> sum;
    const auto [begin, end] = m_constraints.equal_range(&s);
    for (auto it = begin; it != end; ++it) {
        const NumberList list = quantity(*it->second, "reaction");
        sum.resize(list.values.size(), 0.);
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += list.values[i];
    }
    return sum;
}

void BodyMeshes::addElementFields(MeshData& mesh, const Body& body) const
{
    std::vector<Component*> sources;
    std::ranges::copy_if(m_sources, std::back_inserter(sources),
                         [&](Component* c) { return isOn(body, dynamic_cast<const ElementResults&>(*c)); });
    const auto suffixOf = [&](const Component& c) -> std::string {
        if (sources.size() < 2) return "";
        const auto same = std::ranges::count_if(sources, [&](const Component* o) { return o->name() == c.name(); });
        return " (" + (same > 1 ? c.pathName() : c.name()) + ')';
    };
    for (Component* c : sources) {
        auto& source = dynamic_cast<ElementResults&>(*c);
        const ElementNumbering numbering = source.resultElements();
        const std::string suffix = suffixOf(*c);
        const auto add = [&](const std::string& name, const NumberList& list, PartsAre parts) {
            addElementField(mesh, numbering, name + suffix, list, parts);
        };
        add("stress", quantity(*c, "stress"), PartsAre::Averaged);
        add("vonMises", quantity(*c, "vonMises"), PartsAre::Averaged);
        add("strain", quantity(*c, "strain"), PartsAre::Averaged);
        add("energy", quantity(*c, "elementEnergy"), PartsAre::Summed);
        for (ElementResults::Parameter& p : source.materialParameters())
            add(p.name, {std::move(p.values), p.width}, PartsAre::Averaged);
    }
}

io::MeshData BodyMeshes::mesh(const Body& body)
{
    MeshData mesh;
    mesh.positions = points(*body.state, vec_id::position);
    addElements(mesh, body);
    addElementFields(mesh, body);
    addPointFields(mesh, body);
    if (const auto* curved = dynamic_cast<const BezierTopology*>(body.topology))
        putOnCurves(mesh, *curved, body.topology->edges());
    return mesh;
}

void BodyMeshes::addPointFields(MeshData& mesh, const Body& body)
{
    BaseState& s = *body.state;
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
    if (!body.independent) return;
    addDerivatives(mesh, "force", quantity(s, "totalForce").values, s);
    if (const Vector<double> held = reaction(s); !held.empty()) addDerivatives(mesh, "reaction", held, s);
    if (m_touches) addDerivatives(mesh, "contactForce", quantity(s, "contactForce").values, s);
    if (s.node()->get<ConstraintSolver>(Search::Up))
        addDerivatives(mesh, "constraintForce", quantity(s, "constraintForce").values, s);
}

}  // namespace sofa::core
