// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/mass/MeshMass.h"

#include <algorithm>

#include "components/mass/MassDrawing.h"
#include "core/mesh/ElementsAround.h"
#include "core/objectmodel/Node.h"
#include "core/topology/ElementsOf.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

using core::Index;
using core::Vec3;

namespace {

double triangleArea(const Vec3& a, const Vec3& b, const Vec3& c) { return 0.5 * norm(cross(b - a, c - a)); }

double tetrahedronVolume(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d)
{
    return std::abs(dot(cross(b - a, c - a), d - a) / 6.);
}

}  // namespace

double elementMeasure(MassElement kind, const Vec3* p)
{
    switch (kind) {
        case MassElement::Edge:
            return norm(p[1] - p[0]);
        case MassElement::Triangle:
            return triangleArea(p[0], p[1], p[2]);
        case MassElement::Quad:
            return triangleArea(p[0], p[1], p[2]) + triangleArea(p[0], p[2], p[3]);
        case MassElement::Tetrahedron:
            return tetrahedronVolume(p[0], p[1], p[2], p[3]);
        case MassElement::Hexahedron:
            return tetrahedronVolume(p[0], p[5], p[1], p[6]) + tetrahedronVolume(p[0], p[1], p[3], p[6]) +
                   tetrahedronVolume(p[1], p[3], p[6], p[2]) + tetrahedronVolume(p[6], p[3], p[0], p[7]) +
                   tetrahedronVolume(p[6], p[7], p[0], p[5]) + tetrahedronVolume(p[7], p[5], p[4], p[0]);
        case MassElement::None:
            break;
    }
    return 0.;
}

template <class D, class G>
MeshMass<D, G>::MeshMass(bool massOnRest)
    : d_computeMassOnRest(this,
                          {.name = "computeMassOnRest",
                           .help = "Integrate the density over the rest positions instead of the initial positions"},
                          massOnRest)
{
}

template <class D, class G>
std::vector<std::string> MeshMass<D, G>::templateNames()
{
    const std::string d(D::name()), g(G::name());
    if (d == g) return {d + ',' + g, d};
    return {d + ',' + g};
}

template <class D, class G>
bool MeshMass<D, G>::canCreate(const core::Node* node, const core::ComponentDescription& desc, std::string& why)
{
    if (!core::stateHasType<D>(node, desc, "mstate", why)) return false;
    if (desc.find("geometryState")) return core::stateHasType<G>(node, desc, "geometryState", why);
    if (!std::is_same_v<D, G> && desc.templ.empty()) {
        why = "template " + std::string(D::name()) + ',' + std::string(G::name()) +
              " must be asked for by name or by a geometryState";
        return false;
    }
    return true;
}

template <class D, class G>
bool MeshMass<D, G>::findMesh(std::string& why)
{
    std::string error;
    if (!l_topology.resolve(error)) return why = "topology: " + error, false;
    if (!l_topology) l_topology.set(this->node()->template get<core::BaseMeshTopology>());
    if (!l_topology) return why = "it needs a topology in its node or above", false;
    if (!l_geometryState.resolve(error)) return why = "geometryState: " + error, false;
    if (!l_geometryState) {
        auto* s = l_topology->node()->template get<core::BaseState>();
        auto* typed = dynamic_cast<core::State<G>*>(s);
        // A mesh below or beside its state: the mass's own state, if it is of the type.
        if (!typed) typed = dynamic_cast<core::State<G>*>(static_cast<core::BaseState*>(this->l_state.get()));
        if (!typed)
            return why = s ? "the state '" + s->pathName() + "' of the mesh is of type " + s->templateName() +
                                 ", not " + std::string(G::name())
                           : "the mesh '" + l_topology->pathName() + "' has no state with its positions",
                   false;
        l_geometryState.set(typed);
    }
    findElement();
    const core::BaseMeshTopology& t = *l_topology;
    m_changeable = dynamic_cast<const core::StoredTopology*>(&t);
    if (m_element != MassElement::None || t.node()->template get<core::TopologyModifier>(core::Search::Local))
        return true;
    why = "the mesh '" + t.pathName() + "' has no elements";
    return false;
}

template <class D, class G>
void MeshMass<D, G>::keepMeasures()
{
    m_keepsMeasures = true;
    if (m_element == MassElement::None) findElement();
}

