// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/topology/ElementData.h"

#include <algorithm>
#include <set>

#include "core/mesh/Renumbering.h"

namespace sofa::core {

ElementNumbering pointsOf(const BaseState& s) { return {nullptr, {ElementType::Points}, 1, &s}; }

ElementData::ElementData(BaseData* d, Kind k) : data(d), kind(k)
{
    if (k != Kind::Kept && k != Kind::Computed)
        throw std::logic_error("a value of type " + d->typeName() + " does not follow elements");
}

Index ElementSource::from(Index element) const
{
    const auto it = std::ranges::lower_bound(moved, element, {}, &Moved::now);
    return it != moved.end() && it->now == element ? it->before : element;
}

std::vector<std::pair<Index, Index>> ElementSource::renumberings() const
{
    std::vector<std::pair<Index, Index>> all;
    for (const Moved& m : moved)
        if (m.before != InvalidIndex) all.emplace_back(m.before, m.now);
    std::ranges::sort(all);
    return all;
}

Vector<Index> ElementSource::inverse() const
{
    Vector<Index> out = identity(before);
    for (const Index e : gone) out[e] = InvalidIndex;
    for (const auto& [from, to] : renumberings()) out[from] = to;
    return out;
}

Vector<Index> ElementSource::renumbered(const Vector<Index>& elements) const
{
    const NumbersNow numberNow(*this);
    Vector<Index> out;
    out.reserve(elements.size());
    for (const Index e : elements)
        if (const Index n = e < before ? numberNow(e) : InvalidIndex; n != InvalidIndex) out.push_back(n);
    return out;
}

NumbersNow::NumbersNow(const ElementSource& source) : m_others(source.renumberings())
{
    for (const Index e : source.gone) m_others.emplace_back(e, InvalidIndex);
    std::ranges::sort(m_others);
}

Index NumbersNow::operator()(Index before) const
{
    const auto it = std::ranges::lower_bound(m_others, before, {}, &std::pair<Index, Index>::first);
    return it != m_others.end() && it->first == before ? it->second : before;
}

Vector<Index> ElementSource::withHeirs(const Vector<Index>& elements) const
{
    Vector<Index> out = renumbered(elements);
    if (ancestors.empty()) return out;
    const std::set<Index> members(elements.begin(), elements.end());
    for (const auto& [element, from] : ancestors)
        if (!from.empty() && std::ranges::all_of(from, [&](const Ancestor& a) { return members.contains(a.index); }))
            out.push_back(element);
    return out;
}

Vector<Vector<Index>> ElementSource::renumberedLists(const Vector<Vector<Index>>& lists) const
{
    Vector<Vector<Index>> out;
    for (const Vector<Index>& list : lists) {
        Vector<Index>& stays = out.emplace_back(renumbered(list));
        // What is numbered on from the elements goes on to be so.
        for (const Index e : list)
            if (e >= before) stays.push_back(e - before + now);
        if (ancestors.empty()) continue;
        const std::set<Index> members(list.begin(), list.end());
        for (const auto& [element, from] : ancestors)
            if (!from.empty() && members.contains(std::ranges::max_element(from, {}, &Ancestor::weight)->index))
                stays.push_back(element);
    }
    return out;
}

const Ancestors& ElementSource::ancestorsOf(Index element) const
{
    static const Ancestors none;
    const auto it = ancestors.find(element);
    return it == ancestors.end() ? none : it->second;
}

}  // namespace sofa::core
