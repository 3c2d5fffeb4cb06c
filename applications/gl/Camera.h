// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "core/math/DataTypes.h"
#include "core/objectmodel/Component.h"
#include "core/visual/ShaderDescription.h"

namespace sofa::gl {

using namespace sofa::core;

/// Four columns of four numbers, as OpenGL takes them.
using Matrix = std::array<double, 16>;

Matrix operator*(const Matrix& a, const Matrix& b);
/// Inverse of a regular matrix.
Matrix inverse(const Matrix& m);
/// M (x, 1), without the division by the last component.
Vec4 transform(const Matrix& m, const Vec3& x);

/// A half line of space.
struct Ray
{
    Vec3 origin;     ///< on the near plane [m]
    Vec3 direction;  ///< of unit length
};

/// Where a viewer looks from. The camera looks along its own −z axis, y up; `target` is the point on that axis (as far
/// as the user chose) around which it turns. Pixels are counted from the upper left corner, as in windows; the centre
/// of the first is (0.5, 0.5).
struct Camera
{
    Vec3 position{0., 0., 1.};
    Quat orientation;
    Vec3 target;
    double fieldOfView = 45.;  ///< vertical [deg]
    bool orthographic = false;
    bool computeClip = true;           ///< near and far planes from the scene (computeClipping)
    double zNear = 0.01, zFar = 100.;  ///< [m]
    int width = 800, height = 600;     ///< of the view [pixel]

    friend bool operator==(const Camera&, const Camera&) = default;

    // --- Placing it -------------------------------------------------------------------------------------------------
    /// Distance [m] to the target.
    double distance() const { return norm(target - position); }
    Vec3 right() const { return orientation.rotate(Vec3::unit(0)); }
    Vec3 up() const { return orientation.rotate(Vec3::unit(1)); }
    Vec3 forward() const { return -orientation.rotate(Vec3::unit(2)); }
    /// Looks from one point to another, `up` as near to the upper side as possible.
    void lookAt(const Vec3& from, const Vec3& to, const Vec3& up = {0., 1., 0.});
    /// Moves along its axis until a box is seen whole, as large as it can; the target becomes its centre. A box without
    /// extent is seen from 1 m; an invalid one changes nothing.
    void fit(const BoundingBox& box);
    /// The first view of a scene that has no camera: against gravity is up, x to the right, the box is seen whole.
    void setDefaultView(const BoundingBox& box, const Vec3& gravity);
    /// As a scene says.
    void apply(const CameraDescription& description);
    /// Near and far planes so that the box lies between them, unless `computeClip` is off.
    void computeClipping(const BoundingBox& box);

    // --- By the mouse -----------------------------------------------------------------------------------------------
    /// Turns around a point as if the mouse held a ball between two pixels (Bell's trackball: a sphere that goes over
    /// into a hyperbola). The distance to the pivot stays.
    void rotate(double fromX, double fromY, double toX, double toY, const Vec3& pivot);
    void rotate(double fromX, double fromY, double toX, double toY) { rotate(fromX, fromY, toX, toY, target); }
    /// Turns around its own axis [rad].
    void roll(double angle);
    /// Moves so that what is at the depth of the target follows the mouse [pixel].
    void pan(double dx, double dy);
    /// Divides the distance to the target by a factor > 0.
    void zoom(double factor);
    /// Moves along its axis [m], with the target.
    void advance(double distance);

    // --- Projection
    // ---------------------------------------------------------------------------------------------------
    Matrix view() const;        ///< world to camera
    Matrix projection() const;  ///< camera to the cube [−1, 1]³
    /// Length [m] of a pixel at the depth of a point.
    double pixelSize(const Vec3& point) const;
    /// Pixel (x, y) of a point and its depth in [0, 1] (0: near plane); nothing if it is behind the camera.
    std::optional<Vec3> project(const Vec3& point) const;
    /// Point of a pixel and a depth in [0, 1].
    Vec3 unproject(const Vec3& pixelAndDepth) const;
    /// Half line of all that may be seen in a pixel.
    Ray ray(double x, double y) const;

    // --- Files ------------------------------------------------------------------------------------------------------
    /// Reads a .view file of SOFA: XML with position, orientation, fieldOfView, distance, zNear, zFar, projectionType;
    /// or the seven numbers of older ones, a translation t and a rotation R: a point x of the scene is at R x + t in
    /// the frame of the camera, or, in files that end in ".qglviewer.view", t and R are position and orientation of
    /// the camera. What the file does not say stays. Throws std::runtime_error that names the file, the line and what
    /// was expected.
    void load(const std::string& path);
    /// Writes the XML form. Throws std::runtime_error.
    void save(const std::string& path) const;
};

}  // namespace sofa::gl
