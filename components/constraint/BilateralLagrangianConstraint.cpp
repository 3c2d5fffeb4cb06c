// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/constraint/BilateralLagrangianConstraint.h"

#include <algorithm>

#include "core/factory/Registry.h"
#include "core/objectmodel/Node.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

using namespace core;

template <class D>
BilateralLagrangianConstraint<D>::BilateralLagrangianConstraint()
{
    this->ignoreAttribute("numericalTolerance", "the tolerance is that of the constraint solver");
    this->ignoreAttribute("merge", "pairs of one constraint are always solved together");
    this->ignoreAttribute("derivative", "derivatives are not merged");
}

template <class D>
std::size_t BilateralLagrangianConstraint<D>::pairs() const
{
    return std::min(d_firstPoint.value().size(), d_secondPoint.value().size());
}

template <class D>
void BilateralLagrangianConstraint<D>::init()
{
    Base::init();
    if (!this->isValid()) return;
    std::string error;
    if (!l_topology1.resolve(error)) return this->fail("topology1: " + error);
    if (!l_topology2.resolve(error)) return this->fail("topology2: " + error);
}

template <class D>
void BilateralLagrangianConstraint<D>::bwdInit()
{
    // Not before: the points may come from an engine that reads states in nodes below.
    if (!this->isValid()) return;
    if (d_firstPoint.value().size() != d_secondPoint.value().size())
        this->msgWarning() << "first_point has " << d_firstPoint.value().size() << " points and second_point "
                           << d_secondPoint.value().size() << ": the first " << pairs() << " pairs are joined";
    const std::pair<const Data<Vector<Index>>*, const State<D>*> lists[] = {{&d_firstPoint, &this->state1()},
                                                                            {&d_secondPoint, &this->state2()}};
    for (const auto& [list, state] : lists)
        for (const Index i : list->value())
            if (i >= state->size())
                return this->fail(list->name() + ": point " + std::to_string(i) + " is not in " + state->pathName() +
                                  ", which has " + std::to_string(state->size()) + " points");
    m_initialDifference.clear();
    if constexpr (D::isRigid) {
        if (!d_keepOrientDiff.value()) return;
        if (!d_restVector.value().empty()) {
            this->msgWarning() << "keepOrientationDifference is set: rest_vector is ignored";
            d_restVector.setValue({});
        }
        for (std::size_t k = 0; k < pairs(); ++k) {
            const Coord& a = this->state1().positions()[d_firstPoint.value()[k]];
            const Coord& b = this->state2().positions()[d_secondPoint.value()[k]];
            m_initialDifference.push_back(
                {b.center - a.center,
                 (a.orientation.normalized().inverse() * b.orientation.normalized()).normalized()});
        }
    }
}

template <class D>
void BilateralLagrangianConstraint<D>::reinit()
{
    reset();
    bwdInit();
}

template <class D>
core::TopologyFollower::PointLists BilateralLagrangianConstraint<D>::pointLists()
{
    constexpr auto kept = ElementData::Kind::Kept;
    return {{{pointsOf(this->state1()), {{&d_firstPoint, kept}, {&d_secondPoint, kept}, {&d_restVector, kept}}},
             {pointsOf(this->state2()), {}}}};
}

template <class D>
void BilateralLagrangianConstraint<D>::followTopology(const TopologyChange& change)
{
    if (change.restores()) return m_laws.clear();
    const Vector<Index> now1 = change.source(pointsOf(this->state1())).inverse(),
                        now2 = change.source(pointsOf(this->state2())).inverse();
    const auto renumbered = [](Index i, const Vector<Index>& now) { return now.empty() ? i : now.at(i); };
    Vector<Index> first, second;
    VecDeriv rest;
    Vector<Coord> difference;
    std::deque<BilateralLaw> laws;
    for (std::size_t k = 0; k < pairs(); ++k) {
        const Index a = renumbered(d_firstPoint.value()[k], now1), b = renumbered(d_secondPoint.value()[k], now2);
        if (a == InvalidIndex || b == InvalidIndex) continue;
        first.push_back(a);
        second.push_back(b);
        if (k < d_restVector.value().size()) rest.push_back(d_restVector.value()[k]);
        if (k < m_initialDifference.size()) difference.push_back(m_initialDifference[k]);
        if (k < m_laws.size()) laws.push_back(m_laws[k]);
    }
    d_firstPoint.setValue(std::move(first));
    d_secondPoint.setValue(std::move(second));
    d_restVector.setValue(std::move(rest));
    m_initialDifference = std::move(difference);
    m_laws = std::move(laws);
}

