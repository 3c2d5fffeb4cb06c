// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <memory>

#include "components/articulation/BvhFile.h"
#include "core/behavior/BaseState.h"
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
    Data<Vec3> d_globalPosition{this,
                                {.name = "globalPosition",
                                 .help = "Present place of the joint, set by the mapping",
                                 .unit = "m",
                                 .readOnly = true}};
    Data<int> d_articulationProcess{
        this,
        {.name = "articulationProcess",
         .help = "0: articulations act one after the other, in the order of the scene, each in the frame that those "
                 "before it have turned; 1: translations first, in the axes of the parent; 2: translations last, in "
                 "the axes of the child. With 1 and 2 several rotations are one, about the sum of their axes times "
                 "their angles",
         .range = Range{0, 2}},
        0};
};

/// A joint as components use it, from the scene or from a file.
struct JointDescription
{
    struct Part
    {
        Vec3 axis;
        bool rotates = false, translates = false;
        Index number = 0;   ///< of the articulated state
        std::string place;  ///< of messages
    };
    Index parent = 0, child = 0;
    Vec3 onParent, onChild;  ///< places of the joint on both bodies, in their axes [m]
    int process = 0;
    std::vector<Part> parts;               ///< in the order of the scene
    std::string place;                     ///< of messages
    ArticulationCenter* center = nullptr;  ///< none of joints from a file
};

/// The joints of an articulated system: those of the ArticulationCenter in its node and below, or of a file.
///
/// Of a BVH file (BvhFile) body 0 is the base, and body k + 1 joint k, in the order of the file, ends of chains ("End
/// Site") among them. Number k of the articulated state is channel k: ways in the units of the file, angles in rad. The
/// states, that in its node of numbers and the first one of frames below, get as many as there are.
///
/// Differences from SOFA: the joints of a file are not put into the scene as nodes; the ends of chains are at their
/// places, where SOFA leaves these bodies at the origin; channels of unknown names are an error.
class ArticulatedHierarchyContainer : public Component
{
public:
    Data<FileName> d_filename{
        this, {.name = "filename", .help = "BVH file with joints and a motion; default: the joints are in the scene"}};

    void init() override;

    std::vector<JointDescription> joints() const;
    /// The motion from a file; nullptr if there is none.
    const BvhFile* motion() const { return m_motion.get(); }
    /// In the order of the scene.
    std::vector<ArticulationCenter*> centers() const;
    /// Those of a center, in the order of the scene.
    static std::vector<Articulation*> articulationsOf(const ArticulationCenter& center);

private:
    /// Gives a state as many points as the file says.
    bool fit(BaseState& state, std::size_t count, const char* what);

    std::unique_ptr<BvhFile> m_motion;
};

}  // namespace sofa::component
