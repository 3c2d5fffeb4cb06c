// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/collision/CollisionDetection.h"
#include "core/geometry/BvhPairs.h"

namespace sofa::component {

using namespace sofa::core;

/// Looks for what the contacts of a step have missed, once the motion is known that they led to: points and triangles,
/// lines, and spheres and triangles that are nearer to each other at the end of it than where their contact begins, or
/// have passed through each other on the way (core/geometry/Ccd.h). The first detection cannot know: contacts that it
/// found push other parts together, and nearest points wander over the mesh.
///
/// Such a pair gets a contact between the points that are nearest at the end, or met on the way, in the direction that
/// they have there, on the side from which they came. Constraints linearise at this configuration, so that the motion
/// that results obeys it to second order. Bodies that overlap at the beginning only count where they would overlap
/// more. (Cloth: R. Bridson, R. Fedkiw, J. Anderson, "Robust treatment of collisions, contact and friction for cloth
/// animation", ACM Transactions on Graphics 21(3), 2002, checks and repeats in the same way, with impulses.)
class EndContacts
{
public:
    /// Whether two shapes are looked at.
    static bool covers(CollisionShape a, CollisionShape b);
    /// Appends to the contacts of a step those that it lacks, and tells how many. Models are up to date for the motion
    /// that resulted (CollisionMotion::FreeMotion); `pairs` are those that a response by constraints holds apart.
    std::size_t find(const std::vector<ModelPair>& pairs, const IntersectionMethod& method,
                     std::vector<DetectionOutput>& outputs);

private:
    geometry::BvhPairs m_search;
    std::vector<geometry::IndexPair> m_candidates;
    std::vector<Vector<DetectedContact>> m_found;  ///< of each chunk of candidates
};

/// The longest way that a point of a model makes in the motion for which it is up to date [m].
double longestWay(const CollisionModel& m);

}  // namespace sofa::component
