// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/visitor/StateVectors.h"

#include <limits>

#include "core/behavior/KeptVectors.h"

namespace sofa::core {

namespace {

template <VecType type>
NumberPool& poolOf(VectorNumbers& numbers)
{
    return type == VecType::Coord ? numbers.coord : numbers.deriv;
}

/// Fills the vector of every state with what is no number.
template <VecType type>
void poison(const ExecutionPlan& plan, VecId<type> id)
{
    Vector<double> scalars;
    for (const auto* list : {&plan.independentStates(), &plan.mappedStates()})
        for (BaseState* s : *list) {
            scalars.assign(s->size() * (type == VecType::Coord ? s->coordSize() : s->derivSize()),
                           std::numeric_limits<double>::quiet_NaN());
            s->setScalars(id, scalars.data());
        }
}

}  // namespace

template <VecType type>
TemporaryVector<type>::TemporaryVector(VectorOperations& vop) : m_numbers(vop.scope().node().scene().vectors)
{
    m_id.index = poolOf<type>(*m_numbers).take(&m_id.generation);
    vop.allocate(m_id);
    if (m_numbers->poison) poison(vop.plan(), m_id);
}

template <VecType type>
TemporaryVector<type>::~TemporaryVector()
{
    poolOf<type>(*m_numbers).give(m_id.index);
}

template <VecType type>
KeptVector<type>::~KeptVector()
{
    if (const auto numbers = m_numbers.lock()) poolOf<type>(*numbers).forget({m_ownerId, m_name});
}

template <VecType type>
VecId<type> KeptVector<type>::id() const
{
    SceneState& scene = m_owner.node()->scene();
    const auto& numbers = scene.vectors;
    if (m_numbers.lock() != numbers || m_ownerId != m_owner.id()) {
        m_numbers = numbers;
        m_ownerId = m_owner.id();
        m_id = {poolOf<type>(*numbers).keep({m_ownerId, m_name}), keptGeneration(scene)};
    }
    return m_id;
}

template <VecType type>
VecId<type> KeptVector<type>::allocate(VectorOperations& vop) const
{
    vop.allocate(id());
    return m_id;
}

template class TemporaryVector<VecType::Coord>;
template class TemporaryVector<VecType::Deriv>;
template class KeptVector<VecType::Coord>;
template class KeptVector<VecType::Deriv>;

}  // namespace sofa::core
