// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/visitor/SystemOperator.h"

#include <algorithm>

#include "core/behavior/ConstraintCorrection.h"
#include "core/linalg/VectorKernels.h"

namespace sofa::core {

// --- With a matrix
// ----------------------------------------------------------------------------------------------------

void MatrixOperator::assemble(LinearSystem& system, Node& scope, const MechanicalParams& mp, const Form& form)
{
    m_system = &system;
    SystemAssembly& a = system.assembly();
    // The last matrix tells what the products will take of this one.
    a.setUpperOnly(form.onlyReader && !form.flat && m_product.prefersUpper());
    system.assemble(scope, mp, form.factored);
    using enum SymmetricProduct::Stored;
    if (a.isUpper()) m_product.prepare(a.stored(), a.patternVersion(), Upper);
    if (!a.isUpper() || !m_product.usesUpperTriangle()) {
        a.complete();
        m_product.prepare(a.matrix(), a.patternVersion(), a.isSymmetricOffDiagonal() ? Symmetric : Any);
    }
    m_padded = !form.factored && !form.flat && m_product.usesUpperTriangle();
}

std::size_t MatrixOperator::size() const
{
    return m_padded ? m_product.paddedSize() : static_cast<std::size_t>(assembly().size());
}

double MatrixOperator::multiply(const Vector<double>& x, Vector<double>& y)
{
    SystemAssembly& a = m_system->assembly();
    if (m_padded) return m_product.multiplyPadded(a.stored(), x, y);
    m_product.multiply(a.stored(), x, y);
    a.addFactoredProduct(x, y);
    return vector::dot(x, y);
}

void MatrixOperator::load(const MultiVecDerivId& from, Vector<double>& own)
{
    Vector<double>& flat = m_padded ? m_flat : own;
    flat.resize(static_cast<std::size_t>(assembly().size()));
    assembly().gather(from, flat.data());
    if (m_padded) m_product.pad(flat.data(), own);
}

void MatrixOperator::store(const Vector<double>& own, const MultiVecDerivId& to)
{
    if (!m_padded) return assembly().scatter(own.data(), to);
    m_flat.resize(static_cast<std::size_t>(assembly().size()));
    m_product.unpad(own, m_flat.data());
    assembly().scatter(m_flat.data(), to);
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
    for (const auto& e : a.layout()) {
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
    return m_product.usesUpperTriangle() ? "assembled matrix, multiplied by its upper triangle" : "assembled matrix";
}

void MatrixOperator::explainSizes(Explanation& e) const
{
    assembly().explainSizes(e);
    e.addMemory(m_product.bytes());
}

// --- By components
// ----------------------------------------------------------------------------------------------------

void ComponentOperator::set(Node& scope, const MechanicalParams& mp)
{
    m_mop.emplace(scope, mp);
    m_layout.clear();
    int offset = 0;
    for (BaseState* s : m_mop->plan().independentStates()) {
        m_layout.push_back({s, offset, static_cast<int>(s->derivScalars())});
        offset += m_layout.back().size;
    }
}

std::size_t ComponentOperator::size() const
{
    return m_layout.empty() ? 0 : static_cast<std::size_t>(m_layout.back().offset + m_layout.back().size);
}

void ComponentOperator::load(const MultiVecDerivId& from, Vector<double>& own)
{
    // Contacts may have come since, and with them another plan of the scope.
    Node& scope = m_mop->scope();
    m_mop.emplace(scope, MechanicalParams(m_mop->mp));
    m_vectors.emplace(scope);
    own.resize(size());
    for (const auto& e : m_layout) e.state->getScalars(from.at(*e.state), own.data() + e.offset);
}

void ComponentOperator::store(const Vector<double>& own, const MultiVecDerivId& to)
{
    m_vectors.reset();
    for (const auto& e : m_layout) e.state->setScalars(to.at(*e.state), own.data() + e.offset);
}

double ComponentOperator::multiply(const Vector<double>& x, Vector<double>& y)
{
    const TempDeriv &direction = m_vectors->direction, &product = m_vectors->product;
    for (const auto& e : m_layout) e.state->setScalars(direction, x.data() + e.offset);
    const MechanicalParams& mp = m_mop->mp;
    m_mop->addMBKdx(product, direction, mp.mFactor, mp.bFactor, mp.kFactor, true);
    m_mop->projectResponse(product);
    for (const auto& e : m_layout) e.state->getScalars(product, y.data() + e.offset);
    return vector::dot(x, y);
}

std::string ComponentOperator::description() const
{
    return "products by force fields, masses and mappings, without a matrix";
}

void ComponentOperator::explainSizes(Explanation& e) const { e.add("unknowns", toText(size())); }

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
    bool onlyFixed() const { return m_onlyFixed; }

private:
    const BaseState& m_state;
    Vector<std::size_t>& m_scalars;
    bool m_onlyFixed = true;
};

}  // namespace

