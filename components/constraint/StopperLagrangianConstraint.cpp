// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/constraint/StopperLagrangianConstraint.h"

#include "core/factory/Registry.h"

namespace sofa::component {

using namespace core;

template <class D>
void StopperLagrangianConstraint<D>::bwdInit()
{
    if (!this->isValid()) return;
    if (d_index.value() >= this->state().size())
        return this->fail("index: point " + std::to_string(d_index.value()) + " is not in " + this->state().pathName() +
                          ", which has " + std::to_string(this->state().size()) + " points");
    if (d_min.value() > d_max.value()) this->fail("min (" + d_min.text() + ") is above max (" + d_max.text() + ")");
}

template <class D>
void StopperLagrangianConstraint<D>::followTopology(const TopologyChange& change)
{
    const ElementSource source = change.source(pointsOf(this->state()));
    if (change.restores() || source.same) return;
    const Vector<Index> now = source.renumbered({d_index.value()});
    if (now.empty())
        throw std::runtime_error("'" + this->pathName() +
                                 "' (StopperLagrangianConstraint): the point of index would go");
    d_index.setValue(now[0]);
}

template <class D>
void StopperLagrangianConstraint<D>::buildRows(const ConstraintParams&, ConstraintMatrix& h)
{
    h.add(this->state(), h.addRows(1), d_index.value(), Deriv::filled(1.));
}

template <class D>
void StopperLagrangianConstraint<D>::violation(const ConstraintParams&, const MultiVecCoordId& x, std::span<double> d)
{
    d[0] = this->state().read(x.at(this->state()))[d_index.value()][0];
}

template <class D>
void StopperLagrangianConstraint<D>::laws(const ConstraintParams& p, std::vector<ConstraintLaw*>& out)
{
    // By velocities the "violation" is (x + dt v) / dt, and so are the bounds.
    const double unit = p.order == ConstraintOrder::velocity ? 1. / p.dt : 1.;
    m_law.setBounds(d_min.value() * unit, d_max.value() * unit);
    out.push_back(&m_law);
}

template <class D>
void UniformLagrangianConstraint<D>::bwdInit()
{
    if (this->isValid() && d_constrainToRestPos.value() && !this->state().isAllocated(vec_id::restPosition))
        this->fail("constrainToRestPos needs rest positions in " + this->state().pathName());
}

template <class D>
void UniformLagrangianConstraint<D>::buildRows(const ConstraintParams&, ConstraintMatrix& h)
{
    const Index n = this->state().size();
    int row = h.addRows(static_cast<int>(n * D::derivSize));
    for (Index i = 0; i < n; ++i)
        for (std::size_t c = 0; c < D::derivSize; ++c) {
            Deriv d;
            d[c] = 1.;
            h.add(this->state(), row++, i, d);
        }
}

template <class D>
void UniformLagrangianConstraint<D>::violation(const ConstraintParams&, const MultiVecCoordId& x, std::span<double> d)
{
    const State<D>& s = this->state();
    const auto& now = s.read(x.at(s));
    const auto* rest = d_constrainToRestPos.value() ? &s.read(vec_id::restPosition) : nullptr;
    for (std::size_t i = 0; i < now.size(); ++i)
        for (std::size_t c = 0; c < D::derivSize; ++c)
            d[i * D::derivSize + c] = now[i][c] - (rest ? (*rest)[i][c] : 0.);
}

template <class D>
void UniformLagrangianConstraint<D>::laws(const ConstraintParams&, std::vector<ConstraintLaw*>& out)
{
    const std::size_t rows = this->state().size() * D::derivSize;
    if (d_iterative.value()) {
        m_rows.resize(rows);
        for (BilateralLaw& law : m_rows) out.push_back(&law);
    } else {
        m_all.resize(static_cast<int>(rows));
        out.push_back(&m_all);
    }
}

namespace {

constexpr const char* modelModule = "Sofa.Component.Constraint.Lagrangian.Model";

const RegisterComponent registeredStopperLagrangianConstraint =
    RegisterComponent("StopperLagrangianConstraint", "LagrangianConstraint", modelModule)
        .help("Keeps a coordinate between two bounds by constraint forces")
        .alias("StopperConstraint")
        .example("component/constraint/StopperLagrangianConstraint.scn")
        .add<StopperLagrangianConstraint, Vec1Types>();
const RegisterComponent registeredUniformLagrangianConstraint =
    RegisterComponent("UniformLagrangianConstraint", "LagrangianConstraint", modelModule)
        .help("Holds every coordinate at zero or at rest by constraint forces")
        .alias("UniformConstraint")
        .example("component/constraint/UniformLagrangianConstraint.scn")
        .add<UniformLagrangianConstraint, Vec1Types, Vec3Types>();

}  // namespace

}  // namespace sofa::component
