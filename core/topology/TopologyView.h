// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/topology/BaseMeshTopology.h"

namespace sofa::core {

/// Link to a topology of which a component keeps nothing that changes with its elements: they are read anew each time,
/// or it looks itself whether they changed, or only points count. Elements can then be removed without notice
/// (core/topology/TopologyChange.h).
class TopologyView final : public Link<BaseMeshTopology>
{
public:
    using Link::Link;
};

}  // namespace sofa::core
