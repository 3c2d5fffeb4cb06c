// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <memory>
#include <span>
#include <unordered_map>

#include "core/behavior/BaseMapping.h"
#include "core/behavior/ProjectiveConstraint.h"
#include "core/behavior/State.h"

namespace sofa::core {

/// Jacobian H of all Lagrangian constraints of a scene, one sparse part for each state: the constraint forces are Hᵀλ,
/// the change of the violations by a displacement dx is H dx.
///
/// Constraints add rows on the states on which they act; carry() pulls the rows of mapped states through the Jacobians
/// of the mappings, H_in += H_out J, down to independent states; eliminate() drops what projective constraints hold.
/// Rows and points are sorted and sums run in a fixed order, so that the matrix does not depend on the order in which
/// entries of one row were added beyond rounding. The storage of states that rows touch is kept from step to step.
class ConstraintMatrix
{
public:
    /// The rows that touch one state, compressed: row rows[k] has the points points[start[k]] … points[start[k+1]−1],
    /// increasing, each with derivSize scalars in `values`.
    struct Part
    {
        BaseState* state = nullptr;
        std::size_t derivSize = 0;
        Vector<int> rows, start;
        Vector<Index> points;
        Vector<double> values;

        std::size_t size() const { return rows.size(); }
        bool empty() const { return rows.empty(); }
        /// Position of a row in `rows`; −1 if the row does not touch the state.
        int find(int row) const;

    private:
        struct Entry
        {
            int row;
            Index point;
            std::size_t at;  ///< of the first scalar in m_added
        };
        Vector<Entry> m_entries;
        Vector<double> m_added;
        friend class ConstraintMatrix;
    };

    /// Starts an empty matrix.
    void begin();
    /// Appends rows and returns the index of the first.
    int addRows(int n)
    {
        m_rows += n;
        return m_rows - n;
    }
    int rows() const { return m_rows; }
    /// Adds derivSize scalars to a row at a point of a state. Throws std::runtime_error for a point outside the state.
    void add(BaseState& s, int row, Index point, const double* values);
    template <class DataTypes>
    void add(State<DataTypes>& s, int row, Index point, const typename DataTypes::Deriv& d)
    {
        add(static_cast<BaseState&>(s), row, point, d.data());
    }

    /// Carries the rows of mapped states up. `mappings` in the order of a visit, inputs before outputs.
    void carry(const std::vector<BaseMapping*>& mappings);
    /// Clears the scalars that projective constraints hold; rows without any scalar left are dropped from the part.
    void eliminate(const std::vector<BaseProjectiveConstraint*>& constraints);

    /// The part of a state, mapped or not; nullptr if no row touches it.
    const Part* part(const BaseState& s) const;
    const std::vector<std::unique_ptr<Part>>& parts() const { return m_parts; }

    /// out(row) += H v for the part of one state; `out` has rows() numbers.
    void addProduct(const BaseState& s, VecDerivId v, std::span<double> out) const;
    /// f += Hᵀ λ on one state.
    void addForce(BaseState& s, VecDerivId f, std::span<const double> lambda) const;

private:
    Part& partOf(BaseState& s);
    static void compress(Part& p);
    struct Joined
    {
        const BaseState* state;
        Index point;
        std::size_t scalar;
        const BaseState* other;
        Index otherPoint;
    };
    /// H ← H P where P takes the scalars of two points to their mean; each pair stands there in both directions.
    void join(std::span<const Joined> joined);

    int m_rows = 0;
    std::vector<std::unique_ptr<Part>> m_parts;
    std::unordered_map<const BaseState*, Part*> m_partOf;
};

}  // namespace sofa::core
