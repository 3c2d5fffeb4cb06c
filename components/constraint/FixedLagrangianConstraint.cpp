// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/constraint/FixedLagrangianConstraint.h"

#include "components/constraint/DrawSize.h"
#include "core/factory/Registry.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

using namespace core;

template <class D>
void FixedLagrangianConstraint<D>::bwdInit()
{
    if (!this->isValid()) return;
    for (const Index i : d_indices.value())
        if (i >= this->state().size())
            return this->fail("indices: point " + std::to_string(i) + " is not in " + this->state().pathName() +
                              ", which has " + std::to_string(this->state().size()) + " points");
    m_initial = this->state().positions();
}

template <class D>
void FixedLagrangianConstraint<D>::reset()
{
    m_laws.clear();
}

template <class D>
TopologyFollower::PointLists FixedLagrangianConstraint<D>::pointLists()
{
    if (!this->l_state || !this->state().isAllocated(vec_id::restPosition)) return std::nullopt;
    return {{{pointsOf(this->state()), {{&d_indices, ElementData::Kind::Members}}}}};
}

template <class D>
void FixedLagrangianConstraint<D>::makeLaws(std::size_t n)
{
    while (m_laws.size() > n) m_laws.pop_back();
    while (m_laws.size() < n) m_laws.emplace_back(static_cast<int>(split ? 3 : D::derivSize), keepsForces);
}

template <class D>
void FixedLagrangianConstraint<D>::archive(Archive& a)
{
    auto n = static_cast<std::uint32_t>(m_laws.size());
    a(n);
    if (a.loading()) makeLaws(n);
    for (BilateralLaw& law : m_laws) a(law.keptForce());
    a(m_initial);
}

template <class D>
void FixedLagrangianConstraint<D>::buildRows(const ConstraintParams&, ConstraintMatrix& h)
{
    for (std::size_t k = 0; k < count(); ++k) {
        const int first = h.addRows(static_cast<int>(D::derivSize));
        for (std::size_t c = 0; c < D::derivSize; ++c) {
            Deriv d;
            d[c] = 1.;
            h.add(this->state(), first + static_cast<int>(c), point(k), d);
        }
    }
}

template <class D>
void FixedLagrangianConstraint<D>::violation(const ConstraintParams&, const MultiVecCoordId& x, std::span<double> d)
{
    const State<D>& s = this->state();
    const VecCoord& now = s.read(x.at(s));
    const VecCoord& rest = s.isAllocated(vec_id::restPosition) && s.read(vec_id::restPosition).size() == now.size()
                               ? s.read(vec_id::restPosition)
                               : m_initial;
    for (std::size_t k = 0; k < count(); ++k) {
        const Deriv v = D::difference(now[point(k)], rest[point(k)]);
        std::copy_n(v.data(), D::derivSize, d.data() + k * D::derivSize);
    }
}

template <class D>
void FixedLagrangianConstraint<D>::laws(const ConstraintParams&, std::vector<ConstraintLaw*>& out)
{
    makeLaws(count() * (split ? 2 : 1));
    for (BilateralLaw& law : m_laws) out.push_back(&law);
}

template <class D>
void FixedLagrangianConstraint<D>::draw(core::DrawTool& tool)
{
    if (!tool.shows(core::DisplayFlags::BehaviorModels) || !this->l_state || !this->isActive()) return;
    const core::State<D>& s = this->state();
    drawConstrainedPoints(
        tool, d_fixAll.value() ? core::drawnPoints(tool, s) : core::drawnPoints(tool, s, d_indices.value()), 0.);
}

static const RegisterComponent registeredFixedLagrangianConstraint =
    RegisterComponent("FixedLagrangianConstraint", "LagrangianConstraint", "Sofa.Component.Constraint.Lagrangian.Model")
        .help("Holds points or frames at their rest positions by constraint forces")
        .example("component/constraint/FixedLagrangianConstraint.scn")
        .add<FixedLagrangianConstraint, Vec3Types, Vec6Types, Vec2Types, Vec1Types, Rigid3Types>();

}  // namespace sofa::component
