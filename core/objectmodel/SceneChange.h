// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/objectmodel/NumberPool.h"

namespace sofa::core {

class Base;
class BaseData;
class Node;
class SceneDocument;

/// What happened to an object of a scene.
struct SceneChange
{
    enum class Kind
    {
        Added,      ///< a node with all that is below it, or a component; `node` holds it now
        Removed,    ///< the same, out of the scene; `node` held it
        Moved,      ///< to another node of the scene, or another place there; `node` holds it now
        Renamed,    ///< it has its new name
        Activated,  ///< a node was switched on or off
        Value,      ///< a watched Data has another value, or is out of date (`data`)
        Link,       ///< a Data follows another one, or none any more (`data`), or a link leads elsewhere
        Message     ///< the object sent a warning or an error, or became able to work again
    };
    Kind kind;
    Base& object;
    Node* node = nullptr;
    const BaseData* data = nullptr;
};

/// Is told of every change in a scene (Node::addListener), in the thread that makes it, after it was made.
class SceneListener
{
public:
    virtual ~SceneListener() = default;
    virtual void sceneChanged(const SceneChange& change) = 0;
};

/// What a whole scene shares. The root has it.
struct SceneState
{
    std::uint64_t lineage = 0;  ///< of the scenes that share numbers: parts that were taken out keep them
    std::uint64_t lastId = 0;   ///< given to an object
    std::vector<SceneListener*> listeners;
    std::atomic<std::uint64_t> changes{0};    ///< of any kind but Value, counted (Node::changeCount)
    std::shared_ptr<SceneDocument> document;  ///< the files from which it was loaded; none if code made it

    bool running = false;    ///< its components are initialised, and must be again when others change (Simulation)
    bool unsettled = false;  ///< it was changed since then
    std::vector<std::shared_ptr<Base>> removed;  ///< meanwhile: components may still point to them
    std::uint64_t contacts = 0;                  ///< updates of contacts, counted: their order
    std::shared_ptr<VectorNumbers> vectors = std::make_shared<VectorNumbers>();
};

}  // namespace sofa::core
