// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/BaseForceField.h"
#include "core/behavior/BaseMapping.h"
#include "core/behavior/Mass.h"
#include "core/behavior/ProjectiveConstraint.h"
#include "core/behavior/Solvers.h"

namespace sofa::core {

class Node;

/// Base of the algorithms that run over the mechanical components of a sub-graph.
///
/// Going down, each node's components are visited in this order: ODE solvers, mappings, states, masses, force fields
/// (masses are force fields too, in the order of the scene), interaction force fields, projective constraints. Going
/// up: projective constraints, states, mappings, ODE solvers. A node with several parents is visited after all of them;
/// the way up is the way down reversed. A callback that returns Prune stops the visit of its node, of everything below
/// it (unless it can be reached through another parent) and of the node's way up.
///
/// execute() runs over the compiled execution plan of the node; executeTreeWalk() walks the graph and makes the same
/// calls in the same order.
class MechanicalVisitor
{
public:
    enum Result
    {
        Continue,
        Prune
    };
    virtual ~MechanicalVisitor() = default;

    virtual Result fwdOdeSolver(Node&, OdeSolver&) { return Continue; }
    virtual Result fwdMapping(Node&, BaseMapping&) { return Continue; }
    /// A state that is no mapping's output: its vectors are unknowns of the solver.
    virtual Result fwdState(Node&, BaseState&) { return Continue; }
    virtual Result fwdMappedState(Node&, BaseState&) { return Continue; }
    virtual Result fwdMass(Node&, BaseMass&) { return Continue; }
    virtual Result fwdForceField(Node&, BaseForceField&) { return Continue; }
    /// A force field between several states; by default handled as any other.
    virtual Result fwdInteractionForceField(Node& n, BaseForceField& ff) { return fwdForceField(n, ff); }
    virtual Result fwdProjectiveConstraint(Node&, BaseProjectiveConstraint&) { return Continue; }

    virtual void bwdProjectiveConstraint(Node&, BaseProjectiveConstraint&) {}
    virtual void bwdState(Node&, BaseState&) {}
    virtual void bwdMappedState(Node&, BaseState&) {}
    virtual void bwdMapping(Node&, BaseMapping&) {}
    virtual void bwdOdeSolver(Node&, OdeSolver&) {}

    /// True where the visit must not go below a mapping. Mappings to states that are only shown are not visited at all.
    virtual bool stopAtMapping(const BaseMapping&) const { return false; }
    /// Whether the calls for masses, for force fields or for mappings get a line of their own in the table of timers. A
    /// mass is a force field too; a visitor that times both counts it once, as a mass.
    virtual bool timesMasses() const { return false; }
    virtual bool timesForces() const { return false; }
    virtual bool timesMappings() const { return false; }
    /// Only components that carry all of these tags are visited; none: all.
    void setTags(TagSet tags) { m_tags = std::move(tags); }
    const TagSet& tags() const { return m_tags; }

    /// Runs over the execution plan of `scope`.
    void execute(Node& scope);
    /// Walks the graph: the reference for execute().
    void executeTreeWalk(Node& scope);

private:
    TagSet m_tags;
};

}  // namespace sofa::core
