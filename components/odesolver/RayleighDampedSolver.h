// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/Solvers.h"

namespace sofa::component {

/// An integrator with Rayleigh damping D = r_M M − r_K K, K = ∂f/∂x (Rayleigh, "The Theory of Sound", 1877).
class RayleighDampedSolver : public core::OdeSolver
{
public:
    core::Data<double> d_rayleighStiffness{this,
                                           {.name = "rayleighStiffness",
                                            .help = "Rayleigh damping proportional to stiffness",
                                            .unit = "s",
                                            .range = core::Range::nonNegative()},
                                           0.};
    core::Data<double> d_rayleighMass{this,
                                      {.name = "rayleighMass",
                                       .help = "Rayleigh damping proportional to mass",
                                       .unit = "1/s",
                                       .range = core::Range::nonNegative()},
                                      0.};
};

}  // namespace sofa::component
