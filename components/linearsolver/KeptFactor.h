// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/linearsolver/DirectSolver.h"
#include "core/objectmodel/Archive.h"

namespace sofa::component {

/// A matrix and its factor, which serve for longer than a step: a checkpoint has the matrix.
struct KeptFactor
{
    core::BlockCsrMatrix matrix;
    std::unique_ptr<core::Factorization> factor;
    core::FactorizationStatus status = core::FactorizationStatus::ok;

    void factorize() { status = factor->factorize(matrix); }
    /// The matrix only: the factor must be made anew after loading.
    void archiveMatrix(core::Archive& a);
};

/// A solver whose factor may be that of an older matrix.
class LaggingSolver
{
public:
    virtual ~LaggingSolver() = default;
    /// How many updates ago its factor had the matrix of its system.
    virtual unsigned lag() const = 0;
};

/// Solver that factorises the first matrix and keeps that factor, until the number of unknowns changes or a reset.
class PrecomputedSolver : public DirectSolver
{
public:
    PrecomputedSolver();
    void init() override;
    void reset() override;
    void archive(core::Archive& a) override;
    void explainFactor(core::Explanation& e) const override;

protected:
    void prepare(core::SystemOperator& from) override;
    /// The first matrix has been factorised.
    virtual void begin(core::SystemOperator&) {}
    /// Whether solutions are the same while the factor is.
    virtual bool keepsSolutions() const { return true; }

private:
    void forget();

    KeptFactor m_first;
    bool m_known = false;      ///< m_first has a factor
    bool m_wasLoaded = false;  ///< by a checkpoint, and solves have not taken it yet
};

}  // namespace sofa::component
