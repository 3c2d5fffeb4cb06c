// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "components/mapping/BlendedFrames.h"
#include "core/behavior/SkinnedBody.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

/// A skin whose points follow some frames each, with weights that sum to one.
///
/// Method Linear is that of BlendedFrames. DualQuaternion blends rotations instead of places, so that a twisted or bent
/// skin keeps its thickness (Kavan, Collins, Žára, O'Sullivan, "Geometric skinning with approximate dual quaternion
/// blending", ACM Trans. Graph. 27(4), 2008): with the motions q_j of frames since the beginning, as unit dual
/// quaternions of the signs nearest to that of the first frame, b = Σ_j w_j q_j moves the point as b / |b| does.
///
/// Weights are `weight` for the frames `indices` of each point; where they are not given, those of the `nbRef` nearest
/// frames, as `weighting` says, with the distance d between the point and the frame at rest. Points stand where
/// `initPos` says when frames are at rest, by default where the output has them.
///
/// When frames are added, each point follows those of old and new frames that have the largest weights, with the weight
/// that `weighting` gives them beside the others; when frames go, points follow those that are left. New points of the
/// skin have the mean weights of those that they come from, or those of their distances.
template <class In, class Out>
class SkinningMapping final : public BlendedFrames<In, Out>, public TopologyFollower, public SkinnedBody
{
public:
    using Base = BlendedFrames<In, Out>;
    using typename Base::InVecCoord;
    using typename Base::JacobianMatrix;
    using typename Base::OutVecCoord;
    using typename Base::OutVecDeriv;

    Data<Options> d_method{
        this,
        {.name = "method", .help = "What is blended: places (Linear) or rigid motions (DualQuaternion)"},
        Options({"Linear", "DualQuaternion"}, 0)};
    Data<OutVecCoord> d_initPos{
        this,
        {.name = "initPos", .help = "Points when the frames are at rest; default: those of the output", .unit = "m"}};
    Data<Vector<Index>> d_nbRef{
        this, {.name = "nbRef", .help = "Number of frames of all points, or of each"}, Vector<Index>{4}};
    Data<Vector<Vector<Index>>> d_indices{
        this, {.name = "indices", .help = "Frames of each point, as [0, 1] [1, 2, 4]; default: the nearest ones"}};
    Data<Vector<Vector<double>>> d_weight{
        this, {.name = "weight", .help = "Their weights; of each point they are made to sum to one", .unit = "1"}};
    Data<Options> d_weighting{
        this,
        {.name = "weighting", .help = "Weights that are not given, of the distance d [m]: 1/d2, 1/d, Gaussian"},
        Options({"1/d2", "1/d", "Gaussian"}, 0)};
    Data<double> d_gaussianWidth{
        this,
        {.name = "gaussianWidth",
         .help = "Standard deviation σ of exp(−d²/2σ²); 0: the mean distance of frames from their nearest ones",
         .unit = "m",
         .range = Range::nonNegative()},
        0.};
    Data<bool> d_computeWeightsFromPosition{
        this,
        {.name = "computeWeightsFromPosition", .help = "Take positions of frames at the beginning as their rest"},
        false};
    Data<bool> d_showWeights{
        this, {.name = "showWeights", .help = "Show the weights of a frame", .group = "Visualization"}, false};
    Data<Index> d_showFromIndex{
        this, {.name = "showFromIndex", .help = "Frame whose weights are shown", .group = "Visualization"}, 0};

    void init() override;
    void draw(DrawTool& tool) override;
    using Base::apply;
    using Base::buildGeometricStiffness;
    void apply(OutVecCoord& out, const InVecCoord& in) override;
    void buildJacobian(JacobianMatrix& j, const InVecCoord& in) override;
    void buildGeometricStiffness(BlockSink& k, const OutVecDeriv& f, const InVecCoord& in) override;

    PointLists pointLists() override;
    void followTopology(const TopologyChange& change) override;
    void archive(Archive& a) override;
    /// Needs a StoredTopology with a modifier in the node of the frames, whose points they are.
    Index addFrame(const Vec3& place) override;

private:
    /// The weights of a point, by decreasing weight.
    using Weights = std::vector<std::pair<double, Index>>;

    bool isDual() const { return d_method.value().index() == 1; }
    /// Whether frames at rest are those of the input, also of frames that come.
    bool hasRestFrames() const
    {
        return !d_computeWeightsFromPosition.value() && this->input().isAllocated(vec_id::restPosition);
    }
    const InVecCoord& restFrames() const;
    bool checkWeights();
    void computeWeights();
    /// Those of a point by its distances from the frames.
    Weights weightsOf(std::size_t point) const;
    /// The weight that a frame has as d_weighting says, of its squared distance.
    std::function<double(double)> weighting() const;
    std::size_t wantedFrames(std::size_t point) const;
    Vector<Weights> weights() const;
    void setWeights(const Vector<Weights>& all);
    /// The weights of a point after frames came and went, which `frames` tells.
    Weights followed(const Weights& before, std::size_t point, const ElementSource& frames,
                     const Vector<Index>& numbers) const;
    void setUp();

    InVecCoord m_rest;        ///< frames to which local coordinates belong
    OutVecCoord m_points;     ///< where points are with them
    bool m_restored = false;  ///< what is made of the lists is not yet
};

}  // namespace sofa::component
