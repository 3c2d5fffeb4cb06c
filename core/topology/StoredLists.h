// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <algorithm>

#include "core/behavior/BaseState.h"
#include "core/mesh/Adjacency.h"
#include "core/mesh/ElementsAround.h"
#include "core/mesh/Renumbering.h"
#include "core/mesh/SubElements.h"
#include "core/topology/StoredTopology.h"

/// The lists of StoredTopology, for its implementation.
namespace sofa::core {

/// One list and, if it can be derived, the node of the dependency graph that computes it.
class StoredTopology::ListNode : public DdgNode, public StoredTopology::List
{
public:
    explicit ListNode(BaseData& d) : data(d) {}
    std::string ddgName() const override { return data.ddgName() + " (derived)"; }
    virtual bool empty() const = 0;
    virtual void clear() = 0;
    virtual Index vertexCount() const = 0;
    /// Names the first element that refers to a point of `points` or more; empty if there is none.
    virtual std::string findInvalid(Index points) const = 0;

    ElementType type() const override { return m_type; }
    bool isWaiting() const override { return data.isDirty(); }

    /// From now on the list follows from others. It is computed even if this node has already been up to date.
    void attach()
    {
        if (!attached) data.addDependency(*this);
        attached = true;
        setDirty();
        data.setDirty();
    }

    BaseData& data;
    bool derives = false;
    bool attached = false;

private:
    static ElementType typeOf(const std::string& name)
    {
        constexpr std::pair<std::string_view, ElementType> names[] = {
            {"edges", ElementType::Edges},         {"triangles", ElementType::Triangles},
            {"quads", ElementType::Quads},         {"tetrahedra", ElementType::Tetrahedra},
            {"pyramids", ElementType::Pyramids},   {"prisms", ElementType::Prisms},
            {"hexahedra", ElementType::Hexahedra},
        };
        for (const auto& [text, type] : names)
            if (text == name) return type;
        throw std::logic_error("StoredTopology: '" + name + "' is no list of elements");
    }
    ElementType m_type = typeOf(data.name());
};

template <class T>
class StoredTopology::TypedList : public ListNode
{
public:
    explicit TypedList(Data<Vector<T>>& d) : ListNode(d), m_list(d) {}
    bool empty() const override { return m_list.value().empty(); }
    void clear() override { m_list.setValue({}); }
    Index vertexCount() const override { return core::vertexCount(m_list.value()); }
    std::string findInvalid(Index points) const override
    {
        const auto& all = m_list.value();
        for (std::size_t i = 0; i < all.size(); ++i)
            for (const Index v : all[i])
                if (v >= points)
                    return m_list.name() + ": element " + std::to_string(i) + " (" + toText(all[i]) +
                           ") refers to point " + (v == InvalidIndex ? "-1" : std::to_string(v));
        return {};
    }
    Compute<T> compute;

