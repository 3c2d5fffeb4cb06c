// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/load/ElementPressure.h"

namespace sofa::component {

/// A pressure on quads of a mesh: the vector p (force per area) times the area at rest, in quarters to the vertices:
/// f = p A₀ / 4, with E = −Σ f·x. A₀ is the area of the triangles 0 1 2 and 0 2 3. The quads are those of quadList at
/// initialisation, or those between two planes, see ElementPressure.
class QuadPressureForceField : public ElementPressure<4>
{
public:
    QuadPressureForceField();
};

}  // namespace sofa::component
