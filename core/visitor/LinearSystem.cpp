// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/visitor/LinearSystem.h"

#include <algorithm>

#include "core/objectmodel/NoEffect.h"

namespace sofa::core {

bool LinearSystem::leavesOut() const
{
    return std::ranges::any_of(parts(), [](const Data<bool>* part) { return !part->value(); });
}

void LinearSystem::tellUnusedParts(const std::string& reason) const
{
    for (const Data<bool>* part : parts()) tellWithoutEffect(*this, {part}, reason);
}

SystemAssembly::Options LinearSystem::options() const
{
    return {.mass = d_assembleMass.value(),
            .stiffness = d_assembleStiffness.value(),
            .damping = d_assembleDamping.value(),
            .geometricStiffness = d_assembleGeometricStiffness.value(),
            .mapped = d_applyMappedComponents.value(),
            .constraints = d_applyProjectiveConstraints.value()};
}

void LinearSystem::assemble(const SolverScope& scope, const MechanicalParams& mp, bool factored)
{
    SystemAssembly::Options o = options();
    o.factored = factored;
    m_assembly.assemble(scope, mp, o);
    if (d_matrixSize.value()[0] != m_assembly.size())
        d_matrixSize.setValue(Vec2::filled(static_cast<double>(m_assembly.size())));
}

}  // namespace sofa::core