    std::size_t size() const override { return m_list.value().size(); }
    std::span<const Index> element(std::size_t i) const override { return m_list.value()[i]; }
    bool isEdited() const override { return m_edit.has_value(); }
    const Vector<Index>& origin() const override { return m_edit->origin; }
    std::span<const Index> around(Index vertex) const override
    {
        if (!hasTable()) {
            m_around.build(size(), [this](Index e) { return element(e); });
            m_tableOf = m_list.counter();
        }
        return m_around[vertex];
    }
    Undo beginEdit() override
    {
        if (m_edit) return [] {};
        const Vector<T>& value = m_list.value();
        m_edit = Edit{value, m_list.isSet(), attached, identity(value.size())};
        m_list.unlink();
        if (attached) m_list.removeDependency(*this);
        attached = false;
        return [this] { restore(); };
    }
    Undo remove(std::span<const Index> inOrder) override
    {
        Undo begin = beginEdit();
        const Vector<Index> elements(inOrder.begin(), inOrder.end());
        Vector<T> values;
        values.reserve(elements.size());
        edit([&](Vector<T>& list, ElementsAround* table) {
            for (const Index i : elements) {
                const auto last = static_cast<Index>(list.size() - 1);
                if (table) {
                    table->erase(i, list[i]);
                    if (i != last) {
                        table->erase(last, list[last]);
                        table->insert(i, list[last]);
                    }
                }
                values.push_back(list[i]);
                list[i] = list[last];
                list.pop_back();
            }
        });
        return [this, begin, elements, values, origin = removeEntries(m_edit->origin, elements)] {
            insertEntries(*m_list.edit(), elements, values);
            insertEntries(m_edit->origin, elements, origin);
            begin();
        };
    }
    Undo append(std::span<const Index> vertices, const Ancestors&) override
    {
        Undo begin = beginEdit();
        T element;
        std::ranges::copy(vertices, element.begin());
        edit([&](Vector<T>& list, ElementsAround* table) {
            if (table) table->insert(static_cast<Index>(list.size()), element);
            list.push_back(element);
        });
        m_edit->origin.push_back(InvalidIndex);
        return [this, begin] {
            m_list.edit()->pop_back();
            m_edit->origin.pop_back();
            begin();
        };
    }
    Undo renumber(const Renumberings& vertices) override
    {
        Undo begin = beginEdit();
        Vector<Index> touched;
        for (const auto& [from, to] : vertices) {
            const auto all = around(from);
            touched.insert(touched.end(), all.begin(), all.end());
        }
        std::ranges::sort(touched);
        touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
        Vector<T> before;
        edit([&](Vector<T>& list, ElementsAround* table) {
            for (const Index e : touched) {
                before.push_back(list[e]);
                table->erase(e, list[e]);
                for (Index& v : list[e]) {
                    const auto it = std::ranges::lower_bound(vertices, v, {}, &Renumberings::value_type::first);
                    if (it != vertices.end() && it->first == v) v = it->second;
                }
            }
            for (const Index e : touched) table->insert(e, list[e]);
        });
        return [this, touched, before, begin] {
            const auto list = m_list.edit();
            for (std::size_t k = 0; k < touched.size(); ++k) list[touched[k]] = before[k];
            begin();
        };
    }
    void assign(std::span<const Index> vertices, Vector<Index> origin) override
    {
        (void)beginEdit();
        Vector<T> elements(origin.size());
        constexpr std::size_t n = std::tuple_size_v<T>;
        for (std::size_t i = 0; i < elements.size(); ++i)
            for (std::size_t k = 0; k < n; ++k) elements[i][k] = vertices[i * n + k];
        m_list.setValue(std::move(elements));
        m_edit->origin = std::move(origin);
    }
    void restore() override
    {
        if (!m_edit) return;
        const Edit before = std::move(*m_edit);
        m_edit.reset();
        m_list.setValue(before.value);
        if (before.attached) {
            attached = true;
            setDirty();
            m_list.addDependency(*this);
        }
        m_list.setIsSet(before.isSet);
    }
    std::unique_ptr<Snapshot> snapshot() override { return std::make_unique<Taken>(*this); }

protected:
    void update() override
    {
        for (DdgNode* in : inputs()) in->updateIfDirty();
        m_list.setValue(compute());
        m_list.setIsSet(false);
    }

private:
    bool hasTable() const { return m_tableOf && *m_tableOf == m_list.counter(); }
    /// Changes the list, and the table of the elements around vertices if there is one.
    template <class F>
    void edit(F f)
    {
        const bool table = hasTable();
        f(*m_list.edit(), table ? &m_around : nullptr);
        if (table) m_tableOf = m_list.counter();
    }
    /// What an edited list was before, and where its elements come from.
    struct Edit
    {
        Vector<T> value;
        bool isSet, attached;
        Vector<Index> origin;
    };
    class Taken final : public Snapshot
    {
    public:
        explicit Taken(TypedList& l) : m_of(l), m_value(l.m_list.value())
        {
            if (l.m_edit) m_origin = l.m_edit->origin;
        }
        std::size_t size() const override { return m_value.size(); }
        Vector<Index> numbers(const Vector<Index>* pointsNow) const override
        {
            const Vector<T>& now = m_of.m_list.value();
            if (!m_origin && !m_of.m_edit) {
                Vector<Index> out;
                Vector<T> before = m_value;
                if (pointsNow)
                    for (T& e : before)
                        for (Index& v : e) v = v < pointsNow->size() ? (*pointsNow)[v] : InvalidIndex;
                const ElementFinder<std::tuple_size_v<T>> then(before);
                for (const T& e : now) out.push_back(then.find(e));
                return out;
            }
            return numbersSince(m_origin.value_or(identity(m_value.size())),
                                m_of.m_edit ? m_of.m_edit->origin : identity(now.size()));
        }
        void restoreValue() const override
        {
            m_of.restore();
            if (!m_origin) return;
            (void)m_of.beginEdit();
            m_of.m_list.setValue(m_value);
            m_of.m_edit->origin = *m_origin;
        }

