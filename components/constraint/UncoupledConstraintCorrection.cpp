// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/constraint/UncoupledConstraintCorrection.h"

#include <algorithm>

#include "core/behavior/StateLookup.h"
#include "core/factory/Registry.h"
#include "core/objectmodel/Node.h"

namespace sofa::component {

using namespace core;

template <class D>
UncoupledConstraintCorrection<D>::UncoupledConstraintCorrection()
{
    this->ignoreAttribute("verbose", "use printLog of the constraint solver");
}

template <class D>
void UncoupledConstraintCorrection<D>::init()
{
    OnState<ConstraintCorrection, D>::init();
    if (!this->isValid()) return;
    if (std::string error; !l_topology.resolve(error)) return this->fail("topology: " + error);
    m_odeSolver = this->node()->template get<OdeSolver>(Search::Up);
    if (!m_odeSolver && d_useOdeSolverIntegrationFactors.value())
        this->msgWarning() << "there is no ODE solver in node '" << this->node()->pathName()
                           << "' or above: correctionPositionFactor and correctionVelocityFactor are used";
}

template <class D>
void UncoupledConstraintCorrection<D>::bwdInit()
{
    if (!this->isValid()) return;
    m_mass = nullptr;
    m_compliance = d_compliance.value();
    for (std::size_t i = 0; i < m_compliance.size(); ++i) {
        const std::size_t k = i % 7;
        const bool diagonal = !D::isRigid || k == 0 || k == 1 || k == 4 || k == 6;
        if (diagonal && !(m_compliance[i] > 0.))
            return this->fail("compliance: number " + std::to_string(i) + " is " + toText(m_compliance[i]) +
                              "; it must be positive");
    }
    if constexpr (D::isRigid) {
        const std::size_t n = this->l_state->size();
        if (m_compliance.size() == 7 || m_compliance.size() == 7 * n) return;
        if (!m_compliance.empty())
            return this->fail("compliance has " + std::to_string(m_compliance.size()) +
                              " numbers; expected 7, or 7 for each of " + std::to_string(n) + " bodies");
        if (d_defaultCompliance.isSet()) {
            m_compliance = {d_defaultCompliance.value(), 1., 0., 0., 1., 0., 1.};
            return;
        }
        auto* mass = dynamic_cast<Mass<D>*>(this->node()->template get<BaseMass>(Search::Local));
        if (!mass || !mass->isDiagonal())
            return this->fail("it needs a diagonal mass in node '" + this->node()->pathName() +
                              "', or compliance: seven numbers for each body");
        m_mass = mass;
        readMass();
    } else {
        if (m_compliance.empty()) {
            if (!d_defaultCompliance.isSet())
                this->msgWarning()
                    << "neither compliance nor defaultCompliance is given: each point has the compliance "
                    << d_defaultCompliance.value() << ", whatever its mass";
            return;
        }
        if (m_compliance.size() == this->l_state->size()) return;
        const double c = d_defaultCompliance.isSet() ? d_defaultCompliance.value() : m_compliance.front();
        if (m_compliance.size() > 1)
            this->msgWarning() << "compliance has " << m_compliance.size() << " numbers for " << this->l_state->size()
                               << " points: " << c << " is used for all";
        m_compliance.assign(this->l_state->size(), c);
    }
}

template <class D>
void UncoupledConstraintCorrection<D>::readMass()
{
    if constexpr (D::isRigid) {
        const std::size_t n = this->l_state->size();
        m_compliance.resize(7 * n);
        typename D::VecDeriv f(n), a(n);
        for (std::size_t c : {0, 3, 4, 5}) {
            for (Deriv& d : f) {
                d = Deriv();
                d[c] = 1.;
            }
            m_mass->accFromF(a, f, this->l_state->positions());
            for (std::size_t i = 0; i < n; ++i) {
                double* m = m_compliance.data() + 7 * i;
                if (c == 0) m[0] = a[i][0];
                if (c == 3) m[1] = a[i][3], m[2] = a[i][4], m[3] = a[i][5];
                if (c == 4) m[4] = a[i][4], m[5] = a[i][5];
                if (c == 5) m[6] = a[i][5];
            }
        }
        if (!d_useOdeSolverIntegrationFactors.value() && m_odeSolver)
            for (double& c : m_compliance) c *= this->node()->dt() * this->node()->dt();
    }
}

template <class D>
void UncoupledConstraintCorrection<D>::followBodies()
{
    if (m_mass && m_mass->turns()) readMass();
}

template <class D>
double UncoupledConstraintCorrection<D>::positionFactor(const ConstraintParams& p) const
{
    if (m_odeSolver && d_useOdeSolverIntegrationFactors.value()) return m_odeSolver->positionIntegrationFactor(p.dt);
    return d_correctionPositionFactor.value();
}

template <class D>
double UncoupledConstraintCorrection<D>::velocityFactor(const ConstraintParams& p) const
{
    if (m_odeSolver && d_useOdeSolverIntegrationFactors.value()) return m_odeSolver->velocityIntegrationFactor(p.dt);
    const double f = d_correctionVelocityFactor.value();
    return p.order == ConstraintOrder::velocity ? f : f / p.dt;
}

template <class D>
typename UncoupledConstraintCorrection<D>::Deriv UncoupledConstraintCorrection<D>::respond(Index point,
                                                                                           const Deriv& f) const
{
    if constexpr (D::isRigid) {
        const double* c = m_compliance.data() + (m_compliance.size() > 7 ? 7 * point : 0);
        Deriv d;
        for (std::size_t k = 0; k < 3; ++k) d[k] = c[0] * f[k];
        d[3] = c[1] * f[3] + c[2] * f[4] + c[3] * f[5];
        d[4] = c[2] * f[3] + c[4] * f[4] + c[5] * f[5];
        d[5] = c[3] * f[3] + c[5] * f[4] + c[6] * f[5];
        return d;
    } else {
        return f * (point < m_compliance.size() ? m_compliance[point] : d_defaultCompliance.value());
    }
}

template <class D>
auto UncoupledConstraintCorrection<D>::entriesByPoint(const ConstraintMatrix& h) const -> std::vector<Entry>
{
    std::vector<Entry> entries;
    const auto* part = h.part(*this->l_state);
    if (!part) return entries;
    entries.reserve(part->points.size());
    for (std::size_t r = 0; r < part->size(); ++r)
        for (auto e = static_cast<std::size_t>(part->start[r]); e < static_cast<std::size_t>(part->start[r + 1]); ++e)
            entries.push_back({part->points[e], part->rows[r], e});
    std::ranges::stable_sort(entries, {}, &Entry::point);
    return entries;
}

template <class D>
void UncoupledConstraintCorrection<D>::coupleRows(const ConstraintMatrix& h, ComplianceMatrix& w) const
{
    const auto entries = entriesByPoint(h);
    Vector<int> rows;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        rows.push_back(entries[i].row);
        if (i + 1 < entries.size() && entries[i + 1].point == entries[i].point) continue;
        w.couple(rows);
        rows.clear();
    }
}

