// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <optional>

#include "core/mesh/Ancestors.h"
#include "core/topology/BaseMeshTopology.h"

namespace sofa::core {

/// A topology whose lists are Data, so that scenes give them and other Data link to them.
///
/// A list that the scene leaves empty may be derived from others (edges from triangles, triangles from tetrahedra):
/// subclasses say how with derive(). Derivation goes through the dependency graph, so it happens when the list, or a
/// Data linked to it, is first read, and again after the lists that it comes from changed; it makes no difference in
/// which order components are initialised. A linked list that is empty at init() is unlinked and derived.
class StoredTopology : public BaseMeshTopology
{
public:
    Data<Vector<Vec3>> d_position{this,
                                  {.name = "position", .help = "Positions of the points, in their order", .unit = "m"}};

    StoredTopology();
    ~StoredTopology() override;

    /// Derives what is empty and checks that every element refers to points that exist.
    void init() override;
    void undoInit() override
    {
        BaseMeshTopology::undoInit();
        m_prepared = m_initialised = false;
    }
    Index nbPoints() const override;
    bool hasPositions() const override;
    Vec3 pointPosition(Index i) const override;
    BoundingBox boundingBox() const override;

    // --- Writing, for topological mappings ------------------------------------------------------------------------
    /// Empties every list and fixes the number of points. Derivation stays in force; positions stay.
    void clear(Index pointCount);
    /// The Data that holds a list ("edges", "quads", ...); nullptr if this topology has none of that name.
    template <class T>
    Data<Vector<T>>* list(std::string_view name) const
    {
        return dynamic_cast<Data<Vector<T>>*>(findData(name));
    }
    /// Replaces a list. Throws std::runtime_error if this topology has none of that name.
    template <class T>
    void setElements(std::string_view name, Vector<T> elements)
    {
        Data<Vector<T>>* d = list<T>(name);
        if (!d) throw std::runtime_error(pathName() + " (" + className() + ") has no " + std::string(name));
        d->unlink();
        d->setValue(std::move(elements));
    }

    // --- Changes, for core/topology/TopologyTransaction.h ---------------------------------------------------------
    /// One of the lists, of whatever kind, or the points. It is edited when its elements came, went or were renumbered.
    class List
    {
    public:
        virtual ~List() = default;
        virtual ElementType type() const = 0;
        /// Whether the list follows from others and waits to be computed.
        virtual bool isWaiting() const = 0;
        virtual std::size_t size() const = 0;
        /// Vertices of an element; of a point nothing.
        virtual std::span<const Index> element(std::size_t i) const = 0;
        /// The elements that have a vertex, in increasing order. The first call makes a table, which edits keep.
        virtual std::span<const Index> around(Index vertex) const = 0;
        virtual bool isEdited() const = 0;
        /// Of an edited list, the numbers that its elements had at the beginning; InvalidIndex for new ones.
        virtual const Vector<Index>& origin() const = 0;

        using Renumberings = std::vector<std::pair<Index, Index>>;
        // Each returns what takes it back if nothing else changed since.
        using Undo = std::function<void()>;
        /// From now on the list is kept, and does not follow from others.
        virtual Undo beginEdit() = 0;
        /// Removes elements in this order; the last one takes the place of each.
        virtual Undo remove(std::span<const Index> inOrder) = 0;
        /// Adds an element, with these vertices, or a point made of others.
        virtual Undo append(std::span<const Index> vertices, const Ancestors& from) = 0;
        /// Vertices become others, all at once: each `first` the `second`.
        virtual Undo renumber(const Renumberings& vertices) = 0;
        /// Elements with these vertices and this origin.
        virtual void assign(std::span<const Index> vertices, Vector<Index> origin) = 0;
        /// The list as it was before the first edit.
        virtual void restore() = 0;

        /// The list as it is now, to be compared with and returned to.
        class Snapshot
        {
        public:
            virtual ~Snapshot() = default;
            /// Number of elements then.
            virtual std::size_t size() const = 0;
            /// For each element of the list now, its number then; InvalidIndex if it was not there. Points that have
            /// other numbers now are given by `pointsNow`, their number now by that of then.
            virtual Vector<Index> numbers(const Vector<Index>* pointsNow) const = 0;
            /// Brings an edited list back to it, or restores a list that was not edited.
            virtual void restoreValue() const = 0;
        };
        virtual std::unique_ptr<Snapshot> snapshot() = 0;
    };
    /// Those of elements.
    std::vector<List*> lists() const;
    /// That of the elements of a type; nullptr if there is none.
    List* list(ElementType type) const;
    List& points();
    /// Moves points to where new ones with these ancestors would be.
    List::Undo movePoints(std::span<const Index> points, const Vector<Ancestors>& to);
    /// Sets the positions of changed points, unless they follow a state.
    void setOwnPositions(const Vector<Vec3>& x);
    /// Whether anything was changed and not restored.
    bool isEdited() const;
    /// Number that an element had at the beginning; InvalidIndex if it was not there.
    Index initialIndex(ElementType type, Index i) const;
    /// Keeps the number of points whatever happens to the elements, until `free`. False if it does so already.
    bool holdPointCount();
    void freePointCount();

protected:
    template <class T>
    using Compute = std::function<Vector<T>()>;

    /// Registers a list, whose changes then drop the tables. Call it in the constructor, once for every list.
    template <class T>
    void addList(Data<Vector<T>>& list);
    /// Says how an empty list follows from the `inputs`; the list was registered before.
    template <class T>
    void derive(Data<Vector<T>>& list, const std::vector<BaseData*>& inputs, Compute<T> compute);
    /// Derives an empty list from now on, not only from init() on.
    void deriveNow(const BaseData& list) const;
    /// Value of a list, derived if it is empty, is not linked and can be.
    template <class T>
    const Vector<T>& read(const Data<Vector<T>>& list) const
    {
        if (!m_initialised) {
            prepareOnce();
            deriveNow(list);
        }
        return list.value();
    }
    std::size_t revision() const override;
    std::optional<std::span<const Index>> keptAround(ElementType type, Index vertex) const override;

    /// Called once, before the first use or init(): where a subclass fills its lists from elsewhere.
    virtual void prepare() {}
    void prepareOnce() const;

    /// Number of points that the positions and lists imply.
    virtual Index countPoints() const;
    /// One more than the largest point that an element refers to.
    Index vertexCountOfElements() const;
    /// Fixes the number of points; InvalidIndex lets it follow the lists again.
    void fixPointCount(Index n);
    Index fixedPointCount() const { return m_fixedPoints; }
    /// Largest number of points that elements may refer to: the number of positions, if there are any.
    virtual Index validPoints() const;

private:
    class ListNode;
    template <class T>
    class TypedList;
    class PointList;
    class Watch;

    std::vector<std::unique_ptr<ListNode>> m_lists;
    std::unique_ptr<PointList> m_points;
    std::unique_ptr<Watch> m_watch;  ///< dirty while a list changed since it was looked at
    mutable std::size_t m_revision = 1;
    mutable std::size_t m_countedAt = 0;
    mutable Index m_counted = 0;
    mutable std::size_t m_positionCount = 0;
    Index m_fixedPoints = InvalidIndex;
    std::optional<Index> m_fixedBefore;  ///< the number of points is held; what it was fixed to before
    bool m_initialised = false, m_prepared = false;
};

}  // namespace sofa::core
