// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <optional>

#include "core/behavior/MatrixFree.h"
#include "core/linalg/LinearOperator.h"
#include "core/linalg/SymmetricProduct.h"
#include "core/log/Explanation.h"
#include "core/visitor/LinearSystem.h"
#include "core/visitor/StateVectors.h"

namespace sofa::core {

/// The operator of A = m M + b B + k K over a scope: what Krylov methods multiply with, preconditioners approximate,
/// and direct solvers and constraint corrections take as a matrix. It has vectors of its own, flat vectors
/// (SystemLayout), and the ways between them and the vectors of the states.
class SystemOperator : public LinearOperator
{
public:
    std::size_t size() const override;
    /// Of flat vectors.
    const SystemLayout& layout() const { return m_layout; }
    /// Between the vectors of the states and those of the operator; load gives `own` size() numbers.
    virtual void load(const MultiVecDerivId& from, Vector<double>& own);
    virtual void store(const Vector<double>& own, const MultiVecDerivId& to);
    /// The same for flat vectors. Unless an operator says otherwise, they are its own.
    virtual void fromFlat(const double* flat, Vector<double>& own) const;
    virtual void toFlat(const Vector<double>& own, double* flat) const;
    /// See LinearSolver::addProduct.
    virtual bool addProduct(VecDerivId /*f*/, const MultiVecDerivId& /*v*/, double /*factor*/) { return false; }

    /// The matrix, or what stored() has of it if `upperDoes`. An operator that multiplies without one assembles it at
    /// each call. Not within a solve.
    virtual SystemAssembly& assemble(bool upperDoes = false);
    /// A matrix whose blocks on the diagonal are those of A; others mean nothing, and need not be there.
    virtual const BlockCsrMatrix& diagonal();

    /// What it is, in words.
    virtual std::string description() const = 0;
    /// Its unknowns, non-zeros and memory.
    virtual void explainSizes(Explanation& e) const = 0;

protected:
    /// Takes a system; subclasses do more.
    void set(LinearSystem& system, const SolverScope& scope, const MechanicalParams& mp);

    LinearSystem* m_system = nullptr;
    SolverScope m_scope;
    MechanicalParams m_mp;
    SystemLayout m_layout;
    Vector<double> m_flat;

private:
    std::unique_ptr<SystemAssembly> m_diagonal;
};

/// Products with the matrix that a linear system assembles: of the upper triangle where that is faster, in padded
/// vectors (SymmetricProduct); beside it, contributions of mapped states may be kept as factors (FactoredProducts).
class MatrixOperator final : public SystemOperator
{
public:
    struct Form
    {
        bool factored = false;    ///< the contributions of mapped states are factors
        bool onlyReader = false;  ///< nobody else needs the matrix: its upper triangle may do
        bool products = true;     ///< many products will be asked for
    };
    /// Assembles the matrix.
    void set(LinearSystem& system, const SolverScope& scope, const MechanicalParams& mp, const Form& form);

    std::size_t size() const override;
    double multiply(const Vector<double>& x, Vector<double>& y) override;
    void fromFlat(const double* flat, Vector<double>& own) const override;
    void toFlat(const Vector<double>& own, double* flat) const override;
    bool addProduct(VecDerivId f, const MultiVecDerivId& v, double factor) override;
    SystemAssembly& assemble(bool upperDoes) override;
    const BlockCsrMatrix& diagonal() override;
    std::string description() const override;
    void explainSizes(Explanation& e) const override;

private:
    const SystemAssembly& assembly() const { return m_system->assembly(); }
    void prepareProducts();