template <class D>
void BilateralLagrangianConstraint<D>::reset()
{
    m_laws.clear();
}

template <class D>
void BilateralLagrangianConstraint<D>::archive(Archive& a)
{
    auto count = static_cast<std::uint32_t>(m_laws.size());
    a(count);
    if (a.loading()) {
        m_laws.clear();
        for (std::uint32_t k = 0; k < count; ++k) m_laws.emplace_back(3, !D::isRigid);
    }
    for (BilateralLaw& law : m_laws) a(law.keptForce());
}

template <class D>
void BilateralLagrangianConstraint<D>::buildRows(const ConstraintParams&, ConstraintMatrix& h)
{
    if (!d_activate.value()) return;
    for (std::size_t k = 0; k < pairs(); ++k) {
        const int first = h.addRows(static_cast<int>(D::derivSize));
        for (std::size_t c = 0; c < D::derivSize; ++c) {
            Deriv d;
            d[c] = -1.;
            h.add(this->state1(), first + static_cast<int>(c), d_firstPoint.value()[k], d);
            d[c] = 1.;
            h.add(this->state2(), first + static_cast<int>(c), d_secondPoint.value()[k], d);
        }
    }
}

template <class D>
void BilateralLagrangianConstraint<D>::violation(const ConstraintParams&, const MultiVecCoordId& x, std::span<double> d)
{
    const auto& x1 = this->state1().read(x.at(this->state1()));
    const auto& x2 = this->state2().read(x.at(this->state2()));
    const VecDeriv& rest = d_restVector.value();
    for (std::size_t k = 0; k < pairs(); ++k) {
        Coord from = x1[d_firstPoint.value()[k]];
        if constexpr (D::isRigid) {
            if (k < m_initialDifference.size()) {
                from.center += m_initialDifference[k].center;
                from.orientation = from.orientation * m_initialDifference[k].orientation;
            }
        }
        Deriv v = D::difference(x2[d_secondPoint.value()[k]], from);
        if (k < rest.size()) v -= rest[k];
        std::copy_n(v.data(), D::derivSize, d.data() + k * D::derivSize);
    }
}

template <class D>
void BilateralLagrangianConstraint<D>::laws(const ConstraintParams&, std::vector<ConstraintLaw*>& out)
{
    while (m_laws.size() > pairs() * groups) m_laws.pop_back();
    while (m_laws.size() < pairs() * groups) m_laws.emplace_back(3, !D::isRigid);
    for (BilateralLaw& law : m_laws) {
        if (!D::isRigid) law.setLoad(std::clamp(d_load.value(), 0., 1.));
        out.push_back(&law);
    }
}

template <class D>
void BilateralLagrangianConstraint<D>::draw(core::DrawTool& tool)
{
    if (!tool.shows(core::DisplayFlags::InteractionForceFields) || !this->l_state1 || !this->l_state2) return;
    const core::State<D>&a = this->state1(), &b = this->state2();
    const auto &first = d_firstPoint.value(), &second = d_secondPoint.value();
    auto ends = tool.scratch<core::Vec3>();
    for (std::size_t i = 0; i < std::min(first.size(), second.size()); ++i) {
        if (first[i] >= a.size() || second[i] >= b.size()) continue;
        ends.push_back(a.pointPosition(first[i]));
        ends.push_back(b.pointPosition(second[i]));
    }
    const core::Color color = d_activate.value() ? core::Color(1.f, 0.f, 1.f) : core::Color(0.f, 1.f, 0.f);
    tool.points(ends, core::plainStyle(color, 10.f));
    tool.lines(ends, core::plainStyle(color));
}

template class BilateralLagrangianConstraint<Vec3Types>;
template class BilateralLagrangianConstraint<Rigid3Types>;

static const RegisterComponent registeredBilateralLagrangianConstraint =
    RegisterComponent("BilateralLagrangianConstraint", "LagrangianConstraint",
                      "Sofa.Component.Constraint.Lagrangian.Model")
        .help("Joins points or frames of two objects by constraint forces")
        .alias("BilateralInteractionConstraint")
        .example("component/constraint/BilateralLagrangianConstraint.scn")
        .add<BilateralLagrangianConstraint, Vec3Types, Rigid3Types>();

}  // namespace sofa::component
