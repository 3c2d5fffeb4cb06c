// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <set>

#include "core/behavior/Solvers.h"
#include "core/collision/ContactResponse.h"

namespace sofa::component {

using namespace sofa::core;

/// Brings objects with integrators of their own under one as long as contact forces couple them: an implicit integrator
/// then knows the stiffness of the contacts (F. Faure et al., "SOFA: a multi-model framework for interactive physical
/// simulation", 2012, interaction groups).
///
/// Objects (nodes with an integrator) are the vertices of a graph, responses by forces between two of them its edges;
/// each connected part with more than one object is a group. Its node is a child of the scene and a second parent of
/// the objects, which keep their place, their paths and their components; it holds the forces and copies of the solvers
/// of one object: the one whose integrator has the highest rank (OdeSolver::couplingRank), of equal ones that with a
/// direct linear solver, then the first in the scene. The integrators of the objects are suspended meanwhile. A group
/// takes up and gives away objects as contacts begin and end: it goes on in the part with which it shares most objects,
/// with solvers that begin anew. A response within one object moves to that object's node. Objects at rest
/// (StaticSolver) and objects that move are not joined.
class DefaultCollisionGroupManager final : public CollisionGroupManager
{
public:
    Data<bool> d_active{this,
                        {.name = "active",
                         .help = "Whether groups are formed; else contact forces stay outside of the integrators, as "
                                 "without a group manager"},
                        true};
    Data<unsigned> d_groupCount{
        this, {.name = "groupCount", .help = "Groups at present", .readOnly = true, .saved = false}, 0u};

    void regroup(const std::vector<ContactResponse*>& responses, Node& scene) override;
    void dissolve(const std::vector<ContactResponse*>& responses, Node* scene) override;
    void archiveGroups(Archive& a, const std::vector<ContactResponse*>& responses, Node& scene,
                       std::vector<Base*>& made) override;

private:
    /// A response by forces, and the objects of its models; nullptr for what nothing moves.
    struct Couple
    {
        ContactResponse* response;
        Node *a, *b;
    };
    /// A connected part of the graph with more than one object.
    struct Part
    {
        std::vector<Node*> objects;
        std::size_t group;       ///< that goes on in it; the number of groups if it is a new one
        std::size_t shared = 0;  ///< number of its objects that are in that group
    };
    static std::vector<Couple> couplesOf(const std::vector<ContactResponse*>& responses);
    std::vector<Part> connectedParts(const std::vector<Couple>& couples) const;
    /// Finds the groups that go on.
    void match(std::vector<Part>& parts) const;
    /// Whether these objects can share solvers; tells the user once if not.
    bool canJoin(const std::vector<Node*>& objects, Node& scene);
    /// Makes the groups those of the parts. Returns the nodes of groups that ended: they may still hold forces.
    std::vector<std::shared_ptr<Node>> form(std::vector<Part> parts, Node& scene);
    /// Makes these, in the order of the scene, the objects of a group, with solvers that begin anew; false if their
    /// solvers cannot be copied.
    bool fill(Node& group, const std::vector<Node*>& objects);
    /// Moves the forces of responses to where groups want them.
    void placeForces(const std::vector<Couple>& couples, Node& scene) const;
    void numberGroups();
    /// Copies the solvers of the object that has the strongest ones to the node of the group.
    bool copySolvers(const std::vector<Node*>& objects, Node& to);
    /// Numbers in which the solvers of the objects differ: the strictest value holds.
    void mergeData(Component& copy, const Component& source, const std::vector<Node*>& objects);
    void tellOnce(const std::string& text);

    std::vector<std::shared_ptr<Node>> m_groups;   ///< their children are their objects
    std::map<const Node*, std::size_t> m_groupOf;  ///< of each object that is in one
    std::set<std::string> m_told;
    std::vector<Node*> m_uncopyable;  ///< objects whose solvers cannot be copied
};

}  // namespace sofa::component
