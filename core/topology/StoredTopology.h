// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <optional>

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

    // --- Removal, for core/topology/TopologyChange.h --------------------------------------------------------------
    /// One of the lists, of whatever kind. It is edited when elements were removed from it.
    class List
    {
    public:
        virtual ~List() = default;
        virtual ElementType type() const = 0;
        /// Whether the list follows from others and waits to be computed.
        virtual bool isWaiting() const = 0;
        virtual std::size_t size() const = 0;
        virtual std::span<const Index> element(std::size_t i) const = 0;
        virtual bool isEdited() const = 0;
        /// Of an edited list, the numbers that its elements had.
        virtual const Vector<Index>& origin() const = 0;
        /// Keeps these elements only, in this order.
        virtual void keep(const Vector<Index>& elements) = 0;
        /// The list as it was before the first edit.
        virtual void restore() = 0;
        /// The list as it is now, to be compared with and returned to.
        class Snapshot
        {
        public:
            virtual ~Snapshot() = default;
            /// Number of elements then.
            virtual std::size_t size() const = 0;
            /// For each element of the list now, its number then; InvalidIndex if it was not there.
            virtual Vector<Index> numbers() const = 0;
            /// Brings an edited list back to it, or restores a list that was not edited.
            virtual void restoreValue() const = 0;
        };
        virtual std::unique_ptr<Snapshot> snapshot() = 0;
    };
    std::vector<List*> lists();
    /// Whether elements were removed and not restored.
    bool isEdited() const;
    /// Number that an element had before elements were removed.
    Index initialIndex(ElementType type, Index i) const;
    /// Keeps the number of points whatever happens to the elements, until `free`.
    void holdPointCount();
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
    class Watch;

    std::vector<std::unique_ptr<ListNode>> m_lists;
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
