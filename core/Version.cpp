// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/Version.h"

#if defined(__clang__)
#define SOFA_COMPILER "clang " __clang_version__
#else
#define SOFA_COMPILER "g++ " __VERSION__
#endif
#if defined(__has_feature)  // clang's
#define SOFA_HAS_ASAN __has_feature(address_sanitizer)
#elif defined(__SANITIZE_ADDRESS__)
#define SOFA_HAS_ASAN 1
#else
#define SOFA_HAS_ASAN 0
#endif
#if SOFA_HAS_ASAN
#define SOFA_BUILD_KIND "with sanitizers"
#elif defined(NDEBUG)
#define SOFA_BUILD_KIND "release"
#else
#define SOFA_BUILD_KIND "debug"
#endif

namespace sofa::core {

const char* version() noexcept { return SOFA_VERSION; }

const char* buildDescription() noexcept { return SOFA_COMPILER ", " SOFA_BUILD_KIND; }

}  // namespace sofa::core
