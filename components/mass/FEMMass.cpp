// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/mass/FEMMass.h"

#include <algorithm>

#include "core/factory/Registry.h"
#include "core/mesh/Renumbering.h"
#include "core/objectmodel/DefaultLink.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

using core::Index;
using core::MechanicalParams;
using core::Vec3;
using core::Vector;

template <class D, class S>
void FEMMass<D, S>::init()
{
    Base::init();
    if (!this->isValid()) return;
    if (!core::resolveOrNeed(l_topology, *this)) return;
    if (!core::resolveOrFind(l_nodalMassDensity, *this)) return;
    if (!l_nodalMassDensity && d_massDensity.value().empty())
        return this->fail("it needs a massDensity, or a NodalMassDensity in its node or above");
    if (l_nodalMassDensity) m_density.track(l_nodalMassDensity->d_property);
    m_density.track(d_massDensity);
    m_density.track(d_lumping);
    regions.trackBy(m_density);
    assemble();
}

template <class D, class S>
void FEMMass<D, S>::reinit()
{
    assemble();
}

template <class D, class S>
core::ElementLists FEMMass<D, S>::elementLists()
{
    const core::ElementNumbering numbering{l_topology.get(), {S::type}};
    if (!regions.d_regions.value().empty())
        return {numbering, {{&regions.d_regions, core::ElementData::Kind::NumberLists}}};
    if (!regions.d_materialIndices.value().empty()) return {numbering, {{&regions.d_materialIndices}}};
    return {numbering, {{&d_massDensity}}};
}

template <class D, class S>
double FEMMass<D, S>::density(std::size_t e, const typename S::Element& nodes, const double* n) const
{
    const auto& given = d_massDensity.value();
    if (!given.empty()) return regions.valueOf(d_massDensity, static_cast<Index>(e));
    double sum = 0.;
    for (std::size_t i = 0; i < nodes.size(); ++i)
        forEachPoint(nodes[i], [&](Index p, double part) { sum += n[i] * part * l_nodalMassDensity->at(p); });
    return sum;
}

template <class D, class S>
auto FEMMass<D, S>::matrixOf(std::size_t index, const Element& e, const std::array<Vec3, S::nodes>& x) const
    -> ElementMatrix
{
    if constexpr (std::is_same_v<S, core::BezierTetrahedronShape>) {
        const bool straight = std::ranges::all_of(core::bezierEdges, [&](const auto& edge) {
            return core::isStraightEdge(x[edge[0]], x[core::bezierControl[edge[0]][edge[1]]], x[edge[1]]);
        });
        if (straight && !d_massDensity.value().empty()) {
            const double volume6 = std::abs(dot(x[1] - x[0], cross(x[2] - x[0], x[3] - x[0])));
            return S::straightProducts() * (density(index, e, nullptr) * volume6 / 6.);
        }
    }
    return core::elementMassMatrix<S>(x, S::quadrature, [&](const double* n) { return density(index, e, n); });
}

template <class D, class S>
bool FEMMass<D, S>::checkDensity()
{
    const std::size_t elements = core::elementsOf<S>(*l_topology).size();
    const auto& given = d_massDensity.value();
    try {
        regions.update(static_cast<Index>(elements));
        if (elements > 0) regions.valueOf(d_massDensity, 0);
    } catch (const std::runtime_error& e) {
        this->fail(e);
        return false;
    }
    if (!regions.given() && given.size() > 1 && given.size() != elements)
        this->fail("massDensity has " + std::to_string(given.size()) + " values for " + std::to_string(elements) +
                   " elements");
    else if (std::any_of(given.begin(), given.end(), [](double v) { return !(v > 0.); }))
        this->fail("massDensity has a value that is not positive");
    else if (given.empty() && !l_nodalMassDensity)
        this->fail("massDensity is empty, and there is no NodalMassDensity");
    return this->isValid();
}

template <class D, class S>
void FEMMass<D, S>::addElement(Index index)
{
    const core::State<D>& s = this->state();
    const auto& rest =
        s.read(s.isAllocated(core::vec_id::restPosition) ? core::vec_id::restPosition : core::vec_id::position);
    const auto& e = core::elementsOf<S>(*l_topology)[index];
    constexpr std::size_t nodes = S::nodes;
    std::array<Vec3, nodes> x;
    for (std::size_t i = 0; i < nodes; ++i)
        forEachPoint(e[i], [&](Index point, double weight) {
            if (point >= rest.size())
                this->fail("an element has the vertex " + std::to_string(point) + ", but the state '" + s.pathName() +
                           "' has only " + std::to_string(rest.size()) + " points");
            else
                x[i] += D::position(rest[point]) * weight;
        });
    if (!this->isValid()) return;
    const ElementMatrix matrix = matrixOf(index, e, x);
    for (std::size_t i = 0; i < nodes; ++i)
        forEachPoint(e[i], [&](Index row, double part) {
            if (d_lumping.value()) {
                double sum = 0.;
                for (const double m : matrix[i]) sum += m;
                return m_matrix.add(row, row, part * sum);
            }
            for (std::size_t j = 0; j < nodes; ++j)
                forEachPoint(
                    e[j], [&](Index column, double other) { m_matrix.add(row, column, part * other * matrix[i][j]); });
        });
    if constexpr (S::type == core::ElementType::Hexahedra) m_equal.add(matrix);
}

