// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/topology/ElementData.h"

namespace sofa::core {

ElementNumbering pointsOf(const BaseState& s) { return {nullptr, {ElementType::Points}, 1, &s}; }

ElementNumbering pointsOf(const BaseMeshTopology& t) { return {&t, {ElementType::Points}}; }

ElementData::ElementData(BaseData* d, Kind k) : data(d), kind(k)
{
    if (k != Kind::Kept) throw std::logic_error("a value of type " + d->typeName() + " does not follow elements");
}

Vector<Index> ElementSource::inverse() const
{
    Vector<Index> now(before, InvalidIndex);
    for (Index i = 0; i < numbers.size(); ++i)
        if (numbers[i] < now.size()) now[numbers[i]] = i;
    return now;
}

Vector<Index> ElementSource::renumbered(const Vector<Index>& elements) const
{
    const Vector<Index> now = inverse();
    Vector<Index> out;
    for (const Index e : elements)
        if (e < now.size() && now[e] != InvalidIndex) out.push_back(now[e]);
    return out;
}

const Ancestors& ElementSource::ancestorsOf(Index element) const
{
    static const Ancestors none;
    const auto it = ancestors.find(element);
    return it == ancestors.end() ? none : it->second;
}

}  // namespace sofa::core
