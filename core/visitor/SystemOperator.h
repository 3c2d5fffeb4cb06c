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

/// The operator of A = m M + b B + k K over a scope, with the way to and from its vectors.
class SystemOperator : public LinearOperator
{
public:
    /// `own` gets size() numbers.
    virtual void load(const MultiVecDerivId& from, Vector<double>& own) = 0;
    virtual void store(const Vector<double>& own, const MultiVecDerivId& to) = 0;
    /// See LinearSolver::addProduct.
    virtual bool addProduct(VecDerivId /*f*/, const MultiVecDerivId& /*v*/, double /*factor*/) { return false; }
    /// What it is, in words.
    virtual std::string description() const = 0;
    /// Its unknowns, non-zeros and memory.
    virtual void explainSizes(Explanation& e) const = 0;
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
        bool flat = false;        ///< vectors are those of SystemAssembly, for preconditioners
    };
    /// Assembles the matrix.
    void assemble(LinearSystem& system, Node& scope, const MechanicalParams& mp, const Form& form);

    std::size_t size() const override;
    double multiply(const Vector<double>& x, Vector<double>& y) override;
    void load(const MultiVecDerivId& from, Vector<double>& own) override;
    void store(const Vector<double>& own, const MultiVecDerivId& to) override;
    bool addProduct(VecDerivId f, const MultiVecDerivId& v, double factor) override;
    std::string description() const override;
    void explainSizes(Explanation& e) const override;

private:
    const SystemAssembly& assembly() const { return m_system->assembly(); }

    LinearSystem* m_system = nullptr;
    SymmetricProduct m_product;
    bool m_padded = false;
    Vector<double> m_flat, m_in, m_out;
};

/// Products by force fields, masses and mappings, without a matrix.
class ComponentOperator final : public SystemOperator
{
public:
    void set(Node& scope, const MechanicalParams& mp);

    std::size_t size() const override;
    double multiply(const Vector<double>& x, Vector<double>& y) override;
    void load(const MultiVecDerivId& from, Vector<double>& own) override;
    void store(const Vector<double>& own, const MultiVecDerivId& to) override;
    std::string description() const override;
    void explainSizes(Explanation& e) const override;

private:
    struct Vectors
    {
        explicit Vectors(Node& scope) : vop(scope) {}
        VectorOperations vop;
        TempDeriv direction{vop}, product{vop};
    };
    std::optional<MechanicalOperations> m_mop;
    std::optional<Vectors> m_vectors;  ///< from load to store
    std::vector<SystemAssembly::Entry> m_layout;
};

/// Products of one force field with the whole matrix (core/behavior/MatrixFree.h: grids of equal boxes).
class ForceFieldOperator final : public SystemOperator
{
public:
    /// False if there is none: if a force field has it, it must act alone on the only unknown state, beside masses that
    /// the product takes and scalars that are fixed, and no mapping may carry forces. Valid until the scope changes.
    bool set(Node& scope, const MechanicalParams& mp);

    std::size_t size() const override { return m_product->size(); }
    double multiply(const Vector<double>& x, Vector<double>& y) override { return m_product->multiply(x, y); }
    void load(const MultiVecDerivId& from, Vector<double>& own) override;
    void store(const Vector<double>& own, const MultiVecDerivId& to) override;
    std::string description() const override;
    void explainSizes(Explanation& e) const override;

private:
    /// The masses, with their factors; false if the product does not take them.
    bool takeMasses(const ExecutionPlan& plan, const MechanicalParams& mp, MatrixFreeStiffness& fast,
                    const MatrixFreeOperator& product);

    MatrixFreeOperator* m_product = nullptr;
    const BaseForceField* m_forceField = nullptr;
    BaseState* m_state = nullptr;
    SystemTerms m_terms;
    std::pair<const Node*, std::size_t> m_known{};  ///< scope and version of which m_onOneState is known
    bool m_onOneState = false;
    Vector<double> m_scalars;
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
        bool matrixFree = false;  ///< the scene asks for products without a matrix
        bool ownSystem = false;   ///< nobody but the solver has the linear system
        bool flat = false;        ///< see MatrixOperator; the matrix is made unless a force field multiplies with it
    };
    /// Takes the system of the present states. Where nobody else reads the matrix it is made when it is asked for
    /// first: scene parts in which nothing happens have nothing to solve.
    void set(LinearSystem& system, Node& scope, const MechanicalParams& mp, const Wishes& wishes);
    /// The operator. One that a force field has is chosen anew when the scope has changed since: contacts of this step
    /// may have brought states.
    SystemOperator& get();
    /// The matrix; nullptr where there is none.
    SystemAssembly* matrix() { return &get() == &m_matrix ? &m_system->assembly() : nullptr; }
    Node& scope() const { return *m_scope; }
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
    Node* m_scope = nullptr;
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
