// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/topology/BaseMeshTopology.h"

namespace sofa::core {

/// Link to a topology of which a component keeps nothing: elements and points are read anew each time, or it looks
/// itself whether they changed. They can then come and go without notice (core/topology/TopologyChange.h).
class TopologyView final : public Link<BaseMeshTopology>
{
public:
    using Link::Link;
};

}  // namespace sofa::core
