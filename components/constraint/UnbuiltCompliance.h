// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/constraint/ConstraintProblem.h"
#include "core/behavior/ConstraintCorrection.h"

namespace sofa::component {

/// Compliance of the scene that is not built: each constraint correction applies that of its body, row by row.
class UnbuiltCompliance final : public ComplianceProducts
{
public:
    /// Starts from λ = 0 and fills the diagonal blocks of the problem; `regularization` is added to the diagonal of W.
    void begin(const std::vector<core::ConstraintCorrection*>& corrections, const core::ConstraintParams& p,
               const core::ConstraintMatrix& h, double regularization, ConstraintProblem& problem);
    void addProduct(int first, int n, double* d) const override;
    void changeForce(int first, int n, const double* change) override;
    void startFrom(const core::Vector<double>& force) override;

private:
    std::vector<core::ConstraintCorrection*> m_corrections;
    core::Vector<double> m_force;  ///< of all rows, for the regularisation; empty without
    double m_regularization = 0.;
};

}  // namespace sofa::component
