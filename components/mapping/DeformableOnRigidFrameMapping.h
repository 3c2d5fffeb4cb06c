// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/GeometricStiffness.h"
#include "core/behavior/MultiMapping.h"

namespace sofa::component {

using namespace sofa::core;

/// A body that deforms in a moving frame: x = c + R p, with local coordinates p (input1) and the frame (c, R) (input2),
/// which both move. J = [R | I  −[r]×] with r = R p, so that a force f adds Rᵀf to the local point, and f and r × f to
/// the frame.
///
/// The local forces and the torques turn with the frame, and the torques change with the local points: the geometric
/// stiffness is Rᵀ[f]× of p and θ, −[f]×R of θ and p, and [f]×[r]× of θ. `geometricStiffness` adds it: None, Exact, or
/// Stabilized, that of θ only, symmetric and with positive eigenvalues set to zero.
///
/// The points follow the frame `index`, counted from the last one with `indexFromEnd`, or with `repartition` several
/// frames: one number n gives n consecutive points to each frame, several numbers that many to the frames 0, 1, ...
template <class Out, class In, class Root>
class DeformableOnRigidFrameMapping final : public MultiMapping<Out, In, Root>
{
public:
    using Base = MultiMapping<Out, In, Root>;
    using typename Base::OutVecCoord;
    using typename Base::OutVecDeriv;
    template <class T>
    using Positions = typename Base::template Positions<T>;
    template <class T>
    using Jacobians = typename Base::template Jacobians<T>;

    GeometricStiffnessData d_geometricStiffness{*this, GeometricStiffness::None};
    Data<Index> d_index{this, {.name = "index", .help = "Frame of all points"}, 0};
    Data<bool> d_indexFromEnd{this, {.name = "indexFromEnd", .help = "Count index from the last frame"}, false};
    Data<Vector<Index>> d_repartition{
        this, {.name = "repartition", .help = "Numbers of consecutive points of each frame, or one number for all"}};

    DeformableOnRigidFrameMapping();
    void init() override;
    bool isLinear() const override { return false; }
    bool hasGeometricStiffness() const override { return d_geometricStiffness.isOn(); }
    using Base::apply;
    using Base::buildGeometricStiffness;
    void apply(OutVecCoord& out, Positions<In> local, Positions<Root> frames) override;
    void buildJacobians(Jacobians<In> ofLocal, Jacobians<Root> ofFrames, Positions<In> local,
                        Positions<Root> frames) override;
    void buildGeometricStiffness(MatrixAccumulator& k, const OutVecDeriv& f, Positions<In> local,
                                 Positions<Root> frames) override;

protected:
    void appendLinks(Vector<Vec3>& ends) const override;

private:
    bool assignFrames();

    Vector<Index> m_frames;    ///< frame of each point
    Vector<Mat3> m_rotations;  ///< of each frame
    Vector<Vec3> m_arms;       ///< r of each point
};

}  // namespace sofa::component
