// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/spring/PolynomialSpringsForceField.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/factory/Registry.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

using core::Index;
using core::MechanicalParams;

template <class D>
PolynomialSpringsForceField<D>::PolynomialSpringsForceField()
{
    this->ignoreAttribute("showIndicesScale", "showIndices of the states draws the numbers of points");
    for (const core::BaseData* d : std::initializer_list<core::BaseData*>{
             &d_firstPoints, &d_secondPoints, &d_coefficients, &d_degrees, &d_computeZeroLength, &d_zeroLength})
        m_tracker.track(*d);
}

template <class D>
void PolynomialSpringsForceField<D>::bwdInit()
{
    if (this->isValid()) reinit();
}

template <class D>
void PolynomialSpringsForceField<D>::reinit()
{
    m_lengths.clear();
    findSprings();
}

template <class D>
void PolynomialSpringsForceField<D>::reset()
{
    if (d_computeZeroLength.value()) m_lengths.clear();
}

template <class D>
core::TopologyFollower::PointLists PolynomialSpringsForceField<D>::pointLists()
{
    if (takesAll()) return std::nullopt;
    constexpr auto kept = core::ElementData::Kind::Kept;
    const std::vector<core::ElementData> lists{{&d_firstPoints, kept},
                                               {&d_secondPoints, kept},
                                               {&d_coefficients, kept},
                                               {&d_degrees, kept},
                                               {&d_zeroLength, kept}};
    return {{{pointsOf(this->state1()), lists}, {pointsOf(this->state2()), {}}}};
}

template <class D>
void PolynomialSpringsForceField<D>::followTopology(const core::TopologyChange& change)
{
    if (change.restores()) {
        m_emptied = false;
        return reinit();
    }
    const core::Vector<Index> now1 = change.source(pointsOf(this->state1())).inverse(),
                              now2 = change.source(pointsOf(this->state2())).inverse();
    const auto renumbered = [](Index i, const core::Vector<Index>& now) { return now.empty() ? i : now.at(i); };
    core::Vector<Index> first, second, left;
    core::Vector<double> lengths, given;
    for (std::size_t i = 0; i < m_springs.size(); ++i) {
        const Index p = renumbered(m_springs[i].m1, now1), q = renumbered(m_springs[i].m2, now2);
        if (p == core::InvalidIndex || q == core::InvalidIndex) continue;
        first.push_back(p);
        second.push_back(q);
        left.push_back(static_cast<Index>(i));
        if (i < m_lengths.size()) lengths.push_back(m_lengths[i]);
        if (i < d_zeroLength.value().size()) given.push_back(d_zeroLength.value()[i]);
    }
    m_emptied = left.empty();
    if (!m_emptied) SpringPolynomials::keep(left, d_degrees, d_coefficients);
    if (!m_emptied && d_zeroLength.value().size() > 1) d_zeroLength.setValue(std::move(given));
    d_firstPoints.setValue(std::move(first));
    d_secondPoints.setValue(std::move(second));
    m_lengths = std::move(lengths);
    findSprings();
}

template <class D>
void PolynomialSpringsForceField<D>::findSprings()
{
    const core::State<D>* states[] = {&this->state1(), &this->state2()};
    const core::Data<core::Vector<Index>>* lists[] = {&d_firstPoints, &d_secondPoints};
    core::Vector<Index> points[2];
    for (std::size_t s = 0; s < 2; ++s) {
        m_sizes[s] = states[s]->size();
        points[s] = lists[s]->value();
        if (points[s].empty() && !m_emptied) {
            points[s].resize(m_sizes[s]);
            std::iota(points[s].begin(), points[s].end(), Index(0));
        }
        for (const Index i : points[s])
            if (i >= m_sizes[s])
                return this->fail(lists[s]->name() + ": there is no point " + std::to_string(i) + ", only " +
                                  std::to_string(m_sizes[s]) + " points");
    }
    m_tracker.changed();
    if (points[0].size() != points[1].size() &&
        !this->tolerate(std::to_string(points[0].size()) + " points of object1 cannot be joined to " +
                            std::to_string(points[1].size()) +
                            " points of object2: set firstObjectPoints and secondObjectPoints to lists of equal length",
                        "the shorter list counts"))
        return;
    const std::size_t n = std::min(points[0].size(), points[1].size());
    m_springs.assign(n, {});
    for (std::size_t i = 0; i < n; ++i) {
        m_springs[i].m1 = points[0][i];
        m_springs[i].m2 = points[1][i];
    }
    const std::string wrong = m_polynomials.set(d_degrees.value(), d_coefficients.value(), n);
    if (!wrong.empty() && !this->tolerate(wrong, "the first polynomial counts for all, without missing coefficients"))
        return;
    if (d_computeZeroLength.value()) {
        if (m_lengths.size() != n) m_lengths.clear();
        return;
    }
    const auto& given = d_zeroLength.value();
    if (given.empty() || (given.size() > 1 && given.size() < n))
        return this->fail("zeroLength must have one length for all springs, or one for each");
    m_lengths.resize(n);
    for (std::size_t i = 0; i < n; ++i) m_lengths[i] = given[given.size() > 1 ? i : 0];
}

