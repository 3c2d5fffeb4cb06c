// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/GeometricStiffness.h"
#include "core/behavior/Mapping.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

using namespace sofa::core;

/// Points (or frames) fixed in moving frames.
///
/// With frame (c, R) and local coordinates p of a point: x = c + R p. Velocity v = ċ + ω × r with r = R p, so that
/// J = [I  −[r]×] (3 × 6); a force f on the point adds the force f and the torque r × f to the frame. A mapped frame
/// has the orientation R Q with its local orientation Q, and its torque is added to the frame's. In the plane: J = [I
/// (−r_y, r_x)ᵀ].
///
/// The torque depends on R: δ(r × f) = −f × (δθ × r) = [f]× [r]× δθ, the geometric stiffness, added to the rotations of
/// the frame by `geometricStiffness`:
///   None        it is left out (the default, as in SOFA);
///   Exact       as above, not symmetric;
///   Stabilized  its symmetric part, with positive eigenvalues set to zero.
///
/// Local coordinates: `initialPoints` if given, or the file's points; else the output's initial positions, taken as
/// local, or as global with `globalToLocalCoords`. With `useX0` they are the output's rest positions.
///
/// Frame of each point: `rigidIndexPerPoint` if it has one entry per point, else `index` for all, counted from the last
/// frame with `indexFromEnd`. `repartition` assigns consecutive points: one number n gives n points
/// to each frame, several numbers give that many points to the frames 0, 1, ...
///
/// Points that come later stand in the frame of the point that they are made of, or of the one with the largest part,
/// where the state has put them; frames with points keep their numbers.
template <class In, class Out>
class RigidMapping final : public Mapping<In, Out>, public TopologyFollower
{
public:
    using Base = Mapping<In, Out>;
    using typename Base::InVecCoord;
    using typename Base::JacobianMatrix;
    using typename Base::OutCoord;
    using typename Base::OutVecCoord;
    using typename Base::OutVecDeriv;

    GeometricStiffnessData d_geometricStiffness{*this, GeometricStiffness::None};
    Data<OutVecCoord> d_points{
        this, {.name = "initialPoints", .help = "Coordinates of each point in its frame", .unit = "m"}};
    Data<Index> d_index{this, {.name = "index", .help = "Frame of all points"}, 0};
    Data<FileName> d_filename{this,
                              {.name = "filename", .help = "Mesh or sphere file whose points are the local ones"}};
    Data<bool> d_useX0{
        this, {.name = "useX0", .help = "Take the output's rest positions as local coordinates, at every step"}, false};
    Data<bool> d_indexFromEnd{this, {.name = "indexFromEnd", .help = "Count index from the last frame"}, false};
    Data<Vector<Index>> d_rigidIndexPerPoint{this, {.name = "rigidIndexPerPoint", .help = "Frame of each point"}};
    Data<Vector<Index>> d_repartition{
        this,
        {.name = "repartition",
         .help = "Numbers of consecutive points of each frame, or one number for all frames; rigidIndexPerPoint is "
                 "computed from it"}};
    Data<bool> d_globalToLocalCoords{
        this, {.name = "globalToLocalCoords", .help = "The output's initial positions are global"}, false};

    RigidMapping();
    PointLists pointLists() override;
    void followTopology(const TopologyChange& change) override;
    void init() override;
    bool isLinear() const override { return false; }
    bool hasGeometricStiffness() const override { return d_geometricStiffness.isOn(); }
    bool hasFixtures() const override { return std::is_same_v<In, Rigid3Types>; }
    BaseMapping::Fixture fixture(Index i) const override;

    using Base::apply;
    void apply(OutVecCoord& out, const InVecCoord& in) override;
    void buildJacobian(JacobianMatrix& j, const InVecCoord& in) override;
    void buildGeometricStiffness(BlockSink& k, const OutVecDeriv& f, const InVecCoord& in) override;

protected:
    void appendLinks(Vector<Vec3>& ends) const override;

private:
    const OutVecCoord& points() const;
    void assignRepartition();
    bool loadPoints();
    void takePoints();
    bool assignFrames();

    Vector<Index> m_frames;           ///< frame of each point
    Vector<Vec3> m_arms;              ///< r = R p of each point
    Vector<Index> m_order, m_starts;  ///< points grouped by frame, in increasing order
};

}  // namespace sofa::component
