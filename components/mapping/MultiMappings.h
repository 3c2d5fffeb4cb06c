// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/MultiMapping.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

using namespace sofa::core;

/// Base of mappings whose output points are points of several states: scalars of coordinates are copied, of frames that
/// points follow the centres.
template <class In, class Out>
class PointsMultiMapping : public MultiMapping<Out, In>, public TopologyFollower
{
public:
    using Base = MultiMapping<Out, In>;
    using typename Base::OutVecCoord;
    using Positions = typename Base::template Positions<In>;
    using Jacobians = typename Base::template Jacobians<In>;

    PointLists pointLists() override;
    using Base::apply;
    void apply(OutVecCoord& out, Positions in) override;
    void buildJacobians(Jacobians j, Positions in) override;
    void appendLinks(Vector<Vec3>& ends) const override;

protected:
    /// For each output point the number of an input state, and a point of it.
    const Vector<Index>& pairs() const { return m_pairs; }
    void setPairs(Vector<Index> pairs);
    /// Throws: a change of meshes is not possible.
    [[noreturn]] void refuse(const std::string& why) const;
    void init() override;

private:
    Vector<Index> m_pairs;
};

/// Output points are points of several states: each pair (s, i) of `indexPairs` is point i of the input number s, in
/// the order of `input`.
///
/// The pairs are those at the beginning. Points that an engine selects anew later do not change the mapping: what acts
/// on its output could not follow.
template <class In, class Out>
class SubsetMultiMapping final : public PointsMultiMapping<In, Out>
{
public:
    Data<Vector<Index>> d_indexPairs{
        this,
        {.name = "indexPairs",
         .help = "Two numbers for each output point: that of the input state, in the order of `input`, and that of its "
                 "point"}};

    void init() override;
    TopologyFollower::PointLists pointLists() override
    {
        auto lists = PointsMultiMapping<In, Out>::pointLists();
        lists->back() = {pointsOf(this->output()), {{&d_indexPairs, ElementData::Kind::Kept}}};
        return lists;
    }
    /// Renumbers the points. That one goes on which one of the output is, or comes in the output, is refused.
    void followTopology(const TopologyChange& change) override;
    using PointsMultiMapping<In, Out>::apply;
    void apply(typename Out::VecCoord& out, typename PointsMultiMapping<In, Out>::Positions in) override;

private:
    bool m_restored = false;  ///< the pairs are those of a change that was undone
};

/// Output points are those of all inputs, one state after the other.
template <class In, class Out>
class IdentityMultiMapping final : public PointsMultiMapping<In, Out>
{
public:
    void init() override;
    /// Refuses: points of the output cannot come or go.
    void followTopology(const TopologyChange& change) override;
};

}  // namespace sofa::component
