// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
//
// usage: embedding SCENE STATE STEPS, e.g. embedding demos/organ.scn /organ/dofs 100
#include <cstdlib>
#include <iostream>

#include "core/behavior/BaseState.h"
#include "core/io/DataRepository.h"
#include "core/scene/SceneLoader.h"
#include "core/scene/SceneSnapshot.h"
#include "core/simulation/Simulation.h"

int main(int count, char** arguments)
try {
    using namespace sofa::core;
    if (count != 4) throw std::runtime_error("usage: embedding SCENE STATE STEPS");
    Simulation simulation(loadScene(DataRepository::instance().require(arguments[1])));
    if (!simulation.init()) return EXIT_FAILURE;  // the reasons were printed
    for (int step = std::atoi(arguments[3]); step > 0; --step) simulation.step();
    const auto* state = dynamic_cast<const BaseState*>(findObject(simulation.root(), arguments[2]));
    if (!state) throw std::runtime_error("no state with this path");
    std::cout << simulation.root().time() << ' ' << state->size() << ' ' << toText(state->pointPosition(0)) << '\n';
    return EXIT_SUCCESS;
} catch (const std::exception& e) {
    std::cerr << e.what() << '\n';
    return EXIT_FAILURE;
}
