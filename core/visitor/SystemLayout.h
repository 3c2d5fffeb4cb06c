// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <string>

#include "core/visitor/ExecutionPlan.h"

namespace sofa::core {

/// Where the scalars of the unknowns of a scope stand in a flat vector: state after state, point after point.
class SystemLayout
{
public:
    struct Entry
    {
        BaseState* state;
        int offset;
        int size;

        /// Place of scalar k of point i.
        int scalar(Index i, std::size_t k = 0) const { return offset + static_cast<int>(i * state->derivSize() + k); }
    };

    /// The independent states of a scope, in the order of a visit.
    void set(const ExecutionPlan& plan);
    /// Whether it is that of a plan still: the same states, with as many points.
    bool fits(const ExecutionPlan& plan) const;

    int size() const { return m_size; }
    /// The largest of 3, 2 and 1 that divides the scalars of a point of every state.
    int blockSize() const { return m_blockSize; }
    auto begin() const { return m_entries.begin(); }
    auto end() const { return m_entries.end(); }
    /// Of a state; nullptr if it is not an unknown.
    const Entry* find(const BaseState& s) const;

    /// Copies between state vectors and flat vectors of size() scalars.
    void gather(const MultiVecDerivId& v, double* out) const;
    void scatter(const double* in, const MultiVecDerivId& v) const;

    /// "path of the state, point i, component k" of a scalar, for messages.
    std::string describe(int scalar) const;

private:
    std::vector<Entry> m_entries;
    int m_size = 0;
    int m_blockSize = 1;
};

}  // namespace sofa::core