template <class D, class G>
void MeshMass<D, G>::measureAtRest()
{
    const core::State<G>* s = l_geometryState.get();
    if (m_keepsMeasures || m_measures.empty() || !m_atRest.empty() || !s || !s->isAllocated(core::vec_id::restPosition))
        return;
    const auto& x = s->read(core::vec_id::restPosition);
    const core::ElementType type = elementNumbering().kinds[0];
    const std::span<const Index> all = core::verticesOf(*l_topology, type);
    const std::size_t n = core::nodeCount(type);
    if (all.size() != m_measures.size() * n || std::ranges::any_of(all, [&](Index v) { return v >= x.size(); })) return;
    for (std::size_t e = 0; e < m_measures.size(); ++e) {
        Vec3 p[8];
        for (std::size_t k = 0; k < n; ++k) p[k] = G::position(x[all[e * n + k]]);
        m_atRest.push_back(elementMeasure(m_element, p));
    }
}

template <class D, class G>
void MeshMass<D, G>::findElement()
{
    const core::BaseMeshTopology& t = *l_topology;
    m_element = !t.hexahedra().empty()    ? MassElement::Hexahedron
                : !t.tetrahedra().empty() ? MassElement::Tetrahedron
                : !t.quads().empty()      ? MassElement::Quad
                : !t.triangles().empty()  ? MassElement::Triangle
                : !t.edges().empty()      ? MassElement::Edge
                                          : MassElement::None;
}

template <class D, class G>
core::ElementNumbering MeshMass<D, G>::elementNumbering() const
{
    constexpr core::ElementType types[] = {core::ElementType::Points,     core::ElementType::Edges,
                                           core::ElementType::Triangles,  core::ElementType::Quads,
                                           core::ElementType::Tetrahedra, core::ElementType::Hexahedra};
    return {l_topology.get(), {types[static_cast<int>(m_element)]}};
}

template <class D, class G>
std::size_t MeshMass<D, G>::elementCount() const
{
    return m_element == MassElement::None ? 0 : core::elementCount(*l_topology, elementNumbering().kinds[0]);
}

template <class D, class G>
std::function<double(Index, std::span<const Index>)> MeshMass<D, G>::measure() const
{
    const core::State<G>& s = *l_geometryState;
    const bool hasRest = s.isAllocated(core::vec_id::restPosition);
    const auto& x = s.read(hasRest && (m_keepsMeasures || d_computeMassOnRest.value()) ? core::vec_id::restPosition
                                                                                       : core::vec_id::position);
    const std::size_t points = std::min<std::size_t>(x.size(), this->state().size());
    const core::ElementType type = elementNumbering().kinds[0];
    return [this, &x, points, type](Index e, std::span<const Index> vertices) {
        Vec3 p[8];
        for (std::size_t k = 0; k < vertices.size(); ++k) {
            if (vertices[k] >= points)
                throw std::runtime_error("the mesh '" + l_topology->pathName() + "' has a vertex " +
                                         std::to_string(vertices[k]) + ", but the states have only " +
                                         std::to_string(points) + " points");
            p[k] = G::position(x[vertices[k]]);
        }
        const double now = elementMeasure(m_element, p);
        if (!m_keepsMeasures) return now;
        const Index initial = m_changeable ? m_changeable->initialIndex(type, e) : e;
        if (initial >= m_measures.size()) return now;
        const bool wasMoved = initial < m_atRest.size() && now != m_atRest[initial];
        return wasMoved ? now : m_measures[initial];
    };
}

template <class D, class G>
void MeshMass<D, G>::forEachElement(const std::function<void(Index, std::span<const Index>, double)>& f) const
{
    if (m_element == MassElement::None) return;
    const bool first = m_measures.empty() && !m_keepsMeasures;
    const core::ElementType type = elementNumbering().kinds[0];
    const auto measureOf = measure();
    const std::span<const Index> all = core::verticesOf(*l_topology, type);
    const std::size_t n = core::nodeCount(type);
    for (Index e = 0; e < all.size() / n; ++e) {
        const auto vertices = all.subspan(e * n, n);
        const double m = measureOf(e, vertices);
        if (first) m_measures.push_back(m);
        f(e, vertices, m);
    }
}