    private:
        TypedList& m_of;
        Vector<T> m_value;
        std::optional<Vector<Index>> m_origin;
    };

    Data<Vector<T>>& m_list;
    std::optional<Edit> m_edit;
    mutable ElementsAround m_around;
    mutable std::optional<std::size_t> m_tableOf;  ///< state of the list that it was made of
};

/// The points, and their positions where these belong to the topology and do not follow a state.
class StoredTopology::PointList final : public List
{
public:
    explicit PointList(StoredTopology& t) : m_topology(t) {}
    ElementType type() const override { return ElementType::Points; }
    bool isWaiting() const override { return false; }
    std::size_t size() const override { return m_topology.nbPoints(); }
    std::span<const Index> element(std::size_t) const override { return {}; }
    std::span<const Index> around(Index) const override { return {}; }
    bool isEdited() const override { return m_edit.has_value(); }
    const Vector<Index>& origin() const override { return m_edit->origin; }

    Undo beginEdit() override
    {
        if (m_edit) return [] {};
        Data<Vector<Vec3>>& x = m_topology.d_position;
        const bool isHeld = m_topology.holdPointCount();
        m_edit = Edit{identity(size()), nullptr, x.isSet(), nullptr};
        if (x.value().size() == size() && !followsState()) {
            m_edit->positions = x.shareValue();
            m_edit->link = x.parent();
            x.unlink();
        }
        return [this, isHeld] {
            BaseData* link = m_edit->link;
            restore();
            if (link) m_topology.d_position.linkTo(*link);
            if (isHeld) m_topology.freePointCount();
        };
    }
    Undo remove(std::span<const Index> inOrder) override
    {
        Undo begin = beginEdit();
        const Vector<Index> points(inOrder.begin(), inOrder.end());
        Vector<Vec3> positions;
        if (m_edit->positions) positions = removeEntries(*m_topology.d_position.edit(), points);
        Vector<Index> origin = removeEntries(m_edit->origin, points);
        count();
        return [this, begin, points, positions, origin] {
            if (m_edit->positions) insertEntries(*m_topology.d_position.edit(), points, positions);
            insertEntries(m_edit->origin, points, origin);
            count();
            begin();
        };
    }
    Undo append(std::span<const Index>, const Ancestors& from) override
    {
        Undo begin = beginEdit();
        if (m_edit->positions) {
            const auto x = m_topology.d_position.edit();
            x->push_back(at(*x, from));
        }
        m_edit->origin.push_back(InvalidIndex);
        count();
        return [this, begin] {
            if (m_edit->positions) m_topology.d_position.edit()->pop_back();
            m_edit->origin.pop_back();
            count();
            begin();
        };
    }
    Undo renumber(const Renumberings& points) override
    {
        Undo begin = beginEdit();
        const auto apply = [this](const Renumberings& to) {
            renumberEntries(m_edit->origin, to);
            if (m_edit->positions) renumberEntries(*m_topology.d_position.edit(), to);
        };
        apply(points);
        Renumberings back;
        for (const auto& [from, to] : points) back.emplace_back(to, from);
        return [apply, back, begin] {
            apply(back);
            begin();
        };
    }
    Undo move(std::span<const Index> points, const Vector<Ancestors>& to)
    {
        Undo begin = beginEdit();
        if (!m_edit->positions) return begin;
        const Vector<Index> moved(points.begin(), points.end());
        Vector<Vec3> before, now;
        const auto x = m_topology.d_position.edit();
        for (std::size_t k = 0; k < moved.size(); ++k) {
            before.push_back(x[moved[k]]);
            now.push_back(at(*x, to[k]));
        }
        for (std::size_t k = 0; k < moved.size(); ++k) x[moved[k]] = now[k];
        return [this, begin, moved, before] {
            {
                const auto y = m_topology.d_position.edit();
                for (std::size_t k = moved.size(); k-- > 0;) y[moved[k]] = before[k];
            }
            begin();
        };
    }
    void assign(std::span<const Index>, Vector<Index> origin) override
    {
        (void)beginEdit();
        if (m_edit->positions) {
            const auto x = m_topology.d_position.edit();
            const Vector<Vec3> before = *x;
            x->assign(origin.size(), Vec3());
            for (std::size_t k = 0; k < origin.size(); ++k)
                if (origin[k] != InvalidIndex) x[k] = before.at(origin[k]);
        }
        m_edit->origin = std::move(origin);
        count();
    }
    void restore() override
    {
        if (!m_edit) return;
        m_topology.fixPointCount(m_edit->count);
        if (m_edit->positions) m_topology.d_position.restoreValue(m_edit->positions, m_edit->isSet);
        m_edit.reset();
    }
    std::unique_ptr<Snapshot> snapshot() override { return std::make_unique<Taken>(*this); }
    bool hasPositions() const { return m_edit && m_edit->positions; }

private:
    struct Edit
    {
        Vector<Index> origin;
        std::shared_ptr<void> positions;  ///< at the beginning, if they belong to the topology
        bool isSet;
        BaseData* link;
        Index count = static_cast<Index>(origin.size());
    };
    class Taken final : public Snapshot
    {
    public:
        explicit Taken(PointList& l) : m_of(l), m_size(l.size())
        {
            if (l.m_edit) m_origin = l.m_edit->origin;
            if (l.hasPositions()) m_positions = l.m_topology.d_position.value();
        }
        std::size_t size() const override { return m_size; }
        Vector<Index> numbers(const Vector<Index>*) const override
        {
            return numbersSince(m_origin.value_or(identity(m_size)),
                                m_of.m_edit ? m_of.m_edit->origin : identity(m_of.size()));
        }
        void restoreValue() const override
        {
            m_of.restore();
            if (!m_origin) return;
            m_of.assign({}, *m_origin);
            if (m_of.hasPositions()) m_of.m_topology.d_position.setValue(m_positions);
        }

    private:
        PointList& m_of;
        std::size_t m_size;
        std::optional<Vector<Index>> m_origin;
        Vector<Vec3> m_positions;
    };

    static Vec3 at(const Vector<Vec3>& x, const Ancestors& from)
    {
        return from.empty() ? Vec3() : inherited<Vec3>(from, [&x](Index i) { return x[i]; });
    }
    bool followsState() const
    {
        for (const BaseData* d = m_topology.d_position.parent(); d; d = d->parent())
            if (dynamic_cast<const BaseState*>(d->owner())) return true;
        return false;
    }
    void count() { m_topology.fixPointCount(static_cast<Index>(m_edit->origin.size())); }

    StoredTopology& m_topology;
    std::optional<Edit> m_edit;
};

}  // namespace sofa::core
