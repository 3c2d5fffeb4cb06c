// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/linearsolver/Preconditioner.h"
#include "core/linalg/AggregationMultigrid.h"

namespace sofa::component {

/// Approximates A⁻¹ by a V-cycle of algebraic multigrid with smoothed aggregation (core/linalg/AggregationMultigrid.h),
/// for PCGLinearSolver. The near null space is that of elasticity, the rigid-body motions of the points and frames of
/// all independent states where they are at the update.
///
/// Aggregates and patterns of all levels are made once for a pattern of the matrix and a set of fixed scalars; an
/// update with the same makes the values only, and gives what building anew would.
class MultigridPreconditioner final : public Preconditioner
{
public:
    core::Data<unsigned> d_degree{this,
                                  {.name = "degree",
                                   .help = "Degree of the smoothing polynomial, and products of a level before and "
                                           "after its coarse correction",
                                   .range = core::Range::closed(1., 8.)},
                                  3};
    core::Data<unsigned> d_coarsest{
        this,
        {.name = "coarsest",
         .help = "Largest number of unknowns of the coarsest level, which is factorised, or "
                 "1/500 of all unknowns where that is more; smaller systems are "
                 "solved directly",
         .range = core::Range::closed(1., 1e6)},
        1000};
    core::Data<core::Vector<unsigned>> d_levels{this,
                                                {.name = "levels",
                                                 .help = "Unknowns of the levels of the last matrix, from the finest "
                                                         "to the coarsest",
                                                 .readOnly = true,
                                                 .saved = false}};

    void init() override;
    void reset() override;
    void archive(core::Archive& a) override;
    void apply(std::span<const double> b, std::span<double> x) override;
    void explainFactor(core::Explanation& e) const override;
    void restoring() override { m_isRestored = true; }

protected:
    void prepare(core::SystemOperator& from) override;

private:
    void readPoints(const core::SystemLayout& layout);
    /// Rows of the modes of the unknowns with the points of the last update; sets how many modes there are.
    core::Vector<double> modes(const core::SystemLayout& layout, int& count) const;

    core::AggregationMultigrid m_multigrid;
    core::Vector<core::Vec3> m_points;  ///< of all states, at the last update
    core::Vector<int> m_fixed;          ///< scalars of the last analysis
    bool m_isAnalysed = false;
    bool m_isRestored = false;  ///< the next update is one that was made before a checkpoint
};

}  // namespace sofa::component