template <class D, class G>
typename MeshMass<D, G>::Measured MeshMass<D, G>::measureTouched(const core::TopologyChange& change) const
{
    const core::ElementType type = elementNumbering().kinds[0];
    const auto& list = *m_changeable->list(type);
    const auto measureOf = measure();
    Measured m{change.touchedElements(*l_topology, type), {}};
    for (const Index e : m.elements) m.measures.push_back(measureOf(e, list.element(e)));
    return m;
}

template <class D, class G>
void MeshMass<D, G>::forEachElementOn(std::span<const Index> points, const Measured& measured,
                                      const std::function<void(Index, std::span<const Index>, double)>& f) const
{
    const auto& list = *m_changeable->list(elementNumbering().kinds[0]);
    for (const Index e : list.around(points[0]))
        if (const auto vertices = list.element(e); core::hasAll(vertices, points)) {
            const auto at = std::ranges::lower_bound(measured.elements, e) - measured.elements.begin();
            f(e, vertices, measured.measures[static_cast<std::size_t>(at)]);
        }
}

template <class D, class G>
std::optional<core::Vector<Index>> MeshMass<D, G>::touchedPoints(const core::TopologyChange& change) const
{
    if (m_element == MassElement::None || !m_changeable || m_changeable->nbPoints() != this->state().size())
        return std::nullopt;
    return change.touchedPoints(*l_topology);
}

template <class D, class G>
void MeshMass<D, G>::keep(const core::TopologyChange& change, core::BaseData& masses)
{
    change.ifTakenBack(
        [&masses, value = masses.shareValue(), isSet = masses.isSet()] { masses.restoreValue(value, isSet); });
}

template <class D, class G>
void MeshMass<D, G>::updateMasses(const core::TopologyChange& change, core::Data<core::Vector<double>>& masses,
                                  MassSum& sum, const core::ElementSource& source, const core::Vector<Index>& touched,
                                  const std::function<double(Index)>& massAt) const
{
    const bool wasSum = sum.isOf(masses);
    std::function<void(core::Vector<double>&)> undo;
    std::vector<std::pair<Index, double>> replaced;
    {
        const auto v = masses.edit();
        undo = source.follow(*v);
        for (const Index i : touched) {
            replaced.emplace_back(i, v[i]);
            v[i] = massAt(i);
        }
    }
    if (wasSum) {
        core::Vector<Index> changed = touched;
        for (const auto& m : source.moved) changed.push_back(m.now);
        sum.change(masses, changed);
    }
    change.ifTakenBack([&masses, undo = std::move(undo), replaced = std::move(replaced)] {
        const auto w = masses.edit();
        for (const auto& [i, value] : replaced) w[i] = value;
        undo(*w);
    });
}

template <class D, class G>
core::Vector<Index> MeshMass<D, G>::edgesOf(Index element) const
{
    const auto list = [](const auto& a) { return core::Vector<Index>(a.begin(), a.end()); };
    switch (m_element) {
        case MassElement::Edge:
            return {element};
        case MassElement::Triangle:
            return list(l_topology->edgesInTriangle(element));
        case MassElement::Quad:
            return list(l_topology->edgesInQuad(element));
        case MassElement::Tetrahedron:
            return list(l_topology->edgesInTetrahedron(element));
        case MassElement::Hexahedron:
            return list(l_topology->edgesInHexahedron(element));
        case MassElement::None:
            break;
    }
    return {};
}

template <class D, class G>
void MeshMass<D, G>::draw(core::DrawTool& tool)
{
    if (!tool.shows(core::DisplayFlags::BehaviorModels) || !this->l_state) return;
    const auto points =
        l_geometryState ? core::drawnPoints(tool, *l_geometryState) : core::drawnPoints(tool, this->state());
    tool.points(points, core::plainStyle(core::Color(), 2.f));
    if (d_showGravityCenter.value())
        drawCenterOfMass(
            tool, points, [this](core::Index i) { return this->pointMass(i); },
            static_cast<double>(d_showAxisSizeFactor.value()), core::Color(1.f, 0.f, 1.f));
}

#define SOFA_INSTANTIATE(D, G) template class MeshMass<D, G>;
SOFA_MESH_MASS_INSTANCES(SOFA_INSTANTIATE)
SOFA_RIGID_MESH_MASS_INSTANCES(SOFA_INSTANTIATE)
#undef SOFA_INSTANTIATE

}  // namespace sofa::component
