// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <cstdlib>
#include <iostream>

#include "core/simulation/Gui.h"

namespace {

/// A user interface that says what it was given.
class Recite final : public sofa::core::Gui
{
public:
    std::string unavailable() const override { return std::getenv("RECITE_NOT") ? "nobody listens" : ""; }
    bool runsWithoutScene() const override { return true; }
    int run(std::shared_ptr<sofa::core::Simulation> simulation, const sofa::core::GuiOptions& o) override
    {
        std::cout << (simulation ? simulation->root().name() : "no scene") << ' ' << o.width << 'x' << o.height;
        for (const std::size_t f : o.frames) std::cout << ' ' << f;
        std::cout << ' ' << o.out << ' ' << o.video << ' ' << o.fps << ' ' << o.view << ' ' << o.steps << ' '
                  << (simulation ? simulation->root().dt() : 0.) << std::endl;
        for (const sofa::core::Message& m : o.messages) std::cout << "said: " << m.text << std::endl;
        if (!o.problem.empty()) std::cout << "problem: " << o.problem << std::endl;
        return simulation ? 0 : 1;
    }
};

}  // namespace

SOFA_GUI(Recite)
