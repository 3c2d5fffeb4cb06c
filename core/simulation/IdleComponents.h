// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

namespace sofa::core {

class Node;

/// Warns of what a scene has and nothing uses, and says what is missing; for a scene that is initialised:
///  - engines that were given nothing to work on;
///  - states below a mapped one that nothing moves;
///  - force fields and masses that act on nothing that an integrator moves;
///  - integrators without a state, those below another integrator, and several of one node that integrate the same
///    states;
///  - linear solvers that nothing uses;
///  - constraints by forces, and their solvers, where the animation loop solves none.
/// Inactive nodes, and what is there for a while only (Transient.h), are left out.
void warnOfIdleComponents(Node& root);

}  // namespace sofa::core