template <class D>
void UncoupledConstraintCorrection<D>::addCompliance(const ConstraintParams& p, const ConstraintMatrix& h,
                                                     ComplianceMatrix& w)
{
    const auto* part = h.part(*this->l_state);
    if (!part || part->empty()) return;
    followBodies();
    const double c = this->complianceFactor(p);
    const auto entries = entriesByPoint(h);
    const auto jacobian = [&](const Entry& e) {
        Deriv d;
        std::copy_n(part->values.data() + e.at * part->derivSize, part->derivSize, d.data());
        return d;
    };
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const Deriv answer = respond(entries[i].point, jacobian(entries[i])) * c;
        for (std::size_t j = i; j < entries.size() && entries[j].point == entries[i].point; ++j) {
            const double v = dot(answer, jacobian(entries[j]));
            const int a = entries[i].row, b = entries[j].row;
            w.add(a, b, v);
            if (a != b) w.add(b, a, v);
        }
    }
}

template <class D>
template <class F>
void UncoupledConstraintCorrection<D>::forEntries(int first, int n, F f) const
{
    if (!m_part) return;
    const auto& rows = m_part->rows;
    auto r = static_cast<std::size_t>(std::ranges::lower_bound(rows, first) - rows.begin());
    for (; r < rows.size() && rows[r] < first + n; ++r)
        for (auto e = static_cast<std::size_t>(m_part->start[r]); e < static_cast<std::size_t>(m_part->start[r + 1]);
             ++e) {
            Deriv d;
            std::copy_n(m_part->values.data() + e * m_part->derivSize, m_part->derivSize, d.data());
            f(rows[r] - first, m_part->points[e], d);
        }
}

