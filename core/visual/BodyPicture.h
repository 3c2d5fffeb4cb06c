// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

namespace sofa::core {

/// A visual model that is a picture of the body which it follows by a mapping, or in whose node it stands (and no text,
/// light, grid ...): viewers need not draw a skin of that body.
class BodyPicture
{
public:
    virtual ~BodyPicture() = default;
};

}  // namespace sofa::core
