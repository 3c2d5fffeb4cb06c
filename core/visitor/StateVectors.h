// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/visitor/Operations.h"

namespace sofa::core {

/// A vector of all states of a scope for as long as this object lives. Its identifier is one that nobody else in the
/// scene has meanwhile, so solvers below, beside and within each other never write into the same vector. What it holds
/// at first is not defined. States keep their memory for the next vector of the same identifier: a step that takes the
/// same vectors as the one before allocates nothing.
///
///     VectorOperations vop(*node());
///     const TempDeriv rhs(vop);
///     vop.copy(rhs, vec_id::force);
template <VecType type>
class TemporaryVector
{
public:
    explicit TemporaryVector(VectorOperations& vop);
    ~TemporaryVector();
    TemporaryVector(const TemporaryVector&) = delete;
    TemporaryVector& operator=(const TemporaryVector&) = delete;

    VecId<type> id() const { return m_id; }
    operator VecId<type>() const { return m_id; }
    operator MultiVecId<type>() const { return m_id; }

private:
    std::shared_ptr<VectorNumbers> m_numbers;
    VecId<type> m_id;
};
using TempCoord = TemporaryVector<VecType::Coord>;
using TempDeriv = TemporaryVector<VecType::Deriv>;

/// A vector that a component keeps from step to step, as a member; checkpoints hold it (State::archive).
///
///     KeptDeriv m_acceleration{*this, "acceleration"};
///     ...
///     const VecDerivId acceleration = m_acceleration.allocate(vop);
template <VecType type>
class KeptVector
{
public:
    KeptVector(const Component& owner, std::string name) : m_owner(owner), m_name(std::move(name)) {}
    ~KeptVector();
    KeptVector(const KeptVector&) = delete;
    KeptVector& operator=(const KeptVector&) = delete;

    /// The identifier; the owner must be in a scene.
    VecId<type> id() const;
    /// Makes sure that all states of the scope have it; new ones are zero (coordinates: default).
    VecId<type> allocate(VectorOperations& vop) const;

private:
    const Component& m_owner;
    std::string m_name;
    mutable std::weak_ptr<VectorNumbers> m_numbers;
    mutable ObjectId m_ownerId = 0;
    mutable VecId<type> m_id;
};
using KeptCoord = KeptVector<VecType::Coord>;
using KeptDeriv = KeptVector<VecType::Deriv>;

}  // namespace sofa::core
