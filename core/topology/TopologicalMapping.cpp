// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/topology/TopologicalMapping.h"
#include "core/log/Reason.h"

#include <algorithm>

#include "core/behavior/State.h"
#include "core/objectmodel/Node.h"
#include "core/topology/ElementData.h"

namespace sofa::core {

BaseMeshTopology* TopologicalMapping::topologyOf(const Node* node, const BaseMeshTopology* except) const
{
    if (!node) return nullptr;
    auto all = node->getAll<BaseMeshTopology>(Search::Local);
    std::erase(all, except);
    return all.empty() ? nullptr : all.back();
}

BaseMeshTopology* TopologicalMapping::input() const
{
    if (l_input.isSet() || l_input) return l_input.get();
    if (!node()) return nullptr;
    for (const Node* parent : node()->parents())
        if (BaseMeshTopology* found = topologyOf(parent, nullptr)) return found;
    return nullptr;
}

BaseMeshTopology* TopologicalMapping::output() const
{
    if (l_output.isSet() || l_output) return l_output.get();
    return topologyOf(node(), l_input.get());
}

Vector<Index> TopologicalMapping::outputElements(Index inputElement) const
{
    Vector<Index> all;
    if (inputElement >= m_first.size()) return all;
    for (Index o = m_first[inputElement]; o != InvalidIndex; o = m_next[o]) all.push_back(o);
    std::ranges::sort(all);
    return all;
}

Index TopologicalMapping::globalToLocal(Index inputElement) const
{
    const Vector<Index> found = outputElements(inputElement);
    return found.empty() ? InvalidIndex : found.back();
}

bool TopologicalMapping::hasTranslated() const
{
    const auto* to = dynamic_cast<const StoredTopology*>(output());
    const StoredTopology::List* list = to ? to->list(outputType()) : nullptr;
    return list && list->isEdited();
}

void TopologicalMapping::setLocalToGlobal(Vector<Index> inputs)
{
    m_localToGlobal = std::move(inputs);
    m_first.clear();
    m_next.assign(m_localToGlobal.size(), InvalidIndex);
    for (Index o = 0; o < m_localToGlobal.size(); ++o) link(o);
}

void TopologicalMapping::link(Index output)
{
    const Index input = m_localToGlobal[output];
    if (input == InvalidIndex) return;
    if (input >= m_first.size()) m_first.resize(input + std::size_t{1}, InvalidIndex);
    m_next[output] = m_first[input];
    m_first[input] = output;
}

void TopologicalMapping::unlink(Index output)
{
    const Index input = m_localToGlobal[output];
    if (input == InvalidIndex) return;
    Index* place = &m_first[input];
    while (*place != output) place = &m_next[*place];
    *place = m_next[output];
}

StoredTopology::List::Undo TopologicalMapping::follow(const ElementSource& input, const ElementSource& output,
                                                      const Vector<Index>& inputs)
{
    for (const Index o : output.gone) unlink(o);
    for (const ElementSource::Moved& m : output.moved)
        if (m.before != InvalidIndex) unlink(m.before);
    const auto take =
        output.update(m_localToGlobal, 1, [](const Vector<Index>&, Index, Index) { return InvalidIndex; });
    m_next.resize(output.now, InvalidIndex);
    // Elements of the output that stay where they are hang on those of the input still; these get their new numbers.
    const auto numbers = input.renumberings();
    const auto numberNow = [&](Index e) {
        if (e == InvalidIndex || std::ranges::binary_search(input.gone, e)) return InvalidIndex;
        const auto it = std::ranges::lower_bound(numbers, e, {}, &std::pair<Index, Index>::first);
        return it != numbers.end() && it->first == e ? it->second : e;
    };
    Vector<std::pair<Index, Index>> renumbered;
    const auto setInput = [&](Index o, Index i) {
        renumbered.emplace_back(o, m_localToGlobal[o]);
        m_localToGlobal[o] = i;
    };
    m_first.resize(std::max<std::size_t>({m_first.size(), input.before, input.now}), InvalidIndex);
    Vector<Index> heads;
    for (const auto& [before, now] : numbers) {
        heads.push_back(m_first[before]);
        m_first[before] = InvalidIndex;
    }
    for (const Index e : input.gone) {
        for (Index o = m_first[e]; o != InvalidIndex; o = m_next[o]) setInput(o, InvalidIndex);
        m_first[e] = InvalidIndex;
    }
    for (std::size_t k = 0; k < heads.size(); ++k) {
        m_first[numbers[k].second] = heads[k];
        for (Index o = heads[k]; o != InvalidIndex; o = m_next[o]) setInput(o, numbers[k].second);
    }
    Index created = 0;
    for (const ElementSource::Moved& m : output.moved) {
        setInput(m.now, m.before == InvalidIndex ? inputs.at(created++) : numberNow(m_localToGlobal[m.now]));
        link(m.now);
    }
    return [this, take, renumbered] {
        Vector<Index> before = std::move(m_localToGlobal);
        for (auto it = renumbered.rbegin(); it != renumbered.rend(); ++it) before[it->first] = it->second;
        take(before);
        setLocalToGlobal(std::move(before));
    };
}

StoredTopology::List::Undo TopologicalMapping::placePoints(std::span<const Index> points,
                                                           std::span<BaseState* const> states, bool areNew)
{
    const BaseMeshTopology& from = *input();
    auto& to = dynamic_cast<StoredTopology&>(*output());
    const std::span<const MappedPoint> made = mappedPoints();
    std::vector<StoredTopology::List::Undo> undo;
    const auto place = [&](const auto& at, auto& data, bool isRate) {
        if (!areNew) undo.push_back([&data, before = data.value()] { data.setValue(before); });
        const auto x = data.edit();
        for (const Index i : points) {
            Vec3 p = isRate ? Vec3() : made[i].offset;
            for (const Ancestor& a : made[i].from) p += at(a.index) * a.weight;
            x[i] = p;
        }
    };
    if (from.hasPositions() && !to.d_position.parent() && to.d_position.value().size() == made.size())
        place([&from](Index i) { return from.pointPosition(i); }, to.d_position, false);
    const State<Vec3Types>* moving = nullptr;
    for (const BaseState* s : from.node()->getAll<BaseState>(Search::Up))
        if (!moving && s->isMechanical() && s->size() == from.nbPoints())
            moving = dynamic_cast<const State<Vec3Types>*>(s);
    for (BaseState* s : states) {
        auto* state = dynamic_cast<State<Vec3Types>*>(s);
        if (!moving || !state || state->size() != made.size()) continue;
        const auto in = [&](auto id, bool isRate) {
            if (!moving->isAllocated(id) || !state->isAllocated(id)) return;
            const auto& x = moving->read(id);
            if (x.size() != moving->size() || state->read(id).size() != made.size()) return;
            if (!areNew) undo.push_back([state, id, before = state->read(id)] { state->write(id) = before; });
            const auto y = state->write(id);
            for (const Index i : points) {
                Vec3 p = isRate ? Vec3() : made[i].offset;
                for (const Ancestor& a : made[i].from) p += x[a.index] * a.weight;
                y[i] = p;
            }
        };
        in(vec_id::restPosition, false);
        in(vec_id::resetPosition, false);
        if (!areNew) continue;
        in(vec_id::position, false);
        in(vec_id::velocity, true);
    }
    return [undo = std::move(undo)] {
        for (auto it = undo.rbegin(); it != undo.rend(); ++it) (*it)();
    };
}

void TopologicalMapping::init() { build(); }

Index TopologicalMapping::preparePoints(const BaseMeshTopology& input, StoredTopology&) { return input.nbPoints(); }

void TopologicalMapping::rebuild()
{
    m_built = false;
    build();
}

void TopologicalMapping::build()
{
    if (m_built) return;
    m_built = true;
    m_localToGlobal.clear();
    const BaseMeshTopology* from = input();
    BaseMeshTopology* to = output();
    const std::string inKind = elementTypeName(inputType()), outKind = elementTypeName(outputType());
    if (!from) return fail("input: there is no topology to map; expected one of " + inKind + " elements");
    if (!to) return fail("output: there is no topology to fill; expected one for " + outKind + " elements");
    if (from == to) return fail("input and output are the same topology '" + to->pathName() + "'");
    auto* stored = dynamic_cast<StoredTopology*>(to);
    if (!stored) return fail("output: '" + to->pathName() + "' (" + to->className() + ") cannot be filled");
    try {
        // The points of the input first: it may be the output of another mapping itself.
        const Index points = preparePoints(*from, *stored);
        stored->clear(points);
        map(*from, *stored);
    } catch (const std::exception& e) {
        return fail(reasonOf(e));
    }
    setLocalToGlobal(std::move(m_localToGlobal));
    if (m_localToGlobal.empty())
        msgInfo() << "the topology '" << from->pathName() << "' gives no " << outKind << " elements";
}

}  // namespace sofa::core
