// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/topology/StoredTopology.h"

#include <algorithm>

#include "core/mesh/SubElements.h"
#include "core/objectmodel/Node.h"
#include "core/topology/StoredLists.h"
#include "core/topology/TopologicalMapping.h"

namespace sofa::core {

namespace {

/// Without positions, elements may not refer to points beyond this: a mistyped index would claim all memory.
constexpr Index largestImpliedCount = Index{1} << 28;

}  // namespace

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

StoredTopology::StoredTopology() : m_points(std::make_unique<PointList>(*this)), m_watch(std::make_unique<Watch>(*this))
{
    addAlias(d_position, "points");
}

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

std::optional<std::span<const Index>> StoredTopology::keptAround(ElementType type, Index vertex) const
{
    const List* all = list(type);
    if (!all || !all->isEdited()) return std::nullopt;
    return all->around(vertex);
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

StoredTopology::List* StoredTopology::list(ElementType type) const
{
    for (const auto& node : m_lists)
        if (node->type() == type) return node.get();
    return nullptr;
}

std::vector<StoredTopology::List*> StoredTopology::lists() const
{
    std::vector<List*> all;
    for (const auto& node : m_lists) all.push_back(node.get());
    return all;
}

StoredTopology::List& StoredTopology::points() { return *m_points; }

StoredTopology::List::Undo StoredTopology::movePoints(std::span<const Index> points, const Vector<Ancestors>& to)
{
    return m_points->move(points, to);
}

void StoredTopology::setOwnPositions(const Vector<Vec3>& x)
{
    if (m_points->hasPositions()) d_position.setValue(x);
}

bool StoredTopology::isEdited() const
{
    return m_points->isEdited() || std::ranges::any_of(m_lists, [](const auto& node) { return node->isEdited(); });
}

Index StoredTopology::initialIndex(ElementType type, Index i) const
{
    if (type == ElementType::Points) return m_points->isEdited() ? m_points->origin()[i] : i;
    for (const auto& node : m_lists)
        if (node->type() == type && node->isEdited()) return node->origin()[i];
    return i;
}

bool StoredTopology::holdPointCount()
{
    if (m_fixedBefore) return false;
    const Index n = nbPoints();
    m_fixedBefore = m_fixedPoints;
    fixPointCount(n);
    return true;
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
