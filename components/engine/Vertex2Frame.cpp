// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/engine/ListTypes.h"
#include "components/engine/Transforms.h"

namespace sofa::component {

namespace {

/// Frames at the vertices of a mesh, or along a line of points.
///
/// With normals, the z axis of a frame is the normal, and its y axis is as near to that of space as can be (to the z
/// axis of space where the normal is along y). Without them the x axis leads to the next point, and the z axis is as
/// near to the x axis of space as can be; the last frame is oriented like the one before. Last, each frame is rotated
/// about one of its own axes.
class Vertex2Frame final : public Engine
{
public:
    static std::string_view staticTemplateName() { return Rigid3Types::name(); }

    Input<Vector<Vec3>> d_position{this, input("position", "Vertices", "m")};
    Input<Vector<Vec3>> d_normals{this, input("normals", "Normal at each vertex", "1")};
    Output<Vector<RigidCoord3>> d_frames{this, output("frames", "Frame at each vertex", "m")};
    Input<bool> d_useNormals{this, input("useNormals", "Take the orientation from normals, not from the next point"),
                             true};
    Input<bool> d_invertNormals{this, input("invertNormals", "Turn normals round"), false};
    Input<int> d_rotation{
        this, input("rotation", "Axis about which frames are rotated: 0 x, 1 y, 2 z", {}, Range::closed(0., 2.)), 0};
    Input<double> d_rotationAngle{this, input("rotationAngle", "Angle of that rotation, in degrees", "deg"), 0.};

    Vertex2Frame() { ignoreAttribute("texCoords", "texture coordinates have no effect on frames"); }

protected:
    void doUpdate() override
    {
        const Vector<Vec3>& x = d_position.value();
        Vector<RigidCoord3> frames(x.size());
        if (d_useNormals.value()) {
            requireSameSize(d_position, d_normals);
            for (std::size_t i = 0; i < x.size(); ++i) {
                const Vec3 z = direction(d_normals.value()[i] * (d_invertNormals.value() ? -1. : 1.), i);
                const Vec3 side = normalized(cross(other(z, {0., 1., 0.}), z));
                frames[i] = {x[i], orientation(side, cross(z, side), z)};
            }
        } else if (!x.empty()) {
            if (x.size() < 2) throw std::runtime_error("position: one point alone has no direction");
            for (std::size_t i = 0; i + 1 < x.size(); ++i) {
                const Vec3 along = direction(x[i + 1] - x[i], i);
                const Vec3 y = normalized(cross(other(along, {1., 0., 0.}), along));
                frames[i] = {x[i], orientation(along, y, cross(along, y))};
            }
            frames.back() = {x.back(), frames[x.size() - 2].orientation};
        }
        d_frames.setValue(std::move(frames));
    }

private:
    static Vec3 direction(const Vec3& v, std::size_t point)
    {
        if (norm2(v) == 0.) throw std::runtime_error("point " + std::to_string(point) + " has no direction");
        return normalized(v);
    }
    /// `axis`, or the z axis where that is along v.
    static Vec3 other(const Vec3& v, const Vec3& axis)
    {
        return 1. - std::abs(dot(axis, v)) <= std::numeric_limits<double>::epsilon() ? Vec3{0., 0., 1.} : axis;
    }
    Quat orientation(const Vec3& x, const Vec3& y, const Vec3& z) const
    {
        Mat3 axes;
        for (std::size_t i = 0; i < 3; ++i) axes[i] = {x[i], y[i], z[i]};
        const Vec3 about = std::array{x, y, z}[static_cast<std::size_t>(d_rotation.value())];
        return Quat::fromAxisAngle(about, d_rotationAngle.value() * degree) * Quat::fromMatrix(axes);
    }
};

const RegisterComponent registeredVertex2Frame =
    RegisterComponent("Vertex2Frame", "Engine", "Sofa.Component.Engine.Transform")
        .help("Frames at the vertices of a mesh, or along a line of points")
        .example("component/engine/Frames.scn")
        .add<Vertex2Frame>();

}  // namespace

}  // namespace sofa::component
