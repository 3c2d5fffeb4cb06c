// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/constraint/PointsProjectiveConstraint.h"

namespace sofa::component {

/// Base of constraints that move points to their images between two times, along straight lines and evenly; frames turn
/// evenly as well. Before, points stay where they were at the first projection x₀; afterwards they stay at their
/// images. Their velocities are cleared, as in SOFA: what is beside them is damped as by points at rest.
///
/// Times are those at the beginning of the step, as in SOFA: positions lag by one step.
template <class DataTypes>
class ImageProjectiveConstraint : public PointsProjectiveConstraint<DataTypes>
{
public:
    using Base = PointsProjectiveConstraint<DataTypes>;
    using typename Base::Coord;
    using typename Base::VecCoord;
    using typename Base::VecDeriv;

    core::Data<core::Vector<core::Index>> d_meshIndices{
        this, {.name = "meshIndices", .help = "Points whose images the scene may ask for; they are not moved"}};
    core::Data<double> d_begin{this, {.name = "beginConstraintTime", .help = "Begin of the motion", .unit = "s"}, 0.};
    core::Data<double> d_end{this, {.name = "endConstraintTime", .help = "End of the motion", .unit = "s"}, 20.};
    core::Data<bool> d_drawConstrainedPoints{
        this,
        {.name = "drawConstrainedPoints", .help = "Draw the constrained points", .group = "Visualization"},
        false};

    ImageProjectiveConstraint() { this->d_indices.setDefault({}); }
    void init() override;
    core::TopologyFollower::PointLists pointLists() override
    {
        using enum core::ElementData::Kind;
        return {{{pointsOf(this->state()), {{&this->d_indices, Members}, {&d_meshIndices, Numbers}}}}};
    }
    void followTopology(const core::TopologyChange& change) override { this->followPoints(change, m_start); }
    using Base::projectPosition;
    using Base::projectVelocity;
    void projectVelocity(VecDeriv& v) const override;
    void projectPosition(VecCoord& x) const override;
    /// Where a point that began at x ends.
    virtual Coord image(const Coord& x) const = 0;

protected:
    bool showsPoints() const override { return d_drawConstrainedPoints.value(); }

private:
    mutable VecCoord m_start;  ///< positions at the first projection
};

/// Moves points to their images under an affine map, x_f = R x₀ + t.
template <class DataTypes>
class AffineMovementProjectiveConstraint final : public ImageProjectiveConstraint<DataTypes>
{
public:
    using typename ImageProjectiveConstraint<DataTypes>::Coord;

    core::Data<core::Mat3> d_rotation{
        this, {.name = "rotation", .help = "Linear part of the map", .unit = "1"}, core::Mat3::identity()};
    core::Data<core::Quat> d_quaternion{
        this, {.name = "quaternion", .help = "Linear part of the map for frames: their rotation", .unit = "1"}};
    core::Data<core::Vec3> d_translation{this, {.name = "translation", .help = "Translation of the map", .unit = "m"}};

    Coord image(const Coord& x) const override;
};

/// Patch test: the displacement of points is that of the corners of a box (of a rectangle, if it is flat along z),
/// interpolated by the trilinear (bilinear) shape functions of the box,
///
///     x_f = x₀ + Σ_i N_i(α, β, γ) d_i,   α = |x − x_0| / |x_1 − x_0| along x, and so on,
///
/// outside the box as well. An element passes if points inside, which are free, take the interpolated places too; that
/// is exact for displacements that are linear in space (Irons, Razzaque, "Experience with the patch test for
/// convergence of finite elements", 1972).
template <class DataTypes>
class PatchTestMovementProjectiveConstraint final : public ImageProjectiveConstraint<DataTypes>
{
public:
    using Base = ImageProjectiveConstraint<DataTypes>;
    using typename Base::Coord;
    using typename Base::Deriv;
    using typename Base::VecCoord;
    using typename Base::VecDeriv;

    core::Data<VecCoord> d_constrainedPoints{
        this,
        {.name = "constrainedPoints",
         .help = "Points whose bounding box is the box; default: those of `indices`",
         .unit = "m"}};
    core::Data<VecDeriv> d_cornerMovements{
        this,
        {.name = "cornerMovements",
         .help = "Displacement of each corner, in the order of a quad in the plane z = min (counter-clockwise from the "
                 "lowest x and y), then of that above it (frames: then a rotation vector in rad)",
         .unit = "m"}};
    core::Data<VecCoord> d_cornerPoints{this,
                                        {.name = "cornerPoints",
                                         .help = "The corners, four or eight; default: those of the bounding box",
                                         .unit = "m"}};

    void init() override;
    Coord image(const Coord& x) const override;
    /// Displacement of a place.
    Deriv displacement(const core::Vec3& place) const;

private:
    core::Vec3 m_low, m_size;  ///< corner 0, and the way from there to the corners beside it along the axes
    bool m_flat = true;        ///< four corners
};

}  // namespace sofa::component
