// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <map>

#include "core/collision/CollisionDetection.h"

namespace sofa::core {

/// On which sides of open surfaces their contacts stood in the last detection. What forces do not keep from passing a
/// sheet is nearest to its other side then, which would push it further the wrong way; who remembers pushes it back.
/// Closed surfaces have an outside, which needs no memory.
///
/// A primitive has a side of each triangle or line with which it had a contact: +1 where their normals point, those of
/// the mesh. It has the same of neighbours to which it slides, if the surface does not bend by more than 60 degrees
/// there; and where it is new, that of its own neighbours. A mesh that changes is forgotten.
class ContactSides
{
public:
    /// Forgets meshes that have changed since. Called before the questions of a detection.
    void update(const std::vector<ModelPair>& pairs);
    /// The side of a part of a surface on which a primitive of another model was, or of the same; 0: not known.
    int of(const CollisionModel& surface, Index part, const CollisionModel& other, Index primitive) const;
    /// Takes the sides of these contacts (DetectedContact::sides) in place of those that it had; of pairs that the
    /// manager does not hold apart.
    void remember(const std::vector<DetectionOutput>& outputs, const ContactManager& manager);
    void clear() { m_known.clear(); }
    /// Saves or loads it; models are known by their place in a list. Throws std::runtime_error if there is no such.
    void archive(Archive& a, const std::vector<CollisionModel*>& models);

    /// Sum of the normals of the triangles that have all these vertices: of a triangle its own, of a line that of both
    /// sides, of a point that of those around it. Each is a unit vector; zero without a mesh.
    static Vec3 normalOf(const CollisionModel& surface, std::span<const Index> vertices);

private:
    struct Entry
    {
        Index primitive, part;
        std::int32_t side;
    };
    using Revisions = std::array<std::uint64_t, 2>;
    static Revisions revisionsOf(const CollisionModel& surface, const CollisionModel& other);
    struct Pair
    {
        std::optional<Revisions> revisions;  ///< of the topologies of both; not known of an archive
        Vector<Entry> entries;               ///< in the order of primitives
    };
    /// By the serial numbers of the surface and of the other model.
    std::map<std::pair<std::uint64_t, std::uint64_t>, Pair> m_known;
};

}  // namespace sofa::core