template <class D>
void PolynomialSpringsForceField<D>::measure(const VecCoord& x1, const VecCoord& x2)
{
    core::Vector<double> lengths;
    for (const LinearSpring& s : m_springs) {
        lengths.push_back(norm(x2[s.m2] - x1[s.m1]));
        if (!(lengths.back() > 0.))
            throw std::runtime_error(this->pathName() + ": points " + std::to_string(s.m1) + " of object1 and " +
                                     std::to_string(s.m2) +
                                     " of object2 are in the same place at the first step: a spring between them has "
                                     "no length, set computeZeroLength to 0 and give zeroLength");
    }
    m_lengths = std::move(lengths);
}

template <class D>
void PolynomialSpringsForceField<D>::addForce(const MechanicalParams&, VecDeriv& f1, VecDeriv& f2, const VecCoord& x1,
                                              const VecCoord& x2, const VecDeriv&, const VecDeriv&)
{
    const bool resized = x1.size() != m_sizes[0] || x2.size() != m_sizes[1];
    if (m_tracker.changed() || (resized && d_recomputeIndices.value())) {
        findSprings();
        if (!this->isValid()) throw std::runtime_error(this->pathName() + ": the springs were changed to invalid ones");
    }
    if (m_lengths.size() != m_springs.size()) measure(x1, x2);
    m_dfdx.resize(m_springs.size());
    for (std::size_t i = 0; i < m_springs.size(); ++i) {
        const LinearSpring& s = m_springs[i];
        auto& k = m_dfdx[i];
        k = {};
        auto u = x2[s.m2] - x1[s.m1];
        const double l = norm(u), rest = m_lengths[i], side = l < rest ? -1. : 1.;
        if (!(l > 0.) || (side < 0. && !d_compressible.value())) continue;
        u /= l;
        const auto p = m_polynomials.at(i, std::abs(l - rest) / rest);
        const auto force = u * (side * p.force);
        f1[s.m1] += force;
        f2[s.m2] -= force;
        const double across = side * p.force / l;
        k = outer(u, u) * (p.derivative / rest - across);
        for (std::size_t a = 0; a < D::derivSize; ++a) k[a][a] += across;
    }
}

template <class D>
void PolynomialSpringsForceField<D>::addDForce(const MechanicalParams& mp, const core::MultiVecDerivId& df)
{
    core::State<D>&a = this->state1(), &b = this->state2();
    // One that the calling solver does not move has none of its vectors.
    if (!a.isAllocated(df.at(a)) || !b.isAllocated(df.at(b))) return core::BaseForceField::addDForce(mp, df);
    const auto df1 = a.write(df.at(a)), df2 = b.write(df.at(b));
    Law::addDForce(m_springs, m_dfdx, *df1, *df2, a.read(mp.dx.at(a)), b.read(mp.dx.at(b)),
                   mp.stiffnessFactor(this->d_rayleighStiffness.value()));
}

template <class D>
void PolynomialSpringsForceField<D>::buildStiffness(const MechanicalParams&, core::MatrixAccumulator& k)
{
    core::State<D>&a = this->state1(), &b = this->state2();
    Law::buildStiffness(m_springs, m_dfdx, k.sink(a, a), k.sink(a, b), k.sink(b, a), k.sink(b, b));
}

template <class D>
double PolynomialSpringsForceField<D>::potentialEnergy(const MechanicalParams&, const VecCoord& x1,
                                                       const VecCoord& x2) const
{
    double energy = 0.;
    // Springs that were not measured yet are at rest.
    for (std::size_t i = 0; i < m_lengths.size(); ++i) {
        const double rest = m_lengths[i], stretch = norm(x2[m_springs[i].m2] - x1[m_springs[i].m1]) - rest;
        if (stretch < 0. && !d_compressible.value()) continue;
        energy += rest * m_polynomials.at(i, std::abs(stretch) / rest).integral;
    }
    return energy;
}

template <class D>
core::BoundingBox PolynomialSpringsForceField<D>::boundingBox() const
{
    core::BoundingBox box;
    if (!this->l_state1 || !this->l_state2) return box;
    for (const LinearSpring& s : m_springs) {
        if (s.m1 >= this->state1().size() || s.m2 >= this->state2().size()) continue;
        box.include(this->state1().pointPosition(s.m1));
        box.include(this->state2().pointPosition(s.m2));
    }
    return box;
}

template <class D>
void PolynomialSpringsForceField<D>::draw(core::DrawTool& tool)
{
    if (!this->l_state1 || !this->l_state2) return;
    const core::State<D>&a = this->state1(), &b = this->state2();
    using core::DisplayFlags;
    if (!tool.shows(&a != &b ? DisplayFlags::InteractionForceFields : DisplayFlags::ForceFields)) return;
    auto ends = tool.scratch<core::Vec3>();
    for (const LinearSpring& s : m_springs) {
        if (s.m1 >= a.size() || s.m2 >= b.size()) continue;
        ends.push_back(a.pointPosition(s.m1));
        ends.push_back(b.pointPosition(s.m2));
    }
    core::drawSprings(tool, ends, d_drawMode.value(), d_showArrowSize.value(), d_springColor.value());
}

static const core::RegisterComponent registeredPolynomialSpringsForceField =
    core::RegisterComponent("PolynomialSpringsForceField", "ForceField", "Sofa.Component.SolidMechanics.Spring")
        .help("Springs between points of one or two states, whose force is a polynomial of the strain")
        .example("component/spring/PolynomialSprings.scn")
        .add<PolynomialSpringsForceField, core::Vec3Types, core::Vec2Types, core::Vec1Types>();

}  // namespace sofa::component
