// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QCoreApplication>
#include <QPolygonF>
#include <QSize>
#include <QTransform>
#include <array>
#include <optional>

#include "applications/gl/Camera.h"

class QPainter;

namespace sofa::qt {

using namespace sofa::core;

/// The frame in which a scene has sides: x to its right, y to its top, against gravity, z to its front. Without a view
/// of its own, a scene is seen from its front.
struct SceneSides
{
    Vec3 right{1., 0., 0.}, top{0., 1., 0.}, front{0., 0., 1.};

    static SceneSides of(const Vec3& gravity);
    /// In the frame of the scene: `v` has the parts to the right, to the top and to the front.
    Vec3 direction(const Vec3& v) const { return right * v[0] + top * v[1] + front * v[2]; }
};

/// A small cube in the upper right corner of the view: it shows from where one looks, and which sides, edges or corners
/// can be clicked to look from there.
class ViewCube
{
    Q_DECLARE_TR_FUNCTIONS(ViewCube)

public:
    /// As it is seen by a camera, in a view of this size [pixel]. Small views have no room for it.
    void place(const gl::Camera& camera, const SceneSides& sides, QSize view);
    void draw(QPainter& painter, const QPointF& mouse) const;
    /// Whether a point of the view is on it, or beside it.
    bool contains(const QPointF& at) const;
    /// The side under a point of the view, as parts −1, 0 or 1 to the right, top and front: two of an edge, three of a
    /// corner.
    std::optional<Vec3> sideAt(const QPointF& at) const;

private:
    struct Face
    {
        Vec3 normal, u, v;    ///< in the frame of the scene; u and v to the right and up of its text
        QTransform toView;    ///< of the square from (−1, −1) to (1, 1)
        double towards = 0.;  ///< how far it looks to the viewer, from −1 to 1
    };
    std::array<Face, 6> m_faces{};
    QPointF m_centre;
    double m_size = 0.;  ///< of half an edge [pixel]; 0: there is no room
};

}  // namespace sofa::qt
