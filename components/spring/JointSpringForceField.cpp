// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/spring/JointSpringForceField.h"

#include "core/factory/Registry.h"

namespace sofa::component {

JointSpringForceField::JointSpringForceField()
    : FrameJoints(
          "Joints, each as: BEGIN_SPRING frame of object1, frame of object2, keywords, END_SPRING. Keywords: "
          "FREE_AXIS tx ty tz rx ry rz (0 or 1; default 0 0 0 1 1 1), KS_T soft hard [N/m] (0 10000), KS_R soft "
          "hard [N m/rad] (0 10000), KS_B beyond limits [N m/rad] (hard / 100), KD [N s/m, N m s/rad], R_LIM_X, "
          "R_LIM_Y and R_LIM_Z low high [rad], REST_T vector [m], REST_R quaternion")
{
    for (const char* name : {"outfile", "infile", "period", "reinit"})
        ignoreAttribute(name, "probes and exports write what joints do; constant forces are a ConstantForceField");
    for (const char* name : {"showLawfulTorsion", "showExtraTorsion"})
        ignoreAttribute(name, "the free axes are drawn with the flag ForceFields");
}

FrameSpringForceField::FrameSpringForceField()
    : FrameJoints(
          "Springs, each as: BEGIN_SPRING frame of object1, frame of object2, keywords, END_SPRING. Keywords: KS_T "
          "[N/m] (0), KS_R [N m/rad] (0), KD [N s/m, N m s/rad] (0), VEC1 and VEC2, points in the frames [m] (0 0 0)")
{
    for (const char* name : {"showLawfulTorsion", "showExtraTorsion"})
        ignoreAttribute(name, "it has no effect in SOFA either");
}

static const core::RegisterComponent registeredJointSpringForceField =
    core::RegisterComponent("JointSpringForceField", "ForceField", "Sofa.Component.SolidMechanics.Spring")
        .help("Joints between frames, by springs along six axes")
        .example("component/spring/JointSpringForceField.scn")
        .add<JointSpringForceField>();

static const core::RegisterComponent registeredFrameSpringForceField =
    core::RegisterComponent("FrameSpringForceField", "ForceField", "Sofa.Component.SolidMechanics.Spring")
        .help("Springs between points of frames, against translations and rotations")
        .example("component/spring/FrameSpringForceField.scn")
        .add<FrameSpringForceField>();

}  // namespace sofa::component
