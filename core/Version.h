// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

namespace sofa::core {

/// Version of the framework, "major.minor.patch" (semantic versioning), as stated in the top CMakeLists.txt.
const char* version() noexcept;

/// How this library was built: compiler with its version, and the kind of build. For reports and bug reports.
const char* buildDescription() noexcept;

}  // namespace sofa::core
