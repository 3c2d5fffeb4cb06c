// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QCoreApplication>
#include <QPointF>
#include <optional>

#include "applications/gl/Camera.h"
#include "applications/modeler/Transformation.h"

class QPainter;

namespace sofa::modeler {

/// What the handles in the view do.
enum class Tool
{
    None,
    Move,
    Turn,
    Scale
};

/// The handles of an object: three arrows and the planes between them to move it, three rings to turn it, three boxes
/// and one in the middle to scale it. They have the same size on the screen however far they are.
struct Gizmo
{
    Q_DECLARE_TR_FUNCTIONS(Gizmo)

public:
    /// A handle: an axis (0 to 2), a plane (3 to 5: the plane across axis 0 to 2), or all directions.
    using Handle = int;
    static constexpr Handle all = 6;

    Tool tool = Tool::None;
    Vec3 centre;                   ///< [m]
    Quat axes;                     ///< directions of the handles
    bool onlyUniform = false;      ///< no scale along single axes
    std::optional<Handle> active;  ///< the one under the mouse, or that is dragged

    void draw(QPainter& p, const gl::Camera& camera) const;
    /// The handle at a point of the view [pixel].
    std::optional<Handle> at(const QPointF& p, const gl::Camera& camera) const;
    /// What dragging a handle between two points of the view means; in round steps if it snaps.
    Motion motion(Handle handle, const QPointF& from, const QPointF& to, const gl::Camera& camera, bool snaps) const;
    /// The place of the middle of a handle in the view [pixel]; nothing if it is not seen.
    std::optional<QPointF> place(Handle handle, const gl::Camera& camera) const;
    /// "1.5 m", "30°", "× 1.2": how far a motion goes.
    static QString text(const Motion& motion);

private:
    Vec3 axis(Handle handle) const { return axes.rotate(Vec3::unit(static_cast<std::size_t>(handle % 3))); }
    double length(const gl::Camera& camera) const;
};

}  // namespace sofa::modeler
