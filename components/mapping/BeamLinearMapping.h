// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/mapping/BlendedFrames.h"

namespace sofa::component {

/// Points along a chain of beams: frame j and j + 1 are the ends of beam j. A point at the part s of a beam follows
/// both ends, the second one with the weight 3 s² − 2 s³, so that the skin is smooth where beams meet.
///
/// With `localCoord` the output's first positions are such places: beam + s, and two distances from the axis in lengths
/// of the beam. Otherwise they are positions in space, and belong to the beam that is nearest.
template <class In, class Out>
class BeamLinearMapping final : public BlendedFrames<In, Out>
{
public:
    using Base = BlendedFrames<In, Out>;

    Data<bool> d_localCoord{
        this,
        {.name = "localCoord",
         .help = "The output's first positions are places on beams: the number of a beam plus the part of its length, "
                 "and the distances along y and z of its frame in lengths of the beam"},
        true};

    void init() override;
};

}  // namespace sofa::component