bool ForceFieldOperator::set(Node& scope, const MechanicalParams& mp)
{
    m_product = nullptr;
    const ExecutionPlan& plan = ExecutionPlan::of(scope);
    if (m_known != std::pair(static_cast<const Node*>(&scope), scope.version())) {
        m_known = {&scope, scope.version()};
        m_onOneState = actOnOneState(plan);
    }
    if (!m_onOneState || std::ranges::any_of(plan.mappings(), carriesForces)) return false;
    MatrixFreeStiffness* fast = nullptr;
    for (BaseForceField* f : plan.forceFields()) {
        if (dynamic_cast<BaseMass*>(f)) continue;
        if (fast || (mp.bFactor != 0. && f->hasDamping())) return false;
        fast = dynamic_cast<MatrixFreeStiffness*>(f);
        if (!fast) return false;
        m_forceField = f;
        m_terms.stiffness = mp.stiffnessFactor(f->d_rayleighStiffness.value());
    }
    MatrixFreeOperator* product = fast ? fast->matrixFreeOperator() : nullptr;
    if (!product || !takeMasses(plan, mp, *fast, *product)) return false;
    m_state = plan.independentStates()[0];
    m_terms.fixed.clear();
    FixedScalars fixed(*m_state, m_terms.fixed);
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

void ForceFieldOperator::load(const MultiVecDerivId& from, Vector<double>& own)
{
    own.resize(size());
    m_product->load(m_state->scalars(from.at(*m_state)), own.data());
}

void ForceFieldOperator::store(const Vector<double>& own, const MultiVecDerivId& to)
{
    m_scalars.resize(m_state->derivScalars());
    m_product->store(own.data(), m_scalars.data());
    m_state->setScalars(to.at(*m_state), m_scalars.data());
}

std::string ForceFieldOperator::description() const
{
    return "product of " + m_forceField->pathName() + " (" + m_forceField->className() +
           ") with the whole matrix: " + std::string(m_product->description());
}

void ForceFieldOperator::explainSizes(Explanation& e) const
{
    e.add("unknowns", toText(m_state->derivScalars()));
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
        if (dynamic_cast<BaseMass*>(f)) continue;
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
        if (dynamic_cast<const BaseMass*>(f)) continue;
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

void OperatorChoice::set(LinearSystem& system, Node& scope, const MechanicalParams& mp, const Wishes& wishes)
{
    m_system = &system;
    m_scope = &scope;
    m_mp = mp;
    m_wishes = wishes;
    m_chosen = nullptr;
    // Constraint corrections solve later, with contacts that have come since.
    if (!wishes.ownSystem || scope.get<ConstraintCorrection>(Search::Root)) (void)get();
}

SystemOperator& OperatorChoice::get()
{
    if (!m_chosen || (m_chosen == &m_forceField && m_version != m_scope->version())) {
        m_version = m_scope->version();
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
    const bool alone = (m_wishes.matrixFree || m_wishes.ownSystem) && !m_scope->get<ConstraintCorrection>(Search::Root);
    if (alone && m_wishes.assembly == Assembly::Automatic && m_forceField.set(*m_scope, m_mp)) {
        m_why = "it has all that acts on the only unknown state";
        return m_forceField;
    }
    const Kind kind = kindFor(ExecutionPlan::of(*m_scope), alone);
    if (kind == Kind::Components) {
        m_components.set(*m_scope, m_mp);
        return m_components;
    }
    m_matrix.assemble(*m_system, *m_scope, m_mp,
                      {.factored = kind == Kind::Factored, .onlyReader = m_wishes.ownSystem, .flat = m_wishes.flat});
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
    if (m_wishes.flat) return choose(Matrix, "preconditioners may come to need it");
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
