// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/constraint/ConstraintProblem.h"
#include "core/behavior/ConstraintCorrection.h"

namespace sofa::component {

/// Compliance of the scene that is not built: each constraint correction applies that of its body, row by row. The rows
/// of a group ask the corrections of the bodies that they touch only.
class UnbuiltCompliance final : public ComplianceProducts
{
public:
    /// Starts from λ = 0 and fills the diagonal blocks of the problem; `regularization` is added to the diagonal of W.
    void begin(const std::vector<core::ConstraintCorrection*>& corrections, const core::ConstraintParams& p,
               const core::ConstraintMatrix& h, double regularization, ConstraintProblem& problem);
    void addProduct(int first, int n, double* d) const override;
    void changeForce(int first, int n, const double* change) override;
    void startFrom(const core::Vector<double>& force) override;
    void build(core::ComplianceMatrix& w) const override;
    core::Vector<int> islands() const override;

private:
    /// Those that move what the group with this first row touches.
    std::span<core::ConstraintCorrection* const> correctionsOf(int first) const
    {
        const auto g = static_cast<std::size_t>(m_groupOf[static_cast<std::size_t>(first)]);
        return {m_touching.data() + m_start[g], m_touching.data() + m_start[g + 1]};
    }

    std::vector<core::ConstraintCorrection*> m_corrections;
    core::Vector<int> m_starts;                           ///< first row of each group, and the number of rows
    core::Vector<int> m_groupOf;                          ///< of each row
    std::vector<core::ConstraintCorrection*> m_touching;  ///< of all groups, in the order of m_corrections
    core::Vector<std::size_t> m_start;                    ///< of each group in m_touching
    core::Vector<double> m_force;                         ///< of all rows, for the regularisation; empty without
    double m_regularization = 0.;
    core::ConstraintParams m_params;
    const core::ConstraintMatrix* m_jacobian = nullptr;
};

}  // namespace sofa::component
