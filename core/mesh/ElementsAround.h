// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "core/math/Vector.h"

namespace sofa::core {

/// For every vertex the elements that have it, in increasing order, while elements come and go: what Adjacency is for
/// lists that stay. All are in one array, each vertex with a place of its own that moves to the end when it is full.
class ElementsAround
{
public:
    /// `vertices(i)` is the span of the vertices of element i.
    template <class Vertices>
    void build(std::size_t elements, Vertices vertices)
    {
        m_of.clear();
        for (Index e = 0; e < elements; ++e)
            for (const Index v : vertices(e)) ++at(v).room;
        std::size_t end = 0;
        for (Place& p : m_of) {
            p.begin = end;
            end += p.room;
        }
        m_elements.clear();
        m_elements.reserve(end + end / 2);  // room for places that move, which costs nothing until it is used
        m_elements.resize(end);
        for (Index e = 0; e < elements; ++e)
            for (const Index v : vertices(e))
                if (Place& p = m_of[v]; p.size == 0 || m_elements[p.begin + p.size - 1] != e)
                    m_elements[p.begin + p.size++] = e;
    }
    /// Valid until an element is inserted or erased.
    std::span<const Index> operator[](Index v) const
    {
        return v < m_of.size() ? std::span<const Index>(m_elements.data() + m_of[v].begin, m_of[v].size)
                               : std::span<const Index>();
    }
    void insert(Index element, std::span<const Index> vertices)
    {
        for (const Index v : vertices) {
            Place& p = at(v);
            std::span<Index> all = elementsOf(p);
            const auto i = static_cast<std::size_t>(std::ranges::lower_bound(all, element) - all.begin());
            if (i < all.size() && all[i] == element) continue;
            if (p.size == p.room) {
                p.room = 2 * p.room + 1;
                m_elements.resize(m_elements.size() + p.room);
                std::copy_n(m_elements.begin() + std::ptrdiff_t(p.begin), p.size, m_elements.end() - p.room);
                p.begin = m_elements.size() - p.room;
            }
            ++p.size;
            all = elementsOf(p);
            std::copy_backward(all.begin() + std::ptrdiff_t(i), all.end() - 1, all.end());
            all[i] = element;
        }
    }
    void erase(Index element, std::span<const Index> vertices)
    {
        for (const Index v : vertices) {
            Place& p = at(v);
            const std::span<Index> all = elementsOf(p);
            const auto it = std::ranges::lower_bound(all, element);
            if (it == all.end() || *it != element) continue;
            std::copy(it + 1, all.end(), it);
            --p.size;
        }
    }

private:
    struct Place
    {
        std::size_t begin = 0;
        Index size = 0, room = 0;
    };
    Place& at(Index v)
    {
        if (v >= m_of.size()) m_of.resize(v + std::size_t{1});
        return m_of[v];
    }
    std::span<Index> elementsOf(const Place& p) { return {m_elements.data() + p.begin, p.size}; }

    std::vector<Place> m_of;  ///< vertices
    std::vector<Index> m_elements;
};

/// Whether an element has all these vertices.
inline bool hasAll(std::span<const Index> element, std::span<const Index> vertices)
{
    return std::ranges::all_of(vertices, [&](Index v) { return std::ranges::find(element, v) != element.end(); });
}

}  // namespace sofa::core
