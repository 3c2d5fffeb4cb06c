// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/State.h"
#include "core/topology/BaseMeshTopology.h"
#include "core/visual/Color.h"

namespace sofa::component {

using namespace sofa::core;

/// Degrees of freedom of one body: every state vector, with the initial values and transformations that scenes give.
///
/// Where the positions come from, at init:
///   0. The file `filename` of an old scene, with its velocities.
///   1. The `position` that the scene gives or links (two points or more).
///   2. Else, with `useTopology`, the topology of the node, or of a node above as far as no mapping that changes the
///      topology lies in between, if that topology has positions. Its number of points becomes the size, and the last
///      velocity given is repeated for every point.
///   3. Else `rest_position`, if the scene gives that only.
///   4. Else the one default point at the origin (or `size` of them).
/// The longest of the given vectors sets the size; shorter ones are extended.
///
/// Then x ← T R S x with `scale3d`, `rotation` and `translation` (R = Rz Ry Rx; frames turn with it); the rest
/// position, if not given, is restScale · x; finally x ← T₂ R₂ x with `rotation2` and `translation2`, which leave the
/// rest position alone. This order is SOFA's.
template <class DataTypes>
class MechanicalObject : public State<DataTypes>
{
public:
    using typename State<DataTypes>::Coord;
    using typename State<DataTypes>::Deriv;
    using typename State<DataTypes>::VecCoord;
    using typename State<DataTypes>::VecDeriv;

    Link<BaseMeshTopology> l_topology{
        this, {"topology", "Topology of the object; default: that of the node, or above if no mapping changes it"}};

    Data<FileName> d_filename{
        this,
        {.name = "filename", .help = "Mass-spring (.xs3), sphere or mesh file whose points are the initial ones"}};

    // Lengths in the scene's unit (SI: m); rotational scalars of frames are quaternions or radians.
    Data<VecCoord> d_position{
        this, {.name = "position", .help = "Position of each point", .unit = "m", .group = "States"}, VecCoord(1)};
    Data<VecDeriv> d_velocity{this,
                              {.name = "velocity",
                               .help = "Velocity of each point (frames: linear, angular)",
                               .unit = "m/s",
                               .group = "States"},
                              VecDeriv(1)};
    Data<VecDeriv> d_force{
        this,
        {.name = "force", .help = "Force on each point (frames: force, torque)", .unit = "N", .group = "Force"},
        VecDeriv(1)};
    Data<VecCoord> d_restPosition{this,
                                  {.name = "rest_position",
                                   .help = "Position of each point at rest; default: the initial position",
                                   .unit = "m",
                                   .group = "Rest States"}};
    Data<VecDeriv> d_externalForce{this,
                                   {.name = "externalForce",
                                    .help = "Force added to each point during the next step",
                                    .unit = "N",
                                    .group = "Force"},
                                   VecDeriv(1)};
    Data<VecDeriv> d_dx{
        this, {.name = "derivX", .help = "Displacement or unknown of solvers", .unit = "m", .group = "States"}};
    Data<VecCoord> d_freePosition{this,
                                  {.name = "free_position",
                                   .help = "Position reached without constraint forces",
                                   .unit = "m",
                                   .group = "Free Motion"}};
    Data<VecDeriv> d_freeVelocity{this,
                                  {.name = "free_velocity",
                                   .help = "Velocity reached without constraint forces",
                                   .unit = "m/s",
                                   .group = "Free Motion"}};
    Data<VecCoord> d_resetPosition{
        this, {.name = "reset_position", .help = "Position to which reset returns", .unit = "m", .group = "States"}};
    Data<VecDeriv> d_resetVelocity{this,
                                   {.name = "reset_velocity",
                                    .help = "Velocity to which reset returns; default: zero",
                                    .unit = "m/s",
                                    .group = "States"}};
    Data<double> d_restScale{this,
                             {.name = "restScale",
                              .help = "Rest position = restScale times the initial position, to start under tension",
                              .unit = "1"},
                             1.};
    Data<bool> d_useTopology{
        this, {.name = "useTopology", .help = "Take size and positions from a topology when they are not given"}, true};

