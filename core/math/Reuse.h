// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <vector>

#include "core/math/Vector.h"

/// Memory that is used again. What is made anew as a whole and grows little by little, like the tables of a mesh that
/// is cut, should be made in the memory that it has: fresh memory of the system costs more than what is written to it.
namespace sofa::core {

/// Empties a vector and makes room for `n` values. A vector that had too little gets some more than it needs now.
template <class T>
void makeRoom(Vector<T>& v, std::size_t n)
{
    v.clear();
    if (n <= v.capacity()) return;
    const std::size_t more = v.capacity() > 0 ? n / 8 : 0;
    v = Vector<T>();  // before there is a larger one
    v.reserve(n + more);
}

/// A list of objects that keep their memory while the list is cleared and filled again: who takes the next one finds it
/// as it was left.
template <class T>
class ReusedList
{
public:
    T& next()
    {
        if (m_size == m_all.size()) m_all.emplace_back();
        return m_all[m_size++];
    }
    /// Keeps the first `n` objects, which are not more than there are.
    void shrink(std::size_t n) { m_size = n; }
    void clear() { m_size = 0; }
    std::size_t size() const { return m_size; }
    bool empty() const { return m_size == 0; }
    T& operator[](std::size_t i) { return m_all[i]; }
    const T& operator[](std::size_t i) const { return m_all[i]; }
    auto begin() { return m_all.begin(); }
    auto begin() const { return m_all.begin(); }
    auto end() { return m_all.begin() + static_cast<std::ptrdiff_t>(m_size); }
    auto end() const { return m_all.begin() + static_cast<std::ptrdiff_t>(m_size); }

private:
    std::vector<T> m_all;
    std::size_t m_size = 0;
};

}  // namespace sofa::core
