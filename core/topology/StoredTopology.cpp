// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/topology/StoredTopology.h"

#include <algorithm>

#include "core/mesh/Adjacency.h"
#include "core/mesh/SubElements.h"
#include "core/objectmodel/Node.h"
#include "core/topology/TopologicalMapping.h"

namespace sofa::core {

namespace {

/// Without positions, elements may not refer to points beyond this: a mistyped index would claim all memory.
constexpr Index largestImpliedCount = Index{1} << 28;

}  // namespace

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
    void keep(const Vector<Index>& elements) override
    {
        const Vector<T>& all = m_list.value();
        Vector<T> kept;
        Vector<Index> origin;
        for (const Index i : elements) {
            kept.push_back(all.at(i));
            origin.push_back(m_edit ? m_edit->origin[i] : i);
        }
        put(std::move(kept), std::move(origin));
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
    /// What an edited list was before, and where its elements come from.
    struct Edit
    {
        Vector<T> value;
        bool isSet, attached;
        Vector<Index> origin;
    };
    void put(Vector<T> elements, Vector<Index> origin)
    {
        if (!m_edit) {
            m_edit = Edit{m_list.value(), m_list.isSet(), attached, {}};
            m_list.unlink();
            if (attached) m_list.removeDependency(*this);
            attached = false;
        }
        m_edit->origin = std::move(origin);
        m_list.setValue(std::move(elements));
    }

    class Taken final : public Snapshot
    {
    public:
        explicit Taken(TypedList& l) : m_of(l), m_value(l.m_list.value())
        {
            if (l.m_edit) m_origin = l.m_edit->origin;
        }
        std::size_t size() const override { return m_value.size(); }
        Vector<Index> numbers() const override
        {
            const Vector<T>& now = m_of.m_list.value();
            Vector<Index> out(now.size(), InvalidIndex);
            if (!m_origin && !m_of.m_edit) {
                const ElementFinder<std::tuple_size_v<T>> then(m_value);
                for (std::size_t i = 0; i < now.size(); ++i) out[i] = then.find(now[i]);
                return out;
            }
            // Through the numbers at the beginning.
            Vector<Index> then;
            for (Index i = 0; i < m_value.size(); ++i) {
                const Index initial = m_origin ? (*m_origin)[i] : i;
                if (initial >= then.size()) then.resize(initial + 1, InvalidIndex);
                then[initial] = i;
            }
            for (Index i = 0; i < now.size(); ++i) {
                const Index initial = m_of.m_edit ? m_of.m_edit->origin[i] : i;
                if (initial < then.size()) out[i] = then[initial];
            }
            return out;
        }
        void restoreValue() const override
        {
            if (m_origin)
                m_of.put(m_value, *m_origin);
            else
                m_of.restore();
        }

    private:
        TypedList& m_of;
        Vector<T> m_value;
        std::optional<Vector<Index>> m_origin;
    };

    Data<Vector<T>>& m_list;
    std::optional<Edit> m_edit;
};

class StoredTopology::Watch : public DdgNode
{
public:
    explicit Watch(const StoredTopology& t) : m_topology(t) {}
    std::string ddgName() const override { return m_topology.pathName() + " (tables)"; }
    /// Whether an input changed since the last call.
    bool changed()
    {
        if (!isDirty()) return false;
        for (DdgNode* in : inputs()) in->updateIfDirty();
        updateIfDirty();
        return true;
    }

protected:
    void update() override {}

private:
    const StoredTopology& m_topology;
};

StoredTopology::StoredTopology() : m_watch(std::make_unique<Watch>(*this)) { addAlias(d_position, "points"); }

StoredTopology::~StoredTopology() = default;

template <class T>
void StoredTopology::addList(Data<Vector<T>>& list)
{
    m_lists.push_back(std::make_unique<TypedList<T>>(list));
    m_watch->addDependency(list);
}

template <class T>
void StoredTopology::derive(Data<Vector<T>>& list, const std::vector<BaseData*>& inputs, Compute<T> compute)
{
    const auto it = std::find_if(m_lists.begin(), m_lists.end(), [&](const auto& l) { return &l->data == &list; });
    if (it == m_lists.end()) throw std::logic_error("StoredTopology::derive: the list is not registered");
    auto& node = static_cast<TypedList<T>&>(**it);
    node.derives = true;
    node.compute = std::move(compute);
    for (BaseData* d : inputs) node.addDependency(*d);
}

void StoredTopology::deriveNow(const BaseData& list) const
{
    for (const auto& node : m_lists) {
        if (&node->data != &list || !node->derives || node->attached) continue;
        // A link that is not resolved yet, or a value, takes precedence; init() looks again.
        if (list.parent() || !list.linkPath().empty() || !node->empty()) return;
        node->attach();
    }
}

std::size_t StoredTopology::revision() const
{
    // Positions may follow a state and change at every step: only their number matters here.
    const std::size_t n = d_position.value().size();
    if (m_watch->changed() || n != m_positionCount) ++m_revision;
    m_positionCount = n;
    return m_revision;
}

void StoredTopology::prepareOnce() const
{
    if (m_prepared) return;
    auto* self = const_cast<StoredTopology*>(this);
    self->m_prepared = true;
    self->prepare();
    // A topology that a mapping fills is filled before anybody reads it, whatever the order of initialisation.
    if (!node()) return;
    for (TopologicalMapping* m : node()->getAll<TopologicalMapping>(Search::Root))
        if (m->output() == this) m->build();
}

bool StoredTopology::hasPositions() const
{
    prepareOnce();
    return !d_position.value().empty();
}

Index StoredTopology::vertexCountOfElements() const
{
    Index n = 0;
    for (const auto& node : m_lists) n = std::max(n, node->vertexCount());
    return n;
}

Index StoredTopology::countPoints() const
{
    const Index n = vertexCountOfElements();
    return n ? n : static_cast<Index>(d_position.value().size());
}

Index StoredTopology::validPoints() const
{
    if (m_fixedPoints != InvalidIndex) return m_fixedPoints;
    return hasPositions() ? static_cast<Index>(d_position.value().size()) : largestImpliedCount;
}

Index StoredTopology::nbPoints() const
{
    if (m_fixedPoints != InvalidIndex) return m_fixedPoints;
    prepareOnce();
    const std::size_t now = revision();
    if (m_countedAt != now) {
        m_counted = countPoints();
        m_countedAt = now;
    }
    return m_counted;
}

void StoredTopology::fixPointCount(Index n)
{
    m_fixedPoints = n;
    invalidateTables();
}

Vec3 StoredTopology::pointPosition(Index i) const
{
    const auto& p = d_position.value();
    return i < p.size() ? p[i] : Vec3();
}

BoundingBox StoredTopology::boundingBox() const
{
    BoundingBox b;
    for (const Vec3& p : d_position.value()) b.include(p);
    return b;
}

void StoredTopology::init()
{
    prepareOnce();
    for (const auto& node : m_lists) {
        if (node->attached && node->data.parent()) {  // once more: the link is looked at again
            node->data.removeDependency(*node);
            node->attached = false;
        }
        if (!node->derives || node->attached || !node->empty()) continue;
        node->data.unlink();  // an empty list that is linked is as good as none
        node->attach();
    }
    m_initialised = true;
    const Index limit = validPoints();
    for (const auto& node : m_lists) {
        if (node->attached) continue;  // follows from lists that are valid
        const std::string found = node->findInvalid(limit);
        if (found.empty()) continue;
        fail(found + (limit == largestImpliedCount
                          ? ", which is no valid index"
                          : ", but there are " + std::to_string(limit) + " points (from 0 on)"));
        node->data.unlink();
        node->clear();  // others must not read outside their arrays because of it
    }
}

void StoredTopology::clear(Index pointCount)
{
    for (const auto& node : m_lists) {
        node->data.unlink();
        if (!node->derives) {
            node->clear();
            continue;
        }
        node->attach();
        node->data.setIsSet(false);
    }
    fixPointCount(pointCount);
}

std::vector<StoredTopology::List*> StoredTopology::lists()
{
    std::vector<List*> all;
    for (const auto& node : m_lists) all.push_back(node.get());
    return all;
}

bool StoredTopology::isEdited() const
{
    return std::ranges::any_of(m_lists, [](const auto& node) { return node->isEdited(); });
}

Index StoredTopology::initialIndex(ElementType type, Index i) const
{
    for (const auto& node : m_lists)
        if (node->type() == type && node->isEdited()) return node->origin()[i];
    return i;
}

void StoredTopology::holdPointCount()
{
    if (m_fixedBefore) return;
    const Index n = nbPoints();
    m_fixedBefore = m_fixedPoints;
    fixPointCount(n);
}

void StoredTopology::freePointCount()
{
    if (!m_fixedBefore) return;
    fixPointCount(*m_fixedBefore);
    m_fixedBefore.reset();
}

template void StoredTopology::addList(Data<Vector<Edge>>&);
template void StoredTopology::addList(Data<Vector<Triangle>>&);
template void StoredTopology::addList(Data<Vector<Quad>>&);
template void StoredTopology::addList(Data<Vector<Prism>>&);
template void StoredTopology::addList(Data<Vector<Pyramid>>&);
template void StoredTopology::addList(Data<Vector<Hexahedron>>&);
template void StoredTopology::derive(Data<Vector<Edge>>&, const std::vector<BaseData*>&, Compute<Edge>);
template void StoredTopology::derive(Data<Vector<Triangle>>&, const std::vector<BaseData*>&, Compute<Triangle>);
template void StoredTopology::derive(Data<Vector<Quad>>&, const std::vector<BaseData*>&, Compute<Quad>);
template void StoredTopology::derive(Data<Vector<Hexahedron>>&, const std::vector<BaseData*>&, Compute<Hexahedron>);

}  // namespace sofa::core
