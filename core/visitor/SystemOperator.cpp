// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/visitor/SystemOperator.h"

#include <algorithm>
#include <numeric>

#include "core/behavior/ConstraintCorrection.h"
#include "core/linalg/VectorKernels.h"
#include "core/visitor/JoinedPoints.h"

namespace sofa::core {

// --- Any operator
// -----------------------------------------------------------------------------------------------------

void SystemOperator::set(LinearSystem& system, const SolverScope& scope, const MechanicalParams& mp)
{
    m_system = &system;
    m_scope = scope;
    m_mp = mp;
    const ExecutionPlan& plan = ExecutionPlan::of(scope);
    if (!m_layout.fits(plan)) m_layout.set(plan);
    checkJoinedPoints(plan, m_layout);
}

std::size_t SystemOperator::size() const { return static_cast<std::size_t>(m_layout.size()); }

void SystemOperator::load(const MultiVecDerivId& from, Vector<double>& own)
{
    m_flat.resize(static_cast<std::size_t>(m_layout.size()));
    m_layout.gather(from, m_flat.data());
    fromFlat(m_flat.data(), own);
}

void SystemOperator::store(const Vector<double>& own, const MultiVecDerivId& to)
{
    m_flat.resize(static_cast<std::size_t>(m_layout.size()));
    toFlat(own, m_flat.data());
    m_layout.scatter(m_flat.data(), to);
}

void SystemOperator::fromFlat(const double* flat, Vector<double>& own) const
{
    own.assign(flat, flat + m_layout.size());
}

void SystemOperator::toFlat(const Vector<double>& own, double* flat) const { std::ranges::copy(own, flat); }

SystemAssembly& SystemOperator::assemble(bool upperDoes)
{
    SystemAssembly& a = m_system->assembly();
    a.setUpperOnly(upperDoes);
    m_system->assemble(m_scope, m_mp);
    a.pack();
    return a;
}

const BlockCsrMatrix& SystemOperator::diagonal()
{
    if (!m_diagonal) m_diagonal = std::make_unique<SystemAssembly>();
    SystemAssembly::Options options = m_system->options();
    options.diagonalOnly = true;
    m_diagonal->assemble(m_scope, m_mp, options);
    return m_diagonal->matrix();
}

// --- With a matrix
// ----------------------------------------------------------------------------------------------------

void MatrixOperator::set(LinearSystem& system, const SolverScope& scope, const MechanicalParams& mp, const Form& form)
{
    SystemOperator::set(system, scope, mp);
    SystemAssembly& a = system.assembly();
    // The last matrix tells what the products will take of this one.
    a.setUpperOnly(form.onlyReader && (!form.products || m_product.prefersUpper()));
    system.assemble(scope, mp, form.factored);
    m_prepared = m_padded = false;
    if (form.products) prepareProducts();
}

void MatrixOperator::prepareProducts()
{
    SystemAssembly& a = m_system->assembly();
    using enum SymmetricProduct::Stored;
    if (a.isUpper()) m_product.prepare(a.stored(), a.patternVersion(), Upper);
    if (!a.isUpper() || !m_product.usesUpperTriangle()) {
        a.complete();
        m_product.prepare(a.matrix(), a.patternVersion(), a.isSymmetricOffDiagonal() ? Symmetric : Any);
    }
    m_prepared = true;
    m_padded = a.factors().empty() && m_product.usesUpperTriangle();
}

std::size_t MatrixOperator::size() const { return m_padded ? m_product.paddedSize() : SystemOperator::size(); }

double MatrixOperator::multiply(const Vector<double>& x, Vector<double>& y)
{
    SystemAssembly& a = m_system->assembly();
    if (m_padded) return m_product.multiplyPadded(a.stored(), x, y);
    if (!m_prepared) prepareProducts();
    m_product.multiply(a.stored(), x, y);
    a.addFactoredProduct(x, y);
    return vector::dot(x, y);
}

void MatrixOperator::fromFlat(const double* flat, Vector<double>& own) const
{
    if (m_padded)
        m_product.pad(flat, own);
    else
        SystemOperator::fromFlat(flat, own);
}

void MatrixOperator::toFlat(const Vector<double>& own, double* flat) const
{
    if (m_padded)
        m_product.unpad(own, flat);
    else
        SystemOperator::toFlat(own, flat);
}

SystemAssembly& MatrixOperator::assemble(bool upperDoes)
{
    SystemAssembly& a = m_system->assembly();
    if (!a.isUpper()) return a;
    if (upperDoes) {
        a.pack();
        return a;
    }
    a.complete();
    if (m_prepared) prepareProducts();
    return a;
}

const BlockCsrMatrix& MatrixOperator::diagonal()
{
    const BlockCsrMatrix& a = assembly().stored();
    if (assembly().factors().empty()) return a;
    const int rows = a.blockRows();
    Vector<int> start(static_cast<std::size_t>(rows) + 1), columns(static_cast<std::size_t>(rows));
    std::iota(start.begin(), start.end(), 0);
    std::iota(columns.begin(), columns.end(), 0);
    m_diagonal.setPattern(rows, rows, a.blockSize(), start, columns);
    const auto area = static_cast<std::size_t>(a.blockSize() * a.blockSize());
    for (int i = 0; i < rows; ++i)
        if (a.diagonal(i) >= 0)
            std::copy_n(a.block(static_cast<std::size_t>(a.diagonal(i))), area,
                        m_diagonal.block(static_cast<std::size_t>(i)));
    assembly().factors().addDiagonal(m_diagonal);
    return m_diagonal;
}

bool MatrixOperator::addProduct(VecDerivId f, const MultiVecDerivId& v, double factor)
{
    const SystemAssembly& a = assembly();
    if (!a.isWhole() || !m_padded) return false;
    load(v, m_in);
    if (std::ranges::any_of(a.eliminated(), [this](int k) { return m_flat[static_cast<std::size_t>(k)] != 0.; }))
        return false;
    m_out.assign(m_in.size(), 0.);
    (void)multiply(m_in, m_out);
    m_product.unpad(m_out, m_flat.data());
    for (const auto& e : m_layout) {
        m_in.resize(static_cast<std::size_t>(e.size));
        e.state->getScalars(f, m_in.data());
        vector::addScaled(m_in, {m_flat.data() + e.offset, m_in.size()}, factor);
        e.state->setScalars(f, m_in.data());
    }
    return true;
}

std::string MatrixOperator::description() const
{
    const SystemAssembly& a = assembly();
    if (!a.factors().empty()) return "assembled matrix, and factors of mapped states beside it";
    if (a.isUpper()) return "assembled matrix, its upper triangle only";
    return m_padded ? "assembled matrix, multiplied by its upper triangle" : "assembled matrix";
}

void MatrixOperator::explainSizes(Explanation& e) const
{
    assembly().explainSizes(e);
    e.addMemory(m_product.bytes());
}

// --- By components
// ----------------------------------------------------------------------------------------------------

void ComponentOperator::load(const MultiVecDerivId& from, Vector<double>& own)
{
    m_products.emplace(m_scope, m_mp);
    SystemOperator::load(from, own);
}

void ComponentOperator::store(const Vector<double>& own, const MultiVecDerivId& to)
{
    m_products.reset();
    SystemOperator::store(own, to);
}

double ComponentOperator::multiply(const Vector<double>& x, Vector<double>& y)
{
    auto& [mop, vop, direction, product] = *m_products;
    for (const auto& e : m_layout) e.state->setScalars(direction, x.data() + e.offset);
    mop.addMBKdx(product, direction, m_mp.mFactor, m_mp.bFactor, m_mp.kFactor, true);
    mop.projectResponse(product);
    for (const auto& e : m_layout) e.state->getScalars(product, y.data() + e.offset);
    return vector::dot(x, y);
}

std::string ComponentOperator::description() const
{
    return "products by force fields, masses and mappings, without a matrix";
}

void ComponentOperator::explainSizes(Explanation& e) const { e.add("unknowns", toText(m_layout.size())); }

// --- By one force field
// -----------------------------------------------------------------------------------------------

namespace {

bool carriesForces(const BaseMapping* m) { return m->carriesForces(); }

/// True if there is one unknown state, and all forces and masses act on it alone.
bool actOnOneState(const ExecutionPlan& plan)
{
    const auto& independent = plan.independentStates();
    return independent.size() == 1 && std::ranges::all_of(plan.forceFields(), [&](const BaseForceField* f) {
               const auto states = f->states();
               return states.size() == 1 && states[0] == independent[0];
           });
}

/// The scalars of a state that constraints fix; says where they do something else.
class FixedScalars final : public EliminationSink
{
public:
    FixedScalars(const BaseState& state, Vector<std::size_t>& scalars) : m_state(state), m_scalars(scalars) {}
    void eliminate(const BaseState& s, Index i, std::size_t k) override
    {
        if (&s == &m_state) m_scalars.push_back(s.derivSize() * i + k);
    }
    void project(const BaseState& s, Index, const double*) override { m_onlyFixed = m_onlyFixed && &s != &m_state; }
    void join(const BaseState& s1, Index, const BaseState& s2, Index, std::size_t) override
    {
        m_onlyFixed = m_onlyFixed && &s1 != &m_state && &s2 != &m_state;
    }
    bool onlyFixed() const { return m_onlyFixed; }

private:
    const BaseState& m_state;
    Vector<std::size_t>& m_scalars;
    bool m_onlyFixed = true;
};

}  // namespace

bool ForceFieldOperator::take(LinearSystem& system, const SolverScope& scope, const MechanicalParams& mp)
{
    SystemOperator::set(system, scope, mp);
    m_product = nullptr;
    const ExecutionPlan& plan = ExecutionPlan::of(scope);
    if (m_known != std::pair(scope, scope.node().version())) {
        m_known = {scope, scope.node().version()};
        m_onOneState = actOnOneState(plan);
    }
    if (!m_onOneState || std::ranges::any_of(plan.mappings(), carriesForces)) return false;
    MatrixFreeStiffness* fast = nullptr;
    for (BaseForceField* f : plan.forceFields()) {
        if (!f->hasStiffness()) continue;
        if (fast || (mp.bFactor != 0. && f->hasDamping())) return false;
        fast = dynamic_cast<MatrixFreeStiffness*>(f);
        if (!fast) return false;
        m_forceField = f;
        m_terms.stiffness = mp.stiffnessFactor(f->d_rayleighStiffness.value());
    }
    MatrixFreeOperator* product = fast ? fast->matrixFreeOperator() : nullptr;
    if (!product || !takeMasses(plan, mp, *fast, *product)) return false;
    m_terms.fixed.clear();
    FixedScalars fixed(*plan.independentStates()[0], m_terms.fixed);
    for (const BaseProjectiveConstraint* p : plan.constraints()) p->eliminate(fixed);
    if (!fixed.onlyFixed()) return false;
    product->prepare(m_terms);
    m_product = product;
    return true;
}

bool ForceFieldOperator::takeMasses(const ExecutionPlan& plan, const MechanicalParams& mp, MatrixFreeStiffness& fast,
                                    const MatrixFreeOperator& product)
{
    const Index points = plan.independentStates()[0]->size();
    m_terms.elementMass = {};
    m_terms.pointMass.clear();
    for (BaseMass* m : plan.masses()) {
        const double factor = mp.massFactor(m->rayleighMass());
        if (const auto* ofElements = dynamic_cast<const EqualElementMass*>(m)) {
            const Mat<8>* matrix = ofElements->elementMatrix(fast.massElements());
            if (!matrix || !product.takes(*matrix)) return false;
            m_terms.elementMass += *matrix * factor;
        } else if (m->isDiagonal()) {
            m_terms.pointMass.resize(points, 0.);
            for (Index i = 0; i < points; ++i) m_terms.pointMass[i] += factor * m->pointMass(i);
        } else {
            return false;
        }
    }
    return true;
}

void ForceFieldOperator::fromFlat(const double* flat, Vector<double>& own) const
{
    own.resize(size());
    m_product->load(flat, own.data());
}

void ForceFieldOperator::toFlat(const Vector<double>& own, double* flat) const { m_product->store(own.data(), flat); }

std::string ForceFieldOperator::description() const
{
    return "product of " + m_forceField->pathName() + " (" + m_forceField->className() +
           ") with the whole matrix: " + std::string(m_product->description());
}

void ForceFieldOperator::explainSizes(Explanation& e) const
{
    e.add("unknowns", toText(m_layout.size()));
    e.addMemory(m_product->bytes());
}

// --- The choice
// -------------------------------------------------------------------------------------------------------

namespace {

/// True if a product without a matrix costs no more than one with it: then the assembly can be spared.
bool productsAreFast(const ExecutionPlan& plan)
{
    bool any = false;
    for (BaseForceField* f : plan.forceFields()) {
        if (!f->hasStiffness()) continue;
        const auto* fast = dynamic_cast<const MatrixFreeStiffness*>(f);
        if (!fast || !fast->isMatrixFreeFast()) return false;
        any = true;
    }
    return any && std::ranges::all_of(plan.masses(), [](const BaseMass* m) { return m->isDiagonal(); }) &&
           std::ranges::none_of(plan.mappings(), carriesForces);
}

/// True if the matrix would be full, and products without it are not.
bool matrixIsFull(const ExecutionPlan& plan)
{
    return std::ranges::any_of(plan.forceFields(), [](BaseForceField* f) {
        const auto* fast = dynamic_cast<const MatrixFreeStiffness*>(f);
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
        if (!f->hasStiffness()) continue;
        const auto* fast = dynamic_cast<const MatrixFreeStiffness*>(f);
        for (const BaseState* s : f->states()) {
            const bool isIndependent = plan.isIndependent(*s);
            slow = slow || (isIndependent && !(fast && fast->isMatrixFreeFast()));
            if (!seen.insert(s).second) continue;
            if (isIndependent)
                independent += s->size();
            else if (plan.isMapped(*s))
                mapped += s->size();
        }
    }
    return slow && mapped <= independent;
}

}  // namespace

void OperatorChoice::set(LinearSystem& system, const SolverScope& scope, const MechanicalParams& mp,
                         const Wishes& wishes)
{
    m_system = &system;
    m_scope = scope;
    m_mp = mp;
    m_wishes = wishes;
    m_chosen = nullptr;
    // Constraint corrections solve later, with contacts that have come since.
    if (!wishes.ownSystem || scope.node().get<ConstraintCorrection>(Search::Root)) (void)get();
}

SystemOperator& OperatorChoice::get()
{
    if (!m_chosen || (m_chosen == &m_forceField && m_version != m_scope.node().version())) {
        m_version = m_scope.node().version();
        m_chosen = &choose();
    }
    return *m_chosen;
}

void OperatorChoice::explain(Explanation& e) const
{
    if (!m_chosen) return e.add("operator", "none yet: there was nothing to solve");
    e.add("operator", m_chosen->description());
    e.add("because", m_why);
    m_chosen->explainSizes(e);
}

SystemOperator& OperatorChoice::choose()
{
    const bool alone =
        (m_wishes.matrixFree || m_wishes.ownSystem) && !m_scope.node().get<ConstraintCorrection>(Search::Root);
    if (alone && m_wishes.assembly == Assembly::Automatic && m_forceField.take(*m_system, m_scope, m_mp)) {
        m_why = "it has all that acts on the only unknown state";
        return m_forceField;
    }
    const Kind kind = kindFor(ExecutionPlan::of(m_scope), alone);
    if (kind == Kind::Components) {
        m_components.set(*m_system, m_scope, m_mp);
        return m_components;
    }
    m_matrix.set(*m_system, m_scope, m_mp,
                 {.factored = kind == Kind::Factored, .onlyReader = m_wishes.ownSystem && !m_wishes.likesMatrix});
    return m_matrix;
}

OperatorChoice::Kind OperatorChoice::kindFor(const ExecutionPlan& plan, bool alone)
{
    const auto choose = [this](Kind kind, const char* why) {
        m_why = why;
        return kind;
    };
    using enum Kind;
    if (m_wishes.assembly == Assembly::Always) return choose(Matrix, "the scene or a preconditioner asks for a matrix");
    if (m_wishes.assembly == Assembly::Never) return choose(Components, "the scene asks for no matrix");
    if (m_wishes.likesMatrix) return choose(Matrix, "preconditioners may come to need it");
    if (alone && productsAreFast(plan)) return choose(Components, "they cost no more than those with a matrix");
    if (!m_wishes.matrixFree) return choose(Matrix, "the template of the solver names one");
    if (matrixIsFull(plan)) return choose(Components, "a force field couples all points: the matrix would be full");
    // An assembled mapped matrix has up to e² blocks for each block of the mapped one (e Jacobian blocks a row), a
    // product through the mapping costs 2e: beyond rigid bodies, subsets and identities the mapping wins.
    if (SystemAssembly::mappedExpansion(plan) <= 1.5)
        return choose(Matrix, "its products cost less than those by force fields, and mappings hardly widen it");
    if (m_wishes.ownSystem && alone && isMappedPartSmall(plan))
        return choose(Factored, "what acts on mapped states is small, and would widen the matrix");
    return choose(Components, "mappings would widen the matrix: products through them cost less");
}

}  // namespace sofa::core
