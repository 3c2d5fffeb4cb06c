// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <catch2/catch.hpp>

#include "core/visual/SceneDrawing.h"

namespace sofa::test {

using namespace sofa::core;
using namespace sofa::component;

template <class T>
T& make(Node& node, const std::vector<std::pair<std::string, std::string>>& attributes = {})
{
    auto& c = node.create<T>();
    ComponentDescription desc;
    for (const auto& [name, value] : attributes) desc.set(name, value);
    c.parse(desc);
    c.init();
    return c;
}

struct Scene
{
    std::shared_ptr<Node> root = std::make_shared<Node>("root");
    SceneDrawing drawing;
    std::shared_ptr<const DrawList> draw() { return drawing.draw(*root); }
};

inline const std::pair<std::string, std::string> square{"position", "0 0 0  1 0 0  1 1 0  0 1 0"};

}  // namespace sofa::test
