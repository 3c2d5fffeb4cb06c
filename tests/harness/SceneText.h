// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <catch2/catch.hpp>

#include "core/behavior/State.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"

namespace sofa::test {

/// A scene from the text of what stands in its root, initialised; `good` says whether that went well.
struct SceneText
{
    std::shared_ptr<core::Node> root;
    std::unique_ptr<core::Simulation> simulation;
    bool good = false;

    explicit SceneText(const std::string& body, const std::string& dt = "0.01",
                       const std::string& gravity = "0 -9.81 0")
    {
        root = core::loadSceneText("<Node name='root' dt='" + dt + "' gravity='" + gravity + "'>" + body + "</Node>",
                                   "test.scn");
        REQUIRE(root);
        simulation = std::make_unique<core::Simulation>(root);
        good = simulation->init();
    }
    void step(int n = 1)
    {
        for (int i = 0; i < n; ++i) simulation->step();
    }
    core::Node& child(const std::string& name) { return *root->child(name); }
    template <class DataTypes>
    core::State<DataTypes>& state(const std::string& node)
    {
        return *child(node).template get<core::State<DataTypes>>(core::Search::Local);
    }
};

}  // namespace sofa::test
