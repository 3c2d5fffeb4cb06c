// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/Mapping.h"
#include "core/topology/TopologyChange.h"
#include "core/topology/TopologyView.h"

namespace sofa::component {

using namespace sofa::core;

/// Output point i is the input point indices[i].
///
/// The indices are given, or the range `first` to `last`, or else found at init: for each output point the nearest
/// input point within `radius`. A point without a counterpart is an error, unless `ignoreNotFound` is set: then it
/// stays at its rest position.
template <class In, class Out>
class SubsetMapping final : public Mapping<In, Out>, public TopologyFollower
{
public:
    SubsetMapping()
    {
        this->ignoreAttribute("resizeToModel", "the output always has a point for each index");
        this->ignoreAttribute("topology", "the indices are those of points of the input, whose changes they follow");
    }
    using Base = Mapping<In, Out>;
    using typename Base::InVecCoord;
    using typename Base::JacobianMatrix;
    using typename Base::OutVecCoord;

    Data<Vector<Index>> d_indices{
        this, {.name = "indices", .help = "Input point of each output point; empty: found by position"}};
    Data<Index> d_first{
        this, {.name = "first", .help = "First input point, when the points are consecutive"}, InvalidIndex};
    Data<Index> d_last{
        this, {.name = "last", .help = "Last input point, when the points are consecutive"}, InvalidIndex};
    Data<double> d_radius{this,
                          {.name = "radius",
                           .help = "Largest distance at which an input point corresponds to an output point",
                           .unit = "m",
                           .range = Range::nonNegative()},
                          1e-5};
    Data<bool> d_handleTopologyChange{
        this, {.name = "handleTopologyChange", .help = "Renumber the indices when the input's topology changes"}, true};
    Data<bool> d_ignoreNotFound{
        this, {.name = "ignoreNotFound", .help = "Leave output points without a counterpart where they are"}, false};

    void init() override;
    bool hasFixtures() const override { return true; }
    BaseMapping::Fixture fixture(Index i) const override { return {d_indices.value()[i]}; }
    PointLists pointLists() override;
    /// Renumbers the indices. That a point goes on which one of the output is, or comes in the output, is refused.
    void followTopology(const TopologyChange& change) override;

    using Base::apply;
    void apply(OutVecCoord& out, const InVecCoord& in) override;
    void buildJacobian(JacobianMatrix& j, const InVecCoord& in) override;

protected:
    void appendLinks(Vector<Vec3>& ends) const override;

private:
    /// Whether the indices are those of a mapping of meshes, which follow by themselves.
    bool followsMapping() const;
    void takeRange();
    bool search();
};

}  // namespace sofa::component
