// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/constraint/SolverConstraintCorrection.h"

#include <algorithm>

#include "core/behavior/StateLookup.h"
#include "core/factory/Registry.h"
#include "core/visitor/StateVectors.h"

namespace sofa::component {

using namespace core;

void SolverConstraintCorrection::init()
{
    clearCaches();
    std::string error;
    if (!l_linearSolver.resolve(error)) return fail("linearSolver: " + error);
    if (!l_odeSolver.resolve(error)) return fail("ODESolver: " + error);
    // With tags it belongs to the solvers that carry them.
    const auto fits = [this](const Component& c) { return std::ranges::includes(c.d_tags.value(), d_tags.value()); };
    for (const bool preconditioners : {false, true})
        for (LinearSolver* s : node()->getAll<LinearSolver>(Search::Local))
            if (!l_linearSolver && fits(*s) && (preconditioners || !s->isPreconditioner())) l_linearSolver.set(s);
    if (!l_linearSolver)
        return fail("it needs a linear solver in node '" + node()->pathName() +
                    "', or a link to one (linearSolver): its matrix gives the compliance");
    for (OdeSolver* s : node()->getAll<OdeSolver>(Search::Up))
        if (!l_odeSolver && fits(*s)) l_odeSolver.set(s);
    if (!l_odeSolver) fail("it needs an ODE solver in node '" + node()->pathName() + "' or above");
}

TopologyFollower::PointLists SolverConstraintCorrection::pointLists()
{
    std::vector<ElementLists> points;
    if (l_linearSolver)
        for (const BaseState* s : states())
            if (s) points.push_back({pointsOf(*s), {}});
    return points;
}

double SolverConstraintCorrection::positionFactor(const ConstraintParams& p) const
{
    return factor() * l_odeSolver->positionIntegrationFactor(p.dt);
}

double SolverConstraintCorrection::velocityFactor(const ConstraintParams& p) const
{
    return factor() * l_odeSolver->velocityIntegrationFactor(p.dt);
}

SolverScope SolverConstraintCorrection::scope() const
{
    // Before init it may have no integrator yet.
    return l_odeSolver ? SolverScope(*l_linearSolver->node(), l_odeSolver->d_tags.value())
                       : SolverScope(*l_linearSolver->node());
}

const SystemLayout& SolverConstraintCorrection::layout()
{
    if (const auto* direct = dynamic_cast<const AssembledLinearSolver*>(l_linearSolver.get())) {
        if (direct->source()) return direct->source()->layout();
        throw std::runtime_error(pathName() + " (" + className() + "): the linear solver " + direct->pathName() +
                                 " has no matrix: the integrator of the body does not use it (an explicit one with a "
                                 "diagonal mass needs no matrix; use UncoupledConstraintCorrection)");
    }
    m_layout.set(ExecutionPlan::of(scope()));
    return m_layout;
}

void SolverConstraintCorrection::collectRows(const ConstraintMatrix& h)
{
    const SystemLayout& places = layout();
    m_rows.global.clear();
    m_parts.clear();
    for (const BaseState* s : states()) {
        const auto* part = h.part(*s);
        if (!part || part->empty()) continue;
        const auto* place = places.find(*s);
        if (!place)
            throw std::runtime_error(pathName() + " (" + className() + "): " + s->pathName() +
                                     " is not an unknown of the linear solver " + l_linearSolver->pathName());
        m_parts.emplace_back(part, place->offset);
        m_rows.global.insert(m_rows.global.end(), part->rows.begin(), part->rows.end());
    }
    auto& rows = m_rows.global;
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    m_rows.ptr.assign(1, 0);
    m_rows.columns.clear();
    m_rows.values.clear();
    for (const int row : rows) {
        for (const auto& [part, offset] : m_parts) {
            const int k = part->find(row);
            if (k < 0) continue;
            const auto d = static_cast<int>(part->derivSize);
            for (int e = part->start[static_cast<std::size_t>(k)]; e < part->start[static_cast<std::size_t>(k) + 1];
                 ++e)
                for (int c = 0; c < d; ++c) {
                    m_rows.columns.push_back(offset + static_cast<int>(part->points[static_cast<std::size_t>(e)]) * d +
                                             c);
                    m_rows.values.push_back(part->values[static_cast<std::size_t>(e * d + c)]);
                }
        }
        m_rows.ptr.push_back(static_cast<int>(m_rows.columns.size()));
    }
}

void SolverConstraintCorrection::solve(std::span<const double> b, std::span<double> x)
{
    if (auto* direct = dynamic_cast<AssembledLinearSolver*>(l_linearSolver.get())) return direct->apply(b, x);
    VectorOperations vop(scope());
    const TempDeriv rhs(vop), solution(vop);
    m_layout.scatter(b.data(), rhs);
    l_linearSolver->solve(solution, rhs);
    m_layout.gather(solution, x.data());
}

std::span<const double> SolverConstraintCorrection::computeCompliance(const ConstraintParams& p,
                                                                      const ConstraintMatrix& h, bool keep)
{
    collectRows(h);
    const std::size_t k = m_rows.global.size();
    if (k == 0) return {};
    const SparseRows rows{m_rows.ptr, m_rows.columns, m_rows.values};
    const double c = complianceFactor(p);
    auto* direct = dynamic_cast<AssembledLinearSolver*>(l_linearSolver.get());
    if (direct && keep) {
        ComplianceCache& kept = cache(p);
        direct->updateCompliance(rows, c, kept);
        reportCache(kept);
        return kept.values();
    }
    m_w.assign(k * k, 0.);
    if (direct) {
        direct->addCompliance(rows, m_w, c);
    } else {
        addComplianceBySolves(
            rows, m_layout.size(), [this](auto b, auto x) { solve(b, x); }, m_w, c);
        // An iterative solver gives a compliance that is symmetric to its tolerance only.
        for (std::size_t i = 0; i < k; ++i)
            for (std::size_t j = 0; j < i; ++j)
                m_w[i * k + j] = m_w[j * k + i] = 0.5 * (m_w[i * k + j] + m_w[j * k + i]);
    }
    return m_w;
}

void SolverConstraintCorrection::clearCaches()
{
    for (ComplianceCache& c : m_caches) c.clear();
}

void SolverConstraintCorrection::reportCache(const ComplianceCache& cache)
{
    if (d_printLog.value())
        msgInfo() << cache.size() << " rows, " << cache.lastComputed() << " of them new or with a new matrix";
}

std::span<const double> SolverConstraintCorrection::regularized(std::span<const double> w)
{
    const double r = d_regularizationTerm.value();
    if (r == 0.) return w;
    if (w.data() != m_w.data()) m_w.assign(w.begin(), w.end());
    const std::size_t k = m_rows.global.size();
    for (std::size_t i = 0; i < k; ++i) m_w[i * k + i] += r;
    return m_w;
}

std::span<const double> SolverConstraintCorrection::regularCompliance(const ConstraintParams& p,
                                                                      const ConstraintMatrix& h)
{
    return regularized(computeCompliance(p, h, d_cacheCompliance.value()));
}

void SolverConstraintCorrection::addCompliance(const ConstraintParams& p, const ConstraintMatrix& h,
                                               ComplianceMatrix& w)
{
    const auto mine = regularCompliance(p, h);
    w.add(m_rows.global, mine);
}

void SolverConstraintCorrection::beginProducts(const ConstraintParams& p, const ConstraintMatrix& h)
{
    const auto w = regularCompliance(p, h);
    m_products.begin(m_rows.global, w);
}

void SolverConstraintCorrection::computeMotion(const ConstraintParams&, const ConstraintMatrix& h,
                                               std::span<const double> lambda, VecDerivId dx)
{
    const SystemLayout& places = layout();
    m_b.assign(static_cast<std::size_t>(places.size()), 0.);
    m_x.assign(m_b.size(), 0.);
    const auto mine = states();
    bool any = false;
    for (const auto& e : places) {
        const auto* part = h.part(*e.state);
        if (!part || part->empty() || std::find(mine.begin(), mine.end(), e.state) == mine.end()) continue;
        e.state->clear(dx);
        h.addForce(*e.state, dx, lambda);
        e.state->getScalars(dx, m_b.data() + e.offset);
        any = true;
    }
    if (any) solve(m_b, m_x);
    for (const auto& e : places)
        if (std::find(mine.begin(), mine.end(), e.state) != mine.end()) e.state->setScalars(dx, m_x.data() + e.offset);
}

void LinearSolverConstraintCorrection::init()
{
    SolverConstraintCorrection::init();
    if (!isValid()) return;
    std::string error;
    if (!l_state.resolve(error)) return fail("mstate: " + error);
    if (!l_state) l_state.set(findMechanicalState<BaseState>(*node(), Search::Up, d_tags.value()));
    if (!l_state) fail("it needs a MechanicalObject in its node or above");
}

std::vector<BaseState*> GenericConstraintCorrection::states() const
{
    return ExecutionPlan::of(scope()).independentStates();
}

namespace {

constexpr const char* correctionModule = "Sofa.Component.Constraint.Lagrangian.Correction";

const RegisterComponent registeredLinearSolverConstraintCorrection =
    RegisterComponent("LinearSolverConstraintCorrection", "ConstraintCorrection", correctionModule)
        .help("Moves one state by constraint forces through the matrix of its linear solver")
        .example("component/constraint/LinearSolverConstraintCorrection.scn")
        .add<LinearSolverConstraintCorrection>({"Vec3", "Vec2", "Vec1", "Vec6", "Rigid3", "Rigid2"});
const RegisterComponent registeredGenericConstraintCorrection =
    RegisterComponent("GenericConstraintCorrection", "ConstraintCorrection", correctionModule)
        .help("Moves every state of a linear solver by constraint forces through its matrix")
        .example("component/constraint/GenericConstraintCorrection.scn")
        .add<GenericConstraintCorrection>();

}  // namespace

}  // namespace sofa::component
