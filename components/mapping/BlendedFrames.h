// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/GeometricStiffness.h"
#include "core/behavior/Mapping.h"

namespace sofa::component {

using namespace sofa::core;

/// Base of mappings whose points follow several frames each, with weights (linear blend skinning):
///
///   x_i = Σ_j w_ij (c_j + R_j p_ij)
///
/// with frames (c_j, R_j), and the local coordinates p_ij of point i in frame j. J = [w I  −[w r]×] with r = R p; the
/// geometric stiffness of the rotation of a frame is Σ_i [f_i]× [w_ij r_ij]×, as of RigidMapping.
template <class In, class Out>
class BlendedFrames : public Mapping<In, Out>
{
public:
    using Base = Mapping<In, Out>;
    using typename Base::InVecCoord;
    using typename Base::JacobianMatrix;
    using typename Base::OutVecCoord;
    using typename Base::OutVecDeriv;

    GeometricStiffnessData d_geometricStiffness{*this, GeometricStiffness::None};

    bool isLinear() const override { return false; }
    bool hasGeometricStiffness() const override { return d_geometricStiffness.isOn(); }
    using Base::apply;
    using Base::buildGeometricStiffness;
    void apply(OutVecCoord& out, const InVecCoord& in) override;
    void buildJacobian(JacobianMatrix& j, const InVecCoord& in) override;
    void buildGeometricStiffness(BlockSink& k, const OutVecDeriv& f, const InVecCoord& in) override;

protected:
    struct Influence
    {
        Index frame;
        double weight;
        Vec3 local;  ///< p [m]
    };
    /// The frames of a point, one after the other, each frame once; `starts` has one number more than points.
    void setInfluences(Vector<Influence> influences, Vector<Index> starts);
    std::span<const Influence> influencesOf(std::size_t point) const
    {
        return {m_influences.data() + m_starts[point], m_starts[point + 1] - m_starts[point]};
    }
    void appendLinks(Vector<Vec3>& ends) const override;

private:
    Vector<Influence> m_influences;
    Vector<Index> m_starts{0};
    Vector<Vec3> m_arms;        ///< w r of each influence
    Vector<Mat3> m_rotations;   ///< of each frame
    bool m_hasPattern = false;  ///< the Jacobian has the blocks of the influences
};

}  // namespace sofa::component
