// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/math/Vector.h"

namespace sofa::core {

class BaseState;

enum class VecType
{
    Coord,
    Deriv
};

/// Symbolic name of a state vector: every state holds its own vector under the same identifier. Index 0 is null.
template <VecType type>
struct VecId
{
    Index index = 0;
    /// Counts those who take the index for a while, one after the other (TemporaryVector); of kept vectors, that of
    /// their scene (KeptVectors.h); 0 for named ones. A state has the vector only if it was allocated for this one.
    std::uint32_t generation = 0;
    constexpr bool isNull() const { return index == 0; }
    friend constexpr bool operator==(VecId, VecId) = default;
    friend constexpr auto operator<=>(VecId, VecId) = default;
};
using VecCoordId = VecId<VecType::Coord>;
using VecDerivId = VecId<VecType::Deriv>;

/// The named vectors that every state may hold. Solvers take others (core/visitor/StateVectors.h), whose identifiers
/// follow (VectorNumbers).
namespace vec_id {
inline constexpr VecCoordId nullCoord{0}, position{1}, restPosition{2}, freePosition{3}, resetPosition{4};
inline constexpr VecDerivId nullDeriv{0}, velocity{1}, resetVelocity{2}, freeVelocity{3}, normal{4}, force{5},
    externalForce{6}, dx{7}, dforce{8};
}  // namespace vec_id

/// An identifier per state: one default, and exceptions for single states. Cheap to copy.
template <VecType type>
class MultiVecId
{
public:
    constexpr MultiVecId() = default;
    constexpr MultiVecId(VecId<type> id) : m_default(id) {}

    VecId<type> at(const BaseState& s) const
    {
        if (m_map)
            for (const auto& [state, id] : *m_map)
                if (state == &s) return id;
        return m_default;
    }
    void set(const BaseState& s, VecId<type> id)
    {
        m_map = m_map ? std::make_shared<Map>(*m_map) : std::make_shared<Map>();
        for (auto& [state, old] : *m_map) {
            if (state == &s) {
                old = id;
                return;
            }
        }
        m_map->emplace_back(&s, id);
    }
    VecId<type> defaultId() const { return m_default; }
    bool isNull() const { return m_default.isNull() && !m_map; }

private:
    using Map = std::vector<std::pair<const BaseState*, VecId<type>>>;
    VecId<type> m_default;
    std::shared_ptr<Map> m_map;
};
using MultiVecCoordId = MultiVecId<VecType::Coord>;
using MultiVecDerivId = MultiVecId<VecType::Deriv>;

}  // namespace sofa::core