    SymmetricProduct m_product;
    BlockCsrMatrix m_diagonal;
    bool m_prepared = false;  ///< m_product has the matrix
    bool m_padded = false;
    Vector<double> m_in, m_out;
};

/// Products by force fields, masses and mappings, without a matrix.
class ComponentOperator final : public SystemOperator
{
public:
    using SystemOperator::set;
    double multiply(const Vector<double>& x, Vector<double>& y) override;
    void load(const MultiVecDerivId& from, Vector<double>& own) override;
    void store(const Vector<double>& own, const MultiVecDerivId& to) override;
    std::string description() const override;
    void explainSizes(Explanation& e) const override;

private:
    /// What products need, from load to store.
    struct Products
    {
        Products(const SolverScope& scope, const MechanicalParams& mp) : mop(scope, mp), vop(scope) {}
        MechanicalOperations mop;
        VectorOperations vop;
        TempDeriv direction{vop}, product{vop};
    };
    std::optional<Products> m_products;
};

/// Products of one force field with the whole matrix (core/behavior/MatrixFree.h: grids of equal boxes).
class ForceFieldOperator final : public SystemOperator
{
public:
    /// False if there is none: if a force field has it, it must act alone on the only unknown state, beside masses that
    /// the product takes and scalars that are fixed, and no mapping may carry forces. Valid until the scope changes.
    bool take(LinearSystem& system, const SolverScope& scope, const MechanicalParams& mp);

    std::size_t size() const override { return m_product->size(); }
    double multiply(const Vector<double>& x, Vector<double>& y) override { return m_product->multiply(x, y); }
    void fromFlat(const double* flat, Vector<double>& own) const override;
    void toFlat(const Vector<double>& own, double* flat) const override;
    std::string description() const override;
    void explainSizes(Explanation& e) const override;

private:
    /// The masses, with their factors; false if the product does not take them.
    bool takeMasses(const ExecutionPlan& plan, const MechanicalParams& mp, MatrixFreeStiffness& fast,
                    const MatrixFreeOperator& product);

    MatrixFreeOperator* m_product = nullptr;
    const BaseForceField* m_forceField = nullptr;
    SystemTerms m_terms;
    std::pair<SolverScope, std::size_t> m_known{};  ///< scope and version of which m_onOneState is known
    bool m_onOneState = false;
};

/// Chooses the operator of a solver's scope, from what its components are and how the solver may be served.
class OperatorChoice
{
public:
    enum class Assembly
    {
        Automatic,
        Always,
        Never
    };
    struct Wishes
    {
        Assembly assembly = Assembly::Automatic;
        bool matrixFree = false;   ///< the scene asks for products without a matrix
        bool ownSystem = false;    ///< nobody but the solver has the linear system
        bool likesMatrix = false;  ///< the matrix is made unless a force field multiplies with it
    };
    /// Takes the system of the present states. Where nobody else reads the matrix it is made when it is asked for
    /// first: scene parts in which nothing happens have nothing to solve.
    void set(LinearSystem& system, const SolverScope& scope, const MechanicalParams& mp, const Wishes& wishes);
    /// The operator. One that a force field has is chosen anew when the scope has changed since: contacts of this step
    /// may have brought states.
    SystemOperator& get();
    /// The matrix; nullptr where there is none.
    SystemAssembly* matrix() { return &get() == &m_matrix ? &m_system->assembly() : nullptr; }
    const SolverScope& scope() const { return m_scope; }
    /// The operator of the last system and why it was chosen, or that there was none.
    void explain(Explanation& e) const;

private:
    SystemOperator& choose();
    /// Whether products by components, or factors beside the matrix, cost less than with the matrix of all.
    enum class Kind
    {
        Matrix,
        Factored,
        Components
    };
    Kind kindFor(const ExecutionPlan& plan, bool alone);

    LinearSystem* m_system = nullptr;
    SolverScope m_scope;
    MechanicalParams m_mp;
    Wishes m_wishes;
    SystemOperator* m_chosen = nullptr;
    const char* m_why = "";
    std::size_t m_version = 0;  ///< of the scope when it was chosen
    MatrixOperator m_matrix;
    ComponentOperator m_components;
    ForceFieldOperator m_forceField;
};

}  // namespace sofa::core
