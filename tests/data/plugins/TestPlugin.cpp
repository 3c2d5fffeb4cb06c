// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
//
// A plugin with every entry point, for tests/core/factory/PluginManagerTest.cpp.
#include "core/factory/Registry.h"

namespace {

using namespace sofa::core;

class FromPlugin : public Component
{
public:
    Data<int> d_value{this, {.name = "value", .help = "A number"}, 1};
};

/// Its name is taken by the program.
class Impostor : public Component
{
};

/// An attribute that says nothing.
class Silent : public Component
{
public:
    Data<int> d_secret{this, {.name = "secret", .help = ""}, 1};
};

const auto silent = RegisterComponent("TestSilent", "Test", "TestPlugin").add<Silent>();
const auto registered =
    RegisterComponent("TestFromPlugin", "Test", "TestPlugin").help("Comes from a plugin").add<FromPlugin>();
const auto conflict = RegisterComponent("RequiredPlugin", "Test", "TestPlugin").add<Impostor>();

int initialisations = 0;

}  // namespace

extern "C" {
void initExternalModule() { ++initialisations; }
int testPluginInitialisations() { return initialisations; }
bool moduleIsInitialized() { return initialisations > 0; }
const char* getModuleName() { return "TestPlugin"; }
const char* getModuleVersion() { return "1.2"; }
const char* getModuleLicense() { return "LGPL"; }
const char* getModuleDescription() { return "For tests"; }
}
