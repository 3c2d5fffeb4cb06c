// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <algorithm>

#include "core/simulation/RegressionList.h"
#include "core/simulation/Simulation.h"

namespace sofa::core {

/// How far one state is from its reference: sums over all frames of the reference, as in SOFA, of ‖Δx‖ / w for the
/// positions and, where the reference has velocities, of dt ‖Δv‖ / w, so that one epsilon does for both. Of n numbers,
/// w is n where the reference is a file of WriteState, and √n where it is one of SOFA's regression program of today.
struct StateDifference
{
    std::string state;       ///< path
    std::size_t frames = 0;  ///< that were compared
    double position = 0.;    ///< [m]
    double velocity = 0.;    ///< times dt [m]
    double firstTime = -1.;  ///< of the first frame whose own error is more than epsilon [s]; -1: none
    double error() const { return std::max(position, velocity); }
};

struct RegressionOutcome
{
    std::vector<StateDifference> states;
    std::vector<std::string> problems;  ///< why the scene could not be compared, or not in full

    /// Whether everything was compared and is within the error that is allowed (no more, and a number).
    bool agrees(double epsilon) const;
};

/// Runs an initialised scene and compares the states that integrators move with the reference files of the case, in the
/// order of the scene: state k of name N has
///   PREFIX mstate_k_N.json.gz, PREFIX mstate_k_N.csv.gz   of SOFA's regression program of today, or
///   PREFIX k_N_mstate.txt.gz                              as WriteState writes it
/// (the prefix is RegressionCase::references). The number counts: SOFA has named states in other ways before. Frames
/// are compared at their times; one whose time does not come is a problem. Throws what steps throw.
RegressionOutcome compareWithReferences(Simulation& simulation, const RegressionCase& test);

/// Runs an initialised scene and writes its references, with positions and velocities, in the last of the forms above,
/// in the place of older ones of any form. Returns how many files. Throws std::runtime_error.
std::size_t writeReferences(Simulation& simulation, const RegressionCase& test);

}  // namespace sofa::core