template <class D>
void UncoupledConstraintCorrection<D>::beginProducts(const ConstraintParams& p, const ConstraintMatrix& h)
{
    m_part = h.part(*this->l_state);
    if (!m_part) return;
    followBodies();
    m_motion.assign(this->l_state->size(), Deriv());
    m_waiting.clear();
    m_factor = this->complianceFactor(p);
}

template <class D>
void UncoupledConstraintCorrection<D>::addBlock(int first, int n, double* w) const
{
    forEntries(first, n, [&](int i, Index a, const Deriv& left) {
        const Deriv answer = respond(a, left) * m_factor;
        forEntries(first, n, [&](int j, Index b, const Deriv& right) {
            if (a == b) w[i * n + j] += dot(answer, right);
        });
    });
}

template <class D>
void UncoupledConstraintCorrection<D>::addProduct(int first, int n, double* d) const
{
    forEntries(first, n, [&](int i, Index a, const Deriv& h) { d[i] += dot(m_motion[a], h); });
}

template <class D>
void UncoupledConstraintCorrection<D>::changeForce(int first, int n, const double* change)
{
    forEntries(first, n, [&](int i, Index a, const Deriv& h) {
        m_motion[a] += respond(a, h) * (m_factor * change[i]);
        if (m_waiting.empty()) return;
        m_motion[a] += respond(a, m_waiting[a]) * m_factor;
        m_waiting[a] = Deriv();
    });
}

template <class D>
void UncoupledConstraintCorrection<D>::startFrom(std::span<const double> force)
{
    if (!m_part) return;
    const auto forceOf = [&](int row) { return force[static_cast<std::size_t>(row)]; };
    if (std::ranges::all_of(m_part->rows, [&](int row) { return forceOf(row) == 0.; })) return;
    m_waiting.assign(m_motion.size(), Deriv());
    for (const int row : m_part->rows)
        forEntries(row, 1, [&](int, Index a, const Deriv& h) { m_waiting[a] += h * forceOf(row); });
}

template <class D>
void UncoupledConstraintCorrection<D>::computeMotion(const ConstraintParams&, const ConstraintMatrix& h,
                                                     std::span<const double> lambda, VecDerivId dx)
{
    State<D>& s = *this->l_state;
    s.clear(dx);
    h.addForce(s, dx, lambda);
    const auto d = s.write(dx);
    for (Index i = 0; i < d.size(); ++i) d[i] = respond(i, d[i]);
}

static const RegisterComponent registeredUncoupledConstraintCorrection =
    RegisterComponent("UncoupledConstraintCorrection", "ConstraintCorrection",
                      "Sofa.Component.Constraint.Lagrangian.Correction")
        .help("Moves particles or rigid bodies by constraint forces, each by itself")
        .example("component/constraint/UncoupledConstraintCorrection.scn")
        .add<UncoupledConstraintCorrection, Vec3Types, Vec2Types, Vec1Types, Rigid3Types>();

}  // namespace sofa::component
