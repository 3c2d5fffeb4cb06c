// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <memory>
#include <span>
#include <unordered_map>
#include <unordered_set>

#include "core/behavior/SolverScope.h"
#include "core/objectmodel/Node.h"
#include "core/visitor/MechanicalVisitor.h"

namespace sofa::core {

/// The mechanical components of a scope as flat arrays, in the order of a visit: what inner loops run over instead of
/// walking the tree. Compiled on first use and again after the graph, or a tag, changed (Node::version()); where no
/// node has several parents, what the plan before has of nodes below which nothing changed is copied.
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
    /// The plan of a scope, up to date with the graph.
    static ExecutionPlan& of(const SolverScope& scope);
    const SolverScope& scope() const { return m_scope; }

    using StateSet = std::unordered_set<const BaseState*>;  ///< to look states up, never to go through

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
    const std::vector<BehaviorModel*>& behaviors() const { return m_behaviors.all; }
    const std::vector<BaseMapping*>& otherMappings() const { return m_otherMappings.all; }
    bool isIndependent(const BaseState& s) const { return m_independentSet.contains(&s); }
    bool isMapped(const BaseState& s) const { return m_mappingTo.contains(&s); }
    /// The one mapping that moves a state of the plan; nullptr for independent states, and where there are several.
    BaseMapping* mappingTo(const BaseState& s) const;

    void run(MechanicalVisitor& v);

    /// Classifies the components of a node, in the order of a visit; shared by the plan and the tree walk.
    struct NodeSteps
    {
        std::vector<Step> down, up;
    };
    static NodeSteps compileNode(Node& n, const StateSet& mapped);
    /// States at or below `scope` that are outputs of mappings in it.
    static StateSet mappedStatesBelow(Node& scope);
    static MechanicalVisitor::Result callDown(MechanicalVisitor& v, Node& n, const Step& s);
    static void callUp(MechanicalVisitor& v, Node& n, const Step& s);

private:
    /// A list of each node, one after the other.
    template <class T>
    struct Lists
    {
        std::vector<T> all;
        std::vector<std::size_t> ends;

        std::size_t begin(std::size_t list) const { return list == 0 ? 0 : ends[list - 1]; }
        std::span<const T> operator[](std::size_t list) const
        {
            return std::span(all).subspan(begin(list), ends[list] - begin(list));
        }
        void append(std::span<const T> list)
        {
            all.insert(all.end(), list.begin(), list.end());
            ends.push_back(all.size());
        }
        /// `count` lists of another one.
        void append(const Lists& from, std::size_t first, std::size_t count)
        {
            const std::size_t begin = from.begin(first), shift = all.size() - begin;
            all.insert(all.end(), from.all.begin() + static_cast<std::ptrdiff_t>(begin),
                       from.all.begin() + static_cast<std::ptrdiff_t>(from.begin(first + count)));
            for (std::size_t k = 0; k < count; ++k) ends.push_back(from.ends[first + k] + shift);
        }
    };
    struct NodeEntry
    {
        Node* node;
        std::size_t version;  ///< of the node
        std::size_t size;     ///< in trees: number of entries of the nodes from this one down, which follow
    };
    static constexpr std::size_t none = ~std::size_t{0};

    /// `before`: a plan of the node that is out of date, if there is one.
    void compile(const SolverScope& scope, const ExecutionPlan* before);
    /// Adds the nodes from n down, copying what `before`, which has an entry of the node, knows; false if a node has
    /// several parents.
    bool addTree(Node& n, std::size_t parent, const ExecutionPlan* before, std::size_t entry);
    void addGraph(Node& scope);
    /// Adds an entry, its parents being that many entries before it.
    void add(Node& n, std::span<const std::size_t> parents);
    void append(const ExecutionPlan& before, std::size_t entry);
    void classifyStates();
    void select();

    SolverScope m_scope;
    std::size_t m_version = 0;
    std::vector<NodeEntry> m_nodes;
    bool m_isTree = false;
    Lists<Step> m_down, m_up;
    Lists<std::size_t> m_parents;       ///< inside the scope, by how many entries they are before
    Lists<const BaseState*> m_outputs;  ///< of mappings
    Lists<BehaviorModel*> m_behaviors;
    Lists<BaseMapping*> m_otherMappings;
    std::vector<BaseState*> m_independent, m_mapped;
    StateSet m_independentSet;
    std::unordered_map<const BaseState*, BaseMapping*> m_mappingTo;
    std::vector<BaseMapping*> m_mappings;
    std::vector<BaseMass*> m_masses;
    bool m_massesAreIndependent = true;
    std::vector<BaseForceField*> m_forceFields;
    std::vector<BaseProjectiveConstraint*> m_constraints;
    std::vector<std::unique_ptr<ExecutionPlan>> m_tagged;  ///< of the same node, of scopes with tags
    std::vector<char> m_pruned;  // by run(), kept to avoid allocation; nested runs use their own
};

}  // namespace sofa::core
