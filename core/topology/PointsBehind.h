// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <optional>

#include "core/behavior/BaseState.h"
#include "core/topology/ElementData.h"

namespace sofa::core {

/// The points that a list of positions has an entry for: those of the state or topology to whose Data it is linked;
/// nothing if it is linked to none.
inline std::optional<ElementNumbering> pointsBehind(const BaseData& positions)
{
    const BaseData* d = &positions;
    while (d->parent()) d = d->parent();
    if (d == &positions) return std::nullopt;
    if (const auto* s = dynamic_cast<const BaseState*>(d->owner())) return pointsOf(*s);
    if (const auto* t = dynamic_cast<const BaseMeshTopology*>(d->owner()))
        return ElementNumbering{t, {ElementType::Points}};
    return std::nullopt;
}

}  // namespace sofa::core
