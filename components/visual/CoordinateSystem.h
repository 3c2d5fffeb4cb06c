// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/visual/VisualComponent.h"

namespace sofa::component {

/// A frame for its node and what is below it: it is drawn there, and gravity, which is given in the frame of the root,
/// is turned into it. A frame within another one counts from that. Frames are at rest: nothing of their motion acts on
/// what is in them.
///
/// Positions stay those in the frame, and collisions, mappings and forces between nodes do not know of it, as in SOFA
/// of 2011: bodies that shall touch each other must be in the same frame.
class CoordinateSystem final : public VisualComponent
{
public:
    Data<Vec3> d_origin{this,
                        {.name = "origin", .help = "Origin of the frame, in that of the node above", .unit = "m"}};
    Data<Vec3> d_orientation{this,
                             {.name = "orientation",
                              .help = "Rotation vector of the frame: its length is the angle about its direction",
                              .unit = "rad"}};

    CoordinateSystem() { d_listening.setDefault(true); }

    void init() override;
    void reinit() override { turnGravity(); }
    void cleanup() override;
    /// Follows changes of gravity and of the frame at the beginning of each step.
    void handleEvent(const Event& e) override;
    void draw(DrawTool& tool) override;

private:
    void turnGravity();
};

}  // namespace sofa::component
