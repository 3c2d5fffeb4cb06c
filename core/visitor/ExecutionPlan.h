// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <memory>
#include <unordered_map>
#include <unordered_set>

#include "core/behavior/SolverScope.h"
#include "core/objectmodel/Node.h"
#include "core/visitor/MechanicalVisitor.h"

namespace sofa::core {

/// The mechanical components of a scope as flat arrays, in the order of a visit: what inner loops run over instead of
/// walking the tree. Compiled on first use and again after the graph, or a tag, changed (Node::version()).
///
/// A scope without tags has all components at and below its node. One with tags has
///  - the states that are no mapping's output and carry all of the tags;
///  - the other components all of whose states (of this node and below) it has, and that carry all of the tags, or none
///    of their own. So what carries no tags belongs to whom its states belong to, and the outputs of mappings follow
///    the inputs.
/// Whatever acts on states of two groups, as a force between them, is in neither. Tags that no such state carries
/// select nothing out of the scope: it is that without tags.
class ExecutionPlan : public NodeCache
{
public:
    /// Kind of a component in the plan, in the order in which a node's components are visited on the way down.
    enum class Kind : unsigned char
    {
        OdeSolver,
        Mapping,
        State,
        MappedState,
        Mass,
        ForceField,
        InteractionForceField,
        ProjectiveConstraint
    };
    /// One call of a visit.
    struct Step
    {
        Kind kind;
        bool isMass;           ///< also for the step of kind ForceField, as which a mere mass is visited too
        Component* component;  ///< the object, for tags and messages
        union {
            OdeSolver* odeSolver;
            BaseMapping* mapping;
            BaseState* state;
            BaseMass* mass;
            BaseForceField* forceField;
            BaseProjectiveConstraint* constraint;
        };
    };
    struct NodeEntry
    {
        Node* node;
        std::vector<Step> down, up;
        std::vector<std::size_t> parents;  ///< entries of the parents inside the scope
    };

    /// The plan of a scope, up to date with the graph.
    static ExecutionPlan& of(const SolverScope& scope);
    const SolverScope& scope() const { return m_scope; }

    using StateSet = std::unordered_set<const BaseState*>;  ///< to look states up, never to go through

    const std::vector<NodeEntry>& nodes() const { return m_nodes; }
    /// States that are unknowns, and those that mappings move, in the order of the visit.
    const std::vector<BaseState*>& independentStates() const { return m_independent; }
    const std::vector<BaseState*>& mappedStates() const { return m_mapped; }
    /// Mappings, in the order of the visit (inputs before outputs).
    const std::vector<BaseMapping*>& mappings() const { return m_mappings; }
    const std::vector<BaseMass*>& masses() const { return m_masses; }
    /// Whether all masses are those of independent states.
    bool massesAreIndependent() const { return m_massesAreIndependent; }
    const std::vector<BaseForceField*>& forceFields() const { return m_forceFields; }
    const std::vector<BaseProjectiveConstraint*>& constraints() const { return m_constraints; }
    /// What moves by itself, and mappings of visual models and the like, which no visit of mechanics reaches.
    const std::vector<BehaviorModel*>& behaviors() const { return m_behaviors; }
    const std::vector<BaseMapping*>& otherMappings() const { return m_otherMappings; }
    bool isIndependent(const BaseState& s) const { return m_independentSet.contains(&s); }
    bool isMapped(const BaseState& s) const { return m_mappingTo.contains(&s); }
    /// The one mapping that moves a state of the plan; nullptr for independent states, and where there are several.
    BaseMapping* mappingTo(const BaseState& s) const;

    void run(MechanicalVisitor& v);

    /// Classifies the components of a node, in the order of a visit; shared by the plan and the tree walk.
    static NodeEntry compileNode(Node& n, const StateSet& mapped);
    /// States at or below `scope` that are outputs of mappings in it.
    static StateSet mappedStatesBelow(Node& scope);
    static MechanicalVisitor::Result callDown(MechanicalVisitor& v, Node& n, const Step& s);
    static void callUp(MechanicalVisitor& v, Node& n, const Step& s);

private:
    void compile(const SolverScope& scope);
    void select();

    SolverScope m_scope;
    std::size_t m_version = 0;
    std::vector<NodeEntry> m_nodes;
    std::vector<BaseState*> m_independent, m_mapped;
    StateSet m_independentSet;
    std::unordered_map<const BaseState*, BaseMapping*> m_mappingTo;
    std::vector<BaseMapping*> m_mappings;
    std::vector<BaseMass*> m_masses;
    bool m_massesAreIndependent = true;
    std::vector<BaseForceField*> m_forceFields;
    std::vector<BaseProjectiveConstraint*> m_constraints;
    std::vector<std::unique_ptr<ExecutionPlan>> m_tagged;  ///< of the same node, of scopes with tags
    std::vector<BehaviorModel*> m_behaviors;
    std::vector<BaseMapping*> m_otherMappings;
    std::vector<char> m_pruned;  // by run(), kept to avoid allocation; nested runs use their own
};

}  // namespace sofa::core
