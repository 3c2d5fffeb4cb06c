// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "core/math/Vector.h"

namespace sofa::core {

/// For every vertex the elements that have it, in increasing order, while elements come and go: what Adjacency is for
/// lists that stay.
class ElementsAround
{
public:
    /// `vertices(i)` is the span of the vertices of element i.
    template <class Vertices>
    void build(std::size_t elements, Vertices vertices)
    {
        m_around.clear();
        for (Index e = 0; e < elements; ++e)
            for (const Index v : vertices(e)) at(v).push_back(e);
        for (auto& all : m_around) all.erase(std::unique(all.begin(), all.end()), all.end());
    }
    std::span<const Index> operator[](Index v) const
    {
        return v < m_around.size() ? std::span<const Index>(m_around[v]) : std::span<const Index>();
    }
    void insert(Index element, std::span<const Index> vertices)
    {
        for (const Index v : vertices) {
            auto& all = at(v);
            const auto it = std::ranges::lower_bound(all, element);
            if (it == all.end() || *it != element) all.insert(it, element);
        }
    }
    void erase(Index element, std::span<const Index> vertices)
    {
        for (const Index v : vertices) {
            auto& all = at(v);
            const auto it = std::ranges::lower_bound(all, element);
            if (it != all.end() && *it == element) all.erase(it);
        }
    }

private:
    std::vector<Index>& at(Index v)
    {
        if (v >= m_around.size()) m_around.resize(v + std::size_t{1});
        return m_around[v];
    }
    std::vector<std::vector<Index>> m_around;
};

/// Whether an element has all these vertices.
inline bool hasAll(std::span<const Index> element, std::span<const Index> vertices)
{
    return std::ranges::all_of(vertices, [&](Index v) { return std::ranges::find(element, v) != element.end(); });
}

}  // namespace sofa::core
