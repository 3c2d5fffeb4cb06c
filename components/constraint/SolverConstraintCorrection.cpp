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
    if (!l_linearSolver)
        for (LinearSolver* s : node()->getAll<LinearSolver>(Search::Local))
            if (!l_linearSolver && !s->isPreconditioner()) l_linearSolver.set(s);
    if (!l_linearSolver) l_linearSolver.set(node()->get<LinearSolver>(Search::Local));
    if (!l_linearSolver)
        return fail("it needs a linear solver in node '" + node()->pathName() +
                    "', or a link to one (linearSolver): its matrix gives the compliance");
    if (!l_odeSolver) l_odeSolver.set(node()->get<OdeSolver>(Search::Up));
    if (!l_odeSolver) fail("it needs an ODE solver in node '" + node()->pathName() + "' or above");
}

double SolverConstraintCorrection::positionFactor(const ConstraintParams& p) const
{
    return factor() * l_odeSolver->positionIntegrationFactor(p.dt);
}

double SolverConstraintCorrection::velocityFactor(const ConstraintParams& p) const
{
    return factor() * l_odeSolver->velocityIntegrationFactor(p.dt);
}

const SystemAssembly& SolverConstraintCorrection::matrix(const AssembledLinearSolver& s) const
{
    if (s.source()) return *s.source();
    throw std::runtime_error(pathName() + " (" + className() + "): the linear solver " + s.pathName() +
                             " has no matrix: the integrator of the body does not use it (an explicit one with a "
                             "diagonal mass needs no matrix; use UncoupledConstraintCorrection)");
}

int SolverConstraintCorrection::findPlaces()
{
    m_layout.clear();
    if (const auto* direct = dynamic_cast<const AssembledLinearSolver*>(l_linearSolver.get())) {
        const SystemAssembly& a = matrix(*direct);
        for (const auto& e : a.layout()) m_layout.push_back({e.state, e.offset});
        return a.size();
    }
    int size = 0;
    for (BaseState* s : ExecutionPlan::of(*l_linearSolver->node()).independentStates()) {
        m_layout.push_back({s, size});
        size += static_cast<int>(s->derivScalars());
    }
    return size;
}

void SolverConstraintCorrection::collectRows(const ConstraintMatrix& h)
{
    m_rows.global.clear();
    m_parts.clear();
    for (const BaseState* s : states()) {
        const auto* part = h.part(*s);
        if (!part || part->empty()) continue;
        const auto place = std::find_if(m_layout.begin(), m_layout.end(), [s](const Place& e) { return e.state == s; });
        if (place == m_layout.end())
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

void SolverConstraintCorrection::solve(const Vector<double>& b, Vector<double>& x)
{
    x.resize(b.size());
    if (auto* direct = dynamic_cast<AssembledLinearSolver*>(l_linearSolver.get())) {
        direct->apply(matrix(*direct), b.data(), x.data());
        return;
    }
    VectorOperations vop(*l_linearSolver->node());
    const TempDeriv rhs(vop), solution(vop);
    for (const Place& e : m_layout) e.state->setScalars(rhs, b.data() + e.offset);
    l_linearSolver->solve(solution, rhs);
    for (const Place& e : m_layout) e.state->getScalars(solution, x.data() + e.offset);
}

std::span<const double> SolverConstraintCorrection::computeCompliance(const ConstraintParams& p,
                                                                      const ConstraintMatrix& h, bool keep)
{
    const int size = findPlaces();
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
        m_b.assign(static_cast<std::size_t>(size), 0.);
        const auto entries = [&](std::size_t r) {
            return std::pair(static_cast<std::size_t>(m_rows.ptr[r]), static_cast<std::size_t>(m_rows.ptr[r + 1]));
        };
        for (std::size_t r = 0; r < k; ++r) {
            const auto [first, last] = entries(r);
            for (std::size_t e = first; e < last; ++e)
                m_b[static_cast<std::size_t>(m_rows.columns[e])] += m_rows.values[e];
            solve(m_b, m_x);
            for (std::size_t e = first; e < last; ++e) m_b[static_cast<std::size_t>(m_rows.columns[e])] = 0.;
            for (std::size_t i = 0; i < k; ++i) {
                const auto [begin, end] = entries(i);
                double s = 0.;
                for (std::size_t e = begin; e < end; ++e)
                    s += m_rows.values[e] * m_x[static_cast<std::size_t>(m_rows.columns[e])];
                // An iterative solver gives a compliance that is symmetric to its tolerance only: halves of both.
                m_w[i * k + r] += 0.5 * c * s;
                m_w[r * k + i] += 0.5 * c * s;
            }
        }
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
    const int size = findPlaces();
    m_b.assign(static_cast<std::size_t>(size), 0.);
    const auto mine = states();
    bool any = false;
    for (const Place& e : m_layout) {
        const auto* part = h.part(*e.state);
        if (!part || part->empty() || std::find(mine.begin(), mine.end(), e.state) == mine.end()) continue;
        e.state->clear(dx);
        h.addForce(*e.state, dx, lambda);
        e.state->getScalars(dx, m_b.data() + e.offset);
        any = true;
    }
    if (any)
        solve(m_b, m_x);
    else
        m_x = m_b;
    for (const Place& e : m_layout)
        if (std::find(mine.begin(), mine.end(), e.state) != mine.end()) e.state->setScalars(dx, m_x.data() + e.offset);
}

void LinearSolverConstraintCorrection::init()
{
    SolverConstraintCorrection::init();
    if (!isValid()) return;
    std::string error;
    if (!l_state.resolve(error)) return fail("mstate: " + error);
    if (!l_state) l_state.set(findMechanicalState<BaseState>(*node(), Search::Up));
    if (!l_state) fail("it needs a MechanicalObject in its node or above");
}

std::vector<BaseState*> GenericConstraintCorrection::states() const
{
    return ExecutionPlan::of(*l_linearSolver->node()).independentStates();
}

namespace {

constexpr const char* module = "Sofa.Component.Constraint.Lagrangian.Correction";

const RegisterComponent linearSolver =
    RegisterComponent("LinearSolverConstraintCorrection", "ConstraintCorrection", module)
        .help("Moves one state by constraint forces through the matrix of its linear solver")
        .example("component/constraint/LinearSolverConstraintCorrection.scn")
        .add<LinearSolverConstraintCorrection>({"Vec3", "Vec2", "Vec1", "Vec6", "Rigid3", "Rigid2"});
const RegisterComponent generic =
    RegisterComponent("GenericConstraintCorrection", "ConstraintCorrection", module)
        .help("Moves every state of a linear solver by constraint forces through its matrix")
        .example("component/constraint/GenericConstraintCorrection.scn")
        .add<GenericConstraintCorrection>();

}  // namespace

}  // namespace sofa::component
