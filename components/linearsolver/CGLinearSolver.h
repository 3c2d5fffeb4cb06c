// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <optional>

#include "components/linearsolver/WholeProduct.h"
#include "core/linalg/SymmetricProduct.h"
#include "core/visitor/LinearSystem.h"
#include "core/visitor/Operations.h"

namespace sofa::component {

/// Conjugate gradient method (Hestenes and Stiefel 1952) for symmetric positive definite systems, without
/// preconditioner.
///
/// Stops at the first of: `iterations` done; |r| ≤ tolerance · |b|; √(pᵀAp) ≤ threshold · √(p₀ᵀAp₀) for the search
/// directions p. With the root's compatibility="sofa" the last is SOFA's pᵀAp ≤ threshold (from the second iteration
/// on, or from the second solve on), which ends solves with small numbers, as those of light bodies, at once. Solves
/// that run out of iterations are counted; the first of a run is told. With template GraphScattered the scene asks for
/// products without a matrix; the product is then taken with the cached block matrix where that is cheaper (it is the
/// same sum up to rounding), unless `assembly` says otherwise. Few forces behind a dense mapping, as contacts of
/// deformable bodies, stay factors of their own beside the matrix (MappedFactors). The other way round, a matrix that
/// nobody else can see (there is no component for the linear system) is not assembled where the products of all force
/// fields are as fast without one. Where one force field multiplies with the whole matrix (core/behavior/FastProduct.h:
/// grids of equal boxes), vectors stay in its order meanwhile; where half of a symmetric matrix is multiplied, they are
/// padded as SymmetricProduct wants them.
class CGLinearSolver : public core::LinearSolver
{
public:
    core::Data<unsigned> d_iterations{
        this, {.name = "iterations", .help = "Largest number of iterations", .range = core::Range::nonNegative()}, 25};
    core::Data<double> d_tolerance{
        this,
        {.name = "tolerance",
         .help = "Stop when the residual is below this fraction of the right-hand side, |r| <= tolerance |b|",
         .unit = "1",
         .range = core::Range::nonNegative()},
        1e-5};
    core::Data<double> d_threshold{this,
                                   {.name = "threshold",
                                    .help = "Stop when the energy norm of the search direction is below this "
                                            "fraction of that of the first; with compatibility=\"sofa\" when its "
                                            "square is below this [kg m^2/s^2]",
                                    .unit = "1"},
                                   1e-5};
    core::Data<bool> d_warmStart{
        this, {.name = "warmStart", .help = "Start from the previous solution instead of zero"}, false};
    core::Data<core::Options> d_assembly{this,
                                         {.name = "assembly",
                                          .help = "Whether the matrix is assembled: auto (as the template says, or "
                                                  "otherwise where that is cheaper), always, never"},
                                         core::Options({"auto", "always", "never"})};
    core::Data<unsigned> d_lastIterations{
        this, {.name = "lastIterations", .help = "Iterations of the last solve", .readOnly = true}, 0};
    core::Data<unsigned> d_unconvergedSolves{this,
                                             {.name = "unconvergedSolves",
                                              .help = "Number of solves so far that ended above the tolerance",
                                              .readOnly = true,
                                              .saved = false},
                                             0};
    core::Data<core::Vector<double>> d_graph{
        this,
        {.name = "graph",
         .help = "|r|/|b| at each iteration of the last solve, recorded with printLog",
         .unit = "1",
         .group = "Analysis",
         .readOnly = true,
         .saved = false}};
    core::Link<core::LinearSystem> l_linearSystem{
        this,
        {"linearSystem", "Linear system that assembles the matrix; default: that of the node, or one of its own"}};

    CGLinearSolver();
    void init() override;
    void reset() override;
    void archive(core::Archive& a) override;
    void setSystem(core::Node& scope, const core::MechanicalParams& mp) override;
    void solve(const core::MultiVecDerivId& x, const core::MultiVecDerivId& rhs) override;
    bool addProduct(core::VecDerivId f, const core::MultiVecDerivId& v, double factor) override;

private:
    /// How products are formed: with the matrix of the system, with that of the independent states and factors Jᵀ K J
    /// for the mapped ones, or by force fields and mappings.
    enum class Products
    {
        Matrix,
        Factored,
        Components
    };
    Products chooseProducts(core::Node& scope) const;
    /// Whether nobody else needs the matrix.
    bool mayMultiplyAlone(core::Node& scope) const;
    /// Assembles the matrix, or gets ready to do without.
    void makeSystem(core::Node& scope, const core::MechanicalParams& mp);
    /// Sets the solution of a right-hand side that is zero; false if it is not, or if zero is not the solution.
    bool solveNull(const core::MultiVecDerivId& x, const core::MultiVecDerivId& rhs);
    struct ProductVectors;
    /// q = A p; returns p · q. `vectors` are needed where components multiply.
    double product(const core::Vector<double>& p, core::Vector<double>& q, const ProductVectors* vectors);
    /// Tells m_product the matrix, if that is not done yet.
    void prepareMatrix();
    /// The right-hand side, in the order of the products.
    void load(const core::MultiVecDerivId& rhs, const std::vector<core::SystemAssembly::Entry>& layout, std::size_t n);
    void store(const core::MultiVecDerivId& id, const std::vector<core::SystemAssembly::Entry>& layout);

    std::shared_ptr<core::LinearSystem> m_own;
    std::optional<core::MechanicalOperations> m_mop;  ///< for products without a matrix
    core::SystemProduct* m_system = nullptr;          ///< multiplies instead of both, in the scope as it was
    std::size_t m_systemVersion = 0;
    WholeProduct m_whole;
    /// Scene parts in which nothing happens have nothing to solve in most steps: after a right-hand side of zero the
    /// next matrix waits until it is known to be needed.
    struct Waiting
    {
        core::Node* scope;
        core::MechanicalParams mp;
    };
    std::optional<Waiting> m_waiting;
    bool m_wasNull = false;  ///< the last right-hand side
    Products m_products = Products::Matrix;
    bool m_prepared = false;  ///< m_product knows the matrix
    bool m_padded = false;    ///< vectors are those of m_product
    /// Counts a solve that ended with |r|/|b| = error, and tells the first one of a run.
    void countUnconverged(double error, const std::string& reason);
    bool m_firstSolve = true;
    std::vector<core::SystemAssembly::Entry> m_layout;
    core::SymmetricProduct m_product;
    core::Vector<double> m_x, m_r, m_p, m_q;
};

}  // namespace sofa::component
