// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <map>
#include <optional>

#include "core/fem/materials/StiffnessKey.h"
#include "core/math/Vector.h"
#include "core/mesh/Renumbering.h"
#include "core/parallel/Parallel.h"

namespace sofa::core {

/// Which elements, with N nodes each in D dimensions, have the same stiffness: those whose rest shapes (up to rounding,
/// see StiffnessKey) and materials agree, as the cells of a grid. They have the stiffness of the first of them, however
/// the mesh became what it is.
template <std::size_t N, std::size_t D>
class StiffnessKinds
{
public:
    using Offsets = std::array<Vec<D>, N - 1>;  ///< nodes 1 .. relative to node 0 [m]
    struct Material
    {
        LameParameters lame;
        double factor = 1.;  ///< of the stiffness
    };
    struct Kind
    {
        Offsets rest{};  ///< of the first element
        Material material;
        Index first = InvalidIndex, count = 0;
        bool isOwn = false;  ///< of one element, whatever others are like
    };
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    void clear() { *this = {}; }
    /// The kind of an element.
    std::uint32_t operator[](Index e) const { return m_kindOf[e]; }
    const Kind& kind(std::uint32_t k) const { return m_kinds[k]; }
    /// How many kinds there are, and a number that is larger than those of all.
    std::size_t count() const { return m_kinds.size() - m_free.size(); }
    std::size_t end() const { return m_kinds.size(); }
    bool hasOwn() const { return m_hasOwn; }

    struct Change
    {
        Vector<Index> elements;                ///< that have another kind than before
        Vector<std::uint32_t> fresh, renewed;  ///< kinds that are new, or whose first element has another shape
    };
    /// Some elements have other shapes, materials or numbers, and there are `size` now. Without a material an element
    /// has a kind of its own.
    Change update(Vector<Index> elements, Index size, FunctionRef<Offsets(Index)> restOf,
                  FunctionRef<std::optional<Material>(Index)> materialOf);

private:
    using Key = StiffnessKey<N, D>;
    static Key keyOf(const Offsets& rest, const Material& m)
    {
        return stiffnessKey<N, D>(rest.data(), m.lame, m.factor);
    }
    std::uint32_t create()
    {
        if (m_free.empty()) {
            m_kinds.emplace_back();
            return static_cast<std::uint32_t>(m_kinds.size() - 1);
        }
        const std::uint32_t k = m_free.back();
        m_free.pop_back();
        return k;
    }

    Vector<std::uint32_t> m_kindOf;  ///< per element
    Vector<Kind> m_kinds;
    Vector<std::uint32_t> m_free;
    std::map<Key, std::uint32_t> m_with;
    bool m_hasOwn = false;
};

template <std::size_t N, std::size_t D>
auto StiffnessKinds<N, D>::update(Vector<Index> elements, Index size, FunctionRef<Offsets(Index)> restOf,
                                  FunctionRef<std::optional<Material>(Index)> materialOf) -> Change
{
    Change change;
    const auto before = static_cast<Index>(m_kindOf.size());
    for (Index e = size; e < before; ++e) elements.push_back(e);
    sortUnique(elements);
    std::map<std::uint32_t, Offsets> otherFirst;  // kinds with another first element, and the shape of the one before
    Vector<std::uint32_t> kindBefore;
    for (const Index e : elements) {
        const std::uint32_t k = e < before ? m_kindOf[e] : none;
        kindBefore.push_back(k);
        if (k == none) continue;
        --m_kinds[k].count;
        if (m_kinds[k].first != e) continue;
        otherFirst.emplace(k, m_kinds[k].rest);
        m_kinds[k].first = InvalidIndex;
    }
    m_kindOf.resize(size, none);
    for (std::size_t c = 0; c < elements.size() && elements[c] < size; ++c) {
        const Index e = elements[c];
        const std::optional<Material> material = materialOf(e);
        const Offsets rest = restOf(e);
        auto known = m_with.end();
        if (material) known = m_with.emplace(keyOf(rest, *material), none).first;
        std::uint32_t k = material ? known->second : none;
        if (k == none) {
            k = create();
            m_kinds[k] = {rest, material.value_or(Material{}), InvalidIndex, 0, !material};
            change.fresh.push_back(k);
            if (material) known->second = k;
            m_hasOwn = m_hasOwn || !material;
        }
        m_kindOf[e] = k;
        if (k != kindBefore[c]) change.elements.push_back(e);
        Kind& kind = m_kinds[k];
        ++kind.count;
        if (e > kind.first) continue;
        if (kind.first != InvalidIndex) otherFirst.emplace(k, kind.rest);
        kind.first = e;
        kind.rest = rest;
    }
    std::erase_if(otherFirst, [&](const auto& k) { return m_kinds[k.first].count == 0; });
    // Elements that did not change may come before.
    for (Index e = 0; !otherFirst.empty() && e < size; ++e)
        if (const auto k = otherFirst.find(m_kindOf[e]); k != otherFirst.end() && e < m_kinds[k->first].first) {
            m_kinds[k->first].first = e;
            m_kinds[k->first].rest = restOf(e);
        }
    for (const auto& [k, rest] : otherFirst)
        if (m_kinds[k].rest != rest) change.renewed.push_back(k);
    sortUnique(kindBefore);
    for (const std::uint32_t k : kindBefore) {
        if (k == none || m_kinds[k].count > 0) continue;
        if (!m_kinds[k].isOwn) m_with.erase(keyOf(m_kinds[k].rest, m_kinds[k].material));
        m_kinds[k] = {};
        m_free.push_back(k);
    }
    return change;
}

}  // namespace sofa::core
