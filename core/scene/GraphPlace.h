// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "core/objectmodel/Node.h"

/// Where objects stand in a graph, so that commands can be undone and done again.
namespace sofa::core {

/// Keeps an object for undo and redo. The root keeps the steps itself, so that they must not keep the root.
std::shared_ptr<Base> holdObject(Base& object);

/// The nodes that hold an object, and its place in each.
struct GraphPlace
{
    std::shared_ptr<Base> object;
    std::vector<std::pair<std::shared_ptr<Base>, std::size_t>> nodes;

    explicit GraphPlace(Base& b);

    /// Takes the object out of them.
    void remove() const;
    /// Puts it back.
    void restore() const;
};

/// Puts a component or node to a place in a node; it may be there already.
void moveObject(Base& object, Node& to, std::size_t place);

}  // namespace sofa::core
