// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <utility>

#include "core/behavior/FastProduct.h"
#include "core/visitor/Operations.h"

namespace sofa::component {

/// Finds the force field that multiplies with the whole system matrix (core/behavior/FastProduct.h: grids of equal
/// boxes), for the Krylov methods that need nothing of the matrix but products.
class WholeProduct
{
public:
    /// The product, prepared, if a force field has it: if it acts alone on the only unknown state, beside masses that
    /// the product takes and scalars that are fixed, and no mapping carries forces; else null. It belongs to the force
    /// field and is valid until the scope changes.
    core::SystemProduct* prepare(core::Node& scope, const core::MechanicalParams& mp);

private:
    /// The masses, with their factors; false if the product does not take them.
    bool takeMasses(const core::ExecutionPlan& plan, const core::MechanicalParams& mp, core::FastProduct& fast,
                    const core::SystemProduct& product);

    core::SystemTerms m_terms;
    std::pair<const core::Node*, std::size_t> m_known{};  ///< scope and version of which m_onOneState is known
    bool m_onOneState = false;
};

}  // namespace sofa::component
