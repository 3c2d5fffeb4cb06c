// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <functional>
#include <memory>

#include "applications/runSofa/Options.h"
#include "core/objectmodel/Node.h"

namespace sofa::application {

/// Runs the scenes of the lists that were given, each in a process of its own, as many at once as there are threads to
/// use; compares their states with the references, or writes these; prints a table, and writes JUnit's XML if that was
/// asked for. Must be called before any thread was started. Returns the exit code: Ok if all agree, SceneFailed if a
/// list cannot be read (nothing is run then), else RunFailed.
int runRegression(const Options& o, const std::function<std::shared_ptr<core::Node>(const std::string&)>& load);

}  // namespace sofa::application
