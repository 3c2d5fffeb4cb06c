// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/constraint/LagrangianSolver.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_set>

#include "components/constraint/ConstraintIslands.h"
#include "core/factory/Registry.h"
#include "core/log/Timer.h"
#include "core/visitor/Operations.h"

namespace sofa::component {

using namespace core;

LagrangianSolver::LagrangianSolver()
{
    addAlias(d_maxIterations, "maxIt");
    ignoreAttribute("constraintCorrections", "every constraint correction at and below the node is used");
    for (const char* threads : {"multithreading", "taskSchedulerType", "nbThreads"})
        ignoreAttribute(threads, "threads are set for the whole program (--threads)");
}

GenericLagrangianSolver::GenericLagrangianSolver()
{
    for (const char* graph : {"graphConstraints", "graphForces", "graphViolations"})
        ignoreAttribute(graph, "graphs of single rows are not recorded");
}

ConstraintOutcome GenericLagrangianSolver::solveProblem(ConstraintProblem& problem)
{
    const ConstraintSettings settings{.tolerance = d_tolerance.value(),
                                      .relativeTolerance = relativeTolerance(),
                                      .maxIterations = d_maxIterations.value(),
                                      .scaleTolerance = d_scaleTolerance.value(),
                                      .onlyActing = compatibility() == Compatibility::Exact,
                                      .allVerified = d_allVerified.value(),
                                      .overrelaxation = d_sor.value(),
                                      .interior = compatibility() == Compatibility::Exact};
    // SOFA's rules ask for the errors of all rows together.
    ConstraintOutcome outcome =
        settings.relativeTolerance > 0.
            ? solveByIslands(problem, [&](ConstraintProblem& island) { return iterate(island, settings); })
            : iterate(problem, settings);
    if (outcome.diverged) tellDivergence(outcome);
    if (d_computeGraphs.value()) d_graphErrors.setValue(outcome.errors);
    return outcome;
}

VecDerivId LagrangianSolver::lambda() const { return m_lambda.id(); }
VecDerivId LagrangianSolver::displacement() const { return m_displacement.id(); }

void LagrangianSolver::init() { m_collected = m_reported = false; }

void LagrangianSolver::reset()
{
    m_reported = false;
    d_unconvergedSolves.setValue(0);
}

double LagrangianSolver::relativeTolerance() const
{
    return d_tolerance.isSet() || compatibility() == Compatibility::Sofa ? 0. : d_relativeTolerance.value();
}

void LagrangianSolver::countUnconverged(const ConstraintOutcome& outcome)
{
    if (d_unconvergedSolves.value() == 0)
        msgWarning() << "at " << node()->time() << " s the forces of constraints did not converge in "
                     << outcome.iterations << " iterations: the laws would still change violations by "
                     << d_currentResidual.value() << " m (told once; unconvergedSolves counts)";
    d_unconvergedSolves.setValue(d_unconvergedSolves.value() + 1);
}

void LagrangianSolver::collect()
{
    if (m_collected && m_version == node()->version()) return;
    m_collected = true;
    m_version = node()->version();
    m_constraints.clear();
    m_corrections.clear();
    for (Node* n : node()->descendants()) {
        n->forOwn<BaseLagrangianConstraint>([this](auto& c) { m_constraints.push_back(&c); });
        n->forOwn<ConstraintCorrection>([this](auto& c) { m_corrections.push_back(&c); });
    }
    std::unordered_set<const BaseState*> moved;
    for (ConstraintCorrection* c : m_corrections)
        for (const BaseState* s : c->states())
            if (!moved.insert(s).second)
                throw std::runtime_error(c->pathName() + ": " + s->pathName() +
                                         " has two constraint corrections, so that it would move twice");
    for (Node* n : node()->descendants()) {
        if (n->getAll<OdeSolver>().empty()) continue;
        for (BaseState* s : ExecutionPlan::of(*n).independentStates())
            if (s->size() > 0 && !moved.contains(s))
                msgWarning() << s->pathName() << " has no constraint correction: it will not move. Add, for example, a "
                             << "GenericConstraintCorrection to node '" << n->pathName() << "'";
    }
}

void LagrangianSolver::orderConstraints()
{
    const auto before = [](const BaseLagrangianConstraint* a, const BaseLagrangianConstraint* b) {
        return a->sequence() < b->sequence();
    };
    for (auto first = m_constraints.begin(); first != m_constraints.end();) {
        const auto last = std::find_if(first, m_constraints.end(), [&](const BaseLagrangianConstraint* c) {
            return c->node() != (*first)->node();
        });
        if (!std::is_sorted(first, last, before)) std::stable_sort(first, last, before);
        first = last;
    }
}

void addCompliance(const std::vector<ConstraintCorrection*>& corrections, const ConstraintParams& p,
                   const ConstraintMatrix& h, ComplianceMatrix& w)
{
    for (const ConstraintCorrection* c : corrections) c->coupleRows(h, w);
    w.finish();
    for (ConstraintCorrection* c : corrections) c->addCompliance(p, h, w);
}

void LagrangianSolver::buildCompliance(const ConstraintParams& p, ConstraintProblem& problem)
{
    ScopedTimer t("Compliance");
    addCompliance(m_taking, p, m_jacobian, problem.w);
    regularize(problem);
}

void LagrangianSolver::regularize(ConstraintProblem& problem) const
{
    const double r = d_regularizationTerm.value();
    for (int i = 0; i < problem.size; ++i) problem.w.add(i, i, r);
}

void BuiltLagrangianSolver::regularize(ConstraintProblem& problem) const
{
    if (!d_useSVDForRegularization.value()) return LagrangianSolver::regularize(problem);
    const double r = d_regularizationTerm.value();
    const auto n = static_cast<Eigen::Index>(problem.size);
    if (r == 0. || n == 0) return;
    // W is symmetric: its singular values are the sizes of its eigenvalues. The length of a row's projection onto the
    // null space does not depend on the basis that the decomposition happens to choose there.
    const Vector<double> dense = problem.w.dense();
    const Eigen::Map<const Eigen::MatrixXd> w(dense.data(), n, n);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(w);
    const Eigen::VectorXd values = eigen.eigenvalues().cwiseAbs();
    const double bound = d_svdSingularValueNullSpaceCriteriaFactor.value() * values.maxCoeff();
    Eigen::VectorXd squares = Eigen::VectorXd::Zero(n);
    for (Eigen::Index k = 0; k < n; ++k)
        if (values[k] < bound) squares += eigen.eigenvectors().col(k).cwiseAbs2();
    int rows = 0;
    for (Eigen::Index i = 0; i < n; ++i) {
        if (!(std::sqrt(squares[i]) > d_svdSingularVectorNullSpaceCriteriaFactor.value())) continue;
        problem.w.add(static_cast<int>(i), static_cast<int>(i), r);
        ++rows;
    }
    if (d_printLog.value()) msgInfo() << rows << " of " << n << " rows are in the null space of the compliance";
}

void LagrangianSolver::reportImmovable(const ConstraintProblem& problem)
{
    if (m_reported) return;
    for (std::size_t k = 0; k < problem.groups.size(); ++k) {
        const auto& g = problem.groups[k];
        for (int row = 0; row < g.law->size(); ++row) {
            const double w = problem.diagonal(g, row);
            if (w > 0.) continue;
            m_reported = true;
            m_owner[k]->msgWarning() << "row "
                                     << g.first + row - static_cast<int>(m_owner[k]->d_constraintIndex.value())
                                     << " acts on nothing that can move (compliance " << w
                                     << "): it has no effect. Are the points fixed, or is a constraint correction "
                                        "missing?";
            return;
        }
    }
}

void LagrangianSolver::solveConstraint(const ConstraintParams& p, const MultiVecCoordId& x, const MultiVecDerivId& v)
{
    collect();
    m_taking.clear();
    for (ConstraintCorrection* c : m_corrections)
        if (c->isActive() && !p.sleeps(*c)) m_taking.push_back(c);
    const ExecutionPlan& plan = ExecutionPlan::of(*node());
    VectorOperations vop(*node());
    const VecDerivId lambdaId = m_lambda.allocate(vop), displacementId = m_displacement.allocate(vop);
    {
        ScopedTimer t("BuildConstraints");
        orderConstraints();
        m_jacobian.begin();
        m_firstRow.assign(1, 0);
        m_laws.clear();
        m_owner.clear();
        for (BaseLagrangianConstraint* c : m_constraints) {
            if (c->isActive() && !p.sleeps(*c)) {
                c->d_constraintIndex.setValue(static_cast<unsigned>(m_jacobian.rows()));
                c->buildRows(p, m_jacobian);
                if (m_jacobian.rows() > m_firstRow.back()) c->laws(p, m_laws);
                m_owner.resize(m_laws.size(), c);
            }
            m_firstRow.push_back(m_jacobian.rows());
        }
        m_jacobian.carry(plan.mappings());
        m_jacobian.eliminate(plan.constraints());
    }
    const int rows = m_jacobian.rows();
    m_violationScale = p.order == ConstraintOrder::velocity ? 1. / p.dt : 1.;
    m_problem.begin(m_laws, products());
    if (m_problem.size != rows)
        throw std::logic_error(pathName() + ": the laws of the constraints do not cover their rows");
    {
        ScopedTimer t("Violations");
        m_product.assign(static_cast<std::size_t>(rows), 0.);
        if (p.order == ConstraintOrder::velocity)
            for (BaseState* s : plan.independentStates()) m_jacobian.addProduct(*s, p.freeV.at(*s), m_product);
        for (std::size_t k = 0; k < m_constraints.size(); ++k) {
            const auto first = static_cast<std::size_t>(m_firstRow[k]),
                       count = static_cast<std::size_t>(m_firstRow[k + 1]) - first;
            if (count > 0)
                m_constraints[k]->freeViolation(p, {m_product.data() + first, count},
                                                {m_problem.dFree.data() + first, count});
        }
    }
    buildCompliance(p, m_problem);
    reportImmovable(m_problem);
    ConstraintOutcome outcome;
    {
        ScopedTimer t("SolveConstraints");
        outcome = solveProblem(m_problem);
    }
    d_currentNumConstraints.setValue(rows);
    d_currentNumConstraintGroups.setValue(static_cast<int>(m_problem.groups.size()));
    d_currentIterations.setValue(outcome.iterations);
    d_currentError.setValue(outcome.error);
    d_currentResidual.setValue(residual(m_problem));
    if (!outcome.converged) countUnconverged(outcome);
    if (d_computeConstraintForces.value()) d_constraintForces.setValue(m_problem.force);
    if (d_printLog.value())
        msgInfo() << rows << " rows, " << outcome.iterations << " iterations, error " << outcome.error
                  << (outcome.converged ? "" : " (not converged)") << ", residual " << d_currentResidual.value();

    ScopedTimer t("CorrectMotion");
    for (BaseState* s : plan.independentStates()) {
        s->clear(lambdaId);
        m_jacobian.addForce(*s, lambdaId, m_problem.force);
        s->clear(displacementId);
    }
    for (ConstraintCorrection* c : m_taking) {
        c->computeMotion(p, m_jacobian, m_problem.force, displacementId);
        c->applyMotion(p, x, v, displacementId);
    }
    for (std::size_t k = 0; k < m_constraints.size(); ++k) {
        const auto first = static_cast<std::size_t>(m_firstRow[k]),
                   count = static_cast<std::size_t>(m_firstRow[k + 1]) - first;
        if (count > 0) m_constraints[k]->storeForces(p, {m_problem.force.data() + first, count});
    }
}

std::pair<std::size_t, std::size_t> LagrangianSolver::rowsOf(const BaseLagrangianConstraint& c) const
{
    const auto k = static_cast<std::size_t>(std::ranges::find(m_constraints, &c) - m_constraints.begin());
    if (k + 1 >= m_firstRow.size() || static_cast<std::size_t>(m_firstRow.back()) != m_problem.force.size())
        return {0, 0};
    return {m_firstRow[k], m_firstRow[k + 1] - m_firstRow[k]};
}

std::unique_ptr<ConstraintSnapshot> LagrangianSolver::snapshot(const BaseState& s)
{
    const ConstraintMatrix::Part* part = m_jacobian.part(s);
    if (!part || part->empty() || m_problem.size != m_jacobian.rows()) return nullptr;
    const ComplianceMatrix& w = m_problem.entries();
    const Vector<int> islands = w.islands();
    std::set<int> mine;
    std::size_t group = 0;
    for (const int row : part->rows) {
        while (w.starts()[group + 1] <= row) ++group;
        mine.insert(islands[group]);
    }
    auto out = std::make_unique<ConstraintSnapshot>();
    Vector<int> number(static_cast<std::size_t>(m_problem.size), -1), rows;  // of the rows there, and back
    for (std::size_t g = 0; g < m_problem.groups.size(); ++g) {
        if (!mine.contains(islands[g])) continue;
        for (int r = w.starts()[g]; r < w.starts()[g + 1]; ++r) {
            number[static_cast<std::size_t>(r)] = static_cast<int>(rows.size());
            rows.push_back(r);
        }
        out->add(copyOf(*m_problem.groups[g].law));
    }
    const std::size_t n = rows.size();
    Vector<double> dense(n * n, 0.), dFree(n), force(n);
    for (std::size_t i = 0; i < n; ++i) {
        const auto r = static_cast<std::size_t>(rows[i]);
        dFree[i] = m_problem.dFree[r];
        force[i] = m_problem.force[r];
        w.forRow(rows[i], [&](int column, double value) {
            if (const int j = number[static_cast<std::size_t>(column)]; j >= 0)
                dense[i * n + static_cast<std::size_t>(j)] = value;
        });
    }
    out->setSystem(dense, dFree, force, d_tolerance.value());
    ConstraintMatrix::Part h = *part;
    for (int& row : h.rows) row = number[static_cast<std::size_t>(row)];
    out->setJacobian(std::move(h), m_violationScale);
    return out;
}

Vector<double> LagrangianSolver::forcesOf(const BaseLagrangianConstraint& c) const
{
    const auto [first, count] = rowsOf(c);
    Vector<double> out(count);
    const double dt = node()->root().dt();
    for (std::size_t i = 0; i < count; ++i) out[i] = m_problem.force[first + i] / dt;
    return out;
}

Vector<double> LagrangianSolver::forcesOn(const BaseState& s, const BaseLagrangianConstraint& c) const
{
    Vector<double> out(s.derivScalars());
    const ConstraintMatrix::Part* part = m_jacobian.part(s);
    if (!part) return out;
    const std::size_t first = rowsOf(c).first, width = part->derivSize;
    const Vector<double> forces = forcesOf(c);
    for (std::size_t i = 0; i < forces.size(); ++i) {
        const int k = part->find(static_cast<int>(first + i));
        if (k < 0) continue;
        for (int e = part->start[k]; e < part->start[k + 1]; ++e) {
            const std::size_t point = part->points[e];
            if (point >= s.size())
                throw std::runtime_error("points of '" + s.pathName() + "' have gone since the last step");
            for (std::size_t d = 0; d < width; ++d)
                out[point * width + d] += part->values[static_cast<std::size_t>(e) * width + d] * forces[i];
        }
    }
    return out;
}

namespace {

class BlockGaussSeidelConstraintSolver final : public BuiltLagrangianSolver
{
protected:
    ConstraintOutcome iterate(ConstraintProblem& p, const ConstraintSettings& s) override
    {
        return solveGaussSeidel(p, s);
    }
};

class NNCGConstraintSolver final : public BuiltLagrangianSolver
{
protected:
    ConstraintOutcome iterate(ConstraintProblem& p, const ConstraintSettings& s) override { return solveNncg(p, s); }
};

class ImprovedJacobiConstraintSolver final : public BuiltLagrangianSolver
{
public:
    Data<bool> d_useSpectralCorrection{
        this,
        {.name = "useSpectralCorrection",
         .help =
             "Scale each update by spectralCorrectionFactor min(1, 1.8 / largest eigenvalue of the compliance, "
             "relative to its diagonal blocks), so that the iterations converge; where it is not given: yes, and with "
             "compatibility=\"sofa\" no"},
        false};
    Data<double> d_spectralCorrectionFactor{this,
                                            {.name = "spectralCorrectionFactor",
                                             .help = "Factor of the spectral correction",
                                             .unit = "1",
                                             .range = Range::nonNegative()},
                                            1.};
    Data<bool> d_useConjugateResidue{
        this,
        {.name = "useConjugateResidue",
         .help = "Add a share of the last change to each iterate: min(1, (iteration / maxIterations)^speedFactor)"},
        false};
    Data<double> d_conjugateResidueSpeedFactor{this,
                                               {.name = "conjugateResidueSpeedFactor",
                                                .help = "Exponent of the share of the conjugate residue",
                                                .unit = "1",
                                                .range = Range::nonNegative()},
                                               10.};

