// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/Mapping.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

using namespace sofa::core;

/// Output points are the input points: x_out = x_in, v_out = v_in, f_in += f_out.
///
/// Between types of different size the common leading scalars are copied: points take the centres of frames, and the
/// torques of frames receive nothing from points. J is the N_out × N_in matrix with ones on its diagonal, for each
/// point. The output is resized to the input's size, and keeps its topology.
template <class In, class Out>
class IdentityMapping final : public Mapping<In, Out>, public TopologyFollower
{
public:
    using Base = Mapping<In, Out>;
    using typename Base::InVecCoord;
    using typename Base::JacobianMatrix;
    using typename Base::OutVecCoord;

    void init() override;
    bool sharesPoints() const override { return true; }
    bool hasFixtures() const override { return true; }
    BaseMapping::Fixture fixture(Index i) const override { return {i}; }
    PointLists pointLists() override { return noLists(); }
    void followTopology(const TopologyChange&) override { this->invalidateJacobian(); }

    using Base::apply;
    void apply(OutVecCoord& out, const InVecCoord& in) override;
    void applyJ(const MechanicalParams& mp, const MultiVecDerivId& out, const MultiVecDerivId& in) override;
    void applyJT(const MechanicalParams& mp, const MultiVecDerivId& in, const MultiVecDerivId& out) override;
    void buildJacobian(JacobianMatrix& j, const InVecCoord& in) override;

protected:
    void appendLinks(Vector<Vec3>& ends) const override;
};

}  // namespace sofa::component
