// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/objectmodel/Component.h"

namespace sofa::component {

using namespace sofa::core;

/// One degree of freedom of a joint: what a number of the articulated state does between the bodies of the next
/// ArticulationCenter at or above its node.
class Articulation : public Component
{
public:
    Data<Vec3> d_axis{this,
                      {.name = "axis",
                       .help = "Axis in the frame of the parent, turned by the articulations before it at its center; "
                               "its length does not matter",
                       .unit = "1"},
                      Vec3(1., 0., 0.)};
    Data<bool> d_rotation{this, {.name = "rotation", .help = "The number is an angle about the axis [rad]"}, false};
    Data<bool> d_translation{this, {.name = "translation", .help = "The number is a way along the axis [m]"}, false};
    Data<Index> d_articulationIndex{
        this, {.name = "articulationIndex", .help = "Which number of the articulated state it is"}, 0};

    Articulation();
};

/// A joint between two bodies: a point of each, which articulations move and turn with respect to each other.
class ArticulationCenter : public Component
{
public:
    Data<Index> d_parentIndex{this, {.name = "parentIndex", .help = "Body that carries the joint"}, 0};
    Data<Index> d_childIndex{this, {.name = "childIndex", .help = "Body that the joint moves"}, 0};
    Data<Vec3> d_posOnParent{
        this, {.name = "posOnParent", .help = "Place of the joint in the frame of the parent", .unit = "m"}};
    Data<Vec3> d_posOnChild{
        this, {.name = "posOnChild", .help = "Place of the joint in the frame of the child", .unit = "m"}};
    Data<Vec3> d_globalPosition{
        this, {.name = "globalPosition", .help = "Present place of the joint, which the mapping sets", .unit = "m"}};
    Data<int> d_articulationProcess{
        this,
        {.name = "articulationProcess",
         .help = "0: articulations act one after the other, in the order of the scene, each in the frame that those "
                 "before it have turned; 1: translations first, in the axes of the parent; 2: translations last, in "
                 "the axes of the child. 1 and 2 have one rotation at most",
         .range = Range{0, 2}},
        0};
};

/// The joints of an articulated system: the ArticulationCenter in its node and below.
class ArticulatedHierarchyContainer : public Component
{
public:
    /// In the order of the scene.
    std::vector<ArticulationCenter*> centers() const;
    /// Those of a center, in the order of the scene.
    static std::vector<Articulation*> articulationsOf(const ArticulationCenter& center);
};

}  // namespace sofa::component
