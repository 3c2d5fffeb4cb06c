// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/collision/CollisionDetection.h"

/// Tests of solids (capsules, cylinders, oriented boxes, those of plugins), tetrahedra and rays, registered for all
/// intersection methods: with each other, with spheres, and with the points, lines and triangles of meshes. Tests of
/// spheres and meshes among themselves are the business of the method.
///
/// Two solids have the contacts of core/geometry/Convex.h: the corners of the part where faces or edges look at each
/// other, else the nearest points.
///
/// A solid and a triangle: first, the corners of its side that looks at the plane of the triangle and whose feet lie in
/// the triangle, along the normal of the triangle; and where the border of the surface, or a sharp ridge, passes below
/// that side. If there are none, the nearest points, unless a neighbour of the triangle comes nearer still. So a smooth
/// surface has one contact for each corner that stands on it, however fine it is, and inner sides of flat regions have
/// none. A solid that a triangle cuts leaves it along the triangle's normal, to the side where the middle of the solid
/// is.
///
/// Points and lines of a mesh are tested only where its node has no model of its triangles, whose tests include them.
///
/// Of surfaces that move (`simulated`), every corner counts that lies before the solid or in it, for they may yield one
/// by one.
///
/// Tetrahedra of one mesh push out what enters them through the boundary of the mesh. Against the triangles of another
/// object their own corners count, too.
///
/// Rays have the point where they enter a solid or pass through a triangle, with the value 0; of spheres and capsules,
/// as in SOFA, their own point that is nearest to the centre or axis. They do not meet points and lines.
namespace sofa::component {

/// Contacts of two solids, or of a solid (the first) and a point, line or triangle, as they are at time t of the
/// motion, with their points where these are at the begin: those within `limit` [m] of each other's cores, and once
/// there is one, of other corners (all of them that are over a triangle) those within `further` [m]. The value is the
/// distance of the points along the normal, less `contact`.
void solidContactsAt(const core::CollisionModel& a, core::Index i, const core::CollisionModel& b, core::Index j,
                     double t, double limit, double further, double contact, core::Vector<core::DetectedContact>& out);

}  // namespace sofa::component
