// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <set>
#include <unordered_set>

#include "core/topology/TopologyChange.h"

namespace sofa::core {

class BaseMapping;
class TopologicalMapping;
struct TopologyNumbers;

/// One change of a mesh: elementary changes, made one after the other, which everything else follows when they are
/// committed, or which are taken back.
///
///     TopologyTransaction change(mesh);
///     const Index p = change.addPoints({{{a, 0.5}, {b, 0.5}}});
///     change.remove(ElementType::Edges, {e});
///     change.add(ElementType::Edges, {a, p, p, b});
///     change.commit();
///
/// Lists and states are changed at once, so that later changes of the transaction can refer to the new numbers.
/// Elements and points that are removed are replaced by the last ones, from the highest number down; new ones come at
/// the end: this is SOFA's numbering. Each change throws std::runtime_error if it is impossible, having changed
/// nothing: elements that are sides of others, lists that a mapping fills, a component that cannot follow. Components
/// that cannot follow report that themselves too, with their place in the scene.
class TopologyTransaction
{
public:
    explicit TopologyTransaction(StoredTopology& topology);
    /// Takes everything back unless it was committed.
    ~TopologyTransaction();
    TopologyTransaction(const TopologyTransaction&) = delete;
    TopologyTransaction& operator=(const TopologyTransaction&) = delete;

    /// Removes elements, and the sides and edges in the topology's lists that no other element has. Points without
    /// elements go too, if there is a modifier in the node that says so.
    void remove(ElementType type, Vector<Index> elements);
    /// Removes points, on which no element may be.
    void removePoints(Vector<Index> points);
    /// Adds elements, given by their vertices, and the sides and edges that the topology lists. `from` says of which
    /// elements each is made, so that it gets their values; it may be empty. Returns the number of the first one.
    Index add(ElementType type, std::span<const Index> vertices, const Vector<Ancestors>& from = {});
    /// Adds points, each interpolated from others: in the state, in all its vectors, and in the topology. Returns the
    /// number of the first one.
    Index addPoints(const Vector<Ancestors>& from);
    /// Point i gets the number now[i], a permutation.
    void renumberPoints(const Vector<Index>& now);
    /// Moves points, at rest as well, to where new ones with these ancestors would be.
    void movePoints(const Vector<Index>& points, const Vector<Ancestors>& to);

    /// Lets everything follow. Throws std::runtime_error, having taken everything back, if something cannot.
    void commit();

private:
    friend void restoreElements(Node&);
    friend void archiveElements(Archive&, Node&);
    using Numbers = TopologyNumbers;
    struct Kept;
    struct ListState
    {
        StoredTopology* topology;
        StoredTopology::List* list;
        std::shared_ptr<StoredTopology::List::Snapshot> snapshot;
    };
    struct StateNumbers
    {
        BaseState* state;
        Index size;
        std::optional<Vector<Index>> origin;
    };

    /// A component that works, and as what it may follow.
    struct Candidate
    {
        Component* component;
        TopologyFollower* follower;
        const BaseMapping* mapping;
        bool isMesh = false;  ///< changed, not a follower
    };

    /// What has the points that a mapping makes.
    struct Made
    {
        TopologicalMapping* mapping;
        std::vector<StoredTopology*> topologies;
        std::vector<BaseState*> states{};
        bool concerned = false;  ///< whether they may change
    };

    /// Lists of several topologies that are replaced as a whole by `edit`.
    TopologyTransaction(Node& root, std::vector<StoredTopology*> edited, std::vector<BaseState*> states, bool points);
    void replace(const std::function<void()>& edit, bool restoring);