    Data<bool> d_showObject{this, {.name = "showObject", .help = "Draw the points", .group = "Visualization"}, false};
    Data<float> d_showObjectScale{this,
                                  {.name = "showObjectScale",
                                   .help = "Size of drawn points [pixel]; radius of spheres and length of axes [m]",
                                   .unit = "1",
                                   .group = "Visualization"},
                                  0.1f};
    Data<bool> d_showIndices{
        this, {.name = "showIndices", .help = "Draw the index of each point", .group = "Visualization"}, false};
    Data<float> d_showIndicesScale{
        this,
        {.name = "showIndicesScale", .help = "Size of the drawn indices", .unit = "1", .group = "Visualization"},
        1.f};
    Data<bool> d_showVectors{
        this, {.name = "showVectors", .help = "Draw the velocities", .group = "Visualization"}, false};
    Data<float> d_showVectorsScale{this,
                                   {.name = "showVectorsScale",
                                    .help = "Length drawn per unit of velocity",
                                    .unit = "s",
                                    .group = "Visualization"},
                                   0.0001f};
    Data<int> d_drawMode{
        this,
        {.name = "drawMode",
         .help = "Vectors: 0 line, 1 cylinder, 2 arrow. Points: 0 point, 1 to 4 sphere (showColor, red, "
                 "green, blue). Frames: 0 axes, 1 to 6 axes of one colour",
         .group = "Visualization"},
        0};
    Data<Color> d_color{this, {.name = "showColor", .help = "Colour of drawn points", .group = "Visualization"}};

    Data<Vec3> d_translation{
        this,
        {.name = "translation", .help = "Initial translation, after rotation", .unit = "m", .group = "Transformation"}};
    Data<Vec3> d_rotation{this,
                          {.name = "rotation",
                           .help = "Initial rotation by Euler angles about x, then y, then z",
                           .unit = "deg",
                           .group = "Transformation"}};
    Data<Vec3> d_scale{this,
                       {.name = "scale3d",
                        .help = "Initial scale along each axis, before rotation",
                        .unit = "1",
                        .group = "Transformation"},
                       Vec3{1., 1., 1.}};
    Data<Vec3> d_translation2{this,
                              {.name = "translation2",
                               .help = "Translation applied after the rest position was stored",
                               .unit = "m",
                               .group = "Transformation"}};
    Data<Vec3> d_rotation2{this,
                           {.name = "rotation2",
                            .help = "Rotation (Euler angles about x, y, z) applied after the rest position was stored",
                            .unit = "deg",
                            .group = "Transformation"}};
    Data<int> d_size{this, {.name = "size", .help = "Number of points", .range = Range::nonNegative()}, 1};
    Data<int> d_reserve{
        this,
        {.name = "reserve", .help = "Number of points for which memory is reserved", .range = Range::nonNegative()},
        0};

    MechanicalObject();

    void setDeclared(std::string_view name, std::string_view text) override;
    void parse(ComponentDescription& desc) override;
    void init() override;
    bool takesLooseMesh() const override { return true; }
    void storeResetState() override;
    void reset() override;
    /// With `showObject` the points: as points of `showObjectScale` pixels, or, by `drawMode`, as spheres of that
    /// radius [m] in showColor (1), red (2), green (3) or blue (4). Frames are shown by their axes, of that length,
    /// red, green and blue, or all in green (1), red (2), blue (3), yellow (4), magenta (5) or cyan (6). Velocities as
    /// lines (0), cylinders (1) or arrows (2).
    void draw(DrawTool& tool) override;

    /// Sets the number of points: the vectors that the object always has, and those in use, are cut or extended (new
    /// points are at the origin, at rest).
    void resize(Index n) override;

    /// Transformations of the present positions. Angles are Euler angles [degrees] about x, then y, then z; frames are
    /// turned as well as moved. Scale applies to positions only.
    void applyScale(const Vec3& s);
    void applyRotation(const Vec3& degrees);
    void applyTranslation(const Vec3& t);

    /// True if no mechanical mapping writes this state.
    bool isIndependent() const;

private:
    void pointCountChanged() override { d_size.setValue(static_cast<int>(this->size())); }
    bool loadFile();
    void matchSizes();
    void takeTopologyPositions();
    void storeRestPosition();
    /// Refuses orientations that are none.
    bool checkOrientations();
};

}  // namespace sofa::component
