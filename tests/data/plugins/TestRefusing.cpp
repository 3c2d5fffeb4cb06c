// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
//
// A plugin that says it could not be initialised, for tests/core/factory/PluginManagerTest.cpp.
extern "C" {
bool moduleIsInitialized();
bool moduleIsInitialized() { return false; }
}
