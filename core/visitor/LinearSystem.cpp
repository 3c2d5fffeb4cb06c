// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/visitor/LinearSystem.h"

namespace sofa::core {

void LinearSystem::assemble(Node& scope, const MechanicalParams& mp)
{
    m_assembly.assemble(scope, mp,
                        {.mass = d_assembleMass.value(),
                         .stiffness = d_assembleStiffness.value(),
                         .damping = d_assembleDamping.value(),
                         .geometricStiffness = d_assembleGeometricStiffness.value(),
                         .mapped = d_applyMappedComponents.value(),
                         .constraints = d_applyProjectiveConstraints.value()});
    if (d_matrixSize.value()[0] != m_assembly.size())
        d_matrixSize.setValue(Vec2::filled(static_cast<double>(m_assembly.size())));
}

void AssembledLinearSolver::init()
{
    std::string error;
    if (!l_linearSystem.resolve(error)) return fail("linearSystem: " + error);
    if (!l_linearSystem) l_linearSystem.set(node()->get<LinearSystem>(Search::Local));
    if (!l_linearSystem) {
        m_own = std::make_shared<LinearSystem>();
        l_linearSystem.set(m_own.get());
    }
}

void AssembledLinearSolver::setSystem(Node& scope, const MechanicalParams& mp)
{
    system().assemble(scope, mp);
    update(system().assembly());
}

void AssembledLinearSolver::update(const SystemAssembly& a)
{
    const bool changed = m_source != &a || a.patternVersion() != m_pattern;
    m_source = &a;
    m_pattern = a.patternVersion();
    prepare(a, changed);
}

void AssembledLinearSolver::solve(const MultiVecDerivId& x, const MultiVecDerivId& rhs)
{
    const SystemAssembly& a = system().assembly();
    m_b.resize(static_cast<std::size_t>(a.size()));
    m_x.resize(static_cast<std::size_t>(a.size()));
    a.gather(rhs, m_b.data());
    solveFlat(a, m_b.data(), m_x.data());
    a.scatter(m_x.data(), x);
}

}  // namespace sofa::core
