// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "core/objectmodel/Archive.h"
#include "core/topology/ElementData.h"
#include "core/topology/StoredTopology.h"

/// Meshes that change while a simulation runs, and components that follow.
///
/// Changes are made between steps, by a TopologyTransaction (core/topology/TopologyTransaction.h) or by the functions
/// at the end of this file. What depends on the lists follows in one go: states and topologies with the same points,
/// topologies that mappings fill, Data linked to them, lists with a value for each element or point, and the components
/// that implement TopologyFollower.
namespace sofa::core {

class BaseState;

/// What became of the elements of topologies, and of the points of topologies and states.
class TopologyChange
{
public:
    using Source = ElementSource;
    Source source(const ElementNumbering& n) const;
    Source source(const BaseMeshTopology& t, ElementType kind) const { return source({&t, {kind}}); }
    /// Whether elements are as they were some time before, and with them the lists of the followers.
    bool restores() const { return m_bringsBack; }
    /// Whether points came, went or got other numbers.
    bool changesPoints() const { return m_changesPoints; }
    /// Points of a topology, as they count now, on which elements came, went or got other numbers, or which did so
    /// themselves; in increasing order. What is summed from the elements around a point is as before on all others.
    Vector<Index> touchedPoints(const BaseMeshTopology& t) const;
    /// The elements on these points, in increasing order: all that came, got other numbers or have other vertices.
    Vector<Index> touchedElements(const BaseMeshTopology& t, ElementType type) const;
    /// For components that change what they have in place: what is to be done if the change is taken back, in reverse
    /// order, before followTopology() of a change that restores().
    void ifTakenBack(std::function<void()> undo) const
    {
        if (m_undo) m_undo->push_back(std::move(undo));
    }

private:
    std::map<std::pair<const Base*, ElementType>, Source> m_sources;
    std::vector<std::function<void()>>* m_undo = nullptr;
    std::map<const Base*, Vector<Index>> m_touched;  ///< of topologies that were edited step by step
    bool m_bringsBack = false, m_changesPoints = false;
    friend class TopologyTransaction;
};

/// A change that is about to be made to one list of a topology, or to its points.
struct TopologyStep
{
    enum class Kind
    {
        Remove,
        Add,
        Renumber,  ///< of points
        Move       ///< of points
    };
    Kind kind = Kind::Remove;
    StoredTopology* topology = nullptr;
    ElementType type = ElementType::Points;
    Vector<Index> elements{};                           ///< those removed or moved, in increasing order
    std::vector<const BaseMeshTopology*> topologies{};  ///< all whose lists will change

    /// "points cannot be removed from 'mesh'"
    std::string refusal() const;
};

/// A component that keeps something made of the elements of a topology, or of the points of a state, and can make it
/// anew. Those that depend on a topology or a state that changes, by a link, and are none, make the change impossible,
/// unless they are states themselves, or the link is a TopologyView.
class TopologyFollower
{
public:
    virtual ~TopologyFollower() = default;
    /// Why a change is not possible; empty if it is. All followers of a scene are asked, before anything changes.
    virtual std::string refusal(const TopologyStep&) const { return {}; }
    /// Lists that follow elements; they have done so when followTopology() is called.
    virtual ElementLists elementLists() { return {}; }
    /// Lists that follow points, for each state or topology. Nothing: the component cannot follow when points come, go
    /// or get other numbers.
    using PointLists = std::optional<std::vector<ElementLists>>;
    virtual PointLists pointLists() { return std::nullopt; }
    /// Whether it follows all changes of points, whatever it is linked to. Objects that it made for a while
    /// (isTransient) need not follow.
    virtual bool followsPoints() const { return false; }
    /// What it takes out of the scene when it follows a change of points: this does not follow, and components in these
    /// nodes neither.
    virtual std::vector<Base*> takenAway() const { return {}; }
    /// Makes anew what was made of the elements; what belongs to those that stay must survive. Errors are reported by
    /// fail() or thrown as std::runtime_error: the change is then taken back.
    virtual void followTopology(const TopologyChange&) {}

protected:
    /// For components that keep nothing of points but lists of them, or nothing at all.
    static PointLists noLists() { return std::vector<ElementLists>(); }

private:
    std::map<BaseData*, std::function<void()>> m_initial;  ///< put the lists back as they were before any change
    friend class TopologyTransaction;
};

/// What stands in the node of a topology whose points can change, and to which elements can be added.
class TopologyModifier
{
public:
    virtual ~TopologyModifier() = default;
    /// Whether points go with their last element, when elements of this kind are removed.
    virtual bool removesIsolatedPoints(ElementType) const { return true; }
    /// Whether points of the state come and go with those of the topology.
    virtual bool changesState() const { return true; }
};

/// Whether a component may start on a mesh without its elements ("triangles"): where elements can be added, and, with a
/// warning, in a lenient scene. Otherwise the component fails (Component::tolerate).
bool mayStartEmpty(Component& c, const BaseMeshTopology& mesh, std::string_view elements);

/// Removes elements as TopologyTransaction::remove does. Between steps only. Throws std::runtime_error, having changed
/// nothing, if that is impossible.
void removeElements(StoredTopology& topology, ElementType type, Vector<Index> elements);

/// Whether meshes or points differ from those that a scene had at the beginning.
bool hasChangedElements(Node& root);

/// All elements and points of a scene as they were before the first change.
void restoreElements(Node& root);

/// Saves which elements and points there are, or restores that. Throws std::runtime_error for an archive of another
/// scene.
void archiveElements(Archive& a, Node& root);

/// Number that an element of a topology had at the beginning; InvalidIndex for one that was not there.
Index initialIndex(const BaseMeshTopology& t, ElementType type, Index i);

/// An element that can be removed.
struct RemovableElement
{
    StoredTopology* topology;
    ElementType type;
    Index index;
};

/// The element to remove where a primitive on these vertices was picked: of the mesh from which mappings made
/// `topology`, the element of highest dimension that has all the vertices; of several, that whose centre at the
/// positions of `state` is nearest to `near` [m]. Throws std::runtime_error if there is none.
RemovableElement elementOn(const BaseMeshTopology& topology, std::span<const Index> vertices, const BaseState& state,
                           const Vec3& near);

}  // namespace sofa::core
