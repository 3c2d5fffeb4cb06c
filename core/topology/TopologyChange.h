// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <functional>
#include <map>
#include <span>

#include "core/objectmodel/Archive.h"
#include "core/topology/StoredTopology.h"

/// Elements that go while a simulation runs, and components that follow.
///
/// Changes are made between steps, by the functions at the end of this file. Points stay: a point without elements
/// keeps its state. What depends on the lists follows in one go: topologies that mappings fill, Data linked to them,
/// lists with a value for each element, and the components that implement TopologyFollower.
namespace sofa::core {

class BaseState;

/// How a component numbers elements: those of these kinds one after the other, each cut into `parts`.
struct ElementNumbering
{
    const BaseMeshTopology* topology = nullptr;
    std::vector<ElementType> kinds;
    Index parts = 1;
};

/// Where the elements of a numbering come from.
struct ElementSource
{
    Index before = 0;       ///< number of elements before the change
    Vector<Index> numbers;  ///< for each element the number that it had; InvalidIndex for one that was not there
    bool same = true;       ///< all elements are there, with their numbers

    /// The new numbers of a list of elements, without those that are gone.
    Vector<Index> renumbered(const Vector<Index>& elements) const;
};

/// A Data that refers to elements by their numbers: a list of values of any type, which can be compared, or of numbers.
struct ElementData
{
    enum class Kind
    {
        Values,       ///< `width` values for each element, or for all; elements beyond the end take the first ones
        Spread,       ///< of M values and N elements, element i takes value i M / N
        Numbers,      ///< a list of elements
        NumberLists,  ///< lists of elements
        Kept          ///< does not refer to elements, but is put back with them: what the component computes of them
    };

    template <class T>
    ElementData(Data<Vector<T>>* list, Kind k = Kind::Values, Index valuesOfElement = 1)
        : data(list), kind(k), width(valuesOfElement), follow(&followAs<T>)
    {
    }
    /// Data that are no lists can only be kept; throws std::logic_error otherwise.
    ElementData(BaseData* d, Kind k);

    BaseData* data;
    Kind kind;
    Index width = 1;
    /// Sets the list for changed elements, from the value that it had before, unless it changed by itself: what is
    /// linked to Data of the mesh does. nullptr where nothing follows.
    void (*follow)(const ElementData&, const void* before, bool isSet, const ElementSource&) = nullptr;

private:
    template <class T>
    Vector<T> remapped(const Vector<T>& values, const ElementSource& s) const;
    template <class T>
    static void followAs(const ElementData& d, const void* before, bool isSet, const ElementSource& s);
};

/// What a component has of ElementData, and how it numbers the elements.
struct ElementLists
{
    ElementNumbering numbering;
    std::vector<ElementData> data;
};

/// What became of the elements of topologies.
class TopologyChange
{
public:
    using Source = ElementSource;
    Source source(const ElementNumbering& n) const;
    Source source(const BaseMeshTopology& t, ElementType kind) const { return source({&t, {kind}}); }
    /// Whether elements are as they were some time before, and with them the lists of elementLists().
    bool restores() const { return m_bringsBack; }

private:
    std::map<std::pair<const BaseMeshTopology*, ElementType>, Source> m_sources;
    bool m_bringsBack = false;
    friend class TopologyTransaction;
};

/// A removal that is about to be made.
struct ElementRemoval
{
    StoredTopology* topology = nullptr;
    ElementType type = ElementType::Points;
    Vector<Index> elements;                           ///< in increasing order
    std::vector<const BaseMeshTopology*> topologies;  ///< all whose lists will change
};

/// A component that keeps something made of the elements of a topology, and can make it anew. Those that depend on a
/// topology, by a link, and are none, make a change of its elements impossible, unless they are states, which have
/// points only, or the link is a TopologyView.
class TopologyFollower
{
public:
    virtual ~TopologyFollower() = default;
    /// Why elements cannot be removed; empty if they can. All followers of a scene are asked, before anything changes.
    virtual std::string refusal(const ElementRemoval&) const { return {}; }
    /// Lists that must follow; they have done so when followTopology() is called.
    virtual ElementLists elementLists() { return {}; }
    /// Makes anew what was made of the elements; what belongs to those that stay must survive. Errors are reported by
    /// fail() or thrown as std::runtime_error: the change is then taken back.
    virtual void followTopology(const TopologyChange&) {}

private:
    std::map<BaseData*, std::function<void()>> m_initial;  ///< put the lists back as they were before any change
    friend class TopologyTransaction;
};

/// What stands in the node of a topology to which elements can be added.
class TopologyModifier
{
public:
    virtual ~TopologyModifier() = default;
};

/// Whether a component may start on a mesh without its elements ("triangles"): where elements can be added, and, with a
/// warning, in a lenient scene. Otherwise the component fails (Component::tolerate).
bool mayStartEmpty(Component& c, const BaseMeshTopology& mesh, std::string_view elements);

/// Removes elements, and the sides and edges in the topology's lists that no other element has. Between steps only.
/// Throws std::runtime_error, having changed nothing, if that is impossible: the topology is filled by a mapping, the
/// elements are sides of others, a component cannot follow. Components that cannot follow report that themselves too,
/// with their place in the scene.
void removeElements(StoredTopology& topology, ElementType type, Vector<Index> elements);

/// Whether elements are away that a scene had at the beginning.
bool hasRemovedElements(Node& root);

/// All elements of a scene as they were before the first removal.
void restoreElements(Node& root);

/// Saves which elements there are, or restores that. Throws std::runtime_error for an archive of another scene.
void archiveElements(Archive& a, Node& root);

/// Number that an element of a topology had before elements were removed.
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

// --- Lists of values of any type -----------------------------------------------------------------------------------

template <class T>
Vector<T> ElementData::remapped(const Vector<T>& values, const ElementSource& s) const
{
    if constexpr (std::is_same_v<T, Index>) {
        if (kind == Kind::Numbers) return s.renumbered(values);
        // Groups and materials: one for each element, never one for all.
        if (values.size() != s.before) return values;
        Vector<T> left;
        for (const Index e : s.numbers) left.push_back(e == InvalidIndex ? 0 : values[e]);
        return left;
    } else if constexpr (std::is_same_v<T, Vector<Index>>) {
        if (kind == Kind::NumberLists) {
            Vector<T> lists;
            for (const Vector<Index>& list : values) lists.push_back(s.renumbered(list));
            return lists;
        }
    }
    if (s.before == 0 || values.size() <= width) return values;
    const auto valueOf = [&](Index element, std::size_t k) -> T {
        if (kind == Kind::Spread) return values[element * values.size() / s.before];
        const std::size_t at = static_cast<std::size_t>(element) * width + k;
        return at < values.size() ? values[at] : values[k];
    };
    Vector<T> out;
    for (const Index e : s.numbers)
        for (std::size_t k = 0; k < width; ++k) out.push_back(valueOf(e == InvalidIndex ? 0 : e, k));
    // Without any element the list still says what one would have.
    if (out.empty()) out.assign(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(width));
    return out;
}

template <class T>
void ElementData::followAs(const ElementData& d, const void* before, bool isSet, const ElementSource& s)
{
    if (d.kind == Kind::Kept) return;
    auto& data = static_cast<Data<Vector<T>>&>(*d.data);
    const auto& value = *static_cast<const Vector<T>*>(before);
    if (data.parent() && !(data.value() == value)) return;
    Vector<T> now = d.remapped(value, s);
    if (now == value) return;
    data.unlink();
    data.setValue(std::move(now));
    data.setIsSet(isSet);
}

}  // namespace sofa::core
