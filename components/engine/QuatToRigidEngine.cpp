// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/engine/ListTypes.h"
#include "components/engine/Transforms.h"

namespace sofa::component {

namespace {

/// Frames from positions and orientations. One orientation serves all positions. A frame with a collinear point gets,
/// on the line through that point along its own z axis, the place nearest to its position.
class QuatToRigidEngine final : public Engine
{
public:
    static std::string_view staticTemplateName() { return Vec3Types::name(); }

    Input<Vector<Vec3>> d_positions{this, input("positions", "Positions", "m")};
    Input<Vector<Quat>> d_orientations{this, input("orientations", "Orientations: one, or one for each position", "1")};
    Input<Vector<Vec3>> d_colinearPositions{
        this, input("colinearPositions", "Points through which the z axes of the first frames go", "m")};
    Output<Vector<RigidCoord3>> d_rigids{this, output("rigids", "The frames", "m")};

    QuatToRigidEngine()
    {
        addAlias(d_positions, "position");
        addAlias(d_orientations, "orientation");
        addAlias(d_colinearPositions, "colinearPosition");
        addAlias(d_rigids, "rigid");
    }

protected:
    void doUpdate() override
    {
        const Vector<Quat>& q = d_orientations.value();
        if (q.size() != 1) requireSameSize(d_positions, d_orientations);
        Vector<RigidCoord3> out;
        for (std::size_t i = 0; i < d_positions.value().size(); ++i) {
            RigidCoord3 x{d_positions.value()[i], q[q.size() == 1 ? 0 : i]};
            if (i < d_colinearPositions.value().size()) {
                const Vec3 &through = d_colinearPositions.value()[i], axis = x.orientation.rotate({0., 0., 1.});
                x.center = through + axis * (dot(axis, x.center - through) / norm2(axis));
            }
            out.push_back(x);
        }
        d_rigids.setValue(std::move(out));
    }
};

const RegisterComponent registeredQuatToRigidEngine =
    RegisterComponent("QuatToRigidEngine", "Engine", "Sofa.Component.Engine.Transform")
        .help("Frames from positions and orientations")
        .example("component/engine/Frames.scn")
        .add<QuatToRigidEngine>();

}  // namespace

}  // namespace sofa::component
