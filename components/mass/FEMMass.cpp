// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/mass/FEMMass.h"

#include <algorithm>

#include "core/behavior/ScalarBlockSink.h"
#include "core/factory/Registry.h"
#include "core/objectmodel/DefaultLink.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

using core::Index;
using core::MechanicalParams;
using core::Vec3;

namespace {
/// Up to which part of the largest entry matrices of elements may differ and count as equal: rest positions are
/// rounded.
constexpr double rounding = 1e-12;
}  // namespace

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
    ElementMatrix matrix;
    if constexpr (std::is_same_v<S, core::BezierTetrahedronShape>) {
        const bool straight = std::ranges::all_of(core::bezierEdges, [&](const auto& edge) {
            return core::isStraightEdge(x[edge[0]], x[core::bezierControl[edge[0]][edge[1]]], x[edge[1]]);
        });
        if (straight && !d_massDensity.value().empty()) {
            const double volume6 = std::abs(dot(x[1] - x[0], cross(x[2] - x[0], x[3] - x[0])));
            return S::straightProducts() * (density(index, e, nullptr) * volume6 / 6.);
        }
    }
    for (const auto& [q, weight] : S::quadrature) {
        const std::array<double, S::nodes> n = S::values(q);
        const double factor = weight * density(index, e, n.data()) *
                              std::abs(core::elementMeasure(core::elementJacobian(x, S::gradients(q))));
        for (std::size_t i = 0; i < S::nodes; ++i)
            for (std::size_t j = 0; j < S::nodes; ++j) matrix[i][j] += factor * (n[i] * n[j]);
    }
    return matrix;
}

template <class D, class S>
void FEMMass<D, S>::assemble()
{
    m_density.changed();
    const core::State<D>& s = this->state();
    const auto& rest =
        s.read(s.isAllocated(core::vec_id::restPosition) ? core::vec_id::restPosition : core::vec_id::position);
    const auto& elements = core::elementsOf<S>(*l_topology);
    // During a simulation the last element may be removed; at the start it is a mistake.
    if (elements.empty() && m_rowStart.empty() &&
        !core::mayStartEmpty(*this, *l_topology, "element of type " + std::string(S::name)))
        return;
    const auto& given = d_massDensity.value();
    try {
        regions.update(static_cast<Index>(elements.size()));
        if (!elements.empty()) regions.valueOf(d_massDensity, 0);
    } catch (const std::runtime_error& e) {
        return this->fail(e.what());
    }
    if (!regions.given() && given.size() > 1 && given.size() != elements.size())
        return this->fail("massDensity has " + std::to_string(given.size()) + " values for " +
                          std::to_string(elements.size()) + " elements");
    if (std::any_of(given.begin(), given.end(), [](double v) { return !(v > 0.); }))
        return this->fail("massDensity has a value that is not positive");
    if (given.empty() && !l_nodalMassDensity)
        return this->fail("massDensity is empty, and there is no NodalMassDensity");
    if constexpr (core::isBezierShape<S>) m_middles = &core::bezierTopologyOf(*l_topology).middlePoints();
    const bool lumping = d_lumping.value();
    std::vector<std::map<Index, double>> rows(rest.size());
    core::Vector<double> sums(rest.size(), 0.);
    double deviation = 0., largest = 0.;  // of the matrices of hexahedra from the first one
    constexpr std::size_t nodes = S::nodes;
    for (std::size_t index = 0; index < elements.size(); ++index) {
        const auto& e = elements[index];
        std::array<Vec3, nodes> x;
        for (std::size_t i = 0; i < nodes; ++i)
            forEachPoint(e[i], [&](Index point, double weight) {
                if (point >= rest.size())
                    this->fail("an element has the vertex " + std::to_string(point) + ", but the state '" +
                               s.pathName() + "' has only " + std::to_string(rest.size()) + " points");
                else
                    x[i] += D::position(rest[point]) * weight;
            });
        if (!this->isValid()) return;
        const ElementMatrix matrix = matrixOf(index, e, x);
        for (std::size_t i = 0; i < nodes; ++i)
            forEachPoint(e[i], [&](Index row, double part) {
                for (std::size_t j = 0; j < nodes; ++j) {
                    if (lumping)
                        sums[row] += part * matrix[i][j];
                    else
                        forEachPoint(e[j], [&](Index column, double other) {
                            rows[row][column] += part * other * matrix[i][j];
                        });
                }
            });
        if constexpr (S::type == core::ElementType::Hexahedra) {
            for (std::size_t i = 0; i < nodes; ++i)
                for (std::size_t j = 0; j < nodes; ++j) {
                    if (index == 0) m_elementMatrix[i][j] = matrix[i][j];
                    largest = std::max(largest, matrix[i][j]);
                    deviation = std::max(deviation, std::abs(matrix[i][j] - m_elementMatrix[i][j]));
                }
        }
    }
    if (lumping)
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (sums[i] > 0.) rows[i][static_cast<Index>(i)] = sums[i];
    m_equalElements.clear();
    if constexpr (S::type == core::ElementType::Hexahedra) {
        if (deviation <= rounding * largest && !lumping) m_equalElements = elements;
    }
    m_rowStart.assign(1, 0);
    m_columns.clear();
    m_values.clear();
    m_rowSums.assign(rows.size(), 0.);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        for (const auto& [column, value] : rows[i]) {
            m_columns.push_back(column);
            m_values.push_back(value);
            m_rowSums[i] += value;
        }
        m_rowStart.push_back(m_values.size());
    }
    core::Vector<core::ScalarBlockMatrix::Place> places;
    m_matrix.values.clear();
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t k = m_rowStart[i]; k < m_rowStart[i + 1]; ++k) {
            if (m_columns[k] < i) continue;
            places.push_back({static_cast<Index>(i), m_columns[k]});
            m_matrix.values.push_back(m_values[k]);
        }
    // The density alone may have changed.
    if (m_matrix.id != 0 && m_matrix.places == places) return;
    m_matrix.places = std::move(places);
    m_matrix.id = core::SymmetricPattern::newId();
}

template <class D, class S>
const core::Mat<8>* FEMMass<D, S>::elementMatrix(const core::Vector<core::Hexahedron>& elements) const
{
    return !elements.empty() && elements == m_equalElements ? &m_elementMatrix : nullptr;
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
    for (std::size_t i = 0; i < m_rowSums.size(); ++i) f[i] += g * m_rowSums[i];
}

template <class D, class S>
void FEMMass<D, S>::addMDx(VecDeriv& f, const VecDeriv& dx, const VecCoord&, double factor) const
{
    for (std::size_t i = 0; i + 1 < m_rowStart.size(); ++i) {
        Deriv sum = f[i];
        for (std::size_t k = m_rowStart[i]; k < m_rowStart[i + 1]; ++k)
            sum += dx[m_columns[k]] * (factor * m_values[k]);
        f[i] = sum;
    }
}

template <class D, class S>
void FEMMass<D, S>::accFromF(VecDeriv& a, const VecDeriv& f, const VecCoord&) const
{
    if (!d_lumping.value())
        throw std::runtime_error(this->pathName() +
                                 ": this mass matrix is not diagonal; its inverse needs a linear solver, or lumping");
    for (std::size_t i = 0; i < m_rowSums.size(); ++i) a[i] = m_rowSums[i] > 0. ? f[i] * (1. / m_rowSums[i]) : Deriv();
}

template <class D, class S>
void FEMMass<D, S>::buildMass(core::BlockSink& sink, const VecCoord&) const
{
    core::addScalarBlocks(sink, m_matrix, D::derivSize);
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
