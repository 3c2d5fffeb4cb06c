// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/SparseCholesky>
#include <vector>

#include "components/constraint/ConstraintProblem.h"

namespace sofa::component {

/// Finds all forces of a problem at once, with the laws of contacts and friction. Sweeps alone need of the order of n⁴
/// of them for a stack of n bodies. Of several solutions this finds one far from the borders of the laws: contacts that
/// can stick do, and the next step begins well.
///
/// With μ λ_n and λ_t as the components of x, the force of a contact is in the cone |x_t| ≤ x_0. By Coulomb's law in De
/// Saxcé's form y = (δ_n / μ + |δ_t|, δ_t) is in that cone too, and xᵀ y = 0. For given |δ_t| this is a conic problem,
///
///     minimize ½ xᵀ W x + xᵀ (δ_free + |δ_t|),    x in the cones.
///
/// (V. Acary, P. Armand, H. M. Nguyen and M. Shpakovych, "Second-order cone programming for frictional contact
/// mechanics using interior point algorithm", Optimization Methods and Software 39(3), 2024, who find |δ_t| as a fixed
/// point around it). It is solved by a primal-dual method with Nesterov and Todd's scaling F and Mehrotra's corrector
/// (L. Vandenberghe, "The CVXOPT linear and quadratic cone program solvers", 2010). An iteration costs the
/// factorisation of W + F⁻². Newton's direction has the change of |δ_t| too, which is not symmetric: generalized
/// minimal residuals find it with these factors (Y. Saad and M. H. Schultz, SIAM J. Sci. Stat. Comput. 7(3), 1986).
/// Forces of laws that are neither unilateral nor bilateral stay as they are.
///
/// Violations come within some 1e-8 of the largest free one of the laws; sweeps get nearer.
class InteriorPoint
{
public:
    /// The contacts that may get forces.
    enum class Rows
    {
        all,
        acting  ///< those that push at the present forces, or are passed
    };
    /// Finds the pattern of the factors.
    explicit InteriorPoint(ConstraintProblem& p, Rows rows = Rows::all);
    /// Of a solution, before it is asked for: operations of the factorisations, in sweeps over the problem.
    double cost() const { return m_cost; }
    /// Changes p.force, until the laws would change no violation by more than the tolerance; false, and the forces are
    /// as they were, if they would change those of the forces before less.
    bool improve(ConstraintProblem& p, double tolerance);

private:
    struct Cone
    {
        Eigen::Index first;  ///< row
        Eigen::Index size;   ///< 1: without friction; 3
    };
    struct Scaling;
    struct Direction
    {
        Eigen::VectorXd x, y;
    };
    struct Factor : Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>>
    {
        /// Where columns of L begin, known from its pattern.
        const int* columns() const { return m_matrix.outerIndexPtr(); }
    };

    void addRow(int row, double scale);
    void assemble(const core::ComplianceMatrix& w);
    void begin(const ConstraintProblem& p, const core::ComplianceMatrix& w);
    bool solve(double tolerance);
    /// W x + d with |δ_t|, less y; notes the directions of slips.
    Eigen::VectorXd residual();
    bool factorise(std::vector<Scaling>& scalings);
    /// (W + F⁻²)⁻¹ times a vector.
    Eigen::VectorXd solveFactor(const Eigen::VectorXd& right) const;
    /// Changes of x and y for F Δy + F⁻¹ Δx = q and W Δx + Δ|δ_t| − Δy = −r. The slips count to this error (infinite:
    /// they do not).
    Direction direction(const std::vector<Scaling>& scalings, const Eigen::VectorXd& r, const Eigen::VectorXd& q,
                        double error) const;
    /// Change of |δ_t| with that of x, in the first rows of the cones.
    Eigen::VectorXd changeOfSlips(const Eigen::VectorXd& dx) const;
    /// Makes a direction without it the one with it.
    void addSlips(Eigen::VectorXd& dx, double error) const;
    /// How far x and y may go and stay in the cones.
    double longestStep(const Direction& d) const;
    /// Largest change of a violation that the laws would make.
    double largestChange() const;
    Eigen::Index size() const { return static_cast<Eigen::Index>(m_rows.size()); }

    core::Vector<int> m_rows;              ///< of the problem
    core::Vector<double> m_scale;          ///< λ = x / scale
    std::vector<Cone> m_cones;             ///< rows without one are bilateral
    core::Vector<bool> m_inCone;           ///< each row
    Eigen::SparseMatrix<double> m_w, m_a;  ///< lower triangles of W and of W + F⁻²
    Factor m_factor;
    bool m_dense = false;  ///< whether the factors are
    Eigen::LLT<Eigen::MatrixXd> m_denseFactor;
    Eigen::VectorXd m_diagonal;     ///< of W
    Eigen::VectorXd m_d, m_x, m_y;  ///< y = W x + d, with |δ_t|
    Eigen::VectorXd m_slip;         ///< δ_t / |δ_t|
    double m_cost = 0.;
};

}  // namespace sofa::component
