// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/constraint/PointsProjectiveConstraint.h"

#include "components/constraint/DrawSize.h"
#include "core/objectmodel/DefaultLink.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

using namespace core;

template <class D>
void PointsProjectiveConstraint<D>::init()
{
    Base::init();
    if (!this->isValid()) return;
    if (!resolveOrFind(l_topology, *this)) return;
    checkIndices();
}

template <class D>
void PointsProjectiveConstraint<D>::checkIndices()
{
    const Index n = this->state().size();
    if (!d_indices.isSet()) return;
    for (const Index i : d_indices.value()) {
        if (i < n) continue;
        this->setValid(false);
        this->message(Severity::Error,
                      "indices: point " + std::to_string(static_cast<int>(i)) + " is not in " +
                          this->state().pathName() + ", which has " + std::to_string(n) + " points",
                      d_indices.location);
        return;
    }
}

template <class D>
void PointsProjectiveConstraint<D>::projectResponse(VecDeriv& dx) const
{
    if (acts()) forEachPoint(dx.size(), [&](Index i) { dx[i] = Deriv(); });
}

template <class D>
void PointsProjectiveConstraint<D>::eliminate(EliminationSink& sink) const
{
    if (!this->isActive() || !acts()) return;
    forEachPoint(this->state().size(), [&](Index i) {
        for (std::size_t k = 0; k < D::derivSize; ++k) sink.eliminate(this->state(), i, k);
    });
}

template <class D>
void PointsProjectiveConstraint<D>::draw(core::DrawTool& tool)
{
    if (!tool.shows(core::DisplayFlags::BehaviorModels) || !this->l_state || !this->isActive() || !showsPoints())
        return;
    const core::State<D>& s = this->state();
    drawConstrainedPoints(tool, takesAll() ? core::drawnPoints(tool, s) : core::drawnPoints(tool, s, d_indices.value()),
                          drawnRadius());
}

#define SOFA_INSTANTIATE(D) template class PointsProjectiveConstraint<D>;
SOFA_STATE_TYPES(SOFA_INSTANTIATE)
#undef SOFA_INSTANTIATE

}  // namespace sofa::component
