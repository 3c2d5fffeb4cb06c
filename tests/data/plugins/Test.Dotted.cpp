// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
//
// A plugin without entry points and with a dot in its name, for tests/core/factory/PluginManagerTest.cpp.
#include "core/factory/Registry.h"

namespace {

class Dotted : public sofa::core::Component
{
};

const auto registered =
    sofa::core::RegisterComponent("TestDotted", "Test", "Test.Dotted").help("Comes from a plugin").add<Dotted>();

}  // namespace
