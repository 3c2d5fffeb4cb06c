// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
