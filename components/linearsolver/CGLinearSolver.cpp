// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/linearsolver/CGLinearSolver.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

#include "components/linearsolver/MatrixTemplates.h"
#include "core/behavior/ConstraintCorrection.h"
#include "core/behavior/FastProduct.h"
#include "core/behavior/NeededLink.h"
#include "core/factory/Registry.h"
#include "core/linalg/VectorKernels.h"
#include "core/log/Timer.h"
#include "core/visitor/StateVectors.h"

namespace sofa::component {

using namespace core;

namespace {

/// True if a product without a matrix costs no more than one with it: then the assembly can be spared.
bool productsAreFast(const ExecutionPlan& plan)
{
    bool any = false;
    for (BaseForceField* f : plan.forceFields()) {
        if (dynamic_cast<BaseMass*>(f)) continue;
        const auto* fast = dynamic_cast<const FastProduct*>(f);
        if (!fast || !fast->hasFastProduct()) return false;
        any = true;
    }
    return any &&
           std::all_of(plan.masses().begin(), plan.masses().end(), [](const BaseMass* m) { return m->isDiagonal(); }) &&
           std::none_of(plan.mappings().begin(), plan.mappings().end(),
                        [](const BaseMapping* m) { return m->carriesForces(); });
}

/// True if the matrix would be full, and products without it are not.
bool matrixIsFull(const ExecutionPlan& plan)
{
    return std::any_of(plan.forceFields().begin(), plan.forceFields().end(), [](BaseForceField* f) {
        const auto* fast = dynamic_cast<const FastProduct*>(f);
        return fast && fast->couplesAllPoints();
    });
}

/// Whether force fields act on no more points of mapped states than of independent ones, as contacts of deformable
/// bodies do, and the matrix of the latter is worth its assembly.
bool isMappedPartSmall(const ExecutionPlan& plan)
{
    ExecutionPlan::StateSet seen;
    std::size_t independent = 0, mapped = 0;
    bool slow = false;
    for (const BaseForceField* f : plan.forceFields()) {
        if (dynamic_cast<const BaseMass*>(f)) continue;
        const auto* fast = dynamic_cast<const FastProduct*>(f);
        for (const BaseState* s : f->states()) {
            const bool isIndependent = plan.isIndependent(*s);
            slow = slow || (isIndependent && !(fast && fast->hasFastProduct()));
            if (!seen.insert(s).second) continue;
            if (isIndependent)
                independent += s->size();
            else if (plan.isMapped(*s))
                mapped += s->size();
        }
    }
    return slow && mapped <= independent;
}

/// Whether n numbers are zero; looks at some hundred at once.
bool isZero(const double* v, std::size_t n)
{
    constexpr std::size_t piece = 256;
    for (std::size_t first = 0; first < n; first += piece) {
        std::uint64_t any = 0;
        for (std::size_t i = first; i < std::min(n, first + piece); ++i) any |= std::bit_cast<std::uint64_t>(v[i]) << 1;
        if (any != 0) return false;
    }
    return true;
}
}  // namespace

CGLinearSolver::CGLinearSolver()
{
    addAlias(d_iterations, "maxIter");
    addAlias(d_threshold, "smallDenominatorThreshold");
    addAlias(d_tolerance, "tol");
    ignoreAttribute("verbose", "use printLog");
    ignoreAttribute("stiffness", "it was never used");
    ignoreAttribute("rayleighMass", "set it on the ODE solver");
    for (const char* unused : {"nbThreads", "taskSchedulerType", "parallelInverseProduct", "factorizationInvalidation"})
        ignoreAttribute(unused, "threads are set for the whole program (--threads)");
}

void CGLinearSolver::init()
{
    std::string error;
    if (!l_linearSystem.resolve(error)) return fail("linearSystem: " + error);
    if (!l_linearSystem) l_linearSystem.set(node()->get<LinearSystem>(Search::Local));
    if (!l_linearSystem) {
        m_own = std::make_shared<LinearSystem>();
        l_linearSystem.set(m_own.get());
    }
    m_firstSolve = true;
}

void CGLinearSolver::reset()
{
    m_firstSolve = true;
    d_unconvergedSolves.setValue(0);
    m_x.clear();
}

void CGLinearSolver::archive(Archive& a)
{
    a(m_firstSolve);
    a(m_x);
}

bool CGLinearSolver::mayMultiplyAlone(Node& scope) const
{
    // A LinearSystem of the scene may have other readers. Constraint corrections solve later, with contacts that have
    // come since: vectors of products may lack their states.
    return (isMatrixFree(templateName()) || l_linearSystem.get() == m_own.get()) &&
           !scope.get<ConstraintCorrection>(Search::Root);
}

CGLinearSolver::Products CGLinearSolver::chooseProducts(Node& scope) const
{
    if (d_assembly.value().index() != 0)
        return d_assembly.value().index() == 1 ? Products::Matrix : Products::Components;
    const ExecutionPlan& plan = ExecutionPlan::of(scope);
    if (mayMultiplyAlone(scope) && productsAreFast(plan)) return Products::Components;
    if (!isMatrixFree(templateName())) return Products::Matrix;
    if (matrixIsFull(plan)) return Products::Components;
    // An assembled mapped matrix has up to e² blocks for each block of the mapped one (e Jacobian blocks a row), a
    // product through the mapping costs 2e: beyond rigid bodies, subsets and identities the mapping wins.
    if (SystemAssembly::mappedExpansion(plan) <= 1.5) return Products::Matrix;
    if (l_linearSystem.get() == m_own.get() && mayMultiplyAlone(scope) && isMappedPartSmall(plan))
        return Products::Factored;
    return Products::Components;
}

void CGLinearSolver::setSystem(Node& scope, const MechanicalParams& mp)
{
    m_waiting.reset();
    (void)needed(l_linearSystem, *this);
    // A LinearSystem of the scene may have other readers, and constraint corrections solve with this system later.
    if (m_wasNull && l_linearSystem.get() == m_own.get() && !d_warmStart.value() && !d_printLog.value() &&
        !scope.get<ConstraintCorrection>(Search::Root))
        m_waiting = Waiting{&scope, mp};
    else
        makeSystem(scope, mp);
}

bool CGLinearSolver::solveNull(const MultiVecDerivId& x, const MultiVecDerivId& rhs)
{
    const auto& states = ExecutionPlan::of(*m_waiting->scope).independentStates();
    for (const BaseState* s : states) {
        const double* b = s->scalars(rhs.at(*s));
        if (!isZero(b, s->derivScalars())) return false;
    }
    for (BaseState* s : states) s->clear(x.at(*s));
    d_lastIterations.setValue(0);
    m_firstSolve = false;
    m_x.clear();
    return true;
}

void CGLinearSolver::makeSystem(Node& scope, const MechanicalParams& mp)
{
    m_system = d_assembly.value().index() == 0 && mayMultiplyAlone(scope) ? m_whole.prepare(scope, mp) : nullptr;
    m_systemVersion = scope.version();
    m_products = m_system ? Products::Components : chooseProducts(scope);
    m_prepared = false;
    if (m_products != Products::Components) {
        // Nobody else reads the matrix of a system of its own; the last one tells what the products will take of it.
        l_linearSystem->assembly().setUpperOnly(l_linearSystem.get() == m_own.get() && m_product.prefersUpper());
        l_linearSystem->assemble(scope, mp, m_products == Products::Factored);
        m_mop.reset();
        return;
    }
    m_mop.emplace(scope, mp);
    m_layout.clear();
    int offset = 0;
    for (BaseState* s : m_mop->plan().independentStates()) {
        m_layout.push_back({s, offset, static_cast<int>(s->derivScalars())});
        offset += m_layout.back().size;
    }
}

void CGLinearSolver::prepareMatrix()
{
    m_padded = false;
    if (m_products == Products::Components) return;
    SystemAssembly& a = l_linearSystem->assembly();
    if (!m_prepared) {
        using enum SymmetricProduct::Stored;
        if (a.isUpper()) m_product.prepare(a.stored(), a.patternVersion(), Upper);
        if (!a.isUpper() || !m_product.isHalf()) {
            a.complete();
            m_product.prepare(a.matrix(), a.patternVersion(), a.isSymmetricOffDiagonal() ? Symmetric : Any);
        }
        m_prepared = true;
    }
    m_padded = m_products == Products::Matrix && m_product.isHalf();
}

/// Vectors of products without a matrix.
struct CGLinearSolver::ProductVectors
{
    explicit ProductVectors(Node& scope) : vop(scope) {}
    VectorOperations vop;
    TempDeriv direction{vop}, product{vop};
};

double CGLinearSolver::product(const Vector<double>& p, Vector<double>& q, const ProductVectors* vectors)
{
    if (m_padded) return m_product.multiplyPadded(l_linearSystem->assembly().stored(), p, q);
    if (m_system) {
        m_system->multiply(p.data(), q.data());
    } else if (m_products != Products::Components) {
        SystemAssembly& a = l_linearSystem->assembly();
        m_product.multiply(a.stored(), p, q);
        a.addMappedProduct(p, q);
    } else {
        const auto& [vop, direction, result] = *vectors;
        for (const auto& e : m_layout) e.state->setScalars(direction, p.data() + e.offset);
        const MechanicalParams& mp = m_mop->mp;
        m_mop->addMBKdx(result, direction, mp.mFactor, mp.bFactor, mp.kFactor, true);
        m_mop->projectResponse(result);
        for (const auto& e : m_layout) e.state->getScalars(result, q.data() + e.offset);
    }
    return vector::dot(p, q);
}

bool CGLinearSolver::addProduct(VecDerivId f, const MultiVecDerivId& v, double factor)
{
    if (m_waiting || m_system || m_products != Products::Matrix) return false;
    const SystemAssembly& a = l_linearSystem->assembly();
    if (!a.isWhole()) return false;
    prepareMatrix();
    if (!m_padded) return false;
    m_q.resize(static_cast<std::size_t>(a.size()));
    a.gather(v, m_q.data());
    if (std::ranges::any_of(a.eliminated(), [this](int k) { return m_q[static_cast<std::size_t>(k)] != 0.; }))
        return false;
    m_product.pad(m_q.data(), m_p);
    m_r.assign(m_p.size(), 0.);
    (void)m_product.multiplyPadded(a.stored(), m_p, m_r);
    m_product.unpad(m_r, m_q.data());
    for (const auto& e : a.layout()) {
        m_p.resize(static_cast<std::size_t>(e.size));
        e.state->getScalars(f, m_p.data());
        vector::addScaled(m_p, {m_q.data() + e.offset, m_p.size()}, factor);
        e.state->setScalars(f, m_p.data());
    }
    return true;
}

void CGLinearSolver::load(const MultiVecDerivId& rhs, const std::vector<SystemAssembly::Entry>& layout, std::size_t n)
{
    if (m_system) {
        m_r.resize(n);
        return m_system->load(layout[0].state->scalars(rhs.at(*layout[0].state)), m_r.data());
    }
    Vector<double>& b = m_padded ? m_q : m_r;
    b.resize(n);
    for (const auto& e : layout) e.state->getScalars(rhs.at(*e.state), b.data() + e.offset);
    if (m_padded) m_product.pad(b.data(), m_r);
}

void CGLinearSolver::store(const MultiVecDerivId& id, const std::vector<SystemAssembly::Entry>& layout)
{
    if (m_padded)
        m_product.unpad(m_x, m_q.data());
    else if (m_system)
        m_system->store(m_x.data(), m_q.data());
    const double* x = m_padded || m_system ? m_q.data() : m_x.data();
    for (const auto& e : layout) e.state->setScalars(id.at(*e.state), x + e.offset);
}

void CGLinearSolver::countUnconverged(double error, const std::string& reason)
{
    if (d_unconvergedSolves.value() == 0)
        msgWarning() << "at " << node()->time() << " s a solve ended with |r|/|b| = " << error
                     << ", above the tolerance of " << d_tolerance.value() << ": " << reason
                     << " (told once; unconvergedSolves counts)";
    d_unconvergedSolves.setValue(d_unconvergedSolves.value() + 1);
}

void CGLinearSolver::solve(const MultiVecDerivId& xId, const MultiVecDerivId& rhs)
{
    if (m_waiting) {
        if (solveNull(xId, rhs)) return;
        makeSystem(*m_waiting->scope, m_waiting->mp);
        m_waiting.reset();
    }
    // Contacts of this step may have brought states since the system was made, and with them another plan of the scope
    // (constraint corrections solve after them).
    if (m_system && m_systemVersion != m_mop->scope().version())
        makeSystem(m_mop->scope(), MechanicalParams(m_mop->mp));
    else if (m_products == Products::Components && !m_system)
        m_mop.emplace(m_mop->scope(), MechanicalParams(m_mop->mp));
    std::optional<ProductVectors> vectors;
    if (m_products == Products::Components && !m_system) vectors.emplace(m_mop->scope());
    const auto& layout = m_products == Products::Components ? m_layout : l_linearSystem->assembly().layout();
    std::size_t n = layout.empty() ? 0 : static_cast<std::size_t>(layout.back().offset + layout.back().size);
    if (m_system) n = m_system->size();
    prepareMatrix();
    load(rhs, layout, n);
    n = m_r.size();
    const bool warm = d_warmStart.value() && m_x.size() == n;
    const double square = vector::dot(m_r, m_r), normB = std::sqrt(square);
    double rho = square;
    m_wasNull = square == 0.;
    m_p.resize(n);
    m_q.assign(n, 0.);
    if (warm && normB != 0.) {
        (void)product(m_x, m_q, vectors ? &*vectors : nullptr);
        vector::addScaled(m_r, m_q, -1.);
        rho = vector::dot(m_r, m_r);
    } else if (!warm) {
        m_x.assign(n, 0.);
    }
    const bool log = d_printLog.value();
    if (log) d_graph.edit()->assign(1, 1.);

    const bool absolute = compatibility() == Compatibility::Sofa;
    const char* reason = "iterations";
    unsigned it = 0;
    if (normB != 0.) {
        double firstCurvature = 0., previousRho = 0.,
               alpha = 0.;  // α of the step in x that is still to be taken, along p
        for (it = 1; it <= d_iterations.value(); ++it) {
            Phases::check();
            // Nothing converges any more, however many iterations are allowed; zero would be a wrong answer.
            if (!std::isfinite(rho) || !std::isfinite(normB))
                throw std::runtime_error(
                    pathName() + " (" + className() + "): " +
                    (it == 1 ? std::string("the norm of the right-hand side is")
                             : "after " + std::to_string(it - 1) + " iterations the norm of the residual is") +
                    " not finite");
            const double error = std::sqrt(rho) / normB;
            if (log) d_graph.edit()->push_back(error);
            if (error <= d_tolerance.value() && !(it == 1 && m_firstSolve)) {
                reason = "tolerance";
                break;
            }
            if (it == 1)
                m_p = m_r;
            else
                vector::turn(m_x, m_p, m_r, std::exchange(alpha, 0.), rho / previousRho);
            const double den = product(m_p, m_q, vectors ? &*vectors : nullptr);
            if (den == 0.) {
                reason = "zero curvature";
                break;
            }
            if (it == 1) firstCurvature = std::abs(den);
            const double threshold = d_threshold.value();
            if (absolute ? std::abs(den) <= threshold && !(it == 1 && m_firstSolve)
                         : it > 1 && std::abs(den) <= threshold * threshold * firstCurvature) {
                reason = "threshold";
                break;
            }
            previousRho = rho;
            alpha = rho / den;
            rho = vector::descend(m_r, m_q, alpha);
        }
        if (alpha != 0.) vector::addScaled(m_x, m_p, alpha);
        const double error = std::sqrt(rho) / normB;
        if (error > d_tolerance.value() && it > d_iterations.value())
            countUnconverged(error, "all " + toText(d_iterations.value()) + " iterations were used");
        else if (error > d_tolerance.value() && absolute && it == 1)
            countUnconverged(error, "p'Ap is below the threshold of " + d_threshold.text() + " at the first iteration");
    } else {
        reason = "null right-hand side";
    }
    it = std::min(it, d_iterations.value());
    d_lastIterations.setValue(it);
    m_firstSolve = false;
    if (log) msgInfo() << it << " iterations, stopped by " << reason;
    store(xId, layout);
}

static const RegisterComponent registered =
    RegisterComponent("CGLinearSolver", "LinearSolver", "Sofa.Component.LinearSolver.Iterative")
        .help("Conjugate gradient method, with or without assembled matrix")
        .example("component/linearsolver/CGLinearSolver.scn")
        .add<CGLinearSolver>(matrixTemplates(true));

}  // namespace sofa::component