    void reset() override
    {
        BuiltLagrangianSolver::reset();
        m_warned = false;
    }

protected:
    ConstraintOutcome iterate(ConstraintProblem& p, const ConstraintSettings& s) override
    {
        const bool correct = corrects();
        ConstraintSettings settings = s;
        settings.interior = s.interior && correct;  // iterations that diverge gain nothing from it
        return solveJacobi(p, settings,
                           {.spectralCorrection = correct,
                            .spectralFactor = d_spectralCorrectionFactor.value(),
                            .conjugateResidue = d_useConjugateResidue.value(),
                            .conjugateExponent = d_conjugateResidueSpeedFactor.value()});
    }
    void tellDivergence(const ConstraintOutcome& o) override
    {
        if (m_warned) return;
        m_warned = true;
        msgWarning() << "the iterations diverge, since many rows act on the same points: after " << o.iterations
                     << " of them the forces are those of iteration " << o.best
                     << (o.best == 0 ? ", where they started" : "") << "; set useSpectralCorrection=\"1\""
                     << (corrects() ? " and a smaller spectralCorrectionFactor" : "");
    }

private:
    bool corrects() const
    {
        return d_useSpectralCorrection.isSet() ? d_useSpectralCorrection.value()
                                               : compatibility() == Compatibility::Exact;
    }
    bool m_warned = false;
};

constexpr const char* solverModule = "Sofa.Component.Constraint.Lagrangian.Solver";

const RegisterComponent registeredBlockGaussSeidelConstraintSolver =
    RegisterComponent("BlockGaussSeidelConstraintSolver", "ConstraintSolver", solverModule)
        .help("Finds the forces of Lagrangian constraints by projected block Gauss-Seidel")
        .alias("GenericConstraintSolver")
        .makeDefault()
        .example("component/constraint/BlockGaussSeidelConstraintSolver.scn")
        .add<BlockGaussSeidelConstraintSolver>();
const RegisterComponent registeredNNCGConstraintSolver =
    RegisterComponent("NNCGConstraintSolver", "ConstraintSolver", solverModule)
        .help("Finds the forces of Lagrangian constraints by nonsmooth nonlinear conjugate gradients")
        .example("component/constraint/NNCGConstraintSolver.scn")
        .add<NNCGConstraintSolver>();
const RegisterComponent registeredImprovedJacobiConstraintSolver =
    RegisterComponent("ImprovedJacobiConstraintSolver", "ConstraintSolver", solverModule)
        .help("Finds the forces of Lagrangian constraints by Jacobi iterations with relaxation and momentum")
        .example("component/constraint/ImprovedJacobiConstraintSolver.scn")
        .add<ImprovedJacobiConstraintSolver>();

}  // namespace

}  // namespace sofa::component
