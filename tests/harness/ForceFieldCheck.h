// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <catch2/catch.hpp>

#include "core/behavior/BaseForceField.h"

/// Opens the conformance test case of a component class. tests/components/registry/CoverageTest.cpp looks for these
/// markers: every force field, mass, mapping and engine of the registry must have one. Further test cases of a class
/// have ordinary names.
#define HARNESS_FORCE_FIELD(Name) TEST_CASE("conformance of the force field " Name)
#define HARNESS_MASS(Name) TEST_CASE("conformance of the mass " Name)
#define HARNESS_MAPPING(Name) TEST_CASE("conformance of the mapping " Name)

namespace sofa::test {

struct ForceFieldOptions
{
    unsigned seeds = 3;           ///< random poses, besides the one at which the test set the states
    double displacement = 0.2;    ///< amplitude of each scalar of a random pose [m or rad]
    double velocity = 0.;         ///< amplitude of velocities while the stiffness is checked [m/s]; 0 for laws whose
                                  ///< stiffness leaves out the derivative of the damping force
    double dampingVelocity = 1.;  ///< amplitude of velocities while damping is checked
    double step = 1e-3;           ///< of the differences: small against the lengths on which the force changes
    bool atGivenPose = true;    ///< false if the given pose is a kink of the force, such as a spring's rest length with
                                ///< elongationOnly
    bool frozenFrames = false;  ///< true for corotational laws whose stiffness leaves out the turning of their frames:
                                ///< it is a derivative at the given pose only, which must be free of stress
    bool hasStiffness = true;   ///< false for forces that do not depend on positions: then no block may be added
    bool internal = false;      ///< forces and torques of all states sum to zero
    bool symmetric = true;      ///< of the stiffness; only checked where there is a potential
};

/// Checks the laws that every force field obeys, at the pose that the test set and at random poses:
///   1. f = −∂E/∂x, by central differences, where the energy is not NaN; it is not zero everywhere;
///   2. the blocks of buildStiffness are ∂f/∂x, those of buildDamping ∂f/∂v, and not zero everywhere; a force field
///      without damping blocks has no damping (at zero velocity the force is that of the potential);
///   3. addDForce adds (kFactor + bFactor rayleighStiffness) K dx + bFactor B dx;
///   4. K is symmetric where there is a potential;
///   5. internal forces have no resultant (`internal`);
///   6. addForce adds to what is there, and the same pose gives the same bits, whatever was computed between.
/// The tolerance of each comparison is the error bound of the difference formula, or rounding (Numerics.h).
void checkForceField(core::BaseForceField& ff, const ForceFieldOptions& options = {});

}  // namespace sofa::test
