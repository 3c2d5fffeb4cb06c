// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/mass/MeshMatrixMass.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "core/behavior/ScalarBlockSink.h"
#include "core/factory/Registry.h"
#include "core/objectmodel/Node.h"

namespace sofa::component {

using core::Index;
using core::MechanicalParams;
using core::Vector;

namespace {

/// The table of the class documentation.
MeshMassWeights weightsOf(MassElement e, bool withDiagonals)
{
    switch (e) {
        case MassElement::Edge:
            return {3., 6., 0., 0., 1.5};
        case MassElement::Triangle:
            return {6., 12., 0., 0., 2.};
        case MassElement::Quad:
            return withDiagonals ? MeshMassWeights{9., 18., 36., 0., 2.25} : MeshMassWeights{8., 16., 0., 0., 2.};
        case MassElement::Tetrahedron:
            return {10., 20., 0., 0., 2.5};
        case MassElement::Hexahedron:
            return withDiagonals ? MeshMassWeights{27., 54., 108., 216., 3.375}
                                 : MeshMassWeights{20., 40., 0., 0., 2.5};
        case MassElement::None:
            break;
    }
    return {1., 1., 0., 0., 1.};
}

using Pairs = std::span<const std::array<std::size_t, 2>>;
constexpr std::array<std::array<std::size_t, 2>, 2> s_quadDiagonals{{{0, 2}, {1, 3}}};
constexpr std::array<std::array<std::size_t, 2>, 12> s_faceDiagonals{
    {{0, 2}, {1, 3}, {4, 6}, {5, 7}, {0, 5}, {1, 4}, {1, 6}, {2, 5}, {2, 7}, {3, 6}, {3, 4}, {0, 7}}};
constexpr std::array<std::array<std::size_t, 2>, 4> s_bodyDiagonals{{{0, 6}, {1, 7}, {2, 4}, {3, 5}}};

}  // namespace

template <class D, class G>
MeshMatrixMass<D, G>::MeshMatrixMass() : Base(false)
{
    for (const char* name : {"defaultValue", "integrationMethod", "integrationOrder", "numericalIntegrationMethod"})
        this->ignoreAttribute(name, "the integration over linear elements is exact");
    m_total.track(this->d_totalMass);
    m_density.track(d_massDensity);
}

template <class D, class G>
void MeshMatrixMass<D, G>::init()
{
    Base::init();
    if (!this->isValid()) return;
    std::string why;
    if (!this->findMesh(why)) return this->fail(why);

    const bool total = this->d_totalMass.isSet(), density = d_massDensity.isSet(), vertex = d_vertexMass.isSet();
    if (total && (density || vertex))
        this->msgWarning() << "several of totalMass, massDensity and vertexMass are given: totalMass is used";
    else if (density && vertex)
        this->msgWarning() << "both massDensity and vertexMass are given: massDensity is used";
    m_fromMasses = !total && !density && vertex;
    if (total || (!density && !vertex))
        fromTotalMass();
    else if (density)
        fromDensity();
    else
        fromMasses();
    if (this->isValid() && d_printMass.value())
        this->message(core::Severity::Info, "total mass " + core::toText(totalOfEntries()) + " kg");
}

template <class D, class G>
void MeshMatrixMass<D, G>::reinit()
{
    followChanges();
}

template <class D, class G>
void MeshMatrixMass<D, G>::setDensity(double density)
{
    d_massDensity.setValue(Vector<double>(this->elementCount(), density));
}

template <class D, class G>
bool MeshMatrixMass<D, G>::checkDensity()
{
    const Vector<double> density = d_massDensity.value();
    const std::size_t n = this->elementCount();
    if (density.size() != 1 && density.size() != n &&
        (!this->tolerate("massDensity has " + std::to_string(density.size()) + " values: one, or one for each of the " +
                             std::to_string(n) + " elements, is expected",
                         "the first one holds everywhere") ||
         density.empty()))
        return false;
    const auto negative = std::find_if(density.begin(), density.end(), [](double d) { return d < 0.; });
    if (negative != density.end()) {
        this->fail("massDensity " + core::toText(*negative) + " of element " +
                   std::to_string(negative - density.begin()) + " is negative");
        return false;
    }
    if (density.size() != n) setDensity(density.front());
    return true;
}

template <class D, class G>
double MeshMatrixMass<D, G>::integrate()
{
    const bool lumped = d_lumping.value();
    m_weights =
        weightsOf(this->element(), !lumped && !m_fromMasses && this->compatibility() == core::Compatibility::Exact);
    const MeshMassWeights& w = m_weights;
    const auto& density = d_massDensity.value();
    const auto vertexMass = d_vertexMass.edit();
    const auto edgeMass = d_edgeMass.edit();
    vertexMass->assign(this->state().size(), 0.);
    edgeMass->assign(this->l_topology->edges().size(), 0.);
    double total = 0.;
    // Edges before vertices, each in its own sweep: the sums are those of SOFA to the last bit.
    try {
        if (!lumped)
            this->forEachElement([&](Index e, std::span<const Index>, double measure) {
                const double part = (density[e] * measure) / w.edge;
                const Vector<Index> edges = this->edgesOf(e);
                for (const Index k : edges) {
                    if (k >= edgeMass.size())
                        throw std::runtime_error("the mesh '" + this->l_topology->pathName() +
                                                 "' lacks an edge of its element " + std::to_string(e));
                    edgeMass[k] += part;
                }
                total += static_cast<double>(edges.size()) * part * 2.;
            });
        this->forEachElement([&](Index e, std::span<const Index> vertices, double measure) {
            const double part = (density[e] * measure) / w.vertex;
            for (const Index v : vertices) vertexMass[v] += part;
            total += static_cast<double>(vertices.size()) * part * (lumped ? w.lumping : 1.);
        });
        total += integrateDiagonals(*vertexMass, *edgeMass);
    } catch (const std::runtime_error& e) {
        this->fail(e);
    }
    return total;
}

template <class D, class G>
double MeshMatrixMass<D, G>::integrateDiagonals(Vector<double>& vertexMass, Vector<double>& edgeMass)
{
    m_diagonals = {};
    if (m_weights.face == 0.) return 0.;
    using Place = core::Edge;
    const auto placeOf = [](Index a, Index b) { return Place{std::min(a, b), std::max(a, b)}; };
    const auto first = [](const auto& p) { return p.first; };
    const bool isQuad = this->element() == MassElement::Quad;
    const auto& density = d_massDensity.value();
    std::vector<std::pair<Place, double>> parts;
    this->forEachElement([&](Index e, std::span<const Index> vertices, double measure) {
        const auto add = [&](Pairs pairs, double weight) {
            for (const auto& [i, j] : pairs)
                parts.push_back({placeOf(vertices[i], vertices[j]), (density[e] * measure) / weight});
        };
        add(isQuad ? Pairs(s_quadDiagonals) : Pairs(s_faceDiagonals), m_weights.face);
        if (!isQuad) add(s_bodyDiagonals, m_weights.body);
    });
    std::ranges::stable_sort(parts, {}, first);
    // A diagonal of one element may be an edge of the mesh, or join a vertex with itself.
    const auto& edges = this->l_topology->edges();
    std::vector<std::pair<Place, std::size_t>> places;
    for (std::size_t k = 0; k < edges.size(); ++k) places.push_back({placeOf(edges[k][0], edges[k][1]), k});
    std::ranges::sort(places, {}, first);
    double total = 0.;
    for (const auto& [place, mass] : parts) {
        total += 2. * mass;
        const auto edge = std::ranges::lower_bound(places, place, {}, first);
        if (place[0] == place[1]) {
            vertexMass[place[0]] += 2. * mass;
        } else if (edge != places.end() && edge->first == place) {
            edgeMass[edge->second] += mass;
        } else {
            if (m_diagonals.places.empty() || m_diagonals.places.back() != place) {
                m_diagonals.places.push_back(place);
                m_diagonals.masses.push_back(0.);
            }
            m_diagonals.masses.back() += mass;
        }
    }
    return total;
}

template <class D, class G>
void MeshMatrixMass<D, G>::findDiagonals()
{
    if (m_weights.face == 0.) return;
    Vector<double> vertexMass(d_vertexMass.value().size()), edgeMass(this->l_topology->edges().size());
    integrateDiagonals(vertexMass, edgeMass);
}

template <class D, class G>
void MeshMatrixMass<D, G>::fromTotalMass()
{
    const double total = this->d_totalMass.value();
    if (!acceptMass(*this, total, "totalMass is " + this->d_totalMass.text() + " kg")) return;
    setDensity(1.);
    const double volume = integrate();
    const double density = volume > std::numeric_limits<double>::epsilon() ? total / volume : 1.;
    setDensity(density);
    for (double& m : d_vertexMass.edit()) m *= density;
    for (double& m : d_edgeMass.edit()) m *= density;
    findDiagonals();
    forgetChanges();
}

template <class D, class G>
void MeshMatrixMass<D, G>::fromDensity()
{
    if (!checkDensity()) return;
    integrate();
    this->d_totalMass.setValue(totalOfEntries());
    forgetChanges();
}

template <class D, class G>
void MeshMatrixMass<D, G>::fromMasses()
{
    Vector<double> vertexMass = d_vertexMass.value(), edgeMass = d_edgeMass.value();
    const bool edges = d_edgeMass.isSet();
    if (!edges && !d_lumping.value()) return this->fail("vertexMass needs edgeMass, or lumping");
    const auto check = [&](Vector<double>& m, std::size_t n, const char* name, const char* what) {
        if (m.size() != n && this->tolerate(std::string(name) + " has " + std::to_string(m.size()) + " values for " +
                                                std::to_string(n) + ' ' + what,
                                            "missing ones are zero"))
            m.resize(n);
        if (std::any_of(m.begin(), m.end(), [](double v) { return v < 0.; }))
            this->fail(std::string(name) + " has a negative value");
        return this->isValid();
    };
    if (!check(vertexMass, this->state().size(), "vertexMass", "points")) return;
    if (edges && !check(edgeMass, this->l_topology->edges().size(), "edgeMass", "edges")) return;

    setDensity(1.);
    integrate();
    const double volume = m_vertexSum.of(d_vertexMass) * m_weights.lumping;
    d_vertexMass.setValue(vertexMass);
    if (edges) d_edgeMass.setValue(edgeMass);
    this->d_totalMass.setValue(totalOfEntries());
    setDensity(volume > 0. ? this->d_totalMass.value() / volume : 1.);
    forgetChanges();
}

template <class D, class G>
core::ElementLists MeshMatrixMass<D, G>::elementLists()
{
    this->measureAtRest();
    constexpr auto computed = core::ElementData::Kind::Computed;
    return {this->elementNumbering(),
            {{&d_massDensity},
             {&d_vertexMass, computed},
             {&d_edgeMass, computed},
             {&this->d_totalMass, core::ElementData::Kind::Kept}}};
}

template <class D, class G>
void MeshMatrixMass<D, G>::followTopology(const core::TopologyChange& change)
{
    this->keepMeasures();
    if (change.restores()) {
        this->m_summed = false;
        findDiagonals();
        return forgetChanges();
    }
    const auto points = change.source(pointsOf(this->state()));
    const auto edges = change.source(*this->l_topology, core::ElementType::Edges);
    if (m_fromMasses) {
        // Given masses go and stay with their points and edges.
        this->updateMasses(change, d_vertexMass, m_vertexSum, points, {}, {});
        if (d_edgeMass.value().size() == edges.before) this->updateMasses(change, d_edgeMass, m_edgeSum, edges, {}, {});
        this->d_totalMass.setValue(totalOfEntries());
        return forgetChanges();
    }
    const auto touched = this->touchedPoints(change);
    const MeshMassWeights w = m_weights;
    if (w.face != 0. || !this->m_summed || !touched || d_vertexMass.value().size() != points.before ||
        d_edgeMass.value().size() != edges.before) {
        this->keep(change, d_vertexMass);
        this->keep(change, d_edgeMass);
        change.ifTakenBack([this, before = m_diagonals] { m_diagonals = before; });
        this->m_summed = true;
        return fromDensity();
    }
    const auto& density = d_massDensity.value();
    const auto measured = this->measureTouched(change);
    const auto massOn = [&](std::span<const Index> on, double weight) {
        double m = 0.;
        this->forEachElementOn(on, measured, [&](Index e, std::span<const Index>, double measure) {
            m += (density[e] * measure) / weight;
        });
        return m;
    };
    this->updateMasses(change, d_vertexMass, m_vertexSum, points, *touched, [&](Index i) {
        return massOn({&i, 1}, w.vertex);
    });
    const auto& list = *dynamic_cast<core::StoredTopology&>(*this->l_topology).list(core::ElementType::Edges);
    Vector<Index> sides;
    if (!d_lumping.value())
        for (const Index v : *touched)
            for (const Index k : list.around(v))
                if (const auto e = list.element(k); e[0] == v && std::ranges::binary_search(*touched, e[1]))
                    sides.push_back(k);
    this->updateMasses(change, d_edgeMass, m_edgeSum, edges, sides,
                       [&](Index k) { return massOn(list.element(k), w.edge); });
    this->d_totalMass.setValue(totalOfEntries());
    forgetChanges();
}

template <class D, class G>
void MeshMatrixMass<D, G>::followChanges()
{
    if (m_total.changed())
        fromTotalMass();
    else if (m_density.changed())
        fromDensity();
    else
        return;
    if (!this->isValid()) throw std::runtime_error(this->pathName() + ": the mass was changed to an invalid one");
}

template <class D, class G>
void MeshMatrixMass<D, G>::forgetChanges()
{
    m_total.changed();
    m_density.changed();
}

template <class D, class G>
double MeshMatrixMass<D, G>::totalOfEntries()
{
    const double points = m_vertexSum.of(d_vertexMass);
    const double diagonals = std::accumulate(m_diagonals.masses.begin(), m_diagonals.masses.end(), 0.);
    return d_lumping.value() ? points * m_weights.lumping : points + (m_edgeSum.of(d_edgeMass) + diagonals) * 2.;
}

template <class D, class G>
void MeshMatrixMass<D, G>::addForce(const MechanicalParams&, VecDeriv& f, const VecCoord&, const VecDeriv&)
{
    followChanges();
    if (d_printMass.value()) d_graph.edit()["Mass variations"].push_back(totalOfEntries());
    if (this->d_separateGravity.value()) return;
    const Deriv g = this->gravityDeriv();
    const auto& m = d_vertexMass.value();
    const std::size_t n = std::min(m.size(), f.size());
    for (std::size_t i = 0; i < n; ++i) f[i] += g * m[i] * m_weights.lumping;
}

template <class D, class G>
void MeshMatrixMass<D, G>::addMDx(VecDeriv& f, const VecDeriv& dx, const VecCoord&, double factor) const
{
    const auto& m = d_vertexMass.value();
    const std::size_t n = std::min(m.size(), f.size());
    if (d_lumping.value()) {
        for (std::size_t i = 0; i < n; ++i) f[i] += dx[i] * m[i] * m_weights.lumping * factor;
        return;
    }
    for (std::size_t i = 0; i < n; ++i) f[i] += dx[i] * m[i] * factor;
    const auto& edges = this->l_topology->edges();
    const auto& edgeMass = d_edgeMass.value();
    for (std::size_t k = 0; k < edgeMass.size(); ++k) {
        const auto [a, b] = edges[k];
        const double part = edgeMass[k] * factor;
        f[a] += dx[b] * part;
        f[b] += dx[a] * part;
    }
    for (std::size_t k = 0; k < m_diagonals.places.size(); ++k) {
        const auto [a, b] = m_diagonals.places[k];
        const double part = m_diagonals.masses[k] * factor;
        f[a] += dx[b] * part;
        f[b] += dx[a] * part;
    }
}

template <class D, class G>
void MeshMatrixMass<D, G>::accFromF(VecDeriv& a, const VecDeriv& f, const VecCoord&) const
{
    const auto& m = d_vertexMass.value();
    const std::size_t n = std::min(m.size(), f.size());
    // Points without elements have no mass; they keep their velocity.
    for (std::size_t i = 0; i < n; ++i) a[i] = m[i] > 0. ? f[i] / (m[i] * m_weights.lumping) : Deriv();
}

template <class D, class G>
void MeshMatrixMass<D, G>::findPattern(std::size_t points) const
{
    const auto edges = std::span(this->l_topology->edges()).first(d_edgeMass.value().size());
    const auto& diagonals = m_diagonals.places;
    core::SymmetricPattern& pattern = m_matrix.pattern;
    if (pattern.rows() == points && m_matrixEdges.size() == edges.size() + diagonals.size() &&
        std::ranges::equal(edges, std::span(m_matrixEdges).first(edges.size())) &&
        std::ranges::equal(diagonals, std::span(m_matrixEdges).subspan(edges.size())))
        return;
    m_matrixEdges.assign(edges.begin(), edges.end());
    m_matrixEdges.insert(m_matrixEdges.end(), diagonals.begin(), diagonals.end());
    Vector<std::size_t> start(points + 1, 0);
    m_loops.clear();
    for (std::uint32_t k = 0; k < m_matrixEdges.size(); ++k) {
        const auto [a, b] = m_matrixEdges[k];
        if (a == b)
            m_loops.push_back(k);
        else
            ++start[std::min(a, b) + std::size_t{1}];
    }
    for (std::size_t i = 0; i < points; ++i) start[i + 1] += start[i];
    Vector<std::pair<Index, std::uint32_t>> columns(start.back());  // and which edge it is
    Vector<std::size_t> next(start.begin(), start.end() - 1);
    for (std::uint32_t k = 0; k < m_matrixEdges.size(); ++k) {
        const auto [lower, higher] = std::minmax(m_matrixEdges[k][0], m_matrixEdges[k][1]);
        if (lower != higher) columns[next[lower]++] = {higher, k};
    }
    core::PiecewiseRows<std::uint32_t> before;
    std::swap(pattern.columns, before);
    m_matrixMasses.clear();
    Vector<std::uint32_t> row, masses;
    for (std::size_t i = 0; i < points; ++i) {
        const auto of = std::span(columns).subspan(start[i], start[i + 1] - start[i]);
        std::ranges::sort(of);
        row.clear();
        masses.clear();
        for (const auto& [column, k] : of) {
            row.push_back(column);
            masses.push_back(k);
        }
        pattern.columns.push_back(row);
        m_matrixMasses.push_back(masses);
    }
    pattern.columnsWere(before);
}

template <class D, class G>
void MeshMatrixMass<D, G>::buildMass(core::BlockSink& sink, const VecCoord&) const
{
    const auto& m = d_vertexMass.value();
    const bool lumped = d_lumping.value();
    const auto& edgeMass = d_edgeMass.value();
    if (lumped) {
        for (std::size_t i = 0; i < m.size(); ++i)
            sink.addIdentity(static_cast<Index>(i), static_cast<Index>(i), m[i] * m_weights.lumping, D::derivSize);
        return;
    }
    findPattern(m.size());
    const auto massOf = [&](std::uint32_t k) {
        return k < edgeMass.size() ? edgeMass[k] : m_diagonals.masses[k - edgeMass.size()];
    };
    m_matrix.values.clear();
    Vector<double> row;
    for (std::size_t i = 0; i < m.size(); ++i) {
        row.assign(1, m[i]);
        for (const std::uint32_t k : m_matrixMasses[i]) row.push_back(massOf(k));
        m_matrix.values.push_back(row);
    }
    for (const std::uint32_t k : m_loops) m_matrix.values.row(m_matrixEdges[k][0])[0] += 2. * massOf(k);
    core::addScalarBlocks(sink, m_matrix, D::derivSize);
}

template <class D, class G>
double MeshMatrixMass<D, G>::pointMass(Index i) const
{
    const auto& m = d_vertexMass.value();
    return i < m.size() ? m[i] * m_weights.lumping : 0.;
}

#define SOFA_INSTANTIATE(D, G) template class MeshMatrixMass<D, G>;
SOFA_MESH_MASS_INSTANCES(SOFA_INSTANTIATE)
#undef SOFA_INSTANTIATE

namespace {

core::RegisterComponent describeMeshMatrixMass()
{
    auto r = core::RegisterComponent("MeshMatrixMass", "Mass", "Sofa.Component.Mass");
    r.help("Consistent or lumped mass matrix of a density on a mesh")
        .alias("MatrixMass")
        .example("component/mass/MeshMatrixMass.scn");
#define SOFA_REGISTER(D, G) r.add<MeshMatrixMass<D, G>>(MeshMass<D, G>::templateNames());
    SOFA_MESH_MASS_INSTANCES(SOFA_REGISTER)
#undef SOFA_REGISTER
    return r;
}

const core::RegisterComponent registeredMeshMatrixMass = describeMeshMatrixMass();

}  // namespace

}  // namespace sofa::component
