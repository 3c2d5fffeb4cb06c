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
/// direct linear solver, then the first. The integrators of the objects are suspended until the group splits. A
/// response within one object moves to that object's node. Objects at rest (StaticSolver) and objects that move are not
/// joined.
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
    struct Group
    {
        std::vector<std::shared_ptr<Node>> objects;  ///< in the order of the scene
        std::shared_ptr<Node> node;
    };

    /// A response by forces, and the objects of its models; nullptr for what nothing moves.
    struct Couple
    {
        ContactResponse* response;
        Node *a, *b;
    };
    /// The connected parts of the graph with more than one object.
    static std::vector<std::vector<Node*>> connectedParts(const std::vector<Couple>& couples);
    /// Whether these objects can share solvers; tells the user once if not.
    bool canJoin(const std::vector<Node*>& objects, Node& scene);
    /// Index of the group of exactly these objects; the number of groups if there is none.
    std::size_t find(const std::vector<Node*>& objects) const;
    void create(std::vector<std::vector<Node*>> parts, Node& scene);
    /// Puts objects, in the order of the scene, under a node of this name; false if their solvers cannot be copied.
    bool join(const std::vector<Node*>& objects, const std::string& name, Node& scene);
    static std::vector<Couple> couplesOf(const std::vector<ContactResponse*>& responses);
    /// Moves the forces of responses to where groups want them.
    void placeForces(const std::vector<Couple>& couples, Node& scene);
    void split(Group& g);
    void numberGroups();
    /// Copies the solvers of the object that has the strongest ones to the node of the group.
    bool copySolvers(const std::vector<Node*>& objects, Node& to);
    /// Numbers in which the solvers of the objects differ: the strictest value holds.
    void mergeData(Component& copy, const Component& source, const std::vector<Node*>& objects);
    void tellOnce(const std::string& text);

    std::vector<Group> m_groups;
    std::map<const Node*, std::size_t> m_groupOf;  ///< of each object that is in one
    std::set<std::string> m_told;
    std::vector<std::vector<Node*>> m_refused;
};

}  // namespace sofa::component
