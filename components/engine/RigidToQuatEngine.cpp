// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/engine/ListTypes.h"
#include "components/engine/Transforms.h"

namespace sofa::component {

namespace {

/// Positions and orientations of frames; orientations also as Euler angles, about x, then y, then z (R = Rz Ry Rx).
class RigidToQuatEngine final : public Engine
{
public:
    static std::string_view staticTemplateName() { return Vec3Types::name(); }

    Input<Vector<RigidCoord3>> d_rigids{this, input("rigids", "Frames", "m")};
    Output<Vector<Vec3>> d_positions{this, output("positions", "Their positions", "m")};
    Output<Vector<Quat>> d_orientations{this, output("orientations", "Their orientations", "1")};
    Output<Vector<Vec3>> d_orientationsEuler{this, output("orientationsEuler", "The same as Euler angles", "rad")};

    RigidToQuatEngine()
    {
        addAlias(d_positions, "position");
        addAlias(d_orientations, "orientation");
        addAlias(d_rigids, "rigid");
    }

protected:
    void doUpdate() override
    {
        Vector<Vec3> positions, angles;
        Vector<Quat> orientations;
        for (const RigidCoord3& x : d_rigids.value()) {
            positions.push_back(x.center);
            orientations.push_back(x.orientation);
            angles.push_back(eulerXYZ(x.orientation.normalized()));
        }
        d_positions.setValue(std::move(positions));
        d_orientations.setValue(std::move(orientations));
        d_orientationsEuler.setValue(std::move(angles));
    }
};

const RegisterComponent registeredRigidToQuatEngine =
    RegisterComponent("RigidToQuatEngine", "Engine", "Sofa.Component.Engine.Transform")
        .help("Positions and orientations of frames")
        .example("component/engine/Frames.scn")
        .add<RigidToQuatEngine>();

}  // namespace

}  // namespace sofa::component