    static TopologyFollower& follower(Component& c) { return dynamic_cast<TopologyFollower&>(c); }
    bool concerns(const Base* b) const;
    bool concerns(const ElementLists& lists) const;
    /// Whether this, a topology or a state, has points that may change.
    bool pointsConcerned(const Base* b) const;
    bool anyPointsConcerned() const;
    /// Whether a component has a link to something that changes: to anything, or where points do.
    bool isLinked(const Component& c, bool points) const;
    void findTopologies();
    void findFollowers();
    void concernPoints();
    void concernMadePoints(const TopologyStep& step);
    void findStates();
    void findStates(const std::vector<StoredTopology*>& topologies, std::vector<BaseState*>& states) const;
    void ask(TopologyStep step);
    std::vector<ListState> snapshots(bool all) const;
    const Numbers* knownNumbers(const StoredTopology& t, ElementType type) const;
    std::vector<StateNumbers> stateNumbers() const;
    TopologyChange changeSince(const std::vector<ListState>& lists, const std::vector<StateNumbers>& states) const;
    void addSteps(TopologyChange& change) const;
    void follow();
    void tellPointCounts() const;
    void followLists(Component& c, const TopologyChange& change);
    /// Lists that have followed changes.
    static std::vector<BaseData*> changedLists(TopologyFollower& f);
    /// Saves or loads the texts of these.
    using SavedValues = std::vector<std::pair<BaseData*, std::string>>;
    static SavedValues archiveFollowers(Archive& a, Node& root);
    void rollBack();
    Numbers& numbersOf(const Base& b, ElementType type, std::size_t size);
    void did(StoredTopology::List::Undo undo) { m_undo.push_back(std::move(undo)); }
    void checkVertices(std::span<const Index> vertices) const;
    /// Begins to edit the lists of a topology.
    void begin(StoredTopology& t);
    void touch(const StoredTopology& t, std::span<const Index> vertices);
    using Gone = std::vector<std::pair<StoredTopology::List*, Vector<Index>>>;
    void take(StoredTopology& t, const Gone& gone, const Vector<Index>& points);
    void append(StoredTopology& t, ElementType type, std::span<const Index> vertices, const Vector<Ancestors>& from);
    void addSides(StoredTopology& t, ElementType type, std::span<const Index> vertices);
    void takePoints(const Vector<Index>& points);
    /// Changes the output of a mapping as its input changed.
    void followThrough(TopologicalMapping& m);
    /// What a mapping keeps of its input, and the points that it makes, follow.
    void followInput(TopologicalMapping& m);
    void changeMadePoints(const Made& made, const Vector<Index>& before, const std::map<Index, Ancestors>& from);
    /// The same change of the points of all: `note` changes their Numbers, the others them.
    template <class Note, class OfState, class OfTopology>
    void changePoints(const std::vector<StoredTopology*>& topologies, const std::vector<BaseState*>& states, Note note,
                      OfState ofState, OfTopology ofTopology);
    void renumberVertices(StoredTopology& t, const StoredTopology::List::Renumberings& vertices);

    Node& m_root;
    std::vector<Candidate> m_candidates;  ///< in the order of the scene
    std::vector<StoredTopology*> m_edited, m_topologies;
    std::vector<StoredTopology*> m_sharing;       ///< those with the points of the edited one
    std::vector<Made> m_made;                     ///< each after those of its input
    std::vector<StoredTopology*> m_translated;    ///< what mappings change step by step
    std::vector<BaseState*> m_states;             ///< that share the points
    std::vector<TopologicalMapping*> m_mappings;  ///< each after those that fill its input
    std::set<const Component*> m_owners;          ///< of Data downstream of the lists; to look them up only
    std::vector<Component*> m_followers, m_unable, m_followed;
    std::vector<ListState> m_before;
    std::vector<StateNumbers> m_statesBefore;
    std::map<std::pair<const Base*, ElementType>, std::shared_ptr<Numbers>> m_numbers;
    std::map<Component*, std::vector<Kept>> m_data;                        ///< to look them up only
    std::map<const StoredTopology*, std::unordered_set<Index>> m_touched;  ///< points, by Numbers::at
    std::vector<StoredTopology::List::Undo> m_undoLists;                   ///< of followers
    std::vector<std::pair<TopologyFollower*, BaseData*>> m_inserted;       ///< initial lists kept by this change
    std::vector<StoredTopology::List::Undo> m_undo;
    SavedValues m_saved;  ///< for lists that take these values instead of following
    bool m_restoring = false, m_replacing = false, m_pointsConcerned, m_open = true;
};

/// The topology of a link, by default that of the component's node, if it is one that can change; otherwise the
/// component fails.
StoredTopology* resolveChangeable(Link<BaseMeshTopology>& link, Component& c);

}  // namespace sofa::core
