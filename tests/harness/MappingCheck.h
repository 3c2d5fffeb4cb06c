// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/BaseMapping.h"
#include "tests/harness/ForceFieldCheck.h"

namespace sofa::test {

struct MappingOptions
{
    unsigned seeds = 3;         ///< random poses of the inputs, besides the given one
    double displacement = 0.2;  ///< amplitude of each scalar of a random pose [m or rad]
    double step = 1e-3;         ///< of the differences: small against the lengths on which the Jacobian changes
    bool translates = false;  ///< outputs follow a common translation of the inputs (weights are a partition of unity)
    bool exactGeometricStiffness =
        true;                 ///< false for mappings that leave out the derivative of their Jacobian, as SOFA
                              ///< does for some; then only the agreement of product and blocks is checked
    bool atGivenPose = true;  ///< false if the given pose is a kink
};

/// Checks the laws that every mapping obeys, at the pose that the test set and at random poses:
///   1. the blocks of jacobian() are the derivative of apply, by central differences, and not all zero;
///   2. applyJ gives J v;  3. applyJT adds Jᵀ f, so that ⟨J v, f⟩ = ⟨v, Jᵀ f⟩;
///   4. buildGeometricStiffness is the derivative of Jᵀ f at fixed f; applyDJT adds kFactor times its product; both are
///      zero for a linear mapping, and the mapping is not linear where they are not;
///   5. apply gives the same bits for the same input, whatever was computed between;
///   6. with `translates`, a translation of all inputs translates all outputs.
void checkMapping(core::BaseMapping& mapping, const MappingOptions& options = {});

}  // namespace sofa::test
