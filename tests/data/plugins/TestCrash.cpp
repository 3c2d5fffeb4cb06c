// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
//
// A plugin whose component ends the program in the middle of a step, for tests/scripts/regression.py.
#include <csignal>
#include <cstdlib>
#include <iostream>

#include "core/factory/Registry.h"

namespace {

using namespace sofa::core;

class Crash : public Component
{
public:
    Data<bool> d_quietly{this, {.name = "quietly", .help = "Exit with status 0 instead of crashing"}, false};
    Crash() { d_listening.setDefault(true); }
    void handleEvent(const Event& e) override
    {
        if (!dynamic_cast<const AnimateBeginEvent*>(&e)) return;
        std::cout << "about to crash" << std::endl;
        if (d_quietly.value()) std::_Exit(0);
        std::raise(SIGSEGV);
    }
};

const auto registered = RegisterComponent("TestCrash", "Test", "TestCrash").help("Crashes").add<Crash>();

}  // namespace
