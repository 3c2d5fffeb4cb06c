// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/fem/elements/CorotationalTetrahedra.h"
#include "core/fem/elements/LinearElements.h"

namespace sofa::core {

/// CorotationalTetrahedra with what LinearElements offers for the other kinds of elements.
class LinearTetrahedra : public CorotationalTetrahedra
{
public:
    using Element = Tetrahedron;
    using VecD = Vec3;
    static constexpr bool hasFrame = true;
    static constexpr bool canAverage = true;

    /// As LinearElements::build.
    void build(const Vector<Tetrahedron>& elements, const Vector<Vec3>& rest, ElementRotation method,
               Dilatation dilatation = Dilatation::Pointwise)
    {
        constexpr RotationMethod methods[] = {RotationMethod::NearestMoments, RotationMethod::Moments,
                                              RotationMethod::Small, RotationMethod::Large};
        CorotationalTetrahedra::build(elements, rest, methods[static_cast<int>(method)], false, dilatation);
    }
    void setMaterial(const std::function<LameParameters(Index)>& materialOf)
    {
        for (Index e = 0; e < size(); ++e) CorotationalTetrahedra::setMaterial(e, materialOf(e));
    }
    void setMaterial(const Vector<Index>& elements, const std::function<LameParameters(Index)>& materialOf)
    {
        for (const Index e : elements) CorotationalTetrahedra::setMaterial(e, materialOf(e));
    }
};

}  // namespace sofa::core
