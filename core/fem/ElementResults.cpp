// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/ElementResults.h"

#include "core/fem/elements/ElementStretch.h"

namespace sofa::core {

void ElementResults::vonMisesStresses(const Shape& shape, Vector<double>& out) const
{
    Vector<Mat3> tensors;
    stresses(shape, tensors);
    out.resize(tensors.size());
    for (std::size_t e = 0; e < out.size(); ++e) out[e] = vonMisesStress(tensors[e]);
}

void greenStrains(const ElementResults::Shape& shape, Vector<Mat3>& out)
{
    out.clear();
    forEachElement(shape, [&](ElementType type, std::span<const Index> e, bool exists) {
        const Mat3 strain = greenStrain(exists ? elementStretch(type, e, shape.rest, shape.now) : ElementStretch{});
        out.insert(out.end(), shape.elements.parts, strain);
    });
}

RestAndNow::RestAndNow(const BaseState& s) : rest(s.size()), now(s.size())
{
    const VecCoordId restId = s.isAllocated(vec_id::restPosition) ? vec_id::restPosition : vec_id::position;
    for (Index i = 0; i < s.size(); ++i) {
        rest[i] = s.pointPosition(i, restId);
        now[i] = s.pointPosition(i);
    }
}

}  // namespace sofa::core
