// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "applications/runSofa/Options.h"
#include "core/simulation/Simulation.h"

namespace sofa::application {

/// Prints "runSofa: text" on standard error.
void report(const std::string& text);
/// Number of problems that make the scene unusable: errors, and with --strict warnings and deprecations too.
std::size_t problems(const Options& o);

/// Runs the steps without a window, with the recordings, tables and checkpoints that were asked for. Returns the exit
/// code. Throws std::runtime_error where a file cannot be written.
int runBatch(core::Simulation& sim, const Options& o);

/// Prints what checkDerivatives finds after the steps that were asked for (none by default). Returns the exit code.
int runDerivativeCheck(core::Simulation& sim, const Options& o);

}  // namespace sofa::application
