// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <random>

#include "core/behavior/BaseState.h"
#include "core/behavior/MatrixAccumulator.h"
#include "core/behavior/MechanicalParams.h"

/// Tools of the conformance harnesses: several states seen as one vector of scalars, dense copies of what components
/// put into accumulators, and derivatives by differences with a bound of their error.
namespace sofa::test {

inline constexpr double machineEpsilon = 2.220446049250313e-16;

/// Uniform numbers in [−1, 1], the same for a seed on every machine.
class Random
{
public:
    explicit Random(unsigned seed) : m_generator(seed) {}
    double operator()() { return static_cast<double>(m_generator()) / 2147483647.5 - 1.; }
    Eigen::VectorXd vector(Eigen::Index n)
    {
        Eigen::VectorXd v(n);
        for (double& s : v) s = (*this)();
        return v;
    }

private:
    std::mt19937 m_generator;
};

/// Vectors of the harnesses, beyond those that solvers take.
namespace harness_id {
inline constexpr core::VecCoordId base{100};
inline constexpr core::VecDerivId displacement{100};
inline constexpr core::VecDerivId result{101};
}  // namespace harness_id

/// Several states as one vector of derivative scalars.
class StateSet
{
public:
    /// Allocates the vectors that harnesses use. Positions as they are now become the base pose.
    explicit StateSet(std::vector<core::BaseState*> states);

    Eigen::Index size() const { return m_size; }
    const std::vector<core::BaseState*>& states() const { return m_states; }
    Eigen::Index offset(const core::BaseState& s) const;
    Eigen::VectorXd get(core::VecDerivId id) const;
    void set(core::VecDerivId id, const Eigen::VectorXd& v) const;
    /// Keeps the present positions as the base pose.
    void rebase() const;
    /// positions = base pose moved by d
    void displace(const Eigen::VectorXd& d) const;
    /// Displacement from the base pose to the present positions.
    Eigen::VectorXd displacementFromBase() const;
    /// Largest absolute coordinate of the present positions.
    double largestPosition() const;

private:
    std::vector<core::BaseState*> m_states;
    Eigen::Index m_size = 0;
};

/// Dense matrix that receives blocks: rows are the scalars of one set of states, columns those of another.
class DenseAccumulator : public core::MatrixAccumulator
{
public:
    DenseAccumulator(const StateSet& rows, const StateSet& columns)
        : m_rows(&rows), m_columns(&columns), m_matrix(Eigen::MatrixXd::Zero(rows.size(), columns.size()))
    {
    }
    explicit DenseAccumulator(const StateSet& s) : DenseAccumulator(s, s) {}
    core::BlockSink& sink(const core::BaseState& row, const core::BaseState& col) override;
    const Eigen::MatrixXd& matrix() const { return m_matrix; }

private:
    class Sink : public core::BlockSink
    {
    public:
        Sink(Eigen::MatrixXd& m, Eigen::Index row, Eigen::Index col, std::size_t r, std::size_t c, core::Index nr,
             core::Index nc)
            : m_matrix(&m), m_row(row), m_col(col), m_r(r), m_c(c), m_nr(nr), m_nc(nc)
        {
        }
        void addBlock(core::Index i, core::Index j, const double* block, std::size_t r, std::size_t c) override;

    private:
        Eigen::MatrixXd* m_matrix;
        Eigen::Index m_row, m_col;
        std::size_t m_r, m_c;
        core::Index m_nr, m_nc;
    };
    const StateSet *m_rows, *m_columns;
    Eigen::MatrixXd m_matrix;
    std::vector<std::unique_ptr<Sink>> m_sinks;
};

/// A derivative by central differences, and a bound of the error of each column (core/math/LineDerivative.h).
struct Difference
{
    Eigen::MatrixXd value;
    Eigen::VectorXd bound;
};

/// Jacobian of `f` with respect to each of n scalars; f(d) is the value at the base moved by d, `scale` the size of the
/// numbers that are summed in f.
Difference differentiate(const std::function<Eigen::VectorXd(const Eigen::VectorXd&)>& f, Eigen::Index n, double step,
                         double scale);

/// Checks every column of `derivative` against the differences, and that the differences are sharp: their bound is at
/// most 1e-5 of the largest entry.
void checkDerivative(const Eigen::MatrixXd& derivative, const Difference& d, const std::string& what);

/// Checks |a − b| ≤ 64 ε magnitude for each scalar: equality but for the rounding of sums whose terms add up to
/// `magnitude`.
void checkEqual(const Eigen::VectorXd& a, const Eigen::VectorXd& b, const Eigen::VectorXd& magnitude,
                const std::string& what);

}  // namespace sofa::test
