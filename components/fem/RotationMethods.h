// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/fem/elements/CorotationalTetrahedra.h"
#include "core/objectmodel/DataText.h"

namespace sofa::component {

using namespace sofa::core;

/// Names of rotation methods as scenes write them, for an Options Data; "large" is the default.
Options rotationMethodOptions(bool withSvd);
/// The method that such an option selects.
RotationMethod rotationMethod(const Options& o);

}  // namespace sofa::component
