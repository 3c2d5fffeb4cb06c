// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/engine/AverageCoord.h"

#include "components/engine/MeanCoord.h"
#include "core/behavior/StateLookup.h"
#include "core/factory/Registry.h"

namespace sofa::component {

template <class D>
void AverageCoord<D>::init()
{
    if (!findState(l_state, *this)) return;
    const VecCoordId id{d_vecId.value()};
    if (!l_state->isAllocated(id))
        return fail("vecId=\"" + d_vecId.text() + "\": the state '" + l_state->pathName() + "' has no such vector yet");
    addInput(l_state->coordData(id));
    m_some = !d_indices.value().empty();
    setDirty();
}

template <class D>
void AverageCoord<D>::followTopology(const TopologyChange& change)
{
    if (!change.restores() && m_some && d_indices.value().empty())
        throw std::runtime_error("'" + pathName() + "' (AverageCoord): the last point of indices would go");
    setDirty();
}

template <class D>
void AverageCoord<D>::doUpdate()
{
    if (!isValid() || !l_state) return;
    const auto& x = l_state->read(VecCoordId{d_vecId.value()});
    const Vector<Index>& indices = d_indices.value();
    const std::size_t n = indices.empty() ? x.size() : indices.size();
    if (n == 0) return fail("there are no coordinates to average");
    SumOfCoords<Coord> sum;
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t point = indices.empty() ? i : indices[i];
        if (point >= x.size())
            return fail("indices: point " + std::to_string(point) + " does not exist; the state '" +
                        l_state->pathName() + "' has " + std::to_string(x.size()));
        sum.add(x[point]);
    }
    d_average.setValue(sum.mean(static_cast<double>(n)));
}

template class AverageCoord<Vec2Types>;
template class AverageCoord<Vec3Types>;
template class AverageCoord<Rigid2Types>;
template class AverageCoord<Rigid3Types>;

namespace {

const RegisterComponent registeredAverageCoord =
    RegisterComponent("AverageCoord", "Engine", "Sofa.Component.Engine.Analyze")
        .help("Mean of the coordinates of a state")
        .example("component/engine/AverageCoord.scn")
        .add<AverageCoord, Vec3Types, Vec2Types, Rigid3Types, Rigid2Types>();

}  // namespace

}  // namespace sofa::component
