// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

namespace sofa::core {

/// A visual model that is a frame of the body which it follows by a mapping, or in whose node it stands (and no text,
/// light, grid ...): viewers need not draw a skin of that body.
class BodyVisual
{
public:
    virtual ~BodyVisual() = default;
};

}  // namespace sofa::core
