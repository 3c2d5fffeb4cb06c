// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/constraint/DrawSize.h"
#include "components/constraint/PointsProjectiveConstraint.h"

namespace sofa::component {

/// Base of the constraints that let points move in a plane or along a line only: derivatives are mapped by an
/// orthogonal projection P, and in the linear system A ← P A P + (1 − P), whatever the direction of plane or line.
template <class DataTypes>
class SubspaceProjectiveConstraint : public PointsProjectiveConstraint<DataTypes>
{
public:
    using Base = PointsProjectiveConstraint<DataTypes>;
    using typename Base::Deriv;
    using typename Base::VecCoord;
    using typename Base::VecDeriv;
    using Point = core::Vec<DataTypes::spatialDimensions>;
    static constexpr std::size_t dimensions = DataTypes::spatialDimensions;

    void init() override;
    void reinit() override;
    using Base::projectPosition;
    using Base::projectResponse;
    using Base::projectVelocity;
    void projectResponse(VecDeriv& dx) const override;
    void projectVelocity(VecDeriv& v) const override { projectResponse(v); }
    void eliminate(core::EliminationSink& sink) const override;

protected:
    /// Normal of the plane, or direction of the line; need not be of unit length.
    virtual Point direction() const = 0;
    /// Name of the Data with it.
    virtual const core::BaseData& directionData() const = 0;
    /// True: points move in the plane across direction(); false: along it.
    virtual bool isPlane() const = 0;
    const Point& unit() const { return m_unit; }
    /// `d` without the forbidden part.
    Point allowed(const Point& d) const;

private:
    Point m_unit;
};

/// Keeps points in the plane n · (x − o) = 0.
template <class DataTypes>
class PlaneProjectiveConstraint final : public SubspaceProjectiveConstraint<DataTypes>
{
public:
    using Base = SubspaceProjectiveConstraint<DataTypes>;
    using typename Base::Point;
    using typename Base::VecCoord;

    core::Data<Point> d_origin{this, {.name = "origin", .help = "A point of the plane", .unit = "m"}};
    core::Data<Point> d_normal{this, {.name = "normal", .help = "Normal of the plane, of any length", .unit = "1"}};
    DrawSize d_drawSize{this};
    using Base::projectPosition;
    void projectPosition(VecCoord& x) const override;

protected:
    double drawnRadius() const override { return d_drawSize.value(); }
    Point direction() const override { return d_normal.value(); }
    const core::BaseData& directionData() const override { return d_normal; }
    bool isPlane() const override { return true; }
};

/// Keeps points on the line o + s d.
template <class DataTypes>
class LineProjectiveConstraint final : public SubspaceProjectiveConstraint<DataTypes>
{
public:
    using Base = SubspaceProjectiveConstraint<DataTypes>;
    using typename Base::Point;
    using typename Base::VecCoord;

    DrawSize d_drawSize{this};
    core::Data<Point> d_origin{this, {.name = "origin", .help = "A point of the line", .unit = "m"}};
    core::Data<Point> d_direction{this,
                                  {.name = "direction", .help = "Direction of the line, of any length", .unit = "1"}};
    using Base::projectPosition;
    void projectPosition(VecCoord& x) const override;

protected:
    double drawnRadius() const override { return d_drawSize.value(); }
    Point direction() const override { return d_direction.value(); }
    const core::BaseData& directionData() const override { return d_direction; }
    bool isPlane() const override { return false; }
};

/// Keeps each point on a line of one direction through where it is at the beginning.
template <class DataTypes>
class DirectionProjectiveConstraint final : public SubspaceProjectiveConstraint<DataTypes>
{
public:
    using Base = SubspaceProjectiveConstraint<DataTypes>;
    using typename Base::Point;
    using typename Base::VecCoord;

    DrawSize d_drawSize{this};
    core::Data<Point> d_direction{this,
                                  {.name = "direction", .help = "Direction of the lines, of any length", .unit = "1"}};

    void init() override;
    void followTopology(const core::TopologyChange& change) override;
    using Base::projectPosition;
    void projectPosition(VecCoord& x) const override;

protected:
    double drawnRadius() const override { return d_drawSize.value(); }
    Point direction() const override { return d_direction.value(); }
    const core::BaseData& directionData() const override { return d_direction; }
    bool isPlane() const override { return false; }

private:
    VecCoord m_start;
};

/// Lets points (centres of frames) move across a direction only: displacements along it are cleared. Velocities and
/// positions are never changed, as in SOFA: a point that moves along the direction when the constraint begins goes on.
///
/// With dmin ≠ dmax the points with dmin < x · direction < dmax at the beginning join those of `indices`.
template <class DataTypes>
class FixedPlaneProjectiveConstraint final : public SubspaceProjectiveConstraint<DataTypes>
{
public:
    using Base = SubspaceProjectiveConstraint<DataTypes>;
    using typename Base::Point;
    using typename Base::VecCoord;
    using typename Base::VecDeriv;