template <class D, class S>
void FEMMass<D, S>::assemble()
{
    m_density.changed();
    const auto& elements = core::elementsOf<S>(*l_topology);
    // During a simulation the last element may be removed; at the start it is a mistake.
    if (elements.empty() && m_matrix.isEmpty() &&
        !core::mayStartEmpty(*this, *l_topology, "element of type " + std::string(S::name)))
        return;
    if (!checkDensity()) return;
    if constexpr (core::isBezierShape<S>) m_middles = &core::bezierTopologyOf(*l_topology).middlePoints();
    const bool lumping = d_lumping.value();
    m_matrix.begin(this->state().size(), lumping);
    m_equal.begin();
    for (Index index = 0; index < elements.size(); ++index) {
        addElement(index);
        if (!this->isValid()) return;
    }
    m_matrix.end();
    if constexpr (S::type == core::ElementType::Hexahedra)
        if (!lumping) m_equal.end(elements);
}

template <class D, class S>
bool FEMMass<D, S>::followRows(const core::TopologyChange& change)
{
    const auto* mesh = dynamic_cast<const core::StoredTopology*>(l_topology.get());
    // Solvers on grids ask whether hexahedra are equal, and edges of degree 1 have no points of their own.
    const bool isOther = core::isBezierShape<S> || (S::type == core::ElementType::Hexahedra && !d_lumping.value());
    if (change.restores() || isOther || !mesh || mesh->nbPoints() != this->state().size() || m_matrix.isEmpty() ||
        m_density.changed())
        return false;
    const auto& list = *mesh->list(S::type);
    Vector<Index> rows = change.touchedPoints(*l_topology), elements;
    for (const auto& m : change.source(pointsOf(this->state())).moved) {
        rows.push_back(m.now);
        if (m.before == core::InvalidIndex) continue;
        // Rows of neighbours of points that have another number have other columns.
        for (const Index e : list.around(m.now))
            rows.insert(rows.end(), list.element(e).begin(), list.element(e).end());
    }
    core::sortUnique(rows);
    for (const Index v : rows) elements.insert(elements.end(), list.around(v).begin(), list.around(v).end());
    core::sortUnique(elements);
    if (2 * elements.size() > list.size() || !checkDensity()) return false;
    m_matrix.beginRows(this->state().size(), std::move(rows));
    for (const Index e : elements) addElement(e);
    m_matrix.end();
    return true;
}

template <class D, class S>
void FEMMass<D, S>::followTopology(const core::TopologyChange& change)
{
    if (!followRows(change) && this->isValid()) assemble();
}

template <class D, class S>
const core::Mat<8>* FEMMass<D, S>::elementMatrix(const core::Vector<core::Hexahedron>& elements) const
{
    return m_equal.matrix(elements);
}

template <class D, class S>
void FEMMass<D, S>::addForce(const MechanicalParams&, VecDeriv& f, const VecCoord&, const VecDeriv&)
{
    if (m_density.changed()) {
        assemble();
        if (!this->isValid())
            throw std::runtime_error(this->pathName() + ": the density was changed to an invalid one");
    }
    if (this->d_separateGravity.value()) return;
    const Deriv g = this->gravityDeriv();
    const auto& sums = m_matrix.rowSums();
    for (std::size_t i = 0; i < sums.size(); ++i) f[i] += g * sums[i];
}

template <class D, class S>
void FEMMass<D, S>::addMDx(VecDeriv& f, const VecDeriv& dx, const VecCoord&, double factor) const
{
    m_matrix.addProduct(f, dx, factor);
}

template <class D, class S>
void FEMMass<D, S>::accFromF(VecDeriv& a, const VecDeriv& f, const VecCoord&) const
{
    if (!d_lumping.value())
        throw std::runtime_error(this->pathName() +
                                 ": this mass matrix is not diagonal; its inverse needs a linear solver, or lumping");
    m_matrix.divide(a, f);
}

template <class D, class S>
void FEMMass<D, S>::buildMass(core::BlockSink& sink, const VecCoord&) const
{
    m_matrix.build(sink, D::derivSize);
}

template <class D, class S>
void FEMMass<D, S>::draw(core::DrawTool& tool)
{
    if (tool.shows(core::DisplayFlags::BehaviorModels) && this->l_state)
        tool.points(core::drawnPoints(tool, this->state()), core::plainStyle(core::Color(), 2.f));
}

#define SOFA_INSTANTIATE(D, S) template class FEMMass<D, S>;
SOFA_FEM_MASS_INSTANCES(SOFA_INSTANTIATE)
#undef SOFA_INSTANTIATE

namespace {

core::RegisterComponent describeFEMMass()
{
    auto r = core::RegisterComponent("FEMMass", "Mass", "Sofa.Component.Mass");
    r.help("Consistent mass matrix of finite elements").example("component/mass/FEMMass.scn");
#define SOFA_REGISTER(D, S) r.add<FEMMass, core::Types<D, S>>();
    SOFA_FEM_MASS_INSTANCES(SOFA_REGISTER)
#undef SOFA_REGISTER
    return r;
}

const core::RegisterComponent registeredFEMMass = describeFEMMass();

const core::RegisterComponent registeredNodalMassDensity =
    core::RegisterComponent("NodalMassDensity", "NodalProperty", "Sofa.Component.Mass")
        .help("Density at the nodes of a mesh")
        .example("component/mass/FEMMass.scn")
        .add<NodalMassDensity>({"d", "f"});

}  // namespace

}  // namespace sofa::component