    core::Data<Point> d_direction{
        this, {.name = "direction", .help = "Normal of the planes in which the points stay", .unit = "1"}};
    core::Data<double> d_dmin{
        this,
        {.name = "dmin", .help = "Points with x . direction between dmin and dmax are constrained", .unit = "m"},
        0.};
    core::Data<double> d_dmax{
        this,
        {.name = "dmax", .help = "Points with x . direction between dmin and dmax are constrained", .unit = "m"},
        0.};

    FixedPlaneProjectiveConstraint() { this->d_indices.setDefault({}); }
    void init() override;
    using Base::projectPosition;
    using Base::projectVelocity;
    void projectVelocity(VecDeriv&) const override {}
    void projectPosition(VecCoord&) const override {}

protected:
    Point direction() const override { return d_direction.value(); }
    const core::BaseData& directionData() const override { return d_direction; }
    bool isPlane() const override { return true; }
};

/// Puts points at one place.
template <class DataTypes>
class PointProjectiveConstraint final : public PointsProjectiveConstraint<DataTypes>
{
public:
    using Base = PointsProjectiveConstraint<DataTypes>;
    using typename Base::Coord;
    using typename Base::VecCoord;
    using typename Base::VecDeriv;

    core::Data<Coord> d_point{this, {.name = "point", .help = "Where the points are put", .unit = "m"}};
    core::Data<bool> d_fixAll{this, {.name = "fixAll", .help = "Take every point, whatever the indices"}, false};
    DrawSize d_drawSize{this};
    using Base::projectPosition;
    using Base::projectResponse;
    using Base::projectVelocity;
    void projectResponse(VecDeriv& dx) const override;
    void projectVelocity(VecDeriv& v) const override { projectResponse(v); }
    void projectPosition(VecCoord& x) const override;
    void eliminate(core::EliminationSink& sink) const override;

protected:
    double drawnRadius() const override { return d_drawSize.value(); }
    bool takesAll() const override { return d_fixAll.value(); }
};

/// Holds the centres of frames where they are, as FixedProjectiveConstraint holds points; they may turn.
template <class DataTypes>
class FixedTranslationProjectiveConstraint final : public PointsProjectiveConstraint<DataTypes>
{
public:
    using Base = PointsProjectiveConstraint<DataTypes>;
    using typename Base::VecCoord;
    using typename Base::VecDeriv;

    core::Data<bool> d_fixAll{this, {.name = "fixAll", .help = "Take every frame, whatever the indices"}, false};
    DrawSize d_drawSize{this};

    FixedTranslationProjectiveConstraint() { this->ignoreAttribute("coordinates", "the whole centre is held"); }
    using Base::projectPosition;
    using Base::projectResponse;
    using Base::projectVelocity;
    void projectResponse(VecDeriv& dx) const override;
    void projectVelocity(VecDeriv&) const override {}
    void projectPosition(VecCoord&) const override {}
    void eliminate(core::EliminationSink& sink) const override;

protected:
    double drawnRadius() const override { return d_drawSize.value(); }
    bool takesAll() const override { return d_fixAll.value(); }

private:
    static constexpr std::size_t translations = DataTypes::derivSize / 3 == 2 ? 3 : 2;
};

/// Keeps the share of a frame's rotation about chosen axes (world axes at rest): after each step the orientation is
/// split into a turn about the axis and a swing (twist and swing decomposition), and the turn is replaced by that of
/// the beginning. Velocities are never changed, as in SOFA.
class FixedRotationProjectiveConstraint final : public core::ProjectiveConstraint<core::Rigid3Types>,
                                                public core::TopologyFollower
{
public:
    core::Data<bool> d_fixedX{this, {.name = "FixedXRotation", .help = "Prevent rotations about the axis x"}, false};
    core::Data<bool> d_fixedY{this, {.name = "FixedYRotation", .help = "Prevent rotations about the axis y"}, false};
    core::Data<bool> d_fixedZ{this, {.name = "FixedZRotation", .help = "Prevent rotations about the axis z"}, false};

    PointLists pointLists() override { return noLists(); }
    /// New frames keep the turn that they would have had at the beginning.
    void followTopology(const core::TopologyChange& change) override;
    /// The centres of the frames (flag BehaviorModels).
    void draw(core::DrawTool& tool) override;
    void init() override;
    using ProjectiveConstraint::projectPosition;
    using ProjectiveConstraint::projectResponse;
    using ProjectiveConstraint::projectVelocity;
    void projectResponse(VecDeriv&) const override {}
    void projectVelocity(VecDeriv&) const override {}
    void projectPosition(VecCoord& x) const override;
    void eliminate(core::EliminationSink&) const override {}

private:
    core::Vector<core::Quat> m_start;
};

}  // namespace sofa::component
